package rules

import (
	"slices"
	"strings"

	"agentguard/hook"
)

// maxSQL bounds how much SQL text is read, in bytes.
const maxSQL = 256 << 10

// sqlWord is one word of a statement with its depth in parentheses. Text in
// quotes and comments is no word; a quoted thing is the word "'".
type sqlWord struct {
	text  string // upper case
	depth int
}

// sqlStatements splits text into statements of words.
func sqlStatements(text string) [][]sqlWord {
	text = text[:min(len(text), maxSQL)]
	var all [][]sqlWord
	var words []sqlWord
	depth := 0
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case strings.HasPrefix(text[i:], "--") || c == '#' && sqlCommentHash(text, i):
			i = skipTo(text, i, "\n")
		case strings.HasPrefix(text[i:], "/*!"): // MySQL runs what stands in it
			i += 3
		case strings.HasPrefix(text[i:], "/*"):
			i = skipTo(text, i+2, "*/")
		case c == '\'' || c == '"' || c == '`':
			i = skipQuoted(text, i, c)
			words = append(words, sqlWord{"'", depth})
		case c == '$':
			if end, ok := dollarQuoted(text, i); ok {
				i = end
				words = append(words, sqlWord{"'", depth})
			} else {
				i++
			}
		case c == ';' || c == '\\' && i+1 < len(text) && (text[i+1] == 'g' || text[i+1] == 'G'):
			if len(words) > 0 {
				all = append(all, words)
			}
			words, depth = nil, 0
			i++
		case c == '(':
			depth++
			i++
		case c == ')':
			depth = max(0, depth-1)
			i++
		case isSQLWord(c):
			j := i
			for j < len(text) && (isSQLWord(text[j]) || text[j] >= '0' && text[j] <= '9') {
				j++
			}
			words = append(words, sqlWord{strings.ToUpper(text[i:j]), depth})
			i = j
		case c >= '0' && c <= '9' || c == '=':
			words = append(words, sqlWord{string(c), depth})
			i++
		default:
			i++
		}
	}
	if len(words) > 0 {
		all = append(all, words)
	}
	return all
}

func isSQLWord(c byte) bool {
	return c == '_' || c == '.' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// sqlCommentHash tells MySQL's comment sign from PostgreSQL's operators.
func sqlCommentHash(text string, i int) bool {
	return (i == 0 || text[i-1] == ' ' || text[i-1] == '\n' || text[i-1] == ';') && !strings.HasPrefix(text[i:], "#>") && !strings.HasPrefix(text[i:], "#-")
}

func skipTo(text string, i int, end string) int {
	if n := strings.Index(text[i:], end); n >= 0 {
		return i + n + len(end)
	}
	return len(text)
}

func skipQuoted(text string, i int, quote byte) int {
	for i++; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '\'' && i+1 < len(text):
			// Standard SQL has no such escape; skipping it can only hide a quote
			// that MySQL would hide too.
			if text[i+1] == '\'' {
				i++
			}
		case text[i] == quote:
			if i+1 < len(text) && text[i+1] == quote {
				i++
				continue
			}
			return i + 1
		}
	}
	return len(text)
}

func dollarQuoted(text string, i int) (end int, ok bool) {
	j := strings.IndexByte(text[i+1:], '$')
	if j < 0 || j > 32 {
		return 0, false
	}
	tag := text[i : i+j+2]
	if strings.ContainsAny(tag[1:len(tag)-1], " \n;'\"()") {
		return 0, false
	}
	n := strings.Index(text[i+len(tag):], tag)
	if n < 0 {
		return 0, false
	}
	return i + len(tag) + n + len(tag), true
}

// judgeSQL is the strictest verdict on a text's statements.
func judgeSQL(text string) verdict {
	worst := verdict{}
	all := sqlStatements(text)
	var temp []string // tables that live only in this session, each good for one DROP
	for n, words := range all {
		if name := tempTable(words); name != "" {
			temp = append(temp, name)
			continue
		}
		if i := slices.Index(temp, dropped(words)); i >= 0 {
			temp = slices.Delete(temp, i, i+1)
			continue
		}
		v := judgeStatement(words)
		if v.decision != hook.Pass && undone(all, n) {
			continue
		}
		worst = worst.or(v)
	}
	return worst
}

