package prose

import (
	"strings"
	"unicode/utf8"
)

// cutBefore gives the greatest cut of text at most at i: after a line break
// where one is near, else between two runes.
func cutBefore(text string, i int) int {
	if n := strings.LastIndexByte(text[i-min(i, 1024):i], '\n'); n >= 0 {
		return i - min(i, 1024) + n + 1
	}
	for i > 0 && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

// cutAfter gives the smallest cut of text at least at i, as cutBefore.
func cutAfter(text string, i int) int {
	if n := strings.IndexByte(text[i:min(len(text), i+1024)], '\n'); n >= 0 {
		return i + n + 1
	}
	for i < len(text) && !utf8.RuneStart(text[i]) {
		i++
	}
	return i
}

// blocks reads the Markdown blocks of text[start:end]. Blocks that the writer
// did not say are recognised generously: what is taken for code by mistake is
// only not read.
func blocks(text string, start, end int) []Part {
	var parts []Part
	fence, comment := "", false
	paragraph, list := false, false // the line before continues a paragraph, a list
	add := func(k Kind, s, e int, join bool) {
		if n := len(parts); join && n > 0 && parts[n-1].Kind == k && parts[n-1].End == s {
			parts[n-1].End = e
			return
		}
		parts = append(parts, Part{Kind: k, Start: s, End: e})
	}
	for at := start; at < end; {
		next := end
		if n := strings.IndexByte(text[at:end], '\n'); n >= 0 {
			next = at + n + 1
		}
		line := strings.TrimRight(text[at:next], "\r\n")
		body := strings.TrimLeft(line, " \t")
		indent := len(line) - len(body)
		switch {
		case fence != "":
			add(Code, at, next, true)
			if strings.HasPrefix(body, fence) && strings.Trim(body, fence[:1]+" ") == "" {
				fence = ""
			}
			paragraph = false
		case comment:
			add(Hidden, at, next, true)
			comment = !strings.Contains(line, "-->")
		case strings.HasPrefix(body, "```") || strings.HasPrefix(body, "~~~"):
			fence = body[:len(body)-len(strings.TrimLeft(body, body[:1]))]
			// A fence that closes on its own line is inline code.
			if strings.Contains(body[len(fence):], "```") {
				fence = ""
			}
			add(Code, at, next, false)
			paragraph = false
		case strings.HasPrefix(body, "<!--"):
			comment = !strings.Contains(line, "-->")
			add(Hidden, at, next, false)
		case body == "":
			paragraph = false
		case strings.HasPrefix(body, ">"):
			add(Quote, at, next, true)
			paragraph, list = false, false
		case ruler(body):
			paragraph, list = false, false
		case indent >= 4 && !paragraph && !list:
			add(Code, at, next, true)
		case table(body):
			add(Table, at, next, true)
			paragraph = false
		case strings.HasPrefix(body, "#") && strings.HasPrefix(strings.TrimLeft(body, "#"), " "):
			add(Heading, at, next, false)
			paragraph, list = false, false
		case marker(body) > 0:
			add(Item, at+indent+marker(body), next, false)
			paragraph, list = true, true
		case logLine(body):
			add(Log, at, next, true)
			paragraph = false
		case paragraph:
			parts[len(parts)-1].End = next
		default:
			add(Own, at, next, false)
			paragraph = true
			if indent == 0 {
				list = false
			}
		}
		at = next
	}
	return parts
}

// ruler tells a line that only divides.
func ruler(body string) bool {
	b := strings.ReplaceAll(body, " ", "")
	return len(b) >= 3 && (strings.Trim(b, "-") == "" || strings.Trim(b, "*") == "" || strings.Trim(b, "_") == "" || strings.Trim(b, "=") == "")
}

func table(body string) bool {
	return strings.HasPrefix(body, "|") && strings.Count(body, "|") >= 2
}

// marker gives the length of a list marker at the head of body, or 0.
func marker(body string) int {
	n := 0
	switch {
	case strings.HasPrefix(body, "- ") || strings.HasPrefix(body, "* ") || strings.HasPrefix(body, "+ "):
		n = 2
	case strings.HasPrefix(body, "• "):
		n = len("• ")
	case len(body) > 3 && letter(body[0]) && body[0] < utf8.RuneSelf && body[1] == ')' && body[2] == ' ':
		n = 3
	case len(body) > 4 && body[0] == '(' && body[2] == ')' && body[3] == ' ':
		n = 4
	default:
		for n < len(body) && n < 3 && body[n] >= '0' && body[n] <= '9' {
			n++
		}
		if n == 0 || n+1 >= len(body) || (body[n] != '.' && body[n] != ')') || body[n+1] != ' ' {
			return 0
		}
		n += 2
	}
	rest := body[n:]
	for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
		if strings.HasPrefix(rest, box) {
			n += len(box)
		}
	}
	return n
}

// logLine tells a line of program output: a prompt, a stack frame, a time stamp.
func logLine(body string) bool {
	for _, p := range []string{"$ ", "❯ ", "% ", "at ", "File \"", "Traceback (", "--- FAIL", "--- PASS", "=== RUN", "npm ERR!", "[INFO]", "[WARN", "[ERROR", "INFO ", "WARN ", "ERROR ", "DEBUG "} {
		if strings.HasPrefix(body, p) {
			return p != "at " || strings.Contains(body, "(") && strings.Contains(body, ":")
		}
	}
	return len(body) >= 10 && digits(body[0:4]) && body[4] == '-' && digits(body[5:7]) && body[7] == '-' && digits(body[8:10])
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// announce marks the code blocks that the sentence before says run now.
func announce(d *Document) {
	j := 0 // sentences that end before the part
	for i := range d.Parts {
		if d.Parts[i].Kind != Code {
			continue
		}
		for j < len(d.Sentences) && d.Sentences[j].End <= d.Parts[i].Start {
			j++
		}
		if j < len(d.Sentences) && strings.TrimSpace(d.Text[d.Parts[i].End:d.Sentences[j].Start]) == "" && runsThat(&d.Sentences[j]) {
			d.Parts[i].Announced = true
			continue
		}
		if j == 0 {
			continue
		}
		gap := d.Text[d.Sentences[j-1].End:d.Parts[i].Start]
		d.Parts[i].Announced = strings.TrimSpace(gap) == "" && runsNow(&d.Sentences[j-1])
	}
}
