package rules

import (
	"agentguard/checks/shell"
	"agentguard/hook"
)

var diskRules = []Rule{
	{
		ID: "disk-format", Family: "disk",
		Title: "formatting or wiping a disk",
		Safe:  "Let the person do it; work on an image file instead.",
		Hits: []Case{
			{Run: "mkfs.ext4 /dev/sda1", Want: hook.Deny},
			{Run: "sudo mkfs -t xfs /dev/sdb", Want: hook.Deny},
			{Run: "sudo wipefs -a /dev/sdb", Want: hook.Deny},
			{Run: "blkdiscard -f /dev/sdb", Want: hook.Deny},
			{Run: "dd if=/dev/zero of=/dev/sda bs=1M", Want: hook.Deny},
			{Run: "cat disk.img > /dev/sda", Want: hook.Deny},
			{Run: "parted /dev/sda rm 1", Want: hook.Deny},
			{Run: "sgdisk --zap-all /dev/nvme0n1", Want: hook.Deny},
			{Run: "echo x | tee /dev/sdb", Want: hook.Deny},
			{Run: "cp disk.img /dev/nvme0n1", Want: hook.Deny},
			{Run: "diskutil eraseDisk APFS x disk2", Want: hook.Deny},
			{Run: "cryptsetup luksFormat /dev/sdb", Want: hook.Deny},
			{Run: "zpool destroy tank", Want: hook.Deny},
			{Run: "lvremove -f vg/home", Want: hook.Deny},
			{Run: "mkswap /dev/sda2", Want: hook.Deny},
		},
		Misses: []Case{
			{Run: "dd if=/dev/zero of=./disk.img bs=1M count=8"},
			{Run: "mkfs.ext4 -F disk.img"},
			{Run: "npm run build > /dev/null 2>&1"},
			{Run: "lsblk && fdisk -l"},
			{Run: "parted /dev/sda print"},
			{Run: "npm run format"},
			{Run: "wipefs /dev/sdb"},
			{Run: "dd if=/dev/urandom bs=32 count=1 | base64"},
			{Run: "mkfs.ext4 --help"},
			{Run: "echo x > /dev/stderr"},
			{Run: "diskutil list"},
		},
		call:   formats,
		effect: writesDevice,
		verbs: []verb{
			{prog: "diskutil", words: "apfs|ap delete*|erase*", deny: true, fact: "erases a volume."},
			{prog: "diskutil", words: "eraseDisk|eraseVolume|partitionDisk|zeroDisk|secureErase|reformat", deny: true, fact: "erases a disk."},
			{prog: "cryptsetup", words: "luksFormat|erase|luksErase|reencrypt", deny: true, fact: "makes an encrypted disk unreadable."},
			{prog: "zpool", words: "destroy|labelclear", deny: true, fact: "destroys a storage pool."},
			{prog: "zfs", words: "destroy|rollback", not: "-n", deny: true, fact: "destroys a file system."},
			{prog: "lvremove|vgremove|pvremove", deny: true, fact: "removes a storage volume."},
			{prog: "btrfs", words: "subvolume delete", fact: "deletes a subvolume."},
			{prog: "mdadm", with: "--zero-superblock --stop --remove", deny: true, fact: "takes a disk array apart."},
			{prog: "hdparm", with: "--security-erase --trim-sector-ranges", deny: true, fact: "erases a disk."},
			{prog: "nvme", words: "format|sanitize", deny: true, fact: "erases a disk."},
			{prog: "swapoff|umount", with: "-a --all", fact: "takes file systems away from the running system."},
		},
	},
	{
		ID: "shred", Family: "disk",
		Title: "overwriting files so that nothing can restore them",
		Safe:  "Use plain rm where a deletion is meant, or let the person do it.",
		Hits: []Case{
			{Run: "shred -u .env", Want: hook.Deny},
			{Run: "find . -name '*.key' -exec shred -u {} +", Want: hook.Deny},
			{Run: "srm secrets.txt", Want: hook.Deny},
			{Run: "wipe -rf src", Want: hook.Deny},
			{Run: "scrub src/app.py", Want: hook.Deny},
		},
		Misses: []Case{{Run: "shred --help"}, {Run: "shred -u /tmp/key.txt"}, {Run: "grep shred README.md"}},
		call: func(s *scan, i int) verdict {
			c := &s.cmds[i]
			if !oneOf(c.Name, "shred", "srm", "wipe", "scrub") || helpOnly(c) {
				return verdict{}
			}
			for _, w := range shell.Options(c.Args, shell.OptSpec{Short: "n:s:fuvxzr", Long: "iterations= size= random-source= force remove=? zero verbose exact"}).Rest {
				if p := s.abs(i, w.Text); p == "" || s.placeOf(p) != tempPlace {
					return deny("overwrites the file on the disk; no tool can restore it.")
				}
			}
			return verdict{}
		},
	},
	{
		ID: "fork-bomb", Family: "disk",
		Title: "a function that multiplies itself",
		Safe:  "Do not run it.",
		Hits: []Case{
			{Run: ":(){ :|:& };:", Want: hook.Deny},
			{Run: "bomb() { bomb | bomb & }; bomb", Want: hook.Deny},
		},
		Misses: []Case{
			{Run: "f() { echo hi; }; f | cat &"},
			{Run: "walk() { [ -d \"$1\" ] && walk \"$1/x\"; }; walk src"},
		},
		call: func(s *scan, i int) verdict {
			c := &s.cmds[i]
			if !c.Recursive {
				return verdict{}
			}
			if c.Background || c.Feeds >= 0 && s.cmds[c.Feeds].Recursive || len(c.Stdin.From) > 0 && s.cmds[c.Stdin.From[0]].Recursive {
				return deny("is a fork bomb: it stops the machine.")
			}
			return verdict{}
		},
	},
	{
		ID: "power-off", Family: "disk",
		Title: "stopping the machine or its services",
		Safe:  "Restart only the one service that you work on, or ask the person.",
		Hits: []Case{
			{Run: "sudo shutdown -h now"},
			{Run: "reboot"},
			{Run: "systemctl poweroff"},
			{Run: "init 0"},
			{Run: "sudo systemctl stop sshd"},
			{Run: "systemctl disable --now firewalld"},
			{Run: "echo b > /proc/sysrq-trigger", Want: hook.Deny},
			{Run: "pwsh -c 'Restart-Computer -Force'", Want: hook.Deny},
			{Run: "cmd /c 'shutdown /s /t 0'", Want: hook.Deny},
		},
		Misses: []Case{
			{Run: "shutdown -c"},
			{Run: "systemctl status nginx"},
			{Run: "npm run shutdown"},
			{Run: "systemctl --user restart app"},
			{Run: "git commit -m reboot"},
		},
		call: func(s *scan, i int) verdict {
			c := &s.cmds[i]
			if s.elsewhere(i) == inContainer || helpOnly(c) {
				return verdict{}
			}
			const fact = "stops the machine, this session with it."
			switch c.Name {
			case "shutdown", "poweroff", "halt", "reboot", "stop-computer", "restart-computer":
				if hasWord(c.Args, "-c", "-k", "--show", "/a", "/?", "-WhatIf") {
					return verdict{}
				}
				return deny(fact)
			case "init", "telinit":
				if hasWord(c.Args, "0", "6") {
					return deny(fact)
				}
			}
			return verdict{}
		},
		verbs: []verb{
			{prog: "systemctl", words: "poweroff|reboot|halt|kexec|suspend|hibernate|rescue|emergency|isolate", deny: true, fact: "stops the machine, this session with it."},
			{prog: "systemctl", words: "stop|disable|mask|kill", not: "--user", fact: "stops a service of this machine."},
			{prog: "service", words: "* stop", fact: "stops a service of this machine."},
			{prog: "xkill", fact: "ends whatever window is clicked."},
			{prog: "launchctl", words: "unload|bootout|remove|disable", fact: "stops a service of this machine."},
		},
		effect: func(_ *scan, e shell.Effect) verdict {
			if e.Op != shell.Read && oneOf(e.Path.Text, "/proc/sysrq-trigger", "/dev/mem", "/dev/kmem", "/dev/port") {
				return deny("writes into the running kernel.")
			}
			return verdict{}
		},
	},
	{
		ID: "kill-broad", Family: "disk",
		Title: "killing processes by a broad choice",
		Safe:  "Find the one process (`pgrep -af NAME`, `lsof -i :PORT`) and kill it by its id.",
		Hits: []Case{
			{Run: "kill -9 -1", Want: hook.Deny},
			{Run: "kill -KILL -- -1", Want: hook.Deny},
			{Run: "pkill -f node"},
			{Run: "killall python3"},
			{Run: "killall -9 node"},
			{Run: "pkill -u dev", Want: hook.Deny},
			{Run: "ps aux | grep node | awk '{print $2}' | xargs kill -9"},
			{Run: "pkill -9 claude"},
		},
		Misses: []Case{
			{Run: "kill 48213"},
			{Run: "kill -9 48213"},
			{Run: "kill -l"},
			{Run: "pgrep -af node"},
			{Run: "kill %1"},
			{Run: "kill $(lsof -ti :3000)"},
			{Run: "lsof -ti:3000 | xargs kill -9"},
			{Run: "pkill -f 'vite --port 5173'"},
			{Run: "kill -0 48213"},
			{Run: "kill $SERVER_PID"},
			{Run: "pkill -f my-dev-server"},
			{Run: "fuser -k 3000/tcp"},
			{Run: "killall -0 node"},
		},
		call: killsBroadly,
	},
	{
		ID: "empty-file", Family: "disk",
		Title: "emptying or setting back a file with changes that are not committed",
		Safe:  safeStash,
		Hits: []Case{
			{Run: ": > src/app.py"},
			{Run: "truncate -s 0 src/app.py"},
			{Run: "cat /dev/null > src/app.py"},
			{Run: "> src/app.py"},
			{Run: "cp /dev/null src/app.py"},
			{Run: "sudo truncate -s 0 /etc/fstab"},
			{Run: "echo -n > scratch.txt"},
			{Run: "find src -name '*.py' -exec truncate -s 0 {} +"},
			{Run: "git show HEAD:src/app.py > src/app.py"},
			{Run: "python3 -c \"open('src/app.py','w').close()\""},
			{Run: "git show HEAD:src/app.py | tee src/app.py"},
			{Run: "git cat-file blob HEAD:src/app.py | sponge src/app.py"},
			{Run: "cat > src/app.py < /dev/null"},
			{Run: "dd if=/dev/null of=src/app.py"},
			{Run: "sort src/app.py > src/app.py"},
			{Run: "grep -v x src/app.py | uniq > src/app.py"},
		},
		Misses: []Case{
			{Run: "truncate -s 0 logs/dev.log"},
			{Run: ": > /tmp/out.txt"},
			{Run: "echo 'x = 1' > src/app.py"},
			{Run: "> new.txt"},
			{Run: "touch src/new.py"},
			{Run: "git show HEAD:src/app.py > /tmp/app.py"},
			{Run: "git show HEAD:docs/old.md > docs/old.md"},
			{Run: "sort src/app.py > /tmp/x && mv /tmp/x src/app.py"},
			{Run: "sort -o src/app.py src/app.py"},
			{Run: "sort src/app.py | sponge src/app.py"},
			{Run: "echo 'x = 1' | tee src/app.py"},
			{Run: "python3 -c \"open('src/app.py','w').write('x')\""},
			{Run: "cat > src/app.py <<'EOF'\nx = 1\nEOF"},
		},
		effect: empties,
	},
	{
		ID: "fill-disk", Family: "disk",
		Title: "writing without end",
		Safe:  "Limit it, for example with `head -c 1M`.",
		Hits:  []Case{{Run: "yes > big.txt"}, {Run: "cat /dev/urandom > fill.bin"}, {Run: "fallocate -l 10T x"}, {Run: "dd if=/dev/zero of=fill.bin bs=1M"}},
		Misses: []Case{
			{Run: "yes | head -3 > three.txt"},
			{Run: "head -c 1M /dev/urandom > r.bin"},
			{Run: "yes > /dev/null"},
			{Run: "cat /dev/null > /tmp/x"},
			{Run: "dd if=/dev/zero of=./disk.img bs=1M count=8"},
			{Run: "dd if=disk.img of=copy.img"},
			{Run: "fallocate -l 1G x.img"},
		},
		call: fillsDisk,
	},
	{
		ID: "machine-settings", Family: "disk",
		Title: "removing scheduled jobs, firewall rules or system packages",
		Safe:  "Save what is there first, or let the person do it.",
		Hits: []Case{
			{Run: "crontab -r"},
			{Run: "sudo iptables -F"},
			{Run: "nft flush ruleset"},
			{Run: "ufw disable"},
			{Run: "sudo apt-get remove --purge -y libc6"},
			{Run: "userdel -r dev"},
			{Run: "sudo tar -xzf rootfs.tgz -C /"},
			{Run: "unzip -o x.zip -d /etc"},
			{Run: "echo '* * * * * x' | crontab -"},
			{Run: "modprobe -r kvm"},
			{Run: "mount --bind /tmp/x .claude"},
			{Run: "git archive HEAD | tar x"},
		},
		Misses: []Case{
			{Run: "crontab -l"},
			{Run: "sudo iptables -L"},
			{Run: "sudo apt-get install -y jq"},
			{Run: "tar -xzf x.tgz -C /tmp/x"},
			{Run: "git archive HEAD | tar x -C /tmp/x"},
			{Run: "tar -czf /tmp/x.tgz src"},
			{Run: "ufw status"},
			{Run: "brew install jq"},
			{Run: "csrutil status; bootctl status"},
			{Run: "apt-get -s remove jq"},
			{Run: `t=$(mktemp -d); git archive HEAD | tar -x -C "$t"`},
		},
		call: unpacksOverSystem,
		verbs: []verb{
			{prog: "crontab", with: "-r", fact: "removes all scheduled jobs of this user."},
			{prog: "crontab", words: "*", not: "-l -e", fact: "replaces all scheduled jobs of this user."},
			{prog: "crontab", with: "-", fact: "replaces all scheduled jobs of this user."},
			{prog: "iptables|ip6tables", with: "-F --flush -X", fact: "removes firewall rules."},
			{prog: "nft", words: "flush|delete", fact: "removes firewall rules."},
			{prog: "ufw", words: "disable|reset", fact: "turns the firewall off."},
			{prog: "tmutil", words: "delete|disable|deletelocalsnapshots|thinlocalsnapshots", fact: "removes this machine's backups."},
			{prog: "security", words: "delete-*|dump-keychain|set-keychain-settings|unlock-keychain|export", fact: "opens or changes the keychain."},
			{prog: "dscl", words: "* -delete|-create|-passwd", fact: "changes who may log in."},
			{prog: "dscl", with: "-delete -create -passwd", fact: "changes who may log in."},
			{prog: "defaults", words: "delete", fact: "removes settings of this person's programs."},
			{prog: "setenforce", words: "0", fact: "turns access control off."},
			{prog: "apt|apt-get", words: "remove|purge|autoremove", not: "-s --simulate", fact: "removes system packages."},
			{prog: "dnf|yum|zypper", words: "remove|erase|autoremove", fact: "removes system packages."},
			{prog: "pacman", with: "-R -Rs -Rns -Rsc -Rdd", fact: "removes system packages."},
			{prog: "apk", words: "del", fact: "removes system packages."},
			{prog: "rpm", with: "-e --erase", fact: "removes system packages."},
			{prog: "brew", words: "uninstall|remove|rm", with: "--ignore-dependencies", fact: "removes a package that others need."},
			{prog: "dpkg", with: "-r -P --remove --purge", fact: "removes system packages."},
			{prog: "useradd|adduser|chsh", words: "*", fact: "changes who may log in, or with which shell."},
			{prog: "history", with: "-c", fact: "removes the record of what was run."},
			{prog: "journalctl", with: "--vacuum-time --vacuum-size --vacuum-files --rotate", fact: "removes the machine's log."},
			{prog: "dmesg", with: "-C -c --clear", fact: "removes the machine's log."},
			{prog: "userdel|deluser|groupdel|delgroup", fact: "removes a user or group of this machine."},
			{prog: "passwd|chpasswd|usermod|visudo", not: "-S --status -c --check", fact: "changes who may log in."},
			{prog: "sysctl", with: "-w --write -p --load", fact: "changes the running kernel."},
			{prog: "swapoff", with: "-a", fact: "takes memory from the running system."},
			{prog: "modprobe", with: "-r --remove", fact: "takes a driver from the running system."},
			{prog: "rmmod|insmod", fact: "changes the running kernel."},
			{prog: "efibootmgr", with: "-B -b --delete-bootnum -o --bootorder", fact: "changes how this machine starts."},
			{prog: "grub-install|update-grub|grub2-install|grub2-mkconfig", fact: "changes how this machine starts."},
			{prog: "bootctl", words: "install|update|remove|unlink|cleanup|set-*", fact: "changes how this machine starts."},
			{prog: "nvram", with: "-c -d -x", fact: "changes how this machine starts."},
			{prog: "csrutil", words: "disable|enable|clear|netboot", fact: "changes what this machine protects."},
			{prog: "spctl", with: "--master-disable --global-disable --disable --remove --reset-default", fact: "changes what this machine protects."},
			{prog: "mount", with: "--bind -o --move --rbind", fact: "lays other files over existing ones."},
			{prog: "ip|ifconfig|nmcli", words: "link|route|addr|connection|con|rule del|delete|flush|down|set", fact: "cuts this machine's network."},
		},
	},
}