// judgeDo judges the bodies of DO blocks, which run at once, with the statements
// that they hand to EXECUTE as text.
func judgeDo(text string) verdict {
	worst := verdict{}
	const most = 16 << 10 // bytes: each $ may search the rest
	for rest := text[:min(len(text), most)]; ; {
		i := strings.IndexByte(rest, '$')
		if i < 0 {
			return worst
		}
		end, ok := dollarQuoted(rest, i)
		if !ok {
			rest = rest[i+1:]
			continue
		}
		if head := strings.Fields(strings.ToUpper(rest[:i])); len(head) > 0 && (head[len(head)-1] == "DO" || len(head) > 2 && head[len(head)-3] == "DO" && head[len(head)-2] == "LANGUAGE") {
			body := rest[i:end]
			for _, q := range quotedWords(body) {
				worst = worst.or(judgeSQL(q))
			}
			body = strings.Trim(body, "$")
			for part := range strings.SplitSeq(body, ";") {
				words := strings.Fields(part)
				if len(words) > 1 && strings.EqualFold(words[0], "BEGIN") {
					part = strings.Join(words[1:], " ")
				}
				if !strings.Contains(part, "$") {
					worst = worst.or(judgeSQL(part))
				}
			}
		}
		rest = rest[end:]
	}
}

// tempTable is the name of the table that CREATE TEMPORARY TABLE makes. One
// that may exist already (IF NOT EXISTS) does not count.
func tempTable(words []sqlWord) string {
	if len(words) > 3 && words[0].text == "CREATE" && oneOf(words[1].text, "TEMP", "TEMPORARY") && words[2].text == "TABLE" && words[3].text != "IF" && words[3].text != "'" {
		return words[3].text
	}
	return ""
}

// dropped is the one table that a DROP TABLE names; "" for other statements.
func dropped(words []sqlWord) string {
	rest := words
	if len(rest) < 3 || rest[0].text != "DROP" || rest[1].text != "TABLE" {
		return ""
	}
	rest = rest[2:]
	if len(rest) == 3 && rest[0].text == "IF" && rest[1].text == "EXISTS" {
		rest = rest[2:]
	}
	if len(rest) != 1 || rest[0].text == "'" {
		return ""
	}
	return rest[0].text
}

// undone tells that statement n stands in a transaction that the same text
// rolls back.
func undone(all [][]sqlWord, n int) bool {
	open := false
	for _, w := range all[:n] {
		switch w[0].text {
		case "BEGIN", "START":
			open = true
		case "COMMIT", "END", "ROLLBACK":
			open = false
		}
	}
	for _, w := range all[n+1:] {
		switch w[0].text {
		case "COMMIT", "END":
			return false
		case "ROLLBACK":
			return open && len(w) < 2
		}
	}
	return false
}

