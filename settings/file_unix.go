//go:build unix

package settings

import (
	"os"
	"syscall"

	"agentguard/hook/regular"
)

// keepOwner gives file the owner of the target. Only root can give a file away
// and only to its own groups can a user; a failure leaves the writer's identity,
// as every editor does.
func keepOwner(file *os.File, target string) error {
	info, err := os.Stat(target)
	if err != nil {
		return err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		_ = file.Chown(int(stat.Uid), int(stat.Gid))
	}
	return nil
}

// syncDir makes a rename last through a power cut. File systems that cannot do
// it have nothing better to offer.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// openReplaced keeps hold of the file that is about to be replaced, to see
// whether somebody wrote into it afterwards. Nil when there is none.
func openReplaced(snap Snapshot) *os.File {
	if !snap.Exists {
		return nil
	}
	file, err := regular.Open(snap.Target)
	if err != nil {
		return nil
	}
	return file
}
