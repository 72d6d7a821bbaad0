package rules

import (
	"slices"
	"strings"
)

var fallbackRules = []Rule{
	{
		ID: "unread-script", Family: "fallback",
		Title: "a script that could not be read whole, with dangerous words in it",
		Safe:  "Send it in plainer words, one step at a time.",
		Hits: []Case{
			{Run: "if then rm -rf ~"},
			{Run: "for x in do; git push --force origin main"},
			{Run: "echo 'unterminated; git reset --hard"},
			{Run: "Remove-Item -Recurse -Force C:\\Users\\dev |"},
			{Run: "pwsh -c 'Remove-Item -Recurse \"C:\\Users'"},
			{Run: "((( rm -rf /"},
		},
		Misses: []Case{
			{Run: "echo 'unterminated"},
			{Run: "if then ls"},
			{Run: "Get-ChildItem | Where-Object { $_.Length -gt 1 } |"},
		},
		script: func(s *scan) verdict {
			const fact = " cannot be read by the guard, and it holds `"
			what := "this command"
			switch s.ctx.Script.Fallback {
			case "":
				if why := s.ctx.Script.Truncated; why != "" {
					return ask("this script does more than the guard follows (" + why + ").")
				}
				return verdict{}
			case "too long":
				what = "this command is too long and"
			case "too deep":
				what = "this command is nested too deeply and"
			}
			if words := firstDangerous(s.ctx.Script.Tokens); words != "" {
				return ask(what + fact + words + "`.")
			}
			if s.ctx.Script.Truncated == "words" {
				return ask(what + " cannot be searched whole by the guard.")
			}
			return verdict{}
		},
	},
}

// tamperUnread asks about a text that was not parsed and names the guard.
func tamperUnread(s *scan) verdict {
	if s.ctx.Script.Fallback == "" {
		return verdict{}
	}
	for _, t := range s.ctx.Script.Tokens {
		if containsAny(t, "AGENTGUARD_OFF", "AGENTGUARD_JUDGE_ACTIVE", "STOP_HOOK_LLM_JUDGE_ACTIVE", "disableAllHooks", ".claude/settings", ".agentguard/", "agentguard-hook") {
			return ask("this command cannot be read by the guard, and it names the guard's own files or switches.")
		}
	}
	return verdict{}
}

// dangerous lists words that must stand near each other, in order, for a text
// that was not parsed to be asked about.
var dangerous = [...]string{
	"rm -rf", "rm -fr", "rm -r", "rm -Rf", "rm --recursive", "git push --force", "git push -f", "git reset --hard", "git clean -f", "git clean -fd", "git clean -fdx", "git clean -xdf", "git checkout --",
	"git filter-branch", "git reflog expire", "git stash clear", "mkfs", "mkfs.ext4", "wipefs", "shred", "dd of=/dev/", "drop database", "drop table", "truncate table", "terraform destroy", "terraform apply",
	"kubectl delete", "dropdb", "flushall", "find -delete", "chmod -R", "shutdown", "reboot", "kill -9 -1", "> /dev/sda", "git commit --no-verify", "curl | sh", "curl | bash", "wget | sh", "wget | bash", "curl | sudo",
	"Remove-Item -Recurse", "Remove-Item -Force", "Format-Volume", "Clear-Disk", "Stop-Computer", "Restart-Computer", "iex", "Invoke-Expression", "Remove-Item -r", "Remove-Item -fo", "Set-Content .env", "rd /s", "robocopy /MIR", "shutil.rmtree", "rmdir /s", "del /s", "git push --mirror", "git push --delete", "git branch -D",
}

// firstDangerous returns the first of those words that stand among the tokens,
// and "" where none do. A hostile text has more than 100,000 tokens, so each is
// compared only with the words that begin as it does.
func firstDangerous(tokens []string) string {
	begins := map[string][]int{}
	for i, text := range dangerous {
		key := strings.ToLower(searched(text)[0])
		begins[key] = append(begins[key], i)
	}
	for at, t := range tokens {
		t = strings.ToLower(strings.Trim(t, tokenMarks))
		for _, i := range begins[t] {
			if near(tokens[at:], searched(dangerous[i])) {
				return dangerous[i]
			}
		}
		slash := strings.LastIndexByte(t, '/')
		if slash < 0 {
			continue
		}
		for _, i := range begins[t[slash+1:]] {
			if near(tokens[at:], searched(dangerous[i])) {
				return dangerous[i]
			}
		}
	}
	return ""
}

// searched returns the words to look for: operators are no tokens.
func searched(text string) []string {
	return slices.DeleteFunc(strings.Fields(text), func(w string) bool { return w == "|" || w == ">" })
}

// near tells that the words follow each other from the first token on, each at
// most four tokens after the one before.
func near(tokens, words []string) bool {
	if !tokenIs(tokens[0], words[0]) {
		return false
	}
	at := 0
	for _, word := range words[1:] {
		rest := tokens[at+1 : min(len(tokens), at+5)]
		next := slices.IndexFunc(rest, func(t string) bool { return tokenIs(t, word) })
		if next < 0 {
			return false
		}
		at += next + 1
	}
	return true
}

// tokenMarks may cling to a word of a text that was not parsed.
const tokenMarks = "\"'`();{}"

func tokenIs(token, word string) bool {
	token = strings.Trim(token, tokenMarks)
	if i := strings.LastIndexByte(token, '/'); i >= 0 && !strings.HasPrefix(word, "/") && !strings.HasPrefix(word, "of=") && token[0] != '-' {
		token = token[i+1:]
	}
	if strings.HasSuffix(word, "/dev/") {
		return strings.HasPrefix(token, word)
	}
	// Short options keep their case: -D and -d differ.
	return token == word || strings.EqualFold(token, word) && (word[0] != '-' || len(word) > 3)
}
