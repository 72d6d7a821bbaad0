package evidence

import "context"

// Fingerprint names the content of a working tree by git tree ids.
type Fingerprint struct {
	// Tree is what "git add -A && git write-tree" would give with a throw-away
	// index. Tracked is the same for "git add -u": untracked files do not count.
	Tree    string `json:"tree"`
	Tracked string `json:"tracked"`
}

// PathBlob is one path that differs from HEAD.
type PathBlob struct {
	Path string `json:"p"`
	Mode string `json:"m,omitempty"` // git's octal mode; empty where the path is deleted
	Blob string `json:"b,omitempty"` // object id; empty where the path is deleted
	// Untracked tells a file that is not in the index.
	Untracked bool `json:"u,omitempty"`
}

// Snapshot is a fingerprint with what is needed to say later where another one
// differs.
type Snapshot struct {
	Fingerprint
	Head    string     `json:"head,omitempty"` // commit id; empty on an unborn branch
	Changed []PathBlob `json:"changed,omitempty"`
	// Cut tells that Changed left paths out: there were more than MaxChanged.
	Cut bool `json:"cut,omitempty"`
}

// MaxChanged bounds Snapshot.Changed, so that a ledger line stays under 64 KiB.
const MaxChanged = 400

// Fingerprint computes the ids of the working tree. It writes nothing into the
// repository. An error means unknown.
func (r *Repo) Fingerprint(ctx context.Context) (Fingerprint, error) {
	s, err := r.snapshot(ctx, false)
	return s.Fingerprint, err
}

// Snapshot is Fingerprint with HEAD and the paths that differ from it.
func (r *Repo) Snapshot(ctx context.Context) (Snapshot, error) {
	return r.snapshot(ctx, true)
}
