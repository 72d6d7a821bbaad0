package rules

import "agentguard/hook"

var mcpRules = []Rule{
	{
		ID: "mcp-act", Family: "mcp",
		Title: "a tool of an MCP server that deletes, forces or changes what others use",
		Safe:  "List or show it first, and ask the person.",
		Tools: []ToolCase{
			{Tool: "mcp__acme__delete_project", Input: `{"id":"p1"}`, Want: hook.Ask},
			{Tool: "mcp__acme__remove_user", Input: `{"id":"u1"}`, Want: hook.Ask},
			{Tool: "mcp__acme__sync", Input: `{"target":"prod","delete":true}`, Want: hook.Ask},
			{Tool: "mcp__acme__deploy", Input: `{"app":"web","force":true}`, Want: hook.Ask},
			{Tool: "mcp__supabase__reset_branch", Input: `{"branch_id":"b"}`, Want: hook.Ask},
			{Tool: "mcp__supabase__apply_migration", Input: `{"name":"x","query":"create table t (id int)"}`, Want: hook.Ask},
			{Tool: "mcp__github__create_or_update_file", Input: `{"owner":"o","repo":"r","path":".env","content":"A=1","branch":"x"}`, Want: hook.Ask},
			{Tool: "mcp__acme__list_projects", Input: `{"deleted":true}`},
			{Tool: "mcp__acme__delete_project", Input: `{"id":"p1","dryRun":true}`},
			{Tool: "mcp__acme__delete_comment", Input: `{"id":"c1"}`},
			{Tool: "mcp__acme__build", Input: `{"force":true}`},
			{Tool: "mcp__linear__create_issue", Input: `{"title":"delete the project"}`},
			{Tool: "mcp__memory__delete_entities", Input: `{"entityNames":["a"]}`},
			{Tool: "mcp__github__create_or_update_file", Input: `{"owner":"o","repo":"r","path":"src/a.py","content":"x = 1","branch":"x"}`},
		},
		script: func(s *scan) verdict {
			if s.ctx.Call.Act == "" {
				return verdict{}
			}
			return ask(s.ctx.Call.Act)
		},
	},
}
