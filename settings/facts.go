package settings

// What differs between versions of Claude Code, in one place. Each row was seen on
// the version named, or is documented where it says so; in between two versions
// that were seen, and for an unknown one, the answer is the one that costs least
// when it is wrong.
var (
	// firstOnFailure is documented; 2.1.332 was seen to honour it.
	firstOnFailure = Version{2, 1, 295}
	// firstLenientEntries: a bad entry drops only itself, but for PreToolUse and
	// PermissionRequest, where it drops the file. 2.1.197 dropped the file for each.
	firstLenientEntries = Version{2, 1, 332}
	// firstBadHooksKept: "hooks" of another type than object drops only that field.
	// 2.1.197 dropped the file.
	firstBadHooksKept = Version{2, 1, 332}
	// firstLooseFrontmatter: an agent loads although its YAML needs help: a value
	// with a colon or a bracket that is not quoted, a key twice, a byte order mark.
	// 2.1.197 saw no agent in such a file.
	firstLooseFrontmatter = Version{2, 1, 332}
	// firstSharedLocal: settings.local.json at the top of the main checkout counts
	// in its sub-folders and worktrees. In 2.1.197 it did not.
	firstSharedLocal = Version{2, 1, 332}
)

// KnowsOnFailure reports whether the client takes onFailure; an unknown version
// is taken for a present one, since older ones ignore the key.
func (v Version) KnowsOnFailure() bool { return !v.Before(firstOnFailure) }

// dropsFileForEntry reports whether a bad entry under the event voids the whole
// file; an unknown version is taken for the harsher one.
func (v Version) dropsFileForEntry(event string) bool {
	return gateEvent(event) || !v.AtLeast(firstLenientEntries)
}

// keepsFileOfBadHooks reports whether a file counts whose "hooks" is no object; an
// unknown version is taken for the harsher one.
func (v Version) keepsFileOfBadHooks() bool { return v.AtLeast(firstBadHooksKept) }

// LooseFrontmatter reports whether the client loads agents whose YAML needs help;
// an unknown version is taken for a present one.
func (v Version) LooseFrontmatter() bool { return !v.Before(firstLooseFrontmatter) }

// sharesLocal reports whether local settings of the main checkout count elsewhere
// in the repository; an unknown version is taken for a present one.
func (v Version) sharesLocal() bool { return !v.Before(firstSharedLocal) }
