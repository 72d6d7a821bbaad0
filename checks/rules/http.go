package rules

import (
	"encoding/json"
	"strings"

	"agentguard/checks/shell"
	"agentguard/hook"
)

// deletesOverHTTP finds requests that delete on another machine: by their method,
// by a GraphQL or SQL text in their body, or by their address.
func deletesOverHTTP(s *scan, i int) verdict {
	c := &s.cmds[i]
	if program, ok := inlineProgram(c); ok {
		return programDeletes(program)
	}
	if !oneOf(c.Name, "curl", "curlie", "wget", "wget2", "http", "https", "xh", "xhs", "invoke-webrequest", "invoke-restmethod") {
		return verdict{}
	}
	r := s.request(i)
	local := allLocal(r.urls)
	worst := verdict{}
	for _, url := range r.urls {
		switch at := urlPath(url); {
		case r.method == "DELETE" && oneOf(at, "/_all", "/*", "/_data_stream/*"):
			return ask("deletes every index of a search server.")
		case local:
		case strings.Contains(at, "/_delete_by_query") && r.method != "GET", r.method == "POST" && deletesByPath(at):
			worst = worst.or(ask("deletes something on another machine."))
		}
		worst = worst.or(judgeSQL(queryOf(url)))
	}
	if r.method == "DELETE" && !local {
		worst = worst.or(ask("deletes something on another machine."))
	}
	for _, body := range r.bodies {
		if !local {
			for _, name := range mutations(body) {
				if takesAway(name) {
					worst = worst.or(ask("deletes something on another machine (" + clip(name, 40) + ")."))
				}
			}
		}
		worst = worst.or(sqlInBody(body))
	}
	worst.decision = min(worst.decision, hook.Ask)
	return worst
}

// request is what a command would send.
type request struct {
	method string // upper case
	urls   []string
	bodies []string
}

