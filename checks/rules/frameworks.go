package rules

import (
	"path"
	"slices"
	"strings"

	"agentguard/checks/shell"
	"agentguard/hook"
)

// resets lists framework commands: the first word names the tool (or any tool,
// for task names that mean the same everywhere), the others must stand in its
// arguments.
var resets = []struct{ prog, words string }{
	{"manage.py", "flush"},
	{"manage.py", "reset_db"},
	{"manage.py", "sqlflush"},
	{"manage.py", "migrate zero"},
	{"django-admin", "flush"},
	{"prisma", "migrate reset"},
	{"prisma", "db push --force-reset"},
	{"prisma", "db push --accept-data-loss"},
	{"*", "db:drop"},
	{"*", "db:reset"},
	{"*", "db:wipe"},
	{"*", "db:purge"},
	{"*", "db:truncate_all"},
	{"*", "db:drop:all"},
	{"*", "db:migrate:reset"},
	{"*", "db:schema:load"},
	{"*", "db:structure:load"},
	{"*", "db:drop:_unsafe"},
	{"*", "db:schema:cache:clear--"},
	{"*", "migrate:fresh"},
	{"*", "migrate:reset"},
	{"*", "migrate:refresh"},
	{"*", "db:migrate:undo:all"},
	{"*", "db:seed:undo:all"},
	{"*", "doctrine:schema:drop"},
	{"*", "doctrine:database:drop"},
	{"*", "doctrine:fixtures:load"},
	{"*", "schema:drop"},
	{"*", "flyway:clean"},
	{"*", "flywayClean"},
	{"*", "liquibase:dropAll"},
	{"alembic", "downgrade base"},
	{"dotnet", "ef database update 0"},
	{"diesel", "migration revert --all"},
	{"hasura", "metadata clear"},
	{"meteor", "reset"},
	{"flask", "db downgrade base"},
	{"flyway", "clean"},
	{"liquibase", "dropAll"},
	{"liquibase", "drop-all"},
	{"knex", "migrate:rollback --all"},
	{"typeorm", "schema:drop"},
	{"mix", "ecto.drop"},
	{"mix", "ecto.reset"},
	{"mix", "ecto.rollback --all"},
	{"supabase", "db reset"},
	{"supabase", "stop --no-backup"},
	{"dotnet", "ef database drop"},
	{"dotnet-ef", "database drop"},
	{"diesel", "database reset"},
	{"sqlx", "database drop"},
	{"sqlx", "database reset"},
	{"drizzle-kit", "drop"},
	{"goose", "reset"},
	{"goose", "down-to 0"},
	{"migrate", "drop"},
	{"migrate", "down -all"},
	{"dbmate", "drop"},
	{"convex", "import --replace-all"},
	{"wasp", "db reset"},
	{"encore", "db reset"},
	{"blitz", "db seed --reset"},
	{"rw", "prisma migrate reset"},
	{"redwood", "prisma migrate reset"},
	{"wp", "db reset"},
	{"wp", "db drop"},
	{"wp", "db clean"},
	{"wp", "site empty"},
	{"drush", "sql-drop"},
	{"drush", "sql:drop"},
	{"drush", "site:install"},
	{"pg_dropcluster", ""},
	{"atlas", "schema clean"},
	{"hasura", "migrate delete"},
	{"mikro-orm", "schema:drop"},
	{"mikro-orm", "schema:fresh"},
	{"sequelize", "db:drop"},
	{"sequelize-cli", "db:drop"},
	{"medusa", "db:reset"},
	{"payload", "migrate:fresh"},
	{"payload", "migrate:reset"},
	{"directus", "database reset"},
	{"sea-orm-cli", "migrate fresh"},
	{"sea-orm-cli", "migrate reset"},
	{"sea-orm-cli", "migrate refresh"},
	{"refinery", "drop"},
	{"yii", "migrate/fresh"},
	{"phinx", "rollback -t 0"},
	{"aerich", "downgrade -v 0"},
	{"edgedb", "database wipe"},
	{"gel", "database wipe"},
}

