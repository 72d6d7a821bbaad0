package settings_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"agentguard/settings"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func put(text string) func(settings.Snapshot) (settings.Next, error) {
	return func(settings.Snapshot) (settings.Next, error) {
		return settings.Next{Bytes: []byte(text)}, nil
	}
}

// onlyFiles fails when the folder holds anything but the named files.
func onlyFiles(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("%s holds %q, want %q", dir, got, names)
	}
}

func TestUpdateKeepsLinkAndMode(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "dotfiles", "settings.json")
	link := filepath.Join(dir, "home", "settings.json")
	write(t, target, "old")
	if err := os.Chmod(target, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../dotfiles/settings.json", link); err != nil {
		t.Fatal(err)
	}
	w := settings.Writer{LockDir: filepath.Join(dir, "locks")}
	if err := w.Update(t.Context(), link, put("new")); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(link); err != nil || to != "../dotfiles/settings.json" {
		t.Errorf("link is now %q, %v", to, err)
	}
	info, err := os.Stat(target)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if got := read(t, target); got != "new" {
		t.Errorf("got %q", got)
	}
	onlyFiles(t, filepath.Dir(target), "settings.json")
}

func TestUpdateMakesAndDeletes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a b", "ü", "settings.json")
	var w settings.Writer
	if err := w.Update(t.Context(), path, put("x")); err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); got != "x" {
		t.Errorf("got %q", got)
	}
	for range 2 { // the second time there is nothing to delete
		err := w.Update(t.Context(), path, func(settings.Snapshot) (settings.Next, error) {
			return settings.Next{Delete: true}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("still there: %v", err)
		}
	}
}

func TestUpdateRefuses(t *testing.T) {
	dir := t.TempDir()
	readOnly := filepath.Join(dir, "readonly.json")
	write(t, readOnly, "old")
	if err := os.Chmod(readOnly, 0o444); err != nil {
		t.Fatal(err)
	}
	dangling := filepath.Join(dir, "dangling.json")
	if err := os.Symlink(filepath.Join(dir, "nowhere", "x"), dangling); err != nil {
		t.Fatal(err)
	}
	huge := filepath.Join(dir, "huge.json")
	write(t, huge, strings.Repeat(" ", settings.MaxSize+1))
	for path, want := range map[string]string{
		readOnly: "read-only", dangling: "does not exist", dir: "folder", huge: "bytes",
	} {
		err := settings.Writer{}.Update(t.Context(), path, put("new"))
		var fileErr *settings.FileError
		if !errors.As(err, &fileErr) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if got := read(t, readOnly); got != "old" {
		t.Errorf("read-only file became %q", got)
	}
	onlyFiles(t, dir, "dangling.json", "huge.json", "readonly.json")
}

func TestUpdateStartsAgainWhenTheClientWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	write(t, path, "a")
	calls := 0
	err := settings.Writer{Pause: func(int) {}}.Update(t.Context(), path, func(s settings.Snapshot) (settings.Next, error) {
		if calls++; calls == 1 {
			write(t, path, "client") // between our read and our rename
		}
		return settings.Next{Bytes: append([]byte("ours+"), s.Bytes...)}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); got != "ours+client" || calls != 2 {
		t.Errorf("got %q after %d calls", got, calls)
	}
}

func TestUpdateWaitsOutAHalfWrittenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	write(t, path, `{"a":`)
	broken := errors.New("broken")
	mended := false
	w := settings.Writer{Pause: func(int) {
		if !mended {
			mended = true
			write(t, path, `{"a":1}`)
		}
	}}
	err := w.Update(t.Context(), path, func(s settings.Snapshot) (settings.Next, error) {
		if _, err := settings.Parse(s.Bytes); err != nil {
			return settings.Next{}, broken
		}
		return settings.Next{Bytes: []byte("{}")}, nil
	})
	if err != nil || read(t, path) != "{}" {
		t.Errorf("err %v, file %q", err, read(t, path))
	}
	still := settings.Writer{Pause: func(int) {}}
	if err := still.Update(t.Context(), path, func(settings.Snapshot) (settings.Next, error) {
		return settings.Next{}, broken
	}); !errors.Is(err, broken) {
		t.Errorf("a file that holds still and is broken: %v", err)
	}
}

