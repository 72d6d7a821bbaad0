package doctor

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestEveryKindHasAPage(t *testing.T) {
	for _, probe := range All() {
		for _, kind := range probe.Kinds {
			page, _, ok := Explain(kind)
			if !ok {
				t.Errorf("probe %s can find %s, which has no page", probe.ID, kind)
				continue
			}
			for _, part := range []string{"# " + kind + "\n", "## Cause", "## How it is proven", "## Mend"} {
				if !strings.Contains(page, part) {
					t.Errorf("the page of %s has no %q", kind, part)
				}
			}
		}
	}
	index, err := os.ReadFile("../../docs/doctor.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range Kinds() {
		if !strings.Contains(string(index), "["+kind+"](../installer/doctor/kinds/"+kind+".md)") {
			t.Errorf("docs/doctor.md does not list %s", kind)
		}
	}
}

func TestExplainNear(t *testing.T) {
	if _, near, ok := Explain("stdout-mixd"); ok || near != "stdout-mixed" {
		t.Errorf("near %q, known %v", near, ok)
	}
	if _, _, ok := Explain("../kinds/proven"); ok {
		t.Error("a path was taken as a kind")
	}
}

func TestProbesAreNamed(t *testing.T) {
	var ids []string
	for _, probe := range All() {
		if probe.ID == "" || probe.Title == "" || probe.Run == nil || slices.Contains(ids, probe.ID) {
			t.Errorf("probe %q: no id of its own, title or function", probe.ID)
		}
		ids = append(ids, probe.ID)
	}
}

func TestTilde(t *testing.T) {
	for text, want := range map[string]string{
		"/home/me/a and /home/me": "~/a and ~",
		"/home/meadow":            "/home/meadow",
		"/home/me.old":            "/home/me.old",
	} {
		if got := tilde("/home/me", text); got != want {
			t.Errorf("tilde(%q) = %q, want %q", text, got, want)
		}
	}
}
