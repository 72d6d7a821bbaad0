#!/bin/bash
# The yardstick: the guard that a person writes by hand, with jq and grep.
input=$(cat)
cmd=$(echo "$input" | jq -r '.tool_input.command // empty')
for p in 'rm -rf /' 'git push --force origin main' 'DROP DATABASE' ':(){ :|:& };:' 'curl .*\| *sh'; do
  if echo "$cmd" | grep -qE -- "$p"; then echo "blocked: $p" >&2; exit 2; fi
done
exit 0
