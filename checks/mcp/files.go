package mcp

import "strings"

// files reads tools that write, move or delete files on this machine.
func (t toolCall) files(c *Call) bool {
	in := t.in
	if in.yes("dryRun", "dry_run", "preview") {
		return true
	}
	if from, to := in.text("source", "src", "from", "old_path", "oldPath", "source_path", "sourcePath"), in.text("destination", "dest", "dst", "to", "target", "new_path", "newPath", "destination_path", "destinationPath"); from != "" && to != "" && pathLike(from) && t.says("move", "rename", "mv", "copy", "cp", "relocate") {
		verb := "mv"
		if t.says("copy", "cp") {
			verb = "cp"
		}
		c.Script = line(verb, "--", from, to)
		return true
	}
	paths := in.list("paths", "files")
	if p := in.path(); p != "" {
		paths = append([]string{p}, paths...)
	}
	if p := in.text("directory", "dir", "folder", "directory_path", "target"); len(paths) == 0 && p != "" {
		paths = []string{p}
	}
	if len(paths) > 0 && t.says("delete", "remove", "rm", "unlink", "trash", "rmdir", "erase") && !t.says("lines", "line", "memory", "note", "notes", "tag", "property", "text", "cell", "symbol") {
		words := []string{"rm"}
		if in.yes("recursive", "recurse") || t.says("directory", "dir", "folder", "rmdir", "tree") {
			words = append(words, "-r")
		}
		c.Script = line(append(append(words, "--"), paths...)...)
		return true
	}
	if t.says("read", "get", "list", "search", "find", "view", "show", "describe", "info", "open", "stat", "tree", "glob", "grep", "fetch", "download", "watch", "check", "validate", "lint", "analyze", "query") && !t.says("write", "save", "edit", "update", "create", "append", "replace") {
		return true
	}
	if f, ok := t.file(in); ok {
		c.Files = append(c.Files, f)
	}
	for _, one := range in.objects("files", "edits", "changes", "operations", "writes") {
		if f, ok := t.file(one); ok && f.Path != "" {
			c.Files = append(c.Files, f)
		}
	}
	return len(c.Files) > 0
}

// file reads the members that say what is written to one file.
func (t toolCall) file(in fields) (File, bool) {
	f := File{Path: in.path()}
	if f.Path == "" || !pathLike(f.Path) {
		return File{}, false
	}
	for _, e := range append(in.objects("edits", "changes", "replacements"), in) {
		now, given := "", false
		for _, k := range []string{"new_string", "newText", "new_text", "newString", "replacement", "new_str", "replace_with", "new"} {
			if s, ok := e.has(k); ok {
				now, given = s, true
				break
			}
		}
		if given {
			f.Changes = append(f.Changes, Change{Old: e.text("old_string", "oldText", "old_text", "oldString", "search", "old_str", "find", "old"), New: now, All: e.yes("replace_all", "replaceAll", "expected_replacements")})
		}
	}
	if len(f.Changes) > 0 {
		return f, true
	}
	for _, k := range contentKeys {
		if s, ok := in.has(k); ok {
			f.Text = s
			f.Whole = !t.says("append", "insert", "patch", "add") && !strings.EqualFold(in.text("mode"), "append") && !in.yes("append")
			return f, true
		}
	}
	return f, t.says("write", "create", "save", "edit", "overwrite", "truncate", "touch", "replace", "append", "put", "patch") && t.says("file", "files", "content", "block", "text")
}

// pathLike tells a text that may be a path, as opposed to words or an address.
func pathLike(s string) bool {
	return len(s) < 4096 && !strings.ContainsAny(s, "\n\r") && !strings.Contains(s, "://") && !strings.Contains(s, ", ")
}

// act says what a tool that no table knows does, by its name and its switches.
func (t toolCall) act() string {
	in := t.in
	if in.yes("dryRun", "dry_run", "preview", "simulate") || t.says("get", "list", "search", "find", "read", "describe", "count", "preview", "dry", "show", "undo", "restore", "undelete") {
		return ""
	}
	destroys := t.says("delete", "destroy", "drop", "purge", "wipe", "truncate", "terminate", "erase", "nuke", "deprovision", "decommission", "flush")
	destroys = destroys || t.says("remove", "revoke", "reset", "uninstall", "archive", "cancel", "rollback") &&
		t.says("all", "database", "table", "repository", "repo", "project", "bucket", "volume", "instance", "server", "cluster", "stack", "environment", "deployment", "service", "app", "application", "site", "domain", "zone", "record", "user", "users", "member", "members", "organization", "account", "customer", "subscription", "key", "secret", "branch", "backup", "backups", "snapshot", "storage", "namespace", "function", "queue", "topic")
	destroys = destroys || in.yes("delete", "destroy", "purge", "hard_delete", "hardDelete", "delete_all", "deleteAll", "wipe", "permanent", "permanently") && !in.no("confirm")
	switch {
	case destroys && t.says("comment", "reaction", "draft", "reminder", "message", "note", "memory", "observation", "observations", "entity", "entities", "relation", "relations", "bookmark", "label", "tag", "breakpoint", "session", "tab", "cell", "line", "lines", "cache", "todo", "task", "node", "shape", "layer", "event"):
		return ""
	case destroys:
		return "deletes or ends something that " + clip(t.server) + " keeps."
	case in.yes("force", "overwrite", "hard") && t.says("push", "merge", "deploy", "migrate", "restore", "update", "write", "sync", "import", "publish", "apply", "upload", "replace", "rename", "move", "checkout", "switch"):
		return "forces a change of something that " + clip(t.server) + " keeps."
	}
	return ""
}

func clip(s string) string {
	if s == "" {
		return "this server"
	}
	return s[:min(len(s), 40)]
}
