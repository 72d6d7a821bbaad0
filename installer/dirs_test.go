package installer

import (
	"strings"
	"testing"
)

// The table of folders and the text that goes into files must name the same.
func TestUsualDirsAreThoseOfTheTeamEntry(t *testing.T) {
	for _, dir := range usualDirs("$HOME") {
		if !strings.Contains(findProgram, dir) {
			t.Errorf("the team entry does not look into %s", dir)
		}
	}
	loop, _, _ := strings.Cut(findProgram, "; do ")
	_, list, _ := strings.Cut(loop, "for d in ")
	if got := len(strings.Fields(list)); got != len(usualDirs("")) {
		t.Errorf("the team entry looks into %d folders, the table has %d", got, len(usualDirs("")))
	}
}
