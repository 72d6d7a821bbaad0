package evidence

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseAdded(t *testing.T) {
	const patch = `commit 1111111111111111111111111111111111111111

diff --git a/a.py b/a.py
new file mode 100644
index 000..111
--- /dev/null
+++ b/a.py
@@ -0,0 +1,3 @@
+x = 1
++++ b/not-a-header
+@@ -1 +1 @@
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1,2 +0,0 @@
-one
-two
commit 2222222222222222222222222222222222222222

diff --git "a/tab\there" "b/tab\there"
--- "a/tab\there"
+++ "b/tab\there"
@@ -4 +4 @@ func x()
-old
+new
\ No newline at end of file
@@ -9,0 +10,2 @@
+ten
+eleven
diff --git a/img.png b/img.png
Binary files a/img.png and b/img.png differ
diff --git a/salt and pepper.bin b/salt and pepper.bin
new file mode 100644
Binary files /dev/null and b/salt and pepper.bin differ
diff --git a/gone.bin b/gone.bin
deleted file mode 100644
Binary files a/gone.bin and /dev/null differ
`
	want := []Added{
		{Commit: "1111111111111111111111111111111111111111", Path: "a.py", New: true, Pieces: []Piece{{1, "x = 1\n+++ b/not-a-header\n@@ -1 +1 @@\n"}}},
		{Commit: "2222222222222222222222222222222222222222", Path: "tab\there", Pieces: []Piece{{4, "new\n"}, {10, "ten\neleven\n"}}},
		{Commit: "2222222222222222222222222222222222222222", Path: "img.png", Unseen: true},
		{Commit: "2222222222222222222222222222222222222222", Path: "salt and pepper.bin", New: true, Unseen: true},
	}
	if diff := cmp.Diff(want, parseAdded([]byte(patch))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
