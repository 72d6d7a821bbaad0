package mcp

import (
	"encoding/json"
	"strings"
)

// fields are the members of a tool's input.
type fields map[string]json.RawMessage

// fieldsOf reads an input. One that holds nothing but another object is that
// object: some servers wrap their arguments.
func fieldsOf(input json.RawMessage) fields {
	var f fields
	if json.Unmarshal(input, &f) != nil {
		return nil
	}
	for range 2 {
		if len(f) != 1 {
			break
		}
		for _, v := range f {
			var inner fields
			if json.Unmarshal(v, &inner) != nil || inner == nil {
				return f
			}
			f = inner
		}
	}
	return f
}

// text is the first of the named members that is a text or a number.
func (f fields) text(names ...string) string {
	for _, n := range names {
		if s, ok := f.has(n); ok && s != "" {
			return s
		}
	}
	return ""
}

func (f fields) has(name string) (string, bool) {
	raw, ok := f[name]
	if !ok {
		return "", false
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s, true
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil {
		return n.String(), true
	}
	return "", false
}

// list is the first of the named members that is a list of texts, or one text.
func (f fields) list(names ...string) []string {
	for _, n := range names {
		var out []string
		if json.Unmarshal(f[n], &out) == nil && len(out) > 0 {
			return out
		}
		if s, ok := f.has(n); ok && s != "" {
			return []string{s}
		}
	}
	return nil
}

// objects is the first of the named members that is a list of objects.
func (f fields) objects(names ...string) []fields {
	for _, n := range names {
		var out []fields
		if json.Unmarshal(f[n], &out) == nil && len(out) > 0 {
			return out
		}
	}
	return nil
}

// yes tells that one of the named members is true.
func (f fields) yes(names ...string) bool {
	for _, n := range names {
		var b bool
		if json.Unmarshal(f[n], &b) == nil && b {
			return true
		}
		if s, ok := f.has(n); ok && strings.EqualFold(s, "true") {
			return true
		}
	}
	return false
}

// no tells that a member is given and false.
func (f fields) no(name string) bool {
	var b bool
	return f[name] != nil && json.Unmarshal(f[name], &b) == nil && !b
}

// pathKeys are the names under which tools take the path of a file.
var pathKeys = []string{
	"path", "file_path", "filePath", "filepath", "file", "filename", "fileName", "file_name", "relative_path", "relativePath", "target_file", "targetFile", "absolute_path", "absolutePath",
	"pathInProject", "output_path", "outputPath", "full_path", "fullPath", "uri", "target_path", "targetPath", "dest_path", "name_path",
}

// contentKeys are the names under which tools take the text of a file.
var contentKeys = []string{"content", "contents", "text", "data", "body", "file_text", "fileText", "file_content", "fileContent", "new_content", "newContent", "file_contents", "code", "source_code", "markdown", "new_str"}

func (f fields) path() string {
	return strings.TrimPrefix(f.text(pathKeys...), "file://")
}

// folder is the folder that a call works in.
func (f fields) folder() string {
	return strings.TrimPrefix(f.text("repo_path", "repoPath", "cwd", "workdir", "working_directory", "workingDirectory", "workingDir", "working_dir", "directory", "dir", "projectPath", "project_path", "repository_path"), "file://")
}

// quote writes a word as a shell has to read it.
func quote(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// line joins words into a command line; empty ones are left out.
func line(words ...string) string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, quote(w))
		}
	}
	return strings.Join(out, " ")
}
