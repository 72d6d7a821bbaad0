package doctor

import (
	"encoding/json"
	"path/filepath"
	"strings"
)

// Report is everything a run found, probe by probe.
type Report struct {
	Results []Result
	// Version is the build that made it.
	Version string
	home    string
}

// Findings lists the findings of all probes in their order, without those that
// only say what was proven.
func (r Report) Findings() []Finding {
	out := []Finding{}
	for _, result := range r.Results {
		for _, f := range result.Findings {
			if f.Severity > OK {
				out = append(out, f)
			}
		}
	}
	return out
}

// Proven lists what the probes saw work.
func (r Report) Proven() []Finding {
	var out []Finding
	for _, result := range r.Results {
		for _, f := range result.Findings {
			if f.Severity == OK {
				out = append(out, f)
			}
		}
	}
	return out
}

// Worst returns the severity of the worst finding; OK when there is none.
func (r Report) Worst() Severity {
	worst := OK
	for _, f := range r.Findings() {
		worst = max(worst, f.Severity)
	}
	return worst
}

// JSON returns the report for programs: findings in the order of the probes,
// then the status of each probe. The home folder is written as ~.
func (r Report) JSON() ([]byte, error) {
	shown := struct {
		Version  string    `json:"version,omitempty"`
		Findings []Finding `json:"findings"`
		Proven   []string  `json:"proven"`
		Probes   []Result  `json:"probes"`
	}{Version: r.Version, Findings: []Finding{}, Proven: []string{}, Probes: r.Results}
	for _, f := range r.Findings() {
		shown.Findings = append(shown.Findings, r.Show(f))
	}
	for _, f := range r.Proven() {
		shown.Proven = append(shown.Proven, r.Show(f).Message)
	}
	return json.MarshalIndent(shown, "", "  ")
}

// Show returns a finding as it is shown: with ~ in place of the home folder.
func (r Report) Show(f Finding) Finding {
	f.File, f.Message, f.Fix = tilde(r.home, f.File), tilde(r.home, f.Message), tilde(r.home, f.Fix)
	return f
}

// tilde hides the home folder wherever it stands in a text as a path of its own.
func tilde(home, text string) string {
	home = strings.TrimRight(home, "/")
	if home == "" || !filepath.IsAbs(home) {
		return text
	}
	var b strings.Builder
	for {
		i := strings.Index(text, home)
		if i < 0 {
			break
		}
		end := i + len(home)
		whole := end == len(text) || !isNameByte(text[end]) || text[end] == '.' && (end+1 == len(text) || text[end+1] == ' ')
		b.WriteString(text[:i])
		if whole {
			b.WriteByte('~')
		} else {
			b.WriteString(home)
		}
		text = text[end:]
	}
	b.WriteString(text)
	return b.String()
}

func isNameByte(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
