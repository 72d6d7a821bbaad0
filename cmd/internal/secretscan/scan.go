// Package secretscan runs gitleaks' rules over text. It is the only door to that
// library, which is far too heavy for the hook program: "agentguard scan" calls
// it and prints findings without their values.
package secretscan

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"

	"github.com/rs/zerolog"
	"github.com/zricethezav/gitleaks/v8/detect"
	"github.com/zricethezav/gitleaks/v8/logging"
	"github.com/zricethezav/gitleaks/v8/sources"

	"agentguard/checks/secrets"
)

// possibleOnly are rules that match any value behind a telling word: what they
// find is a question, and a dummy more often than the others' finds.
const possibleOnly = "generic-api-key"

// Files is one call of a Scanner.
func Files(ctx context.Context, files []secrets.File) ([]secrets.Finding, error) {
	s, err := New()
	if err != nil {
		return nil, err
	}
	return s.Files(ctx, files)
}

// Scanner holds the rules, which take long to load.
type Scanner struct{ detector *detect.Detector }

// New loads gitleaks' default rules. A repository's own gitleaks configuration
// does not count: it could let everything through.
func New() (Scanner, error) {
	// The library writes to stderr, which the client would show.
	logging.Logger = zerolog.New(io.Discard)
	detector, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		return Scanner{}, fmt.Errorf("loading the rules of gitleaks: %w", err)
	}
	return Scanner{detector}, nil
}

// Files runs the built-in kinds and gitleaks' default rules over files. The end of
// ctx is an error, since part of the files were not looked at; what was found
// before it is returned all the same.
func (s Scanner) Files(ctx context.Context, files []secrets.File) ([]secrets.Finding, error) {
	r := run{Scanner: s, ctx: ctx}
	parts := make(chan part)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 4) {
		workers.Go(func() {
			for p := range parts {
				r.scan(p)
			}
		})
	}
	var all []secrets.Finding
	for i := range files {
		f := &files[i]
		if ctx.Err() != nil {
			break
		}
		if !secrets.Worth(f.Text) {
			continue
		}
		all = append(all, secrets.Builtin(*f)...)
		// What the rules find is possible, and in a sample that is none.
		if !secrets.Sample(f.Path) {
			cut(f, func(p part) bool {
				if !secrets.Worth(p.text) {
					return true
				}
				parts <- p
				return ctx.Err() == nil && (f.Enough == 0 || r.count(f) < f.Enough)
			})
		}
	}
	close(parts)
	workers.Wait()
	return secrets.Merge(all, r.found), ctx.Err()
}

// run is one call of Files.
type run struct {
	Scanner
	ctx context.Context //nolint:containedctx // it lives as long as the call

	mu    sync.Mutex
	found []secrets.Finding
	finds map[*secrets.File]int
}

func (r *run) add(f *secrets.File, found []secrets.Finding) {
	if len(found) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.finds == nil {
		r.finds = map[*secrets.File]int{}
	}
	r.finds[f] += len(found)
	r.found = append(r.found, found...)
}

func (r *run) count(f *secrets.File) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.finds[f]
}

// The rules are run over parts of a file: what they cost grows faster than the
// text, and in a small part few of them find the word that they begin with. Parts
// overlap by more than any rule spans but those for keys in blocks and web tokens,
// which are built-in kinds as well.
const (
	partSize = 4 << 10
	overlap  = 1 << 10
)

// part is a piece of a file's text.
type part struct {
	file *secrets.File
	at   int // where it begins
	line int // index of the line that it begins in
	text string
	// first and last tell that the line it begins or ends in lets its values stand;
	// those lines may go on outside of it.
	first, last bool
}

// cut gives the parts of a file until each returns false. They end with a line, or
// where a line is too long between two words.
func cut(f *secrets.File, each func(part) bool) {
	begins, ends := secrets.Lines{Text: f.Text}, secrets.Lines{Text: f.Text}
	for at := 0; at < len(f.Text); {
		end := min(at+partSize, len(f.Text))
		if end < len(f.Text) {
			back := f.Text[at+partSize/2 : end]
			if n := strings.LastIndexByte(back, '\n'); n >= 0 {
				end -= len(back) - n - 1
			} else if n := strings.LastIndexAny(back, " \t;,{}()\"'"); n >= 0 {
				end -= len(back) - n - 1
			}
		}
		p := part{file: f, at: at, text: f.Text[at:end]}
		p.line, p.first = begins.At(at)
		_, p.last = ends.At(end - 1)
		if !each(p) || end == len(f.Text) {
			return
		}
		next := end - overlap
		if n := strings.IndexByte(f.Text[next:end], '\n'); n >= 0 && next+n+1 < end {
			next += n + 1
		}
		at = next
	}
}