func (s *scan) request(i int) request {
	c := &s.cmds[i]
	var r request
	o := shell.Options(c.Args, curlSpec)
	if v, ok := o.Value("X", "request", "method"); ok {
		r.method = strings.ToUpper(v.Text)
	}
	for _, w := range o.Values("H", "header") {
		if k, v, _ := strings.Cut(w.Text, ":"); containsAny(strings.ToLower(k), "method-override", "http-method") {
			r.method = strings.ToUpper(strings.TrimSpace(v))
		}
	}
	rest := append(o.Values("url"), o.Rest...)
	for _, w := range o.Values("d", "data", "data-raw", "data-binary", "data-ascii", "data-urlencode", "json", "F", "form", "form-string", "post-data", "body-data", "raw") {
		r.bodies = append(r.bodies, s.bodyText(i, w))
	}
	for _, w := range o.Values("T", "upload-file", "post-file", "body-file") {
		if text, ok := s.readText(i, w); ok {
			r.bodies = append(r.bodies, text)
		}
	}
	if oneOf(c.Name, "http", "https", "xh", "xhs") {
		r.method = "GET"
		for n, w := range rest {
			switch {
			case n == 0 && w.Text != "" && strings.Trim(strings.ToUpper(w.Text), "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && len(rest) > 1:
				r.method = strings.ToUpper(w.Text)
			case strings.Contains(w.Text, "=") && !strings.Contains(w.Text, "://"):
				r.bodies = append(r.bodies, s.bodyText(i, w))
			default:
				r.urls = append(r.urls, w.Text)
			}
		}
		if c.Stdin.Known {
			r.bodies = append(r.bodies, c.Stdin.Text)
		}
	} else {
		r.urls = append(r.urls, texts(rest)...)
	}
	if r.method == "" {
		r.method = "GET"
		if len(r.bodies) > 0 {
			r.method = "POST"
		}
	}
	return r
}

// urlPath is the path of an address, without its query.
func urlPath(url string) string {
	url = stripQuery(url)
	if _, rest, ok := strings.Cut(url, "://"); ok {
		url = rest
	}
	if i := strings.IndexByte(url, '/'); i >= 0 {
		return strings.TrimRight(url[i:], "/")
	}
	return ""
}

// queryOf is the SQL that an address carries, as some databases take it.
func queryOf(url string) string {
	for _, key := range []string{"?query=", "&query=", "?q=", "&q=", "?sql="} {
		if _, text, ok := strings.Cut(url, key); ok {
			text, _, _ = strings.Cut(text, "&")
			return strings.NewReplacer("%20", " ", "+", " ", "%27", "'", "%3B", ";", "%0A", " ").Replace(text)
		}
	}
	return ""
}

// deletesByPath tells an address that is a verb.
func deletesByPath(at string) bool {
	last := at[strings.LastIndexByte(at, '/')+1:]
	last = last[strings.LastIndexAny(last, ":.")+1:]
	return oneOf(strings.ToLower(last), "delete", "destroy", "purge", "truncate", "drop", "wipe", "terminate", "delete_all", "deleteall", "delete-all", "bulk-delete", "bulk_delete", "batchdelete", "batch-delete", "flush", "flushall", "flushdb")
}

// sqlInBody judges the SQL that a body is or holds under a name that says so.
func sqlInBody(body string) verdict {
	if !strings.HasPrefix(strings.TrimSpace(body), "{") {
		if isStatement(body) {
			return judgeSQL(body)
		}
		return verdict{}
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(body), &fields) != nil {
		return verdict{}
	}
	worst := verdict{}
	for _, key := range []string{"sql", "statement", "stmt", "query", "q"} {
		var text string
		if json.Unmarshal(fields[key], &text) == nil && (key[0] == 's' || isStatement(text)) {
			worst = worst.or(judgeSQL(text))
		}
	}
	return worst
}

// isStatement tells SQL from words that somebody searches for.
func isStatement(text string) bool {
	words := strings.Fields(strings.ToUpper(text))
	if len(words) < 3 {
		return false
	}
	switch words[0] {
	case "DELETE":
		return words[1] == "FROM"
	case "UPDATE":
		return words[2] == "SET"
	case "DROP", "TRUNCATE", "ALTER":
		return oneOf(words[1], "TABLE", "DATABASE", "SCHEMA", "KEYSPACE", "INDEX", "VIEW", "COLLECTION")
	}
	return oneOf(words[0], "WITH", "BEGIN", "BEGIN;")
}

// programDeletes finds the calls of a program that delete in a cloud account or
// over HTTP.
func programDeletes(program string) verdict {
	if containsAny(program, "boto3", "@aws-sdk", "aws-sdk", "google.cloud", "azure.mgmt") && containsAny(program, ".delete_", "terminate_", "purge_", ".delete()", "DeleteCommand", "TerminateInstances") ||
		strings.Contains(program, "kubernetes") && containsAny(program, ".delete_namespace", ".delete_collection", ".deleteNamespace(", "delete_persistent") || strings.Contains(program, "docker") && containsAny(program, ".volumes.prune(", ".volumes.get(") && containsAny(program, "prune(", ".remove(") {
		return ask("deletes something in the cloud account, the cluster or the containers.")
	}
	if !containsAny(program, "http://", "https://") || containsAny(program, "://localhost", "://127.0.0.1") {
		return verdict{}
	}
	flat := strings.ToLower(strings.NewReplacer(" ", "", `"`, "'", "`", "'").Replace(program))
	if containsAny(flat, "requests.delete(", "httpx.delete(", "axios.delete(", "got.delete(", "ky.delete(", "session.delete(", "client.delete('http", "method:'delete'", "method='delete'", "request('delete'", "net::http::delete", "customrequest,'delete'") {
		return ask("deletes something on another machine.")
	}
	for _, name := range mutations(program) {
		if takesAway(name) {
			return ask("deletes something on another machine (" + clip(name, 40) + ").")
		}
	}
	return verdict{}
}
