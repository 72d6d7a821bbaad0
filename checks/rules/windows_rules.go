package rules

import (
	"strings"

	"agentguard/hook"
)

var windowsRules = []Rule{
	{
		ID: "windows-machine", Family: "windows",
		Title: "wiping, resetting or weakening a Windows machine",
		Safe:  "Show the state with a reading command, and let the person change it.",
		Hits: []Case{
			{Run: "format d: /q /y", Want: hook.Deny},
			{Run: "cmd /c \"format d: /q\"", Want: hook.Deny},
			{Run: "vssadmin delete shadows /all /quiet", Want: hook.Deny},
			{Run: "wmic shadowcopy delete", Want: hook.Deny},
			{Run: "wbadmin delete catalog -quiet"},
			{Run: "bcdedit /set safeboot minimal"},
			{Run: "reg delete 'HKLM\\Software\\Acme' /f"},
			{Run: "diskpart /s x.txt"},
			{Run: "cipher /w:C"},
			{Run: "net user dev /delete"},
			{Run: "schtasks /delete /tn x /f"},
			{Run: "sc delete acme"},
			{Run: "netsh advfirewall set allprofiles state off"},
			{Run: "wevtutil cl System"},
			{Run: "pwsh -c 'Format-Volume -DriveLetter D -Confirm:$false'", Want: hook.Deny},
			{Run: "pwsh -c 'Clear-Disk -Number 1 -RemoveData'", Want: hook.Deny},
			{Run: "pwsh -c 'Remove-ItemProperty -Path HKLM:\\Software\\Acme -Name x'"},
			{Run: "pwsh -c 'Remove-Item -Recurse HKCU:\\Software\\Acme'"},
			{Run: "pwsh -c 'Set-ExecutionPolicy Unrestricted'"},
			{Run: "pwsh -c 'Stop-Service sshd'"},
			{Run: "pwsh -c 'Set-MpPreference -DisableRealtimeMonitoring $true'"},
			{Run: "pwsh -c 'Clear-EventLog System'"},
		},
		Misses: []Case{
			{Run: "reg query HKLM\\\\Software"},
			{Run: "vssadmin list shadows"},
			{Run: "bcdedit /enum"},
			{Run: "schtasks /query"},
			{Run: "sc query acme"},
			{Run: "net user"},
			{Run: "netsh advfirewall show allprofiles"},
			{Run: "wmic os get name"},
			{Run: "pwsh -c 'Get-ItemProperty HKLM:\\Software\\Acme'"},
			{Run: "pwsh -c 'Set-ExecutionPolicy -Scope Process Bypass'"},
			{Run: "pwsh -c 'Get-Service sshd; Get-Volume'"},
			{Run: "pwsh -c 'Format-Volume -DriveLetter D -WhatIf'"},
			{Run: "pwsh -c 'Get-Process | Format-Table'"},
			{Run: "pwsh -c 'Remove-Item Env:FOO; Set-Item Env:A 1'"},
		},
		call: changesWindows,
		verbs: []verb{
			{prog: "format", words: "?:", deny: true, fact: "formats a drive; everything on it is lost."},
			{prog: "format-volume|clear-disk|initialize-disk|remove-partition|reset-physicaldisk|remove-virtualdisk|remove-storagepool|clear-physicaldisk", deny: true, fact: "wipes or formats a disk; everything on it is lost."},
			{prog: "diskpart|diskpart64", fact: "changes the partitions of a disk."},
			{prog: "vssadmin|diskshadow", words: "delete|resize|/s", deny: true, fact: "deletes the backups of this machine."},
			{prog: "wmic", words: "shadowcopy delete", deny: true, fact: "deletes the backups of this machine."},
			{prog: "wmic", words: "… delete|terminate|uninstall|call", fact: "deletes or ends something of this machine."},
			{prog: "wbadmin", words: "delete|disable", fact: "deletes the backups of this machine."},
			{prog: "disable-computerrestore|remove-computerrestorepoint", fact: "deletes the backups of this machine."},
			{prog: "bcdedit", words: "/set|/delete|/deletevalue|/import|/createstore|/bootsequence|/default", fact: "changes how this machine starts."},
			{prog: "cipher", words: "/w*", fact: "overwrites what was deleted on a disk; no tool can restore it."},
			{prog: "reg", words: "delete|unload|restore|import|add|copy", fact: "changes the registry of this machine."},
			{prog: "regedit", words: "/s", fact: "changes the registry of this machine."},
			{prog: "fsutil", words: "usn|file|volume deletejournal|setzerodata|dismount", fact: "changes a disk below its file system."},
			{prog: "mountvol", words: "… /d", fact: "takes a disk away from the running system."},
			{prog: "manage-bde", words: "-off|-wipefreespace", fact: "changes how a disk is encrypted."},
			{prog: "wevtutil", words: "cl|clear-log", fact: "removes the machine's log."},
			{prog: "clear-eventlog|remove-eventlog|limit-eventlog", fact: "removes the machine's log."},
			{prog: "schtasks", words: "/delete|/create|/change", fact: "changes the scheduled jobs of this machine."},
			{prog: "unregister-scheduledtask|disable-scheduledtask|register-scheduledtask", fact: "changes the scheduled jobs of this machine."},
			{prog: "sc", words: "delete|stop|config|create|failure", fact: "stops or changes a service of this machine."},
			{prog: "stop-service|remove-service|suspend-service|set-service", fact: "stops or changes a service of this machine."},
			{prog: "net|net1", words: "stop", fact: "stops a service of this machine."},
			{prog: "net|net1", words: "… /delete|/add|/active*", fact: "changes who may log in."},
			{prog: "remove-localuser|disable-localuser|new-localuser|set-localuser|add-localgroupmember|remove-localgroupmember", fact: "changes who may log in."},
			{prog: "netsh", words: "… off|reset|delete|add|set", fact: "changes the network or the firewall of this machine."},
			{prog: "set-mppreference|add-mppreference|set-netfirewallprofile|disable-netfirewallrule|remove-netfirewallrule|disable-windowsoptionalfeature|uninstall-windowsfeature|disable-netadapter", fact: "changes what protects this machine."},
			{prog: "takeown", words: "… /r", fact: "changes the owner of a whole tree."},
			{prog: "icacls|cacls", words: "… /t", fact: "changes rights over a whole tree."},
		},
	},
	{
		ID: "powershell-removes", Family: "windows",
		Title: "a command of PowerShell that deletes something other than files",
		Safe:  "Run it with -WhatIf first, and let the person delete.",
		Hits: []Case{
			{Run: "pwsh -c 'Remove-AzResourceGroup -Name prod -Force'"},
			{Run: "pwsh -c 'Get-ADUser -Filter * | Remove-ADUser'"},
			{Run: "pwsh -c 'Remove-S3Bucket -BucketName prod -Force'"},
			{Run: "pwsh -c 'Remove-VM web1'"},
			{Run: "pwsh -c 'Clear-RecycleBin -Force'"},
			{Run: "pwsh -c 'Stop-AzVM -Name web'"},
		},
		Misses: []Case{
			{Run: "pwsh -c 'Remove-Variable x; Remove-Module Pester; Clear-Host'"},
			{Run: "pwsh -c 'Get-AzResourceGroup'"},
			{Run: "pwsh -c 'Remove-AzResourceGroup -Name dev -WhatIf'"},
			{Run: "pwsh -c 'Uninstall-Module Pester'"},
			{Run: "pwsh -c 'Remove-Item dist -Recurse'"},
		},
		call: removesByCmdlet,
	},
}

