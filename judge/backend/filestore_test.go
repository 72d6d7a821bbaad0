package backend_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"agentguard/judge/backend"
)

func TestFileStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "judge")
	s := backend.FileStore{Dir: dir}
	if _, err := s.Load("verdict-1"); err == nil {
		t.Error("a key that was never saved was found")
	}
	for _, v := range []string{"one", "another, longer", ""} {
		if err := s.Save("verdict-1", []byte(v)); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Load("verdict-1"); err != nil || string(got) != v {
			t.Errorf("loaded %q, %v", got, err)
		}
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("folder %v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(filepath.Join(dir, "verdict-1.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("file %v, %v", info.Mode(), err)
	}
	for _, key := range []string{"", "../x", "a/b", "A", "a.b", "ü", strings.Repeat("a", 129)} {
		if err := s.Save(key, nil); err == nil {
			t.Errorf("key %q was saved", key)
		}
		if _, err := s.Load(key); err == nil {
			t.Errorf("key %q was loaded", key)
		}
	}
}

func TestFileStoreIsBounded(t *testing.T) {
	s := backend.FileStore{Dir: t.TempDir()}
	old := time.Now().Add(-time.Hour)
	for i := range 600 {
		key := fmt.Sprintf("verdict-%d", i)
		if err := s.Save(key, []byte("x")); err != nil {
			t.Fatal(err)
		}
		if i < 300 {
			at := old.Add(time.Duration(i) * time.Second)
			if err := os.Chtimes(filepath.Join(s.Dir, key+".json"), at, at); err != nil {
				t.Fatal(err)
			}
		}
	}
	left, err := os.ReadDir(s.Dir)
	if err != nil || len(left) > 501 {
		t.Errorf("%d files left, %v", len(left), err)
	}
	if _, err := s.Load("verdict-599"); err != nil {
		t.Error("the newest was removed")
	}
	if _, err := os.Stat(filepath.Join(s.Dir, "verdict-0.json")); err == nil {
		t.Error("the oldest was kept")
	}
}

func TestFileStoreManyWriters(t *testing.T) {
	s := backend.FileStore{Dir: t.TempDir()}
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			value := strings.Repeat(string(rune('a'+i)), 10_000)
			for range 10 {
				if err := s.Save("breaker-x", []byte(value)); err != nil {
					t.Error(err)
				}
				got, err := s.Load("breaker-x")
				if err != nil || len(got) != 10_000 || strings.Trim(string(got), string(got[0])) != "" {
					t.Errorf("half a value: %d bytes, %v", len(got), err)
				}
			}
		})
	}
	wg.Wait()
}

func TestFileStoreReadOnly(t *testing.T) {
	if os.Geteuid() == 0 {
		// Root writes anywhere; a file in the folder's place stops root as well.
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := (backend.FileStore{Dir: path}).Save("a", nil); err == nil {
			t.Error("no error")
		}
		return
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if err := (backend.FileStore{Dir: filepath.Join(dir, "x")}).Save("a", nil); err == nil {
		t.Error("no error")
	}
}
