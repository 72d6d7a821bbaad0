package evidence

import (
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

// names lists the folder with the kinds that it tells by itself: a status call
// for each name would cost more than all the rest.
func (d *dirHandle) names(buf []byte, list []dirName) ([]dirName, error) {
	for {
		n, err := unix.Getdents(d.fd, buf)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return nil, errFallback
		}
		if n <= 0 {
			return list, nil
		}
		for b := buf[:n]; len(b) > 19; {
			size := int(binary.NativeEndian.Uint16(b[16:]))
			if size < 20 || size > len(b) {
				return nil, errFallback
			}
			name := b[19:size]
			for i, c := range name {
				if c == 0 {
					name = name[:i]
					break
				}
			}
			kind := kindOther
			switch b[18] {
			case unix.DT_UNKNOWN:
				kind = kindUnknown
			case unix.DT_REG:
				kind = kindFile
			case unix.DT_DIR:
				kind = kindDir
			case unix.DT_LNK:
				kind = kindLink
			}
			if s := string(name); s != "." && s != ".." {
				list = append(list, dirName{s, kind})
			}
			b = b[size:]
		}
	}
}
