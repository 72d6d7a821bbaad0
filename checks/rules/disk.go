package rules

import (
	"path"
	"strings"

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
			{prog: "diskutil", words: "eraseDisk|eraseVolume|partitionDisk|zeroDisk|secureErase|reformat", deny: true, fact: "erases a disk."},
			{prog: "cryptsetup", words: "luksFormat|erase|luksErase|reencrypt", deny: true, fact: "makes an encrypted disk unreadable."},
			{prog: "zpool", words: "destroy|labelclear", deny: true, fact: "destroys a storage pool."},
			{prog: "zfs", words: "destroy|rollback", deny: true, fact: "destroys a file system."},
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
		Safe:  "Delete with rm, or move the file to a temp folder.",
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
			case "shutdown", "poweroff", "halt", "reboot":
				if hasWord(c.Args, "-c", "-k", "--show") {
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
		},
		Misses: []Case{
			{Run: "truncate -s 0 logs/dev.log"},
			{Run: ": > /tmp/out.txt"},
			{Run: "echo 'x = 1' > src/app.py"},
			{Run: "> new.txt"},
			{Run: "touch src/new.py"},
			{Run: "git show HEAD:src/app.py > /tmp/app.py"},
			{Run: "git show HEAD:docs/old.md > docs/old.md"},
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
			{Run: "yes | head -3 > three.txt"}, {Run: "head -c 1M /dev/urandom > r.bin"}, {Run: "yes > /dev/null"}, {Run: "cat /dev/null > /tmp/x"},
			{Run: "dd if=/dev/zero of=./disk.img bs=1M count=8"}, {Run: "dd if=disk.img of=copy.img"}, {Run: "fallocate -l 1G x.img"},
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
		},
		Misses: []Case{
			{Run: "crontab -l"},
			{Run: "sudo iptables -L"},
			{Run: "sudo apt-get install -y jq"},
			{Run: "tar -xzf x.tgz -C /tmp/x"},
			{Run: "tar -czf /tmp/x.tgz src"},
			{Run: "ufw status"},
			{Run: "brew install jq"},
		},
		call: unpacksOverSystem,
		verbs: []verb{
			{prog: "crontab", with: "-r", fact: "removes all scheduled jobs of this user."},
			{prog: "crontab", words: "*", not: "-l -e", fact: "replaces all scheduled jobs of this user."},
			{prog: "crontab", with: "-", fact: "replaces all scheduled jobs of this user."},
			{prog: "iptables|ip6tables", with: "-F --flush -X", fact: "removes firewall rules."},
			{prog: "nft", words: "flush|delete", fact: "removes firewall rules."},
			{prog: "ufw", words: "disable|reset", fact: "turns the firewall off."},
			{prog: "setenforce", words: "0", fact: "turns access control off."},
			{prog: "apt|apt-get", words: "remove|purge|autoremove", fact: "removes system packages."},
			{prog: "dnf|yum|zypper", words: "remove|erase|autoremove", fact: "removes system packages."},
			{prog: "pacman", with: "-R -Rs -Rns -Rsc -Rdd", fact: "removes system packages."},
			{prog: "apk", words: "del", fact: "removes system packages."},
			{prog: "dpkg", with: "-r -P --remove --purge", fact: "removes system packages."},
			{prog: "userdel|deluser|groupdel|delgroup", fact: "removes a user or group of this machine."},
			{prog: "passwd|chpasswd|usermod|visudo", not: "-S --status -c --check", fact: "changes who may log in."},
			{prog: "sysctl", with: "-w --write -p --load", fact: "changes the running kernel."},
			{prog: "swapoff", with: "-a", fact: "takes memory from the running system."},
			{prog: "modprobe", with: "-r --remove", fact: "takes a driver from the running system."},
			{prog: "rmmod|insmod", fact: "changes the running kernel."},
			{prog: "efibootmgr", with: "-B -b --delete-bootnum -o --bootorder", fact: "changes how this machine starts."},
			{prog: "grub-install|update-grub|nvram|bootctl|csrutil|spctl", not: "status -p --status", fact: "changes how this machine starts."},
			{prog: "mount", with: "--bind -o --move --rbind", fact: "lays other files over existing ones."},
			{prog: "ip|ifconfig|nmcli", words: "link|route|addr|connection|con|rule del|delete|flush|down", fact: "cuts this machine's network."},
		},
	},
}

