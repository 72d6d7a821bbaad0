package rules

import (
	"slices"
	"strings"

	"agentguard/checks/shell"
)

// sqlPrograms are clients of SQL databases; the value options hold a statement.
func sqlOption(prog string) (sp shell.OptSpec, statement []string, file []string, ok bool) {
	switch prog {
	case "psql", "pgcli":
		return shell.OptSpec{Short: "c:f:d:h:p:U:v:o:F:R:P:T:L:AtqXwWxHaEeSs1nlz0b", Long: "command= file= dbname= host= port= username= variable= set= output= csv no-psqlrc quiet tuples-only echo-all list pset= single-transaction"}, []string{"c", "command"}, []string{"f", "file"}, true
	case "mysql", "mariadb", "mycli":
		return shell.OptSpec{Short: "e:u:h:P:D:S:p::BNst", Long: "execute= user= host= port= database= socket= password=? default-character-set= init-command="}, []string{"e", "execute", "init-command"}, nil, true
	case "sqlite3", "sqlite", "litecli", "sqlcipher":
		return shell.OptSpec{Short: "", Long: "cmd= init= separator= nullvalue= header csv json line column batch readonly bail", Single: true}, []string{"cmd"}, []string{"init"}, true
	case "duckdb":
		return shell.OptSpec{Short: "c:s:f:", Long: "cmd= init= separator= readonly", Single: true}, []string{"c", "s", "cmd"}, []string{"f", "init"}, true
	case "clickhouse-client", "clickhouse", "clickhouse-local":
		return shell.OptSpec{Short: "q:h:u:d:mnt", Long: "query= host= user= database= password= port= queries-file= multiquery"}, []string{"q", "query"}, []string{"queries-file"}, true
	case "sqlcmd":
		return shell.OptSpec{Short: "Q:q:S:U:P:d:i:o:b"}, []string{"Q", "q"}, []string{"i"}, true
	case "cqlsh":
		return shell.OptSpec{Short: "e:f:u:p:k:", Long: "execute= file= username= password= keyspace="}, []string{"e", "execute"}, []string{"f", "file"}, true
	case "cockroach", "snowsql", "usql", "trino", "presto", "beeline", "hive", "spark-sql", "impala-shell", "vsql", "nzsql":
		return shell.OptSpec{Short: "e:q:c:f:u:d:h:", Long: "execute= query= command= file= url= database= host="}, []string{"e", "execute", "q", "query", "c", "command"}, []string{"f", "file"}, true
	case "bq", "turso", "wrangler", "supabase", "heroku", "prisma", "aws", "osqueryi", "sqlplus", "isql", "fbcli", "tsql", "mssql-cli", "planetscale", "pscale":
		return shell.OptSpec{Short: "c:q:a:Q:", Long: "command= query= sql= app= file="}, []string{"c", "command", "q", "Q", "query", "sql"}, []string{"file"}, true
	case "manage.py", "rails":
		return shell.OptSpec{}, nil, nil, true
	}
	return shell.OptSpec{}, nil, nil, false
}

// runsSQL finds the statements that a database client would run: in options, on
// its standard input, in a file.
func runsSQL(s *scan, i int) verdict {
	c := &s.cmds[i]
	if c.Stdin.Known && (interpreterName(c.Name) && hasWord(c.Args, "dbshell") || oneOf(c.Name, "fly", "flyctl", "railway", "supabase", "pscale") && hasWord(c.Args, "connect", "shell", "psql")) {
		return judgeSQL(dropMeta(c.Stdin.Text))
	}
	sp, statements, files, ok := sqlOption(c.Name)
	if !ok || c.Carrier {
		return verdict{}
	}
	o := shell.Options(c.Args, sp)
	if len(o.Rest) > 0 && s.scratchDatabase(c.Name, o.Rest[0].Text, i) {
		return verdict{}
	}
	var sql []string
	for _, w := range o.Values(statements...) {
		sql = append(sql, w.Text)
	}
	switch c.Name {
	case "sqlite3", "sqlite", "sqlcipher", "duckdb":
		if len(o.Rest) == 0 {
			return verdict{} // no file: a database in memory
		}
		sql = append(sql, texts(o.Rest[1:])...)
	case "bq", "turso":
		sql = append(sql, texts(o.Rest)...)
	case "heroku", "supabase", "wrangler", "prisma", "manage.py", "rails":
		if len(o.Rest) > 0 && !containsAny(strings.Join(texts(o.Rest[:min(2, len(o.Rest))]), " "), "psql", "db", "d1", "sql") {
			return verdict{}
		}
	}
	if c.Stdin.Known {
		sql = append(sql, c.Stdin.Text)
	}
	if oneOf(c.Name, "psql", "mysql", "mariadb") && testDatabase(o, 0) && !leaves(sql) {
		return verdict{}
	}
	for _, j := range c.Stdin.From {
		if j >= 0 && j < len(s.cmds) && s.cmds[j].Name == "cat" {
			for _, w := range s.cmds[j].Args {
				if text, ok := s.readText(j, w); ok {
					sql = append(sql, text)
				}
			}
		}
	}
	for _, text := range slices.Clone(sql) {
		for _, name := range included(text) {
			if more, ok := s.readText(i, shell.Lit(name)); ok {
				sql = append(sql, more)
			}
		}
	}
	for _, w := range append(o.Values(files...), c.Stdin.File) {
		if text, ok := s.readText(i, w); ok {
			sql = append(sql, text)
		}
	}
	worst := verdict{}
	for _, j := range c.Stdin.From {
		// psql -Atc "SELECT 'DROP TABLE ' || …" | psql
		if _, _, _, isClient := sqlOption(s.cmds[j].Name); isClient && containsAny(strings.ToUpper(strings.Join(texts(s.cmds[j].Args), " ")), "'DROP ", "'TRUNCATE ", "'DELETE ") {
			worst = ask("runs dropping statements that another query writes.")
		}
	}
	for _, text := range sql {
		worst = worst.or(judgeSQL(dropMeta(text)))
		if strings.Contains(text, "$") {
			worst = worst.or(judgeDo(text))
		}
		if strings.Contains(text, `\!`) || strings.Contains(text, ".shell ") || strings.Contains(text, ".system ") {
			worst = worst.or(ask("runs a shell command from inside the database client."))
		}
	}
	return worst
}

