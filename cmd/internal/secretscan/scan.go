// Package secretscan runs gitleaks' rules over text. It is the only door to that
// library, which is far too heavy for the hook program: "agentguard scan" calls
// it and prints findings without their values.
package secretscan

import (
	"context"
	"fmt"
	"io"
	"strings"

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
// ctx is an error, since part of the files were not looked at.
func (s Scanner) Files(ctx context.Context, files []secrets.File) ([]secrets.Finding, error) {
	var all []secrets.Finding
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !secrets.Worth(f.Text) {
			continue
		}
		all = append(all, secrets.Builtin(f)...)
		all = append(all, byRules(ctx, s.detector, f)...)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return secrets.Merge(all), nil
}

func byRules(ctx context.Context, detector *detect.Detector, f secrets.File) []secrets.Finding {
	var out []secrets.Finding
	lines := strings.Split(f.Text, "\n")
	fragment := sources.Fragment{Raw: f.Text, FilePath: f.Path}
	for _, hit := range detector.DetectContext(ctx, detect.Fragment(fragment)) { //nolint:staticcheck // version 8 takes no other type yet
		line := lineOf(f.Text, lines, hit.StartLine, hit.Secret)
		if line < len(lines) && secrets.Allowed(lines[line]) {
			continue
		}
		if secrets.Dummy(hit.Secret) || hit.RuleID == possibleOnly && unlikely(hit.Match, hit.Secret) {
			continue
		}
		found, ok := secrets.Place(secrets.Finding{
			Path: f.Path, Line: max(f.First, 1) + line, Commit: f.Commit, Kind: hit.RuleID, Level: secrets.Possible,
		})
		if ok {
			out = append(out, found)
		}
	}
	return out
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