// changesWindows finds changes of the registry and of what scripts may run.
func changesWindows(s *scan, i int) verdict {
	c := &s.cmds[i]
	switch c.Name {
	case "remove-item", "clear-item", "set-item", "new-item", "copy-item", "move-item", "rename-item", "remove-itemproperty", "clear-itemproperty", "set-itemproperty", "new-itemproperty", "rename-itemproperty":
		for _, a := range c.Args {
			if low := strings.ToLower(a.Text); hasPrefixAny(low, "hklm:", "hkcu:", "hkcr:", "hku:", "hkcc:", "registry::", "cert:") && !s.operands(i).harmless() {
				return ask("changes the registry or the certificates of this machine.")
			}
		}
	case "set-executionpolicy":
		for _, a := range c.Args {
			if strings.EqualFold(a.Text, "process") || strings.EqualFold(a.Text, "restricted") || strings.EqualFold(a.Text, "allsigned") {
				return verdict{}
			}
		}
		return ask("changes which scripts may run on this machine.")
	}
	return verdict{}
}

// removesByCmdlet finds commands by the verbs with which PowerShell deletes. What
// belongs to the running session or has a rule of its own is left out.
func removesByCmdlet(s *scan, i int) verdict {
	name := s.cmds[i].Name
	verb, noun, ok := strings.Cut(name, "-")
	if !ok || strings.Contains(noun, "-") || strings.ContainsAny(noun, "./_") || s.inTables(name) {
		return verdict{}
	}
	switch verb {
	case "remove", "clear", "revoke", "unpublish":
	case "stop", "disable", "uninstall":
		if !hasPrefixAny(noun, "az", "ec2", "rds", "gce", "mg") {
			return verdict{}
		}
	default:
		return verdict{}
	}
	if oneOf(noun, "item", "itemproperty", "content", "variable", "module", "psdrive", "pssession", "job", "alias", "event", "psbreakpoint", "typedata", "pssnapin", "host", "history", "tempdir", "comobject", "member", "diagnostics") || s.operands(i).harmless() {
		return verdict{}
	}
	return ask("deletes or stops something, and the guard cannot tell what.")
}
