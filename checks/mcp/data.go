package mcp

import (
	"encoding/json"
	"strings"
)

// data reads the tools of database servers.
func (t toolCall) data(c *Call) bool {
	if t.mongo(c) || t.redis(c) {
		return true
	}
	if sql := t.sql(); sql != "" {
		db := t.in.text("database", "databaseName", "dbname", "db_name", "db")
		switch {
		case t.at("sqlite", "duckdb") && t.in.text("db_path", "dbPath", "database_path", "path") != "":
			c.Script = line("sqlite3", t.in.text("db_path", "dbPath", "database_path", "path"), sql)
		case db != "":
			c.Script = line("psql", "-h", "server", "-d", db, "-c", sql)
		default:
			c.Script = line("psql", "-h", "server", "-c", sql)
		}
		if t.says("migration") && t.at("supabase", "neon", "planetscale", "turso") {
			c.Act = "changes the schema of a hosted database that others may use."
		}
		return true
	}
	return t.hosted(c)
}

// sql is the SQL that a call runs. Under a name that may mean words to search for
// it must start as a statement does.
func (t toolCall) sql() string {
	if s := strings.Join(t.in.list("sql", "statement", "statements", "sqlStatements", "sql_statements", "sql_query", "sqlQuery", "raw_sql"), ";\n"); s != "" {
		return s
	}
	s := strings.Join(t.in.list("query", "queries", "migration", "ddl", "q"), ";\n")
	words := strings.Fields(strings.ToUpper(strings.TrimLeft(s, "( \n\t;")))
	if len(words) < 2 || t.says("search", "find") {
		return ""
	}
	switch strings.TrimRight(words[0], ";") {
	case "DELETE", "DROP", "UPDATE", "ALTER", "CREATE":
		if len(words) > 2 {
			return s
		}
	case "SELECT", "INSERT", "TRUNCATE", "WITH", "BEGIN", "GRANT", "REVOKE", "EXPLAIN", "SHOW", "MERGE", "REPLACE", "CALL", "DO", "PRAGMA", "VACUUM", "SET", "COPY", "DESCRIBE", "ANALYZE", "ROLLBACK", "COMMIT":
		return s
	}
	if strings.HasPrefix(strings.TrimSpace(s), "--") || strings.HasPrefix(strings.TrimSpace(s), "/*") {
		return s
	}
	return ""
}

// mongo reads the tools of MongoDB's server.
func (t toolCall) mongo(c *Call) bool {
	if !t.at("mongo", "mongodb", "atlas") && (t.in["collection"] == nil || t.in["database"] == nil) {
		return false
	}
	coll := t.in.text("collection", "collectionName", "collection_name")
	filter := string(t.in["filter"])
	if filter == "" || filter == "null" {
		filter = string(t.in["query"])
	}
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(filter), &object) != nil || len(object) == 0 {
		filter = "{}"
	}
	eval := func(code string) {
		c.Script = line("mongosh", t.in.text("database", "db"), "--eval", code)
	}
	switch {
	case t.says("drop") && t.says("database", "db"):
		eval("db.dropDatabase()")
	case t.says("drop") && t.says("collection"):
		eval("db." + coll + ".drop()")
	case t.says("drop") && t.says("index"):
		eval("db." + coll + ".dropIndexes()")
	case t.says("delete", "remove") && t.says("many", "documents", "document", "all"):
		eval("db." + coll + ".deleteMany(" + filter + ")")
	case t.says("update") && t.says("many"):
		eval("db." + coll + ".updateMany(" + filter + ", {})")
	case t.says("delete", "terminate", "drop", "remove") && !t.says("one"):
		c.Act = "deletes something of the database."
	}
	return true
}

// redis reads the tools of Redis servers.
func (t toolCall) redis(c *Call) bool {
	if !t.at("redis", "valkey", "keydb", "memcached") {
		return false
	}
	switch {
	case t.says("flushall", "flushdb") || t.says("flush"):
		c.Script = "redis-cli FLUSHALL"
	case t.says("delete", "del", "unlink"):
		if keys := t.in.list("key", "keys", "pattern"); len(keys) > 0 && strings.Contains(strings.Join(keys, " "), "*") {
			c.Act = "deletes keys of the database by a pattern."
		}
	}
	return true
}

