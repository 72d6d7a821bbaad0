package rules

import (
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
			for i := range dangerous {
				if s.near(strings.Fields(dangerous[i])) {
					return ask(what + fact + dangerous[i] + "`.")
				}
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
	"Remove-Item -Recurse", "Remove-Item -Force", "Format-Volume", "Clear-Disk", "Stop-Computer", "Restart-Computer", "iex", "Invoke-Expression", "shutil.rmtree", "rmdir /s", "del /s", "git push --mirror", "git push --delete", "git branch -D",
}

// near tells that the words stand among the tokens in order, at most four
// tokens apart.
func (s *scan) near(words []string) bool {
	tokens := s.ctx.Script.Tokens
	for i, t := range tokens {
		if !tokenIs(t, words[0]) {
			continue
		}
		n, at := 1, i
		for n < len(words) {
			found := false
			for j := at + 1; j < len(tokens) && j <= at+4; j++ {
				if tokenIs(tokens[j], words[n]) {
					at, n, found = j, n+1, true
					break
				}
			}
			if !found {
				break
			}
		}
		if n == len(words) {
			return true
		}
	}
	return false
}

func tokenIs(token, word string) bool {
	token = strings.Trim(token, "\"'`();{}")
	if i := strings.LastIndexByte(token, '/'); i >= 0 && !strings.HasPrefix(word, "/") && !strings.HasPrefix(word, "of=") && token[0] != '-' {
		token = token[i+1:]
	}
	if strings.HasSuffix(word, "/dev/") {
		return strings.HasPrefix(token, word)
	}
	// Short options keep their case: -D and -d differ.
	return token == word || strings.EqualFold(token, word) && (word[0] != '-' || len(word) > 3)
}