// leaves tells SQL that goes to another database, drops one or runs a program.
func leaves(sql []string) bool {
	up := strings.ToUpper(strings.Join(sql, "\n"))
	return containsAny(up, `\C`, "USE ", "DATABASE", "PROGRAM", `\!`, "SYSTEM ", `\I`, "SOURCE ")
}

// included lists the files that client commands in a text read: \i FILE,
// .read FILE, SOURCE FILE.
func included(text string) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		words := strings.Fields(strings.TrimSuffix(strings.TrimSpace(line), ";"))
		if len(words) == 2 && oneOf(strings.ToLower(words[0]), `\i`, `\ir`, `\include`, ".read", "source", `\.`) && len(out) < 8 {
			out = append(out, strings.Trim(words[1], `'"`))
		}
	}
	return out
}

// dropMeta makes the dot and backslash commands of clients end like statements,
// so that they do not run into the SQL behind them.
func dropMeta(text string) string {
	if !strings.ContainsAny(text, `.\`) {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if t := strings.TrimSpace(l); strings.HasPrefix(t, ".") || strings.HasPrefix(t, `\`) && !strings.HasPrefix(t, `\g`) {
			lines[i] = ";"
		}
	}
	return strings.Join(lines, "\n")
}

// testName tells a database by its name as one that only tests use: app_test,
// test-3, tmp_x.
func testName(name string) bool {
	found := false
	for part := range strings.FieldsFuncSeq(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("_-.0123456789", r) }) {
		found = found || oneOf(part, "test", "tests", "testing", "tmp", "temp", "scratch")
		if oneOf(part, "prod", "production", "live", "staging") {
			return false
		}
	}
	return found
}

// testDatabase tells a client that is pointed at a test database on this
// machine by its options or operands.
func testDatabase(o shell.Opts, operand int) bool {
	if h, ok := o.Value("h", "host"); ok && !oneOf(h.Text, "localhost", "127.0.0.1", "::1", "db", "postgres", "mysql") {
		return false
	}
	name := ""
	if len(o.Rest) > operand {
		name = o.Rest[operand].Text
	}
	if d, ok := o.Value("d", "dbname", "D", "database"); ok {
		name = d.Text
	}
	if strings.Contains(name, "://") {
		return testURL(name)
	}
	return !strings.Contains(name, unknown) && testName(name)
}

// testURL tells the address of a test database on this machine.
func testURL(url string) bool {
	_, rest, ok := strings.Cut(url, "://")
	host, db, _ := strings.Cut(rest, "/")
	if _, at, found := strings.Cut(host, "@"); found {
		host = at
	}
	host, _, _ = strings.Cut(host, ":")
	db, _, _ = strings.Cut(db, "?")
	return ok && oneOf(host, "localhost", "127.0.0.1", "") && !strings.Contains(url, unknown) && testName(db)
}

func (s *scan) scratchDatabase(prog, name string, i int) bool {
	if name == ":memory:" || name == "file::memory:" {
		return true
	}
	if !oneOf(prog, "sqlite3", "sqlite", "sqlcipher", "duckdb", "litecli") || !strings.ContainsAny(name, "/.") {
		return false
	}
	p := s.abs(i, name)
	return p != "" && s.placeOf(p) == tempPlace
}

// readText reads a file that a command names, where it is known and short: what
// the same script wrote to it before, or what stands on the disk.
func (s *scan) readText(i int, w shell.Word) (string, bool) {
	if w.Text == "" || w.Text == "-" || !known(w) {
		return "", false
	}
	p := s.abs(i, w.Text)
	if p == "" {
		return "", false
	}
	text, ok := s.writtenText(i, p)
	if !ok {
		if s.ctx.State == nil {
			return "", false
		}
		b, err := s.ctx.State.ReadFile(p)
		if err != nil {
			return "", false
		}
		text = string(b)
	}
	return text[:min(len(text), maxSQL)], true
}

// writtenText is what the commands before i wrote to a file, as far as it is
// known.
func (s *scan) writtenText(i int, p string) (text string, ok bool) {
	for _, e := range s.ctx.Script.Effects {
		if e.Command >= i || e.Path.Text != p || len(e.Content.Parts) == 0 {
			continue
		}
		switch e.Op {
		case shell.Write:
			text, ok = empty(e.Content), true
		case shell.Append:
			text, ok = text+empty(e.Content), true
		default:
		}
	}
	return text, ok
}

func dropsData(s *scan, i int) verdict {
	c := &s.cmds[i]
	switch c.Name {
	case "dropdb":
		o := shell.Options(c.Args, shell.OptSpec{Short: "h:p:U:efiwW", Long: "host= port= username= maintenance-db= if-exists force echo interactive help version"})
		if len(o.Rest) == 0 || helpOnly(c) || testDatabase(o, 0) {
			return verdict{}
		}
		return deny("drops a whole database.")
	case "redis-cli", "valkey-cli", "keydb-cli":
		for _, a := range c.Args {
			if up := strings.ToUpper(a.Text); oneOf(up, "FLUSHALL", "FLUSHDB", "NOSAVE") || containsAny(up, "'FLUSHALL'", "'FLUSHDB'", `"FLUSHALL"`) {
				return deny("empties the database.")
			}
		}
		if containsAny(strings.ToUpper(c.Stdin.Text), "FLUSHALL", "FLUSHDB") {
			return deny("empties the database.")
		}
		up := s.upstream(i)
		for _, a := range c.Args {
			if len(a.From()) > 0 {
				up = append(up, a.From()...)
			}
		}
		if len(up) > 0 && hasWord(c.Args, "del", "DEL", "unlink", "UNLINK") {
			return ask("deletes keys that a list names, and the list was not read.")
		}
	case "nc", "ncat", "netcat", "telnet", "socat":
		if up := strings.ToUpper(c.Stdin.Text); containsAny(up, "FLUSHALL", "FLUSHDB", "FLUSH_ALL") {
			return deny("empties the database.")
		}
	case "cypher-shell":
		if up := strings.ToUpper(strings.Join(texts(c.Args), " ") + c.Stdin.Text); containsAny(up, "DETACH DELETE", "DROP DATABASE") && !strings.Contains(up, "WHERE") && !strings.Contains(up, "{") {
			return deny("deletes every node: the MATCH has no condition.")
		}
	case "mongosh", "mongo":
		o := shell.Options(c.Args, shell.OptSpec{Short: "u:p:f:", Long: "eval= host= port= username= password= file= quiet"})
		code := append(texts(o.Values("eval")), c.Stdin.Text)
		for _, w := range append(o.Values("f", "file"), o.Rest...) {
			if text, ok := s.readText(i, w); ok && hasSuffixAny(w.Text, ".js", ".mjs", ".mongodb") {
				code = append(code, text)
			}
		}
		return judgeMongo(strings.Join(code, "\n"))
	}
	return verdict{}
}

// judgeMongo reads the calls that empty or drop; a filter between the braces
// makes them ordinary.
func judgeMongo(text string) verdict {
	flat := strings.NewReplacer(" ", "", "\n", "", "\t", "").Replace(text)
	switch {
	case containsAny(flat, ".dropDatabase(", "dropDatabase:1", "dropAllUsersFromDatabase"):
		return deny("drops a whole database.")
	case containsAny(flat, ".drop()", ".drop({"):
		return deny("drops a collection.")
	case containsAny(flat, ".deleteMany({})", ".remove({})", ".deleteMany()", ".remove()"):
		return deny("deletes every document: the filter is empty.")
	case containsAny(flat, ".updateMany({},", ".dropIndexes("):
		return ask("changes every document: the filter is empty.")
	}
	return verdict{}
}
