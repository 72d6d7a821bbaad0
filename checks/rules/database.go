package rules

import (
	"path"
	"slices"
	"strings"

	"agentguard/checks/shell"
	"agentguard/hook"
)

var databaseRules = []Rule{
	{
		ID: "sql-destroy", Family: "database",
		Title: "SQL that drops, empties or changes everything",
		Safe:  "Add a WHERE, work on a copy, or write a migration for review.",
		Hits: []Case{
			{Run: `psql "$PROD_URL" -c 'DROP DATABASE app'`, Want: hook.Deny},
			{Run: "psql app -c 'DELETE FROM users'"},
			{Run: "psql app -c 'DELETE FROM users -- WHERE id=1'"},
			{Run: "psql app -c 'DELETE FROM t; SELECT 1 WHERE true'"},
			{Run: "psql app -c 'delete from t where 1=1'"},
			{Run: "psql app -c \"UPDATE users SET role='admin'\""},
			{Run: "psql app -c 'TRUNCATE orders RESTART IDENTITY CASCADE'"},
			{Run: "psql app -c 'DROP OWNED BY app_user'"},
			{Run: "psql -Xqc 'drop table users' app"},
			{Run: "psql app --command='drop table users'"},
			{Run: "echo 'DROP TABLE users;' | psql app"},
			{Run: "psql app <<'SQL'\nBEGIN;\nTRUNCATE users;\nCOMMIT;\nSQL"},
			{Run: "psql app <<< 'drop schema public cascade'", Want: hook.Deny},
			{Run: "mysql -u root app -e 'drop table users'"},
			{Run: "mysql -uroot -e\"drop database app\"", Want: hook.Deny},
			{Run: "sqlite3 data/dev.sqlite3 'delete from sessions;'"},
			{Run: "sqlite3 data/dev.sqlite3 '.bail on' 'drop table t'"},
			{Run: "docker exec db psql -U app -c 'DROP TABLE users'"},
			{Run: "psql app -c 'ALTER TABLE users DROP COLUMN email'"},
			{Run: "psql app -c 'WITH d AS (DELETE FROM users RETURNING *) SELECT count(*) FROM d'"},
			{Run: "clickhouse-client --query 'DROP TABLE events'"},
			{Run: "sqlcmd -S host -Q 'DROP DATABASE app'"},
			{Run: "duckdb data/x.duckdb -c 'drop table t'"},
			{Run: "wrangler d1 execute app --remote --command 'DROP TABLE users'"},
			{Run: "bq query 'DELETE FROM ds.t WHERE true'"},
			{Run: "heroku pg:psql -c 'drop table users'"},
			{Run: "psql app -c 'EXPLAIN ANALYZE DELETE FROM users'"},
			{Run: "psql app -f migrations/drop.sql"},
			{Run: "psql app < migrations/drop.sql"},
			{Run: "cat migrations/drop.sql | psql app"},
			{Run: `psql app -c '\i migrations/drop.sql'`},
			{Run: "sqlite3 data/dev.sqlite3 '.read migrations/drop.sql'"},
		},
		Misses: []Case{
			{Run: `psql app -c "SELECT * FROM audit WHERE statement LIKE 'DROP TABLE%'"`},
			{Run: "psql app -c 'SELECT deleted_at, updated FROM t'"},
			{Run: "psql app -c \"DELETE FROM sessions WHERE id = 3\""},
			{Run: "psql app -c \"UPDATE users SET name='x' WHERE id=1\""},
			{Run: "psql app -c 'EXPLAIN DELETE FROM users'"},
			{Run: "psql app -c 'BEGIN; DELETE FROM users; ROLLBACK'"},
			{Run: "psql app -c 'CREATE TABLE t (id int REFERENCES u ON DELETE CASCADE)'"},
			{Run: "psql app -c 'ALTER TABLE t ALTER c DROP NOT NULL'"},
			{Run: "sqlite3 :memory: 'create table t(a); drop table t;'"},
			{Run: "sqlite3 /tmp/x.db 'drop table t'"},
			{Run: "cat > migrations/004.sql <<'SQL'\nDROP TABLE old;\nSQL"},
			{Run: "pg_dump app > /tmp/app.sql"},
			{Run: "psql -l"},
			{Run: "psql -h localhost -U app -d app -c '\\dt'"},
			{Run: "mysql -e 'show tables' app"},
			{Run: "grep -rn 'DROP TABLE' migrations"},
			{Run: "psql app -c 'SELECT count(*) FROM \"drop\"'"},
			{Run: "psql app -c \"INSERT INTO log VALUES ('drop table users; delete from x')\""},
			{Run: "psql app -c 'select 1 -- drop table x'"},
			{Run: "psql app -c 'SELECT * FROM t FOR UPDATE'"},
		},
		call: runsSQL,
	},
	{
		ID: "db-tool-destroy", Family: "database",
		Title: "a database program that drops or empties",
		Safe:  "Make a dump first, and let the person start it.",
		Hits: []Case{
			{Run: "dropdb app_master"},
			{Run: "dropdb --if-exists app -h localhost"},
			{Run: "dropuser app"},
			{Run: "mysqladmin -u root drop app"},
			{Run: "redis-cli FLUSHALL"},
			{Run: `redis-cli EVAL "return redis.call('FLUSHALL')" 0`},
			{Run: "redis-cli -h cache -n 2 flushdb"},
			{Run: "echo flushall | redis-cli"},
			{Run: "mongosh app --eval 'db.dropDatabase()'"},
			{Run: "mongosh app --eval 'db.users.deleteMany({})'"},
			{Run: "mongo app --eval 'db.users.drop()'"},
			{Run: "mongosh app <<'E'\ndb.users.remove({})\nE"},
			{Run: "mongorestore --drop dump/"},
			{Run: "pg_restore --clean -d app app.dump"},
			{Run: "redis-cli --scan --pattern 'sess:*' | xargs redis-cli del"},
			{Run: "influx delete --bucket b --start 1970-01-01T00:00:00Z --stop 2030-01-01T00:00:00Z"},
			{Run: "etcdctl del --prefix ''"},
			{Run: "kafka-topics.sh --bootstrap-server x --delete --topic orders"},
			{Run: "rabbitmqctl reset"},
			{Run: "nodetool clearsnapshot"},
		},
		Misses: []Case{
			{Run: "createdb app_test"},
			{Run: "redis-cli GET key"},
			{Run: "redis-cli del session:42"},
			{Run: "redis-cli info | grep flush"},
			{Run: "mongosh app --eval 'db.users.find({})'"},
			{Run: "mongosh app --eval 'db.users.deleteOne({_id: 3})'"},
			{Run: "mongosh app --eval 'db.users.deleteMany({expired: true})'"},
			{Run: "mongodump --db app"},
			{Run: "pg_restore -l app.dump"},
			{Run: "dropdb --help"},
			{Run: "mysqladmin status"},
		},
		call: dropsData,
		verbs: []verb{
			{prog: "dropdb", words: "*", deny: true, fact: "drops a whole database."},
			{prog: "dropuser", words: "*", fact: "drops a database user."},
			{prog: "mysqladmin|mariadb-admin", words: "… drop", deny: true, fact: "drops a whole database."},
			{prog: "mongorestore", with: "--drop", fact: "drops collections before it restores them."},
			{prog: "pg_restore", with: "-c --clean", fact: "drops objects before it restores them."},
			{prog: "influx", words: "delete", fact: "deletes measurements."},
			{prog: "influx", words: "bucket|org|user delete", fact: "deletes a bucket with its data."},
			{prog: "etcdctl", words: "del", with: "--prefix --from-key", deny: true, fact: "deletes many keys at once."},
			{prog: "kafka-topics|kafka-topics.sh", with: "--delete", fact: "deletes a topic with its messages."},
			{prog: "rabbitmqctl", words: "reset|force_reset|delete_vhost|delete_queue|purge_queue", fact: "deletes queues and their messages."},
			{prog: "nodetool", words: "clearsnapshot|decommission|removenode", fact: "removes data of the cluster."},
			{prog: "turso", words: "db destroy", deny: true, fact: "destroys a database."},
			{prog: "pscale", words: "database|branch delete", deny: true, fact: "deletes a database."},
			{prog: "neonctl|neon", words: "projects|branches|databases delete", deny: true, fact: "deletes a database."},
		},
	},
	{
		ID: "db-framework-reset", Family: "database",
		Title: "a framework command that empties or drops the database",
		Safe:  "Write a migration, or run it against a test database by name.",
		Hits: []Case{
			{Run: "python manage.py flush --noinput"},
			{Run: "./manage.py reset_db"},
			{Run: "python3 manage.py migrate app zero"},
			{Run: "npx prisma migrate reset --force"},
			{Run: "prisma db push --force-reset"},
			{Run: "yarn prisma migrate reset"},
			{Run: "npm run db:reset"},
			{Run: "pnpm exec prisma db push --accept-data-loss"},
			{Run: "rails db:drop"},
			{Run: "bin/rails db:reset"},
			{Run: "bundle exec rake db:drop db:create"},
			{Run: "php artisan migrate:fresh --seed"},
			{Run: "php artisan db:wipe"},
			{Run: "alembic downgrade base"},
			{Run: "flyway clean"},
			{Run: "./mvnw flyway:clean"},
			{Run: "liquibase dropAll"},
			{Run: "npx knex migrate:rollback --all"},
			{Run: "npx sequelize db:drop"},
			{Run: "npx sequelize-cli db:migrate:undo:all"},
			{Run: "npx typeorm schema:drop -d ds.ts"},
			{Run: "mix ecto.drop"},
			{Run: "mix ecto.reset"},
			{Run: "supabase db reset"},
			{Run: "dotnet ef database drop --force"},
			{Run: "diesel database reset"},
			{Run: "sqlx database drop -y"},
			{Run: "npx drizzle-kit drop"},
			{Run: "bin/console doctrine:schema:drop --force"},
			{Run: "php bin/console doctrine:database:drop --force"},
			{Run: "goose reset"},
			{Run: "migrate -path db -database $URL drop -f"},
			{Run: "RAILS_ENV=production rails db:schema:load"},
			{Run: "npx convex import --replace-all x.zip"},
			{Run: "flask db downgrade base"},
			{Run: "wp db reset --yes"},
			{Run: "drush sql-drop -y"},
			{Run: "pg_dropcluster 16 main"},
		},
		Misses: []Case{
			{Run: "npx prisma migrate status && npx prisma generate"},
			{Run: "npx prisma migrate dev --name add_users"},
			{Run: "python manage.py migrate"},
			{Run: "python manage.py makemigrations"},
			{Run: "rails db:migrate"},
			{Run: "RAILS_ENV=test rails db:reset"},
			{Run: "bin/rails db:drop db:create RAILS_ENV=test"},
			{Run: "alembic upgrade head"},
			{Run: "alembic downgrade -1 --sql"},
			{Run: "mix ecto.migrate"},
			{Run: "MIX_ENV=test mix ecto.reset"},
			{Run: "php artisan migrate"},
			{Run: "supabase db diff"},
			{Run: "flyway info"},
			{Run: "dotnet ef migrations list"},
			{Run: "php artisan migrate:fresh --env=testing"},
			{Run: "knex migrate:latest"},
		},
		call: resetsFramework,
	},
}

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
	for _, text := range sql {
		worst = worst.or(judgeSQL(dropMeta(text)))
		if strings.Contains(text, `\!`) || strings.Contains(text, ".shell ") || strings.Contains(text, ".system ") {
			worst = worst.or(ask("runs a shell command from inside the database client."))
		}
	}
	return worst
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

