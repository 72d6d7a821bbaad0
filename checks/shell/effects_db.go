package shell

import "strings"

// consoles follows the ways out of database and debugger consoles into a
// shell: \! of psql, .shell of sqlite3, system of mysql, shell of gdb.
func (e effector) consoles(name string, args []Word) {
	var texts []string
	switch name {
	case "psql", "sqlite3", "mysql", "mariadb", "gdb", "lldb", "ftp", "sftp", "lftp", "redis-cli", "mongosh":
		for _, w := range args {
			texts = append(texts, e.a.intern(w))
		}
	default:
		return
	}
	if e.cx.stdin.known {
		texts = append(texts, e.cx.stdin.text)
	}
	for _, t := range texts {
		for line := range strings.SplitSeq(t, "\n") {
			if cmd, ok := consoleShell(strings.TrimSpace(line)); ok {
				e.run(name, e.a.word(cmd, ""))
			}
		}
	}
}

func consoleShell(line string) (string, bool) {
	for _, p := range [...]string{`\!`, ".shell ", ".system ", "system ", "shell ", "platform shell ", "!"} {
		if rest, ok := strings.CutPrefix(line, p); ok && strings.TrimSpace(rest) != "" {
			return strings.TrimSuffix(strings.TrimSpace(rest), ";"), true
		}
	}
	return "", false
}