func judgeStatement(words []sqlWord) verdict {
	at := func(i int) string {
		if i < len(words) {
			return words[i].text
		}
		return ""
	}
	switch at(0) {
	case "EXPLAIN", "DESCRIBE", "DESC":
		if !slices.ContainsFunc(words, func(w sqlWord) bool { return w.text == "ANALYZE" }) {
			return verdict{}
		}
	case "CREATE", "COMMENT", "GRANT", "SHOW", "PREPARE", "INSERT", "COPY":
		if at(0) == "COPY" && slices.ContainsFunc(words, func(w sqlWord) bool { return w.text == "PROGRAM" }) {
			return ask("runs a program on the database server.")
		}
		// A body in quotes is no statement; the words "ON DELETE" are none either.
		return verdict{}
	}
	worst := verdict{}
	for i, w := range words {
		first := i == 0 || i > 0 && (w.depth > words[i-1].depth || isSQLStart(words[i-1].text) || words[0].text == "WITH" || words[0].text == "EXPLAIN")
		if !first {
			continue
		}
		switch w.text {
		case "DROP":
			worst = worst.or(judgeDrop(at(i+1), at(i+2), at(i+3)))
		case "TRUNCATE":
			if i == 0 || isSQLStart(words[i-1].text) {
				worst = worst.or(deny("empties a whole table."))
			}
		case "DELETE":
			if at(i+1) == "FROM" || i == 0 {
				if !hasWhere(words[i+1:], w.depth) {
					worst = worst.or(deny("deletes every row: the DELETE has no WHERE."))
				}
			}
		case "UPDATE":
			if sets(words[i+1:]) && !hasWhere(words[i+1:], w.depth) {
				worst = worst.or(ask("changes every row: the UPDATE has no WHERE."))
			}
		case "ALTER":
			worst = worst.or(judgeAlter(words[i+1:]))
		case "FLUSHALL", "FLUSHDB":
			worst = worst.or(deny("empties the database."))
		}
	}
	return worst
}

func isSQLStart(prev string) bool {
	return oneOf(prev, "BEGIN", "THEN", "DO", "ANALYZE", "VERBOSE", "ELSE", "LOOP", "AS")
}

func judgeDrop(what, next, third string) verdict {
	if what == "TEMPORARY" || what == "TEMP" || next == "TEMP" || next == "TEMPORARY" {
		return verdict{}
	}
	switch what {
	case "DATABASE", "SCHEMA", "KEYSPACE", "OWNED", "TABLESPACE", "CATALOG":
		return deny("drops a whole " + strings.ToLower(what) + ".")
	case "TABLE", "COLLECTION", "TABLES", "MEASUREMENT", "BUCKET":
		return deny("drops a table with all its rows.")
	case "MATERIALIZED", "VIEW", "INDEX", "FUNCTION", "PROCEDURE", "TRIGGER", "SEQUENCE", "TYPE", "EXTENSION", "ROLE", "USER", "POLICY", "DOMAIN", "RULE", "AGGREGATE", "SERVER", "PUBLICATION", "SUBSCRIPTION", "EVENT", "PARTITION", "STAGE", "STREAM", "TASK", "WAREHOUSE":
		_ = third
		return ask("drops a " + strings.ToLower(what) + " of the database.")
	}
	return verdict{}
}

func judgeAlter(words []sqlWord) verdict {
	for i, w := range words {
		if w.text == "DROP" && i+1 < len(words) && !oneOf(words[i+1].text, "DEFAULT", "NOT", "CONSTRAINT", "IDENTITY", "EXPRESSION", "INDEX", "KEY", "PRIMARY", "FOREIGN", "CHECK") {
			return ask("drops a column with its content.")
		}
	}
	return verdict{}
}

// sets tells an UPDATE statement from other uses of the word.
func sets(words []sqlWord) bool {
	for i, w := range words {
		if w.text == "SET" {
			return i > 0
		}
		if i > 8 {
			return false
		}
	}
	return false
}

// hasWhere tells that the statement that starts at depth is limited by a WHERE
// that says something: WHERE true and WHERE 1=1 do not.
func hasWhere(words []sqlWord, depth int) bool {
	for i, w := range words {
		if w.depth < depth {
			return false
		}
		if w.depth != depth || w.text != "WHERE" && w.text != "LIMIT" {
			continue
		}
		rest := words[i+1:]
		var cond []string
		for _, r := range rest {
			if r.depth >= depth {
				cond = append(cond, r.text)
			}
		}
		if i := slices.Index(cond, "RETURNING"); i >= 0 {
			cond = cond[:i]
		}
		if alwaysTrue(cond) {
			return false
		}
		return len(cond) > 0 || w.text == "LIMIT"
	}
	return false
}

// tableDelete tells DB::table("x")->delete() and knex("x").del() with nothing in
// between.
func tableDelete(flat string) bool {
	for _, call := range [...]string{"DB::table(", "knex("} {
		if _, rest, ok := strings.Cut(flat, call); ok {
			if _, rest, ok = strings.Cut(rest, ")"); ok && hasPrefixAny(rest, "->delete(", ".del(", ".delete(") {
				return true
			}
		}
	}
	return false
}

