package mcp

import "strings"

// git reads the tools of Git servers as git commands.
func (t toolCall) git(c *Call) bool {
	name := strings.ReplaceAll(t.name, "-", "_")
	sub, ok := strings.CutPrefix(name, "git_")
	if !ok {
		if !t.at("git") {
			return false
		}
		sub = name
	}
	in := t.in
	args := []string{}
	add := func(yes bool, words ...string) {
		if yes {
			args = append(args, words...)
		}
	}
	mode := strings.ToLower(in.text("mode", "operation", "action", "subcommand", "method"))
	force := in.yes("force", "hard_force")
	switch sub = strings.ReplaceAll(sub, "_", "-"); sub {
	case "commit":
		args = append(args, "commit", "-m", in.text("message", "msg", "commit_message"))
		add(in.yes("amend"), "--amend")
		add(in.yes("no_verify", "noVerify", "skip_hooks"), "--no-verify")
		add(in.yes("all", "add_all", "stage_all"), "-a")
		args = append(args, in.list("files", "filesToStage", "paths")...)
	case "add", "stage":
		args = append(args, "add")
		add(force, "-f")
		args = append(args, in.list("files", "paths", "file", "path_spec")...)
	case "push", "force-push":
		args = append(args, "push")
		add(force || sub == "force-push", "--force")
		add(in.yes("forceWithLease", "force_with_lease"), "--force-with-lease")
		add(in.yes("delete"), "--delete")
		add(in.yes("mirror"), "--mirror")
		add(in.yes("tags"), "--tags")
		add(in.yes("dryRun", "dry_run"), "--dry-run")
		add(in.yes("noVerify", "no_verify"), "--no-verify")
		remote := in.text("remote", "remote_name", "repository")
		branch := in.text("remoteBranch", "branch", "branch_name", "refspec", "ref")
		if remote == "" && branch != "" {
			remote = "origin"
		}
		args = append(args, remote, branch)
	case "reset", "hard-reset":
		args = append(args, "reset")
		add(mode == "hard" || mode == "soft" || mode == "mixed" || mode == "merge" || mode == "keep", "--"+mode)
		add(mode == "" && (in.yes("hard") || sub == "hard-reset"), "--hard")
		args = append(args, in.text("commit", "target", "ref", "revision", "to"))
	case "clean":
		args = append(args, "clean", "-f")
		add(in.yes("directories", "dirs"), "-d")
		add(in.yes("ignored", "all"), "-x")
		add(in.yes("dryRun", "dry_run"), "-n")
	case "checkout", "switch", "restore", "discard", "revert-file", "discard-changes":
		verb := sub
		if verb != "checkout" && verb != "switch" {
			verb = "restore"
		}
		args = append(args, verb)
		add(force || in.yes("discard_changes", "discardChanges"), "-f")
		add(in.yes("createBranch", "create", "create_branch", "newBranch"), "-b")
		add(in.yes("staged"), "--staged")
		args = append(args, in.text("branchOrPath", "branch_name", "branch", "target", "ref", "commit"))
		if paths := in.list("paths", "files", "path_spec", "file"); len(paths) > 0 {
			args = append(append(args, "--"), paths...)
		} else if verb == "restore" && len(args) == 2 && args[1] == "" {
			args = append(args, ".")
		}
	case "stash":
		args = append(args, "stash", mode, in.text("stashRef", "stash_ref", "stash", "index", "ref"))
	case "stash-drop", "stash-clear", "stash-pop":
		args = append(args, "stash", strings.TrimPrefix(sub, "stash-"), in.text("stashRef", "stash_ref", "index"))
	case "branch", "delete-branch", "branch-delete":
		remove := strings.Contains(sub, "delete") || mode == "delete" || in.yes("delete")
		if !remove {
			return true
		}
		args = append(args, "branch")
		add(force, "-D")
		add(!force, "-d")
		add(in.yes("remote"), "-r")
		args = append(args, in.text("branchName", "branch_name", "branch", "name"))
	case "tag", "delete-tag", "tag-delete":
		args = append(args, "tag")
		add(strings.Contains(sub, "delete") || mode == "delete", "-d")
		add(force, "-f")
		add(mode == "list", "-l")
		args = append(args, in.text("tagName", "tag_name", "tag", "name"))
	case "rebase", "merge", "cherry-pick", "revert", "pull", "fetch", "worktree", "remote", "submodule":
		args = append(args, sub, mode)
		add(in.yes("noVerify", "no_verify"), "--no-verify")
		add(force, "--force")
		args = append(args, in.text("upstream", "onto", "branch", "branch_name", "commit", "commitRef", "worktreePath", "worktree_path", "name"))
	case "filter-repo", "filter-branch", "gc", "reflog", "prune":
		args = append(args, sub, mode)
	default:
		// status, diff, log, show, init, clone …: nothing is lost.
		return strings.HasPrefix(name, "git_")
	}
	words := []string{"git"}
	if dir := in.text("repo_path", "repoPath", "repository_path", "path", "cwd", "working_dir", "workingDirectory", "directory"); dir != "" && dir != "." {
		words = append(words, "-C", dir)
	}
	c.Script = line(append(words, args...)...)
	return true
}