// devicePath tells a disk below /dev.
func devicePath(p string) bool {
	name, ok := strings.CutPrefix(p, "/dev/")
	if !ok {
		return false
	}
	return hasPrefixAny(name, "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "loop", "md", "dm-", "mapper/", "sr", "zd", "nbd", "mtd", "block/", "vg", "dasd")
}

func writesDevice(_ *scan, e shell.Effect) verdict {
	if oneOf(string(e.Op), string(shell.Read), string(shell.MakeDir), string(shell.Link)) || !devicePath(e.Path.Text) {
		return verdict{}
	}
	return deny("writes straight onto a disk; everything on it is lost.")
}

func formats(s *scan, i int) verdict {
	c := &s.cmds[i]
	if helpOnly(c) {
		return verdict{}
	}
	name := c.Name
	dev := ""
	for _, a := range c.Args {
		if devicePath(a.Text) || strings.HasPrefix(a.Text, "/dev/"+unknown) || a.Text == unknown {
			dev = a.Text
		}
	}
	for _, a := range c.Args {
		if of, ok := strings.CutPrefix(a.Text, "of="); ok && name == "dd" && devicePath(of) {
			return deny("writes straight onto a disk; everything on it is lost.")
		}
	}
	if dev == "" {
		return verdict{}
	}
	o := shell.Options(c.Args, shell.OptSpec{Short: "aflo:t:nspx", Long: "all force list no-act zap-all clear delete= print zap"})
	switch {
	case name == "mkfs" || strings.HasPrefix(name, "mkfs.") || oneOf(name, "mke2fs", "mkswap", "newfs", "mkdosfs", "mkntfs", "badblocks", "blkdiscard", "pvcreate", "newfs_apfs"):
		return deny("formats or wipes a disk; everything on it is lost.")
	case name == "wipefs" && o.Has("a", "all", "f", "force"), name == "sgdisk" && o.Has("Z", "z", "zap-all", "zap", "o", "clear", "d", "delete"):
		return deny("wipes the table of a disk; everything on it is lost.")
	case oneOf(name, "fdisk", "gdisk", "cfdisk", "sfdisk") && !o.Has("l", "list", "d", "dump", "p"):
		return ask("changes the partitions of a disk.")
	case name == "parted" && hasWord(c.Args, "rm", "mklabel", "mkpart", "mktable", "resizepart"):
		return deny("changes the partitions of a disk.")
	}
	return verdict{}
}

func killsBroadly(s *scan, i int) verdict {
	c := &s.cmds[i]
	if helpOnly(c) || s.elsewhere(i) == inContainer {
		return verdict{}
	}
	switch c.Name {
	case "kill":
		args := texts(c.Args)
		for n, a := range args {
			if a == "-1" && (n > 0 || len(args) == 1 && false) {
				return deny("kills every process of this user, this session included.")
			}
		}
		for _, w := range c.Args {
			for _, j := range s.origins(w) {
				if oneOf(s.cmds[j].Name, "ps", "pgrep", "pidof") && !narrowPgrep(&s.cmds[j]) && s.byName(w) {
					return ask("kills every process whose line matches; this session may be one of them.")
				}
			}
		}
	case "pkill", "killall", "killall5", "skill":
		o := shell.Options(c.Args, shell.OptSpec{Short: "u:U:g:G:P:t:s:o:y:fxnleIqvwi", Long: "signal= euid= uid= group= parent= terminal= session= full exact newest oldest user= list", Stop: false})
		if hasWord(c.Args, "-0") {
			return verdict{} // only asks whether it runs
		}
		if c.Name == "killall5" || o.Has("u", "U", "euid", "uid", "user") && len(o.Rest) == 0 {
			return deny("kills every process of a user, this session included.")
		}
		if o.Has("l", "list") || o.Has("P", "parent") || o.Has("x") && len(o.Rest) == 1 && !commonProgram(o.Rest[0].Text) {
			return verdict{}
		}
		for _, w := range o.Rest {
			if commonProgram(w.Text) {
				return ask("kills every process with that name, other projects' and perhaps this session's too.")
			}
		}
	}
	return verdict{}
}

// commonProgram tells names that many processes of a developer's machine carry.
func commonProgram(name string) bool {
	name = strings.ToLower(strings.Trim(path.Base(name), ".*^$ "))
	if name == "" {
		return true
	}
	for _, n := range []string{
		"node", "python", "python3", "ruby", "java", "php", "perl", "go", "deno", "bun", "bash", "sh", "zsh", "fish", "npm", "pnpm", "yarn", "npx", "claude", "codex", "cursor",
		"code", "ssh", "sshd", "tmux", "screen", "docker", "dockerd", "containerd", "postgres", "mysqld", "redis-server", "mongod", "nginx", "chrome", "firefox", "systemd", "dbus-daemon", "xorg", "electron", "git", "dotnet",
	} {
		if name == n {
			return true
		}
	}
	return false
}

// byName tells that a list of processes was chosen by a common program's name.
func (s *scan) byName(w shell.Word) bool {
	for _, j := range s.origins(w) {
		c := &s.cmds[j]
		if oneOf(c.Name, "grep", "egrep", "pgrep", "pidof", "rg") {
			for _, a := range c.Args {
				if !strings.HasPrefix(a.Text, "-") && commonProgram(strings.NewReplacer("[", "", "]", "").Replace(a.Text)) {
					return true
				}
			}
			return false
		}
	}
	return true
}

func narrowPgrep(c *shell.Command) bool {
	return hasWord(c.Args, "-n", "--newest", "-o", "--oldest", "-P", "--ppid")
}

// empties judges a write that leaves nothing.
func empties(s *scan, e shell.Effect) verdict {
	if !s.leavesNothing(e) || !known(e.Path) {
		return verdict{}
	}
	p := stripGlob(s.abs(e.Command, e.Path.Text))
	if p == "" || isDevice(p) {
		return verdict{}
	}
	switch at := s.placeOf(p); at {
	case systemPlace, rootPlace:
		return deny("empties a file that the system needs.")
	case projectPlace:
	default:
		return verdict{}
	}
	r, ok := s.repo(path.Dir(p))
	if !ok {
		return verdict{}
	}
	st, ok := r.Path(p)
	if e.Path.HasGlob() && ok && st.Tracked {
		return ask("empties many files below " + clip(path.Base(p), 60) + " at once.")
	}
	if ok && (st.Modified || st.Untracked && s.kind(p) == File) {
		return ask("empties or sets back " + clip(path.Base(p), 60) + ", which has content that git does not hold.")
	}
	return verdict{}
}

func (s *scan) leavesNothing(e shell.Effect) bool {
	if e.Op == shell.Truncate {
		return true
	}
	if e.Op != shell.Write || e.Command < 0 || e.Command >= len(s.cmds) {
		return false
	}
	c := &s.cmds[e.Command]
	switch c.Name {
	case ":", "true", "":
		return true
	case "cat", "cp", "install":
		return hasWord(c.Args, "/dev/null")
	case "echo", "printf":
		for _, a := range c.Args {
			if a.Text != "" && a.Text != "-n" {
				return false
			}
		}
		return len(c.Args) > 0
	case "git": // git show OLD:file > file
		return len(c.Args) > 0 && oneOf(c.Args[0].Text, "show", "cat-file")
	}
	program, ok := inlineProgram(c)
	return ok && strings.Contains(program, "open(") && !strings.Contains(program, "write") && !strings.Contains(program, "dump")
}

// fillsDisk finds an endless source written straight to a file.
func fillsDisk(s *scan, i int) verdict {
	c := &s.cmds[i]
	const fact = "writes until the disk is full."
	endless := c.Name == "yes"
	switch c.Name {
	case "cat", "base64", "xxd":
		endless = hasWord(c.Args, "/dev/zero", "/dev/urandom", "/dev/random", "/dev/full")
	case "dd":
		from, to, limit := false, false, false
		for _, a := range c.Args {
			from = from || oneOf(a.Text, "if=/dev/zero", "if=/dev/urandom", "if=/dev/random")
			to = to || strings.HasPrefix(a.Text, "of=") && !strings.HasPrefix(a.Text, "of=/dev/")
			limit = limit || strings.HasPrefix(a.Text, "count=")
		}
		if from && to && !limit {
			return ask(fact)
		}
	case "fallocate", "truncate":
		o := shell.Options(c.Args, shell.OptSpec{Short: "l:s:o:n", Long: "length= size="})
		if v, ok := o.Value("l", "length"); ok && hasSuffixAny(v.Text, "T", "TB", "TiB", "P", "E") {
			return ask(fact)
		}
	}
	if !endless {
		return verdict{}
	}
	for _, r := range c.Redirs {
		if strings.HasPrefix(r.Op, ">") && !isDevice(r.Path.Text) {
			return ask(fact)
		}
	}
	return verdict{}
}

// unpacksOverSystem judges archives that are unpacked over the root, the system
// or the home folder.
func unpacksOverSystem(s *scan, i int) verdict {
	c := &s.cmds[i]
	var to shell.Word
	switch c.Name {
	case "tar", "bsdtar", "gtar":
		o := shell.Options(c.Args, shell.OptSpec{Short: "C:f:xctzjJvpkI:T:X:", Long: "directory= file= extract get create list strip-components= exclude="})
		old := len(c.Args) > 0 && !strings.HasPrefix(c.Args[0].Text, "-") && strings.Contains(c.Args[0].Text, "x")
		if !o.Has("x", "extract", "get") && !old {
			return verdict{}
		}
		to, _ = o.Value("C", "directory")
	case "unzip":
		o := shell.Options(c.Args, shell.OptSpec{Short: "d:x:P:olntqv"})
		if o.Has("l", "t", "v") {
			return verdict{}
		}
		to, _ = o.Value("d")
	case "cpio":
		o := shell.Options(c.Args, shell.OptSpec{Short: "D:iduvmE:F:", Long: "directory= extract"})
		to, _ = o.Value("D", "directory")
	}
	if to.Text == "" || !known(to) {
		return verdict{}
	}
	if at := s.placeOf(s.abs(i, to.Text)); at >= homeTop && at != systemSoft && !contains(s.temp, s.abs(i, to.Text)) || at == gitPlace || at == gitInner {
		return ask("unpacks an archive over " + clip(to.Text, 60) + ", which overwrites what is there.")
	}
	return verdict{}
}
