package mcp

import "strings"

// commands reads tools that run a command line or a program's text.
func (t toolCall) commands(c *Call) bool {
	if t.inside(c) {
		return true
	}
	text := t.in.text("command", "cmd", "shell_command", "shellCommand", "command_line", "commandLine", "cli_command", "cliCommand", "cmdline", "bash_command", "terminal_command")
	list := t.in.list("command", "cmd", "argv")
	args := t.in.list("args", "arguments", "argv", "parameters")
	shellTool := t.says("shell", "bash", "terminal", "command", "exec", "execute", "process", "cli", "sh", "zsh", "powershell", "run", "console", "ssh")
	switch {
	case text != "":
	case len(list) > 1:
		text = line(list...)
	case len(list) == 1 && shellTool:
		text = list[0]
	default:
		text = strings.Join(t.in.list("commands"), "\n") // several command lines
	}
	if text != "" && len(args) > 0 && t.in["args"] != nil {
		text += " " + line(args...)
	}
	program := t.program()
	if text == "" && program != "" && len(args) > 0 && t.in.text("path", "file_path") == "" {
		text = line(args...)
	}
	if text == "" {
		return t.code(c, shellTool)
	}
	if first, _, _ := strings.Cut(strings.TrimSpace(text), " "); program != "" && first != program && !strings.Contains(text, program+" ") {
		text = program + " " + text
		if program == "kubectl" {
			text += " " + line(t.in.text("resourceType", "resource_type", "resource"), t.in.text("name"))
		}
		if t.in.yes("auto_approve", "autoApprove") || t.at("terraform") && strings.HasPrefix(text, "terraform destroy") {
			text += " -auto-approve"
		}
	}
	if host := t.in.text("host", "hostname", "server", "ssh_host", "connection", "machine"); host != "" && t.at("ssh", "remote") || t.at("ssh") {
		if host == "" {
			host = "remote"
		}
		c.Script = line("ssh", host, text)
		return true
	}
	if dir := t.in.folder(); dir != "" {
		text = "cd " + quote(dir) + " && " + text
	}
	if t.at("powershell", "pwsh") || strings.EqualFold(t.in.text("shell"), "powershell") || strings.EqualFold(t.in.text("shell"), "pwsh") {
		text = line("pwsh", "-c", text)
	} else if strings.EqualFold(t.in.text("shell"), "cmd") {
		text = line("cmd", "/c", text)
	}
	c.Script = text
	return true
}

// inside reads tools that run a command in a container.
func (t toolCall) inside(c *Call) bool {
	words := t.in.list("command", "cmd", "args")
	if len(words) == 0 || !t.says("exec", "execute") || !t.at("kubernetes", "k8s", "pod", "pods", "docker", "podman", "container") {
		return false
	}
	name := t.in.text("name", "pod", "podName", "pod_name", "container", "container_id", "containerId", "id")
	if name == "" {
		return false
	}
	start := []string{"docker", "exec", name}
	if t.at("kubernetes", "k8s", "pod", "pods") {
		start = []string{"kubectl", "exec", name, "--"}
	}
	if len(words) == 1 {
		words = []string{"sh", "-c", words[0]}
	}
	c.Script = line(append(start, words...)...)
	return true
}

// program is the program that a tool is named after, where its command leaves the
// name out.
func (t toolCall) program() string {
	for _, p := range [...]string{"terraform", "tofu", "kubectl", "helm", "docker", "gcloud", "aws", "az", "redis", "flyctl", "vercel", "supabase", "wrangler", "pulumi", "heroku", "npm", "git", "gh"} {
		if !t.at(p) {
			continue
		}
		if p == "redis" {
			return "redis-cli"
		}
		return p
	}
	return ""
}

// code reads tools that run the text of a program.
func (t toolCall) code(c *Call, shellTool bool) bool {
	text := t.in.text("code", "script", "source", "program", "input")
	if text == "" || t.in.path() != "" || !t.says("run", "exec", "execute", "eval", "evaluate", "repl", "interpreter", "python", "node", "javascript", "shell", "bash", "terminal", "process", "script") {
		return false
	}
	lang := strings.ToLower(t.in.text("language", "lang", "kernel", "runtime"))
	switch {
	case lang == "" && t.at("python", "jupyter", "ipython", "repl", "interpreter"), strings.HasPrefix(lang, "py"):
		c.Script = "python3 -c " + quote(text)
	case lang == "" && t.at("node", "javascript", "js", "deno", "bun", "typescript"), lang == "javascript", lang == "js", lang == "typescript", lang == "node":
		c.Script = "node -e " + quote(text)
	case lang == "bash", lang == "sh", lang == "shell", lang == "zsh", lang == "" && shellTool:
		c.Script = text
	case lang == "powershell" || lang == "pwsh":
		c.Script = line("pwsh", "-c", text)
	default:
		return false
	}
	return true
}