// The facts about what brings a schema to a database.
const (
	pushesSchema = "changes a database to fit the schema, without a migration; what the schema does not name can be lost."
	hostedChange = "changes a hosted database that others may use."
	undoesChange = "takes migrations back, with the columns and tables that they made."
)

// schemaPushes lists commands that change a database without a way back. With the
// option in hard nobody is asked before data is lost.
var schemaPushes = []struct{ prog, words, hard, fact string }{
	{"drizzle-kit", "push", "--force", pushesSchema},
	{"drizzle-kit", "push:pg", "", pushesSchema},
	{"drizzle-kit", "push:mysql", "", pushesSchema},
	{"drizzle-kit", "push:sqlite", "", pushesSchema},
	{"*", "prisma db push", "", pushesSchema},
	{"prisma", "db push", "", pushesSchema},
	{"zenstack", "db push", "", pushesSchema},
	{"atlas", "schema apply", "", pushesSchema},
	{"atlas", "migrate down", "", undoesChange},
	{"typeorm", "schema:sync", "", pushesSchema},
	{"mikro-orm", "schema:update --run", "", pushesSchema},
	{"*", "doctrine:schema:update --force", "", pushesSchema},
	{"skeema", "push", "--allow-unsafe", pushesSchema},
	{"psqldef", "", "--enable-drop", pushesSchema},
	{"mysqldef", "", "--enable-drop", pushesSchema},
	{"supabase", "db push", "", hostedChange},
	{"supabase", "migration down", "", undoesChange},
	{"supabase", "migration repair", "", hostedChange},
	{"hasura", "migrate apply --down", "", undoesChange},
	{"hasura", "metadata apply", "", hostedChange},
	{"gh-ost", "--execute", "", hostedChange},
	{"pt-online-schema-change", "--execute", "", hostedChange},
	{"pt-archiver", "--purge", "", "deletes rows from a database."},
	{"kysely", "migrate:rollback --all", "", undoesChange},
	{"kysely", "migrate rollback --all", "", undoesChange},
	{"sqlx", "migrate revert --target-version 0", "", undoesChange},
	{"*", "migrate:down", "", undoesChange},
	{"*", "db:seed:replant", "", "empties the database's tables and fills them again."},
	{"convex", "import --replace", "", "replaces the tables of a database."},
	{"spacetime", "publish --clear-database", "", "empties a database."},
	{"spacetime", "publish -c", "", "empties a database."},
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
	if hasAnyWord(args, "-t", "-T", "-k", "-g", "--grep", "--testNamePattern", "-m") {
		return verdict{} // the words choose tests
	}
	for _, r := range resets {
		if (r.prog == "*" || r.prog == prog) && hasAllWords(args, r.words) {
			return deny("empties or drops the database.")
		}
	}
	if hasAnyWord(args, "--dry-run", "--local", "--dump-sql", "--explain", "--preview", "--verify") {
		return verdict{}
	}
	for _, r := range schemaPushes {
		if r.prog != "*" && r.prog != prog || !hasAllWords(args, r.words) {
			continue
		}
		v := ask(r.fact)
		if r.hard != "" && hasAnyWord(args, r.hard) {
			v.decision = hook.Deny
		}
		return v
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

func hasAnyWord(args []string, list ...string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return slices.Contains(list, a) })
}

// testEnvironment tells that a framework is told to use its test database.
func testEnvironment(c *shell.Command, args []string) bool {
	for _, a := range c.Env {
		if oneOf(a.Name, "RAILS_ENV", "RACK_ENV", "MIX_ENV", "NODE_ENV", "APP_ENV", "DJANGO_ENV", "FLASK_ENV") && oneOf(a.Value.Text, "test", "testing") || strings.HasSuffix(a.Name, "DATABASE_URL") && testURL(a.Value.Text) {
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