// hosted reads acts on a hosted database that have a name instead of SQL.
func (t toolCall) hosted(c *Call) bool {
	if !t.at("supabase", "neon", "planetscale", "turso", "database", "db", "postgres", "mysql", "cockroach", "upstash", "d1", "firestore", "firebase", "bigquery", "snowflake", "clickhouse", "elasticsearch", "opensearch", "qdrant", "pinecone", "weaviate", "chroma", "milvus", "prisma", "convex", "xata") {
		return false
	}
	id := t.in.text("project_id", "projectId", "branch_id", "branchId", "id", "name", "table", "index", "collection")
	switch {
	case t.says("delete", "drop", "destroy", "remove", "truncate", "terminate", "purge", "wipe"):
		if t.says("document", "point", "row", "record", "vector", "key") && !t.says("all", "many") {
			return true
		}
		c.Act = "deletes something of a hosted database" + named(id) + "."
	case t.says("reset", "restore", "pause", "rollback") && !t.says("list", "get"):
		c.Act = "sets back or stops a hosted database" + named(id) + "."
	case t.says("merge", "promote", "rebase") && t.says("branch"):
		c.Act = "changes the hosted database that others use" + named(id) + "."
	case t.at("prisma") && t.says("push", "reset"):
		c.Script = "npx prisma db push"
	case t.says("deploy"):
		c.Act = "changes what is deployed" + named(id) + "."
	default:
		return false
	}
	return true
}

func named(id string) string {
	if id == "" || len(id) > 60 {
		return ""
	}
	return " (" + id + ")"
}

// cluster reads the tools of servers for Kubernetes, Helm, Docker and clouds.
func (t toolCall) cluster(c *Call) bool {
	in := t.in
	switch {
	case t.at("kubernetes", "k8s", "kubectl", "openshift"):
		kind, name := strings.ToLower(in.text("kind", "resourceType", "resource_type", "resource")), in.text("name", "resourceName", "resource_name", "pod", "podName")
		words := []string{"kubectl"}
		if ns := in.text("namespace", "ns"); ns != "" {
			words = append(words, "-n", ns)
		}
		switch {
		case t.says("helm") && t.says("uninstall", "delete"):
			c.Script = line("helm", "uninstall", name)
		case t.says("delete", "remove"):
			if kind == "" {
				kind = "pod"
				if t.says("namespace", "namespaces") {
					kind = "namespace"
				}
			}
			words = append(words, "delete", kind, name)
			if in.yes("allNamespaces", "all") || name == "" {
				words = append(words, "--all")
			}
			c.Script = line(words...)
		case t.says("scale") && in.text("replicas") == "0":
			c.Script = line(append(words, "scale", kind, name, "--replicas=0")...)
		case t.says("drain"):
			c.Script = line(append(words, "drain", in.text("node", "nodeName", "name"))...)
		case t.says("exec") && in.text("command") == "" && len(in.list("command")) > 0:
			c.Script = line(append(append(words, "exec", name, "--"), in.list("command")...)...)
		case t.says("apply", "patch", "create", "update", "rollout", "rollback", "restart"):
			c.Script = line(append(words, "apply", "-f", "manifest.yaml")...)
		}
	case t.at("helm"):
		if t.says("uninstall", "delete", "rollback") {
			c.Script = line("helm", "uninstall", in.text("name", "release", "releaseName"))
		}
	case t.at("docker", "podman", "container", "containers"):
		what := in.text("volume", "volumeName", "name", "container", "container_id", "containerId", "image", "id")
		switch {
		case t.says("prune"):
			c.Script = "docker system prune --volumes"
		case t.says("remove", "delete", "rm") && t.says("volume", "volumes"):
			c.Script = line("docker", "volume", "rm", what)
		case t.says("compose") && t.says("down") && in.yes("volumes", "remove_volumes", "removeVolumes"):
			c.Script = "docker compose down -v"
		case t.says("remove", "delete", "rm"):
			c.Script = line("docker", "rm", what)
			if in.yes("volumes", "v", "remove_volumes") {
				c.Script = line("docker", "rm", "-v", what)
			}
		}
	default:
		return false
	}
	return true
}
