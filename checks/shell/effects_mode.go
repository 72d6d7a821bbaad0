package shell

import "strings"

func (e effector) modes(name string, args []Word) bool {
	switch name {
	case "chmod":
		var rest []Word
		mode, has, rec, ref := Word{}, false, false, false
		for i, w := range args {
			t := w.Text
			switch {
			case t == "--":
				rest = append(rest, args[i+1:]...)
			case strings.HasPrefix(t, "--ref"):
				ref = true
				continue
			case strings.HasPrefix(t, "--"):
				rec = rec || strings.HasPrefix(t, "--rec")
				continue
			case len(t) > 1 && t[0] == '-' && strings.Trim(t[1:], "RfvcHLPhEN") == "":
				rec = rec || strings.Contains(t, "R")
				continue
			case !has && !ref:
				mode, has = w, true
				continue
			default:
				rest = append(rest, w)
				continue
			}
			break
		}
		e.all(Mode, rest, content(mode), flags(rec, false))
	case "chown", "chgrp", "chcon":
		o := Options(args, OptSpec{Short: "cfvhRHLPt:u:r:", Long: "changes silent quiet verbose dereference no-dereference from= no-preserve-root preserve-root reference= recursive"})
		rest := o.Rest
		owner := Word{}
		if !o.Has("reference") && !o.Has("t") && len(rest) > 0 {
			owner, rest = rest[0], rest[1:]
		}
		e.all(Mode, rest, content(owner), flags(o.Has("R", "recursive"), false))
	case "chattr", "chflags":
		rec := false
		mode := Word{}
		var rest []Word
		for _, w := range args {
			t := w.Text
			switch {
			case t == "-R":
				rec = true
			case t == "-V" || t == "-f" || t == "-h":
			case mode.Zero() && (name == "chflags" || strings.IndexAny(t, "+-=") == 0):
				mode = w
			default:
				rest = append(rest, w)
			}
		}
		e.all(Mode, rest, content(mode), flags(rec, false))
	case "setfacl", "xattr", "setfattr", "chsh":
		o := Options(args, OptSpec{Short: "bkdRLPm:x:M:X:sn:v:cwr", Long: "modify= remove= set= recursive remove-all restore="})
		e.all(Mode, o.Rest, flags(o.Has("R", "recursive", "r"), false))
	default:
		return false
	}
	return true
}