// forge reads the tools of GitHub's, GitLab's and other forges' servers as gh or
// glab commands.
func (t toolCall) forge(c *Call) bool {
	in := t.in
	owner, repo := in.text("owner", "org", "namespace", "workspace"), in.text("repo", "repository", "repo_name", "project_id", "projectId", "project")
	if owner == "" && repo == "" && !t.at("github", "gitlab", "gitea", "bitbucket", "forgejo") {
		return false
	}
	if !t.at("github", "gitlab", "gitea", "bitbucket", "forgejo", "forge") && (owner == "" || repo == "") {
		return false
	}
	name := strings.ReplaceAll(t.name, "-", "_")
	full := strings.Trim(owner+"/"+repo, "/")
	api := func(method, what string) string { return line("gh", "api", "-X", method, "repos/"+full+"/"+what) }
	method := strings.ToLower(in.text("method", "action", "operation"))
	number := in.text("pullNumber", "pull_number", "pull_request_number", "merge_request_iid", "number", "issue_number", "iid")
	switch {
	case t.says("merge") && t.says("pull", "request", "mr", "pr") && !t.says("get", "list", "create", "update", "add", "note", "comment", "diffs", "approve"):
		c.Script = line("gh", "pr", "merge", number, "-R", full)
	case t.says("create") && t.says("pull", "merge") && t.says("request"):
		c.Script = line("gh", "pr", "create", "-R", full, "--title", in.text("title"))
	case name == "delete_repository" || name == "delete_repo" || name == "delete_project":
		c.Script = line("gh", "repo", "delete", full, "--yes")
	case t.says("create", "publish") && t.says("release"):
		words := []string{"gh", "release", "create", in.text("tag_name", "tagName", "tag"), "-R", full}
		if in.yes("draft") {
			words = append(words, "--draft")
		}
		c.Script = line(words...)
	case t.says("create", "push", "update", "upload") && t.says("file", "files"):
		c.Sent = t.sentFiles()
		c.Script = api("PUT", "contents")
		for _, f := range c.Sent {
			if secretName(f.Path) {
				c.Act = "puts " + base(f.Path) + " into a repository on the forge, for everybody who can read it."
			}
		}
	case t.says("delete", "remove") && t.says("file", "files"):
		c.Script = api("DELETE", "contents")
	case t.says("delete", "remove", "archive", "transfer") || strings.HasPrefix(method, "delete") || strings.HasPrefix(method, "archive"):
		if t.says("label", "labels", "assignee", "assignees", "reaction", "reviewer", "reviewers", "pending", "sub") || strings.Contains(method, "pending") {
			return true
		}
		c.Script = api("DELETE", strings.Join(t.words, "-"))
	case t.says("protection", "ruleset", "collaborator", "collaborators", "secret", "secrets", "webhook", "hook", "permissions", "member", "members") && t.says("create", "update", "set", "add", "edit"):
		c.Script = api("PUT", strings.Join(t.words, "-")+"/protection/")
	case name == "update_repository" || name == "edit_repository" || name == "edit_project":
		c.Script = line("gh", "api", "-X", "PATCH", "repos/"+full)
	case t.says("create") && t.says("repository", "repo", "project") && (in.no("private") || in.text("visibility") == "public"):
		c.Script = line("gh", "repo", "create", in.text("name"), "--public")
	case t.says("create") && t.says("gist") && in.yes("public"):
		c.Script = line("gh", "gist", "create", "--public")
	case t.says("ref", "reference") && t.says("update", "force"):
		c.Script = api("PATCH", "git/refs/"+in.text("ref", "branch"))
	}
	return true
}

// sentFiles are the files that a call puts into a repository on a forge.
func (t toolCall) sentFiles() []File {
	var out []File
	if p := t.in.path(); p != "" {
		out = append(out, File{Path: p, Text: t.in.text(contentKeys...), Whole: true})
	}
	for _, f := range t.in.objects("files", "actions", "changes") {
		if p := f.path(); p != "" {
			out = append(out, File{Path: p, Text: f.text(contentKeys...), Whole: true})
		}
	}
	return out
}

func base(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

// secretName tells names of files that hold local settings or keys.
func secretName(p string) bool {
	b := strings.ToLower(base(p))
	for _, part := range strings.FieldsFunc(b, func(r rune) bool { return r == '.' || r == '-' || r == '_' }) {
		switch part {
		case "example", "sample", "template", "dist", "defaults", "schema":
			return false
		}
	}
	return b == ".env" || strings.HasPrefix(b, ".env.") || strings.HasPrefix(b, "id_rsa") || strings.HasPrefix(b, "id_ed25519") || strings.HasSuffix(b, ".pem") || strings.HasSuffix(b, ".key") || strings.HasSuffix(b, ".p12") || b == "credentials.json"
}