// The client truncates and writes; in between the file looks empty.
func TestUpdateDoesNotTakeATruncatedFileForAnEmptyOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	write(t, path, "")
	w := settings.Writer{Pause: func(int) {
		if b, _ := os.ReadFile(path); len(b) == 0 {
			write(t, path, "client")
		}
	}}
	if err := w.Update(t.Context(), path, func(s settings.Snapshot) (settings.Next, error) {
		if string(s.Bytes) == "client+ours" {
			return settings.Next{Bytes: s.Bytes}, nil
		}
		return settings.Next{Bytes: append(s.Bytes, "+ours"...)}, nil
	}); err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); got != "client+ours" {
		t.Errorf("got %q", got)
	}
}

// The client had the file open when it was replaced, and writes into the old one.
func TestUpdateCarriesALateWriteOver(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be replaced there")
	}
	path := filepath.Join(t.TempDir(), "settings.json")
	write(t, path, "old")
	client, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	wrote := false
	w := settings.Writer{Pause: func(int) {
		if !wrote {
			wrote = true
			_, _ = client.WriteString("client")
		}
	}}
	var asked []string
	err = w.Update(t.Context(), path, func(s settings.Snapshot) (settings.Next, error) {
		asked = append(asked, string(s.Bytes))
		return settings.Next{Bytes: []byte("ours+" + strings.TrimPrefix(string(s.Bytes), "ours+"))}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); got != "ours+client" {
		t.Errorf("got %q, asked with %q", got, asked)
	}
}

func TestUpdateGivesUpOnAFileThatNeverHoldsStill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	calls := 0
	err := settings.Writer{Pause: func(int) {}}.Update(t.Context(), path, func(settings.Snapshot) (settings.Next, error) {
		calls++
		write(t, path, fmt.Sprint(calls))
		return settings.Next{Bytes: []byte("ours")}, nil
	})
	if !errors.Is(err, settings.ErrBusy) || read(t, path) != fmt.Sprint(calls) {
		t.Errorf("err %v, file %q after %d calls", err, read(t, path), calls)
	}
	onlyFiles(t, filepath.Dir(path), "settings.json")
}

func TestUpdateFromManyProgramsLosesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p", "settings.json")
	w := settings.Writer{LockDir: filepath.Join(dir, "locks")}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			err := w.Update(context.Background(), path, func(s settings.Snapshot) (settings.Next, error) {
				return settings.Next{Bytes: append(s.Bytes, 'x')}, nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := read(t, path); got != strings.Repeat("x", 20) {
		t.Errorf("got %q", got)
	}
}

func TestUpdateClearsWhatAKilledRunLeft(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p", "settings.json")
	write(t, filepath.Join(dir, "p", ".settings.json.agentguard-1-0.tmp"), "half")
	write(t, filepath.Join(dir, "p", ".settings.json.mine.tmp"), "foreign")
	w := settings.Writer{LockDir: filepath.Join(dir, "locks")}
	if err := w.Update(t.Context(), path, put("x")); err != nil {
		t.Fatal(err)
	}
	onlyFiles(t, filepath.Join(dir, "p"), ".settings.json.mine.tmp", "settings.json")
}

// Where the folder takes no new file the old one must survive whole.
func TestUpdateLeavesTheOldFileWhenWritingFails(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root writes everywhere")
	}
	dir := filepath.Join(t.TempDir(), "p")
	path := filepath.Join(dir, "settings.json")
	write(t, path, "old")
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	if err := (settings.Writer{}).Update(t.Context(), path, put("new")); err == nil {
		t.Error("no error")
	}
	if got := read(t, path); got != "old" {
		t.Errorf("file became %q", got)
	}
}
