package doctor

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"agentguard/checks/shell/outline"
)

// innerTimeout finds a script that waits for something longer than the client
// waits for the script: it is cut off, and what it would say is lost.
func (p *Patient) innerTimeout(u *unit) []Finding {
	e := u.entry
	if e.Timeout <= 0 {
		return nil
	}
	for _, w := range p.facts(u).ways {
		for _, ev := range w.Events {
			if ev.Node.Kind != outline.Start || ev.Background {
				continue
			}
			seconds := waits(ev.Words)
			if seconds <= e.Timeout {
				continue
			}
			n, _ := e.Node.Get("timeout")
			return []Finding{{
				Kind: "timeout-short", Severity: Warning, File: e.file, Line: e.at(n),
				Message: fmt.Sprintf("The hook may wait %v s (%s:%d), and the client cuts it off after %v: what it would refuse passes.",
					seconds, u.file, u.line(ev.Node.Line), e.Timeout),
				Fix: fmt.Sprintf("Give the entry at least %v seconds.", seconds+5),
			}}
		}
	}
	return nil
}

// waits returns the seconds that a command allows itself, 0 where it does not say.
func waits(words []string) float64 {
	if len(words) < 2 {
		return 0
	}
	switch filepath.Base(words[0]) {
	case "timeout", "gtimeout":
		for _, w := range words[1:] {
			if !strings.HasPrefix(w, "-") {
				return seconds(w)
			}
		}
	case "curl":
		for i, w := range words {
			if (w == "-m" || w == "--max-time") && i+1 < len(words) {
				return seconds(words[i+1])
			}
		}
	}
	return 0
}

func seconds(text string) float64 {
	unit := 1.0
	switch {
	case strings.HasSuffix(text, "m"):
		unit = 60
	case strings.HasSuffix(text, "h"):
		unit = 3600
	}
	v, err := strconv.ParseFloat(strings.TrimRight(text, "smh"), 64)
	if err != nil {
		return 0
	}
	return v * unit
}
