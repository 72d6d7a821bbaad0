package evidence

import "strings"

// echo is the last line that an echo or printf command prints: what stands around
// its variables, one more than these.
type echo struct {
	around, variables []string
}

func echoOf(words []string) echo {
	program, words := words[0], words[1:]
	for len(words) > 0 && hasWord("-e -n -E -en -ne --", words[0]) {
		words = words[1:]
	}
	text := strings.Join(words, " ")
	if program == "printf" && len(words) > 0 {
		text = withArguments(words[0], words[1:])
	}
	text = strings.TrimSpace(strings.ReplaceAll(text, `\n`, "\n"))
	text = strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
	var said echo
	for {
		before, rest, ok := strings.Cut(text, "$")
		said.around = append(said.around, before)
		if !ok {
			return said
		}
		var name string
		name, text = variable(rest)
		said.variables = append(said.variables, name)
	}
}

// withArguments puts the arguments of printf in the places that its format has for
// them.
func withArguments(format string, args []string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(format, "%")
		b.WriteString(before)
		if !ok || rest == "" {
			return b.String()
		}
		format = rest[1:]
		if len(args) > 0 {
			b.WriteString(args[0])
			args = args[1:]
		}
	}
}

// variable reads the name behind a dollar: ?, rc, {rc}, {PIPESTATUS[0]}, (…).
func variable(s string) (name, rest string) {
	if s == "" {
		return "", ""
	}
	closing := map[byte]string{'{': "}", '(': ")"}[s[0]]
	if closing != "" {
		name, rest, _ = strings.Cut(s[1:], closing)
		name, _, _ = strings.Cut(name, "[")
		return strings.Replace(name, "pipestatus", "PIPESTATUS", 1), strings.TrimPrefix(rest, ")")
	}
	end := 1
	for s[0] != '?' && end < len(s) && isAlnum(s[end]|0x20) {
		end++
	}
	return s[:end], s[end:]
}

// gives tells whether the command printed the line, and what numbers it shows in the
// place of its variables.
func (e *echo) gives(line string) (shown map[string]int, ok bool) {
	rest, ok := strings.CutPrefix(line, strings.TrimLeft(e.around[0], " "))
	if !ok || line == "" {
		return nil, false
	}
	if len(e.variables) == 0 {
		return nil, rest == ""
	}
	said := len(line) - len(rest)
	for i, name := range e.variables {
		next := e.around[i+1]
		if i == len(e.variables)-1 {
			next = strings.TrimRight(next, " ")
			if !strings.HasSuffix(rest, next) {
				return nil, false
			}
		}
		at := len(rest) - len(next)
		if i < len(e.variables)-1 {
			if at = strings.Index(rest, next); at < 0 || next == "" {
				return nil, false
			}
		}
		n, number := atoi(strings.TrimSpace(rest[:at]))
		said += len(next)
		switch {
		case number && n < 256:
			if shown == nil {
				shown = map[string]int{}
			}
			shown[name] = n
		case name == "?" || name == "PIPESTATUS" || said < 3:
			return nil, false
		}
		rest = rest[at+len(next):]
	}
	return shown, true
}

// printedBehind finds the first line from lo on that prints an exit status: "exit
// code: 1", "rc=0".
func (e *reading) printedBehind(lo int) int {
	if e.statuses == nil {
		e.statuses = [][2]int{}
		for k, line := range e.lines {
			if n := len(line); n == 0 || n > 60 || line[n-1] < '0' || line[n-1] > '9' {
				continue
			}
			if status, ok := printedStatus(strings.ToLower(line)); ok {
				e.statuses = append(e.statuses, [2]int{k, status})
			}
		}
	}
	for _, at := range e.statuses {
		if at[0] >= lo {
			return at[1]
		}
	}
	return -1
}

// printedStatus reads "exit code: 1", "rc=0", "EXIT=2", "status 0", "exit: 0".
func printedStatus(lower string) (int, bool) {
	rest := strings.Trim(lower, "-=#*> \t[]")
	if rest == "" || rest[0] < 'a' || rest[0] > 'z' {
		return 0, false
	}
	for _, p := range [...]string{"exit code", "exit status", "exitcode", "exit_code", "exit_status", "return code", "returncode", "exit", "rc", "status", "ret", "result code"} {
		tail, ok := strings.CutPrefix(rest, p)
		if !ok {
			for _, lead := range [...]string{"test ", "tests ", "pytest ", "process ", "command ", "build ", "script ", "final ", "lint ", "test_", "tests_", "pytest_", "build_", "gradle ", "jest ", "make ", "npm ", "cargo ", "go "} {
				if after, has := strings.CutPrefix(rest, lead+p); has {
					tail, ok = after, true
					break
				}
			}
		}
		if !ok {
			continue
		}
		n, valid := atoi(strings.Trim(tail, " :=\t"))
		if valid && n < 256 && strings.ContainsAny(tail, ":= ") {
			return n, true
		}
	}
	return 0, false
}
