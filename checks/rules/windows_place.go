package rules

import "strings"

// windowsPlace tells the place of a path on a drive of Windows, which the shell
// package writes as /c:/Users/dev. ok is false for any other path.
func windowsPlace(p, home string) (place, bool) {
	if len(p) < 3 || p[0] != '/' || p[2] != ':' || len(p) > 3 && p[3] != '/' || within(p, home) {
		return elsewherePlace, false
	}
	rest := strings.ToLower(strings.Trim(p[3:], "/"))
	parts := strings.Split(rest, "/")
	switch first := parts[0]; {
	case rest == "":
		return rootPlace, true
	case oneOf(first, "windows", "program files", "program files (x86)", "programdata", "boot", "recovery", "efi", "$recycle.bin", "system volume information", "perflogs"):
		if strings.HasPrefix(rest, "windows/temp/") {
			return tempPlace, true
		}
		return systemPlace, true
	case oneOf(first, "temp", "tmp"):
		if len(parts) == 1 {
			return tempTop, true
		}
		return tempPlace, true
	case first == "users":
		return windowsHome(parts[1:]), true
	case regenerable(rest):
		return cachePlace, true
	}
	return elsewherePlace, true
}

// windowsHome tells the place of what stands below C:\Users.
func windowsHome(parts []string) place {
	if len(parts) < 2 {
		return homeTop
	}
	rel := strings.Join(parts[1:], "/")
	switch {
	case strings.HasPrefix(rel, "appdata/local/temp/"):
		return tempPlace
	case rel == "appdata/local/temp":
		return tempTop
	case hasPrefixAny(rel, "appdata/local/npm-cache", "appdata/local/pip/cache", "appdata/local/yarn/cache", ".nuget/packages", "appdata/local/pnpm/store", ".gradle/caches", ".m2/repository", ".cargo/registry"), regenerable(rel):
		return cachePlace
	case oneOf(parts[1], ".ssh", ".gnupg", ".aws", ".kube", ".azure", ".docker", ".claude", ".codex"):
		return keyPlace
	case len(parts) < 4:
		return homeEntry
	}
	return homeDeep
}