// readText reads a file that a command names, where it is known and short.
func (s *scan) readText(i int, w shell.Word) (string, bool) {
	if s.ctx.State == nil || w.Text == "" || w.Text == "-" || !known(w) {
		return "", false
	}
	p := s.abs(i, w.Text)
	if p == "" {
		return "", false
	}
	b, err := s.ctx.State.ReadFile(p)
	if err != nil {
		return "", false
	}
	return string(b[:min(len(b), maxSQL)]), true
}

func dropsData(s *scan, i int) verdict {
	c := &s.cmds[i]
	switch c.Name {
	case "redis-cli", "valkey-cli", "keydb-cli":
		for _, a := range c.Args {
			if up := strings.ToUpper(a.Text); oneOf(up, "FLUSHALL", "FLUSHDB") || containsAny(up, "'FLUSHALL'", "'FLUSHDB'", `"FLUSHALL"`) {
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
		if len(up) > 0 && (hasWord(c.Args, "del", "DEL", "unlink", "UNLINK")) {
			return ask("deletes keys that a list names, and the list was not read.")
		}
	case "mongosh", "mongo":
		o := shell.Options(c.Args, shell.OptSpec{Short: "u:p:f:", Long: "eval= host= port= username= password= file= quiet"})
		text := c.Stdin.Text
		for _, w := range o.Values("eval") {
			text += "\n" + w.Text
		}
		return judgeMongo(text)
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

// resets lists framework commands: the first word names the tool (or any tool,
// for task names that mean the same everywhere), the others must stand in its
// arguments.
var resets = []struct{ prog, words string }{
	{"manage.py", "flush"}, {"manage.py", "reset_db"}, {"manage.py", "sqlflush"}, {"manage.py", "migrate zero"}, {"django-admin", "flush"},
	{"prisma", "migrate reset"}, {"prisma", "db push --force-reset"}, {"prisma", "db push --accept-data-loss"},
	{"*", "db:drop"}, {"*", "db:reset"}, {"*", "db:wipe"}, {"*", "db:purge"}, {"*", "db:truncate_all"}, {"*", "db:drop:all"}, {"*", "db:migrate:reset"}, {"*", "db:schema:load"}, {"*", "db:structure:load"},
	{"*", "db:drop:_unsafe"}, {"*", "db:schema:cache:clear--"}, {"*", "migrate:fresh"}, {"*", "migrate:reset"}, {"*", "migrate:refresh"}, {"*", "db:migrate:undo:all"}, {"*", "db:seed:undo:all"},
	{"*", "doctrine:schema:drop"}, {"*", "doctrine:database:drop"}, {"*", "doctrine:fixtures:load"}, {"*", "schema:drop"}, {"*", "flyway:clean"}, {"*", "flywayClean"}, {"*", "liquibase:dropAll"},
	{"alembic", "downgrade base"}, {"flask", "db downgrade base"}, {"flyway", "clean"}, {"liquibase", "dropAll"}, {"liquibase", "drop-all"}, {"knex", "migrate:rollback --all"},
	{"typeorm", "schema:drop"}, {"mix", "ecto.drop"}, {"mix", "ecto.reset"}, {"mix", "ecto.rollback --all"}, {"supabase", "db reset"}, {"supabase", "stop --no-backup"}, {"dotnet", "ef database drop"}, {"dotnet-ef", "database drop"},
	{"diesel", "database reset"}, {"sqlx", "database drop"}, {"sqlx", "database reset"}, {"drizzle-kit", "drop"}, {"goose", "reset"}, {"goose", "down-to 0"}, {"migrate", "drop"}, {"migrate", "down -all"}, {"dbmate", "drop"},
	{"convex", "import --replace-all"}, {"wp", "db reset"}, {"wp", "db drop"}, {"wp", "db clean"}, {"wp", "site empty"}, {"drush", "sql-drop"}, {"drush", "sql:drop"}, {"drush", "site:install"}, {"pg_dropcluster", ""}, {"atlas", "schema clean"},
	{"hasura", "migrate delete"}, {"mikro-orm", "schema:drop"}, {"mikro-orm", "schema:fresh"}, {"sequelize", "db:drop"}, {"sequelize-cli", "db:drop"}, {"medusa", "db:reset"}, {"payload", "migrate:fresh"}, {"payload", "migrate:reset"}, {"directus", "database reset"},
	{"sea-orm-cli", "migrate fresh"}, {"sea-orm-cli", "migrate reset"}, {"sea-orm-cli", "migrate refresh"}, {"refinery", "drop"}, {"yii", "migrate/fresh"}, {"phinx", "rollback -t 0"}, {"aerich", "downgrade -v 0"}, {"edgedb", "database wipe"}, {"gel", "database wipe"},
}

func resetsFramework(s *scan, i int) verdict {
	c := &s.cmds[i]
	if c.Name == "" || c.Carrier || helpOnly(c) || notFramework(c.Name) {
		return verdict{}
	}
	prog, args := c.Name, texts(c.Args)
	// The real program behind "php artisan", "python manage.py", "npx prisma".
	for len(args) > 0 && (interpreterName(prog) || oneOf(prog, "npx", "bunx", "pnpx", "yarn", "pnpm", "poetry", "pipenv", "uv")) {
		if strings.HasPrefix(args[0], "-") || oneOf(args[0], "run", "exec", "dlx", "x") {
			args = args[1:]
			continue
		}
		prog, args = path.Base(args[0]), args[1:]
	}
	if testEnvironment(c, args) {
		return verdict{}
	}
	for _, r := range resets {
		if (r.prog == "*" || r.prog == prog) && hasAllWords(args, r.words) {
			return deny("empties or drops the database.")
		}
	}
	return verdict{}
}

// notFramework tells programs whose arguments are text, not tasks.
func notFramework(prog string) bool {
	return oneOf(prog, "echo", "printf", "grep", "rg", "git", "gh", "cat", "sed", "awk", "man", "ls", "find", "cd", "curl", "jq", "head", "tail", "test", "[", "docker", "code", "touch", "mkdir", "export")
}

func interpreterName(prog string) bool {
	return hasPrefixAny(prog, "python", "php", "ruby", "node", "bun", "deno", "perl") || oneOf(prog, "py", "tsx", "ts-node")
}

// hasAllWords tells that the words stand among args in order.
func hasAllWords(args []string, words string) bool {
	n := 0
	for w := range strings.FieldsSeq(words) {
		for n < len(args) && args[n] != w {
			n++
		}
		if n >= len(args) {
			return false
		}
		n++
	}
	return true
}

// testEnvironment tells that a framework is told to use its test database.
func testEnvironment(c *shell.Command, args []string) bool {
	for _, a := range c.Env {
		if oneOf(a.Name, "RAILS_ENV", "RACK_ENV", "MIX_ENV", "NODE_ENV", "APP_ENV", "DJANGO_ENV", "FLASK_ENV") && oneOf(a.Value.Text, "test", "testing") {
			return true
		}
	}
	for _, a := range args {
		if oneOf(a, "RAILS_ENV=test", "MIX_ENV=test", "--env=test", "--env=testing", "-e=test") {
			return true
		}
	}
	return hasAllWords(args, "--env test") || hasAllWords(args, "--env testing") || hasAllWords(args, "-e test")
}
