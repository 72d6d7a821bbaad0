package rules

import (
	"strings"

	"agentguard/hook"
)

var unreadRule = Rule{
	ID: "unread-script", Family: "fallback",
	Title: "a script that could not be read, with dangerous words in it",
	Safe:  "Send it in plainer words, one step at a time.",
}

// dangerous lists words that must stand near each other, in order, for a text
// that was not parsed to be asked about. "*" before a word means "ends with".
var dangerous = []string{
	"rm -rf", "rm -fr", "rm -r", "rm -Rf", "rm --recursive", "git push --force", "git push -f", "git reset --hard", "git clean -f", "git clean -fd", "git clean -fdx", "git clean -xdf", "git checkout --",
	"git filter-branch", "git reflog expire", "git stash clear", "mkfs", "mkfs.ext4", "wipefs", "shred", "dd of=/dev/", "drop database", "drop table", "truncate table", "terraform destroy", "terraform apply",
	"kubectl delete", "dropdb", "flushall", "find -delete", "chmod -R", "shutdown", "reboot", "kill -9 -1", "> /dev/sda", "git commit --no-verify", "curl | sh", "curl | bash", "wget | sh", "wget | bash", "curl | sudo",
	"Remove-Item -Recurse", "remove-item -force", "Format-Volume", "Clear-Disk", "Stop-Computer", "Restart-Computer", "iex", "Invoke-Expression", "shutil.rmtree", "rmdir /s", "del /s", "git push --mirror", "git push --delete", "git branch -D",
}

// fallback searches the words of a text that was not parsed.
func (s *scan) fallback() []Hit {
	hits := s.run(families[:])
	if len(hits) > 0 {
		return hits
	}
	why := map[string]string{"syntax": "is not a script that the guard can read", "too long": "is too long to be read", "too deep": "is nested too deeply to be read"}[s.ctx.Script.Fallback]
	for _, d := range dangerous {
		if s.near(strings.Fields(d)) {
			return []Hit{{
				Rule: &unreadRule, Decision: hook.Ask,
				Reason: reason("", "this command "+cmpOr(why, "could not be read")+", and it holds `"+d+"`.", unreadRule.Safe),
			}}
		}
	}
	return nil
}

// near tells that the words stand among the tokens in order, at most four
// tokens apart. A word of options matches a group that holds its letters.
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
	if strings.EqualFold(token, word) {
		return word[0] != '-' || token == word || len(word) > 2
	}
	return false
}

// tamperFallback asks about a text that was not parsed and names the guard.
func (s *scan) tamperFallback() []Hit {
	for _, t := range s.ctx.Script.Tokens {
		if containsAny(t, "AGENTGUARD_OFF", "AGENTGUARD_JUDGE_ACTIVE", "STOP_HOOK_LLM_JUDGE_ACTIVE", "disableAllHooks", ".claude/settings", ".agentguard/", "agentguard-hook") {
			return []Hit{{
				Rule: &unreadRule, Decision: hook.Ask,
				Reason: reason("", "this command could not be read, and it names the guard's own files or switches.", unreadRule.Safe),
			}}
		}
	}
	return nil
}
