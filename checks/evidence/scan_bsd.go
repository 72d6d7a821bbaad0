//go:build darwin || freebsd || netbsd || openbsd

package evidence

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

func toStat(st *unix.Stat_t) fileStat {
	return fileStat{
		mode: uint32(st.Mode), exec: st.Mode&0o100 != 0,
		mtime: uint32(st.Mtim.Sec), ctime: uint32(st.Ctim.Sec),
		uid: st.Uid, gid: st.Gid, ino: uint32(st.Ino), size: st.Size,
	}
}

func (d *dirHandle) names(_ []byte, known map[string]bool, list []dirName) (_ []dirName, ignore bool, err error) {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return nil, false, errFallback
	}
	for _, e := range entries {
		ignore = ignore || e.Name() == ignoreName
		if known[e.Name()] {
			continue
		}
		kind := kindOther
		switch e.Type() {
		case 0:
			kind = kindFile
		case fs.ModeDir:
			kind = kindDir
		case fs.ModeSymlink:
			kind = kindLink
		}
		list = append(list, dirName{e.Name(), kind})
	}
	return list, ignore, nil
}
