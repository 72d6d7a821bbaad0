package evidence

import (
	"bytes"
	"encoding/binary"
	"errors"

	"golang.org/x/sys/unix"
)

func toStat(st *unix.Stat_t) fileStat {
	return fileStat{
		mode: st.Mode, exec: st.Mode&0o100 != 0,
		mtime: uint32(st.Mtim.Sec), ctime: uint32(st.Ctim.Sec),
		uid: st.Uid, gid: st.Gid, ino: uint32(st.Ino), size: st.Size,
	}
}

// names lists the names that known does not have, with the kinds that the folder
// tells by itself: a status call for each would cost more than all the rest.
// ignore tells that .gitignore is among the names.
func (d *dirHandle) names(buf []byte, known map[string]bool, list []dirName) (_ []dirName, ignore bool, err error) {
	for {
		n, err := unix.Getdents(d.fd, buf)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return nil, false, errFallback
		}
		if n <= 0 {
			return list, ignore, nil
		}
		for b := buf[:n]; len(b) > 19; {
			size := int(binary.NativeEndian.Uint16(b[16:]))
			if size < 20 || size > len(b) {
				return nil, false, errFallback
			}
			name, kind := b[19:size], b[18]
			b = b[size:]
			if i := bytes.IndexByte(name, 0); i >= 0 {
				name = name[:i]
			}
			ignore = ignore || string(name) == ignoreName
			if known[string(name)] || string(name) == "." || string(name) == ".." {
				continue
			}
			list = append(list, dirName{string(name), kindOf(kind)})
		}
	}
}

func kindOf(dirent byte) nameKind {
	switch dirent {
	case unix.DT_UNKNOWN:
		return kindUnknown
	case unix.DT_REG:
		return kindFile
	case unix.DT_DIR:
		return kindDir
	case unix.DT_LNK:
		return kindLink
	default:
		return kindOther
	}
}