// alwaysTrue tells a condition with a part between OR that every row fits:
// true, 1=1, id = id, 2>1, id > 0. Comparing signs but = are no words.
func alwaysTrue(cond []string) bool {
	from := 0
	for i := 0; i <= len(cond); i++ {
		if i < len(cond) && cond[i] != "OR" {
			continue
		}
		part := cond[from:i]
		from = i + 1
		switch joined := strings.Join(part, " "); {
		case oneOf(joined, "TRUE", "' = '", "NOT FALSE"):
			return true
		case oneOf(joined, "", "0", "1 = 0", "0 = 1", "FALSE"):
		case isDigits(strings.Join(part, "")) && len(part) > 0, isDigits(strings.Trim(strings.Join(part, ""), "=")) && part[0] == part[len(part)-1]:
			return true
		case len(part) == 3 && part[1] == "=" && part[0] == part[2] && part[0] != "'":
			return true
		case len(part) == 2 && part[1] == "0" && (part[0] == "ID" || hasSuffixAny(part[0], ".ID", "_ID")):
			return true
		}
	}
	return false
}

// isDigits: one digit stands for a number whose others are left out.
func isDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// sqlInProgram judges the SQL literals of a one-line program that runs them, and
// the calls of common libraries that empty tables.
func sqlInProgram(s *scan, i int) verdict {
	c := &s.cmds[i]
	program, ok := inlineProgram(c)
	if !ok && oneOf(c.Name, "rails", "manage.py", "flask", "bundle", "mix", "iex") {
		for n, a := range c.Args {
			if n > 0 && oneOf(c.Args[n-1].Text, "runner", "r", "-c", "--command", "shell") || n > 0 && oneOf(c.Args[n-1].Text, "-e", "--eval") && oneOf(c.Name, "mix", "iex") {
				program, ok = a.Text, true
			}
		}
		if !ok && c.Stdin.Known && hasWord(c.Args, "console", "c", "shell", "dbconsole") {
			program, ok = c.Stdin.Text, true
		}
	}
	if hasWord(c.Args, "tinker") {
		for _, a := range c.Args {
			if v, found := strings.CutPrefix(a.Text, "--execute="); found {
				program, ok = v, true
			}
		}
		if c.Stdin.Known && c.Stdin.Text != "" {
			program, ok = program+c.Stdin.Text, true
		}
	}
	if n := strings.Count(program, "connect("); !ok || strings.Contains(program, ":memory:") || n > 0 && n == strings.Count(program, "connect('/tmp/")+strings.Count(program, `connect("/tmp/`) {
		return verdict{}
	}
	flat := strings.ReplaceAll(program, " ", "")
	if containsAny(flat, ".objects.all().delete()", ".delete_all", ".destroy_all", ".drop_all(", ".dropDatabase(", ".deleteMany({})", "sequelize.drop(", ".truncate(cascade", ".dropSchema(", "deleteMany()", "::truncate()", "->truncate()", "::query()->delete()",
		".flushall(", ".flushdb(", ".flushAll(", ".flushDb(", ".drop_database(", ".delete_many({})", ".drop_collection(", ".drop_table(", "each(&:destroy)", "Repo.delete_all(") || tableDelete(flat) {
		return ask("empties a table or drops a database.")
	}
	if !containsAny(flat, "execute(", "executescript(", "query(", ".raw(", "exec(", "queryRaw", "executeRaw", ".run(", ".prepare(", "read_sql", "executemany(") {
		return verdict{}
	}
	worst := verdict{}
	for _, text := range quotedWords(program) {
		if t := strings.ToUpper(strings.TrimSpace(text)); hasPrefixAny(t, "DROP ", "TRUNCATE ", "DELETE ", "UPDATE ", "ALTER ") {
			worst = worst.or(judgeSQL(text))
		}
	}
	return worst
}