// scan runs the rules over a part.
func (r *run) scan(p part) {
	if r.ctx.Err() != nil {
		return
	}
	f := p.file
	fragment := sources.Fragment{Raw: p.text, FilePath: f.Path}
	hits := r.detector.DetectContext(r.ctx, detect.Fragment(fragment)) //nolint:staticcheck // version 8 takes no other type yet
	if len(hits) == 0 {
		return
	}
	var out []secrets.Finding
	lines := strings.Split(p.text, "\n")
	for _, hit := range hits {
		line := lineOf(p.text, lines, hit.StartLine, hit.Secret)
		if p.allowed(lines, line) || p.torn(hit.Secret) || secrets.Dummy(hit.Secret) || hit.RuleID == possibleOnly && unlikely(hit.Match, hit.Secret) {
			continue
		}
		found, ok := secrets.Place(secrets.Finding{
			Path: f.Path, Line: max(f.First, 1) + p.line + line, Commit: f.Commit, Kind: hit.RuleID, Level: secrets.Possible,
		})
		if ok {
			out = append(out, found)
		}
	}
	r.add(f, out)
}

// allowed tells that a line of the part lets its value stand.
func (p part) allowed(lines []string, line int) bool {
	switch {
	case line >= len(lines):
		return false
	case line == 0:
		return p.first
	case line == len(lines)-1 && !strings.HasSuffix(p.text, "\n"):
		return p.last
	default:
		return secrets.Allowed(lines[line])
	}
}

// torn tells a value that the part's border cuts: the next part has it whole.
func (p part) torn(secret string) bool {
	end := p.at + len(p.text)
	return end < len(p.file.Text) && strings.HasSuffix(p.text, secret) && inWord(p.file.Text[end]) ||
		p.at > 0 && strings.HasPrefix(p.text, secret) && inWord(p.file.Text[p.at-1])
}

func inWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("_-+/=.", c) >= 0
}

// lineOf returns the index of the line that holds a find. The library counts
// from 0 or from 1, depending on where the fragment came from.
func lineOf(text string, lines []string, at int, secret string) int {
	first, _, _ := strings.Cut(secret, "\n")
	for _, i := range []int{at, at - 1, at + 1} {
		if i >= 0 && i < len(lines) && strings.Contains(lines[i], first) {
			return i
		}
	}
	if before, _, ok := strings.Cut(text, secret); ok {
		return strings.Count(before, "\n")
	}
	return max(at, 0)
}

// unlikely tells finds of the broadest rule that code is full of: ids, names of
// keys, paths, hashes of content.
func unlikely(match, secret string) bool {
	lower := strings.ToLower(match)
	for _, word := range [...]string{
		"integrity", "sha256", "sha512", "sha1", "checksum", "digest", "public_key", "publickey", "public-key", "keyid", "key_id", "uuid",
		"commit", "revision", "etag", "cache_key", "cachekey", "primary_key", "foreign_key", "api_version", "apiversion", "tokenizer", "keyframe", "i18n",
	} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	// A name in snake, kebab or dotted case, or an id.
	return strings.Count(secret, "-") == 4 && len(secret) == 36 || strings.Contains(secret, "/") && strings.Contains(secret, ".") || named(secret)
}

// named tells a value whose pieces are words with at most a short number.
func named(secret string) bool {
	pieces := strings.FieldsFunc(secret, func(r rune) bool { return r == '-' || r == '_' || r == '.' || r == ':' })
	if len(pieces) < 2 {
		return false
	}
	for _, p := range pieces {
		letters := strings.TrimRight(p, "0123456789")
		if len(p)-len(letters) > 4 || strings.ContainsAny(letters, "0123456789") || letters != strings.ToLower(letters) && letters != strings.ToUpper(letters) && letters[1:] != strings.ToLower(letters[1:]) {
			return false
		}
	}
	return true
}
