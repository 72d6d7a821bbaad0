package rules

import (
	"path"
	"strings"

	"agentguard/checks/shell"
	"agentguard/hook"
)

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
	if isDataPattern(path.Base(p)) && s.kind(p) == File && !(ok && st.Tracked && !st.Modified) {
		return ask("empties " + clip(path.Base(p), 60) + ": local data that has no other copy.")
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
	if s.readsItself(e) {
		return true
	}
	switch c.Name {
	case ":", "true", "":
		return true
	case "cat", "cp", "install", "tee", "sponge":
		if c.Stdin.File.Text == "/dev/null" || c.Name == "tee" && c.Stdin.Known && strings.TrimSpace(c.Stdin.Text) == "" {
			return true
		}
		// git show OLD:file | tee file
		for _, j := range c.Stdin.From {
			if g := s.git(j); g != nil && oneOf(g.sub, "show", "cat-file") && s.cmds[j].Feeds == e.Command {
				return true
			}
		}
		return hasWord(c.Args, "/dev/null")
	case "dd":
		return hasWord(c.Args, "if=/dev/null")
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

// readsItself tells a redirection onto a file that the same pipeline reads: the
// shell empties it before anything is read.
func (s *scan) readsItself(e shell.Effect) bool {
	redirected := false
	for _, r := range s.cmds[e.Command].Redirs {
		redirected = redirected || (r.Op == ">" || r.Op == ">|") && r.FD != 2 && r.Path.Text == e.Path.Text
	}
	if !redirected {
		return false
	}
	for _, j := range append([]int{e.Command}, s.cmds[e.Command].Stdin.From...) {
		if j < 0 || j >= len(s.cmds) {
			continue
		}
		for _, r := range s.effectsOf(j) {
			if r.Op == shell.Read && r.Path.Text == e.Path.Text {
				return true
			}
		}
	}
	return false
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
	for _, j := range c.Stdin.From {
		if g := s.git(j); g != nil && g.sub == "archive" && hasSuffixAny(c.Name, "tar") && (to.Text == "" || known(to) && within(s.abs(i, to.Text), g.dir)) && s.work(g) == treeDirty {
			return verdict{decision: hook.Ask, fact: "unpacks an older state over work that is not committed.", safe: safeStash}
		}
	}
	if to.Text == "" || !known(to) {
		return verdict{}
	}
	if at := s.placeOf(s.abs(i, to.Text)); at >= homeTop && at != systemSoft && !contains(s.temp, s.abs(i, to.Text)) || at == gitPlace || at == gitInner {
		return ask("unpacks an archive over " + clip(to.Text, 60) + ", which overwrites what is there.")
	}
	return verdict{}
}
