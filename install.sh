#!/bin/sh
# Builds agentguard from this checkout and installs its two programs. Linux and macOS; needs Go and nothing else.
# It downloads no program: only Go itself fetches the modules that go.sum names, checked against its sums.
set -eu

usage() {
  cat <<'EOF'
Usage: ./install.sh [options]

Builds agentguard and agentguard-hook from this checkout and installs them in ~/.local/bin.

  --prefix DIR   install in DIR/bin instead
  --init DIR     then set up the repository in DIR: shows what changes, then changes it
  --dry-run      say what would be done, change nothing
  --uninstall    remove the two programs
  --force        with --uninstall: also while your own settings still run them
  --help         this text
EOF
}

say() { printf '%s\n' "$*"; }
fail() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }

prefix='' repo='' dry='' uninstall='' force=''
while [ $# -gt 0 ]; do
  case $1 in
    --prefix | --init)
      [ $# -ge 2 ] && [ -n "$2" ] || { printf 'install.sh: %s needs a folder\n' "$1" >&2; usage >&2; exit 2; }
      if [ "$1" = --prefix ]; then prefix=$2; else repo=$2; fi
      shift ;;
    --prefix=?*) prefix=${1#--prefix=} ;;
    --init=?*) repo=${1#--init=} ;;
    --dry-run) dry=1 ;;
    --uninstall) uninstall=1 ;;
    --force) force=1 ;;
    -h | --help) usage; exit 0 ;;
    *) printf 'install.sh: unknown option %s\n' "$1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done
[ -z "$uninstall" ] || [ -z "$repo" ] || { say "install.sh: --init and --uninstall exclude each other" >&2; exit 2; }

case $(uname -s) in
  Linux | Darwin) ;;
  *) fail "this script knows Linux and macOS. Elsewhere: go build -o DIR ./cmd/agentguard ./cmd/agentguard-hook" ;;
esac

if [ -n "$prefix" ]; then
  case $prefix in /*) bin=$prefix/bin ;; *) bin=$(pwd)/$prefix/bin ;; esac
else
  [ -n "${HOME:-}" ] || fail "HOME is not set; give a folder with --prefix"
  bin=$HOME/.local/bin
fi

if [ -n "$uninstall" ]; then
  settings=${CLAUDE_CONFIG_DIR:-${HOME:-}/.claude}/settings.json
  # An entry whose program is gone blocks every tool call where it is set to block on failure.
  if [ -z "$force" ] && grep -q agentguard-hook "$settings" 2>/dev/null; then
    fail "$settings still runs agentguard-hook. Run 'agentguard uninstall --scope user' first, or repeat with --force"
  fi
  gone=''
  for name in agentguard-hook agentguard; do
    [ -f "$bin/$name" ] || [ -L "$bin/$name" ] || continue
    gone=1
    if [ -n "$dry" ]; then say "would remove $bin/$name"; continue; fi
    rm -f "$bin/$name" || fail "cannot remove $bin/$name"
    say "removed $bin/$name"
  done
  [ -n "$gone" ] || say "nothing to remove in $bin"
  say "Repositories keep their hook entries; without the programs they do nothing (one set up with --require blocks). To take them out: 'agentguard uninstall' in each, before this."
  say "Your log and state stay in ${XDG_STATE_HOME:-${HOME:-}/.local/state}/agentguard; delete that folder if you do not need it."
  exit 0
fi

src=$(cd "$(dirname "$0")" && pwd -P)
[ -f "$src/go.mod" ] && [ -d "$src/cmd/agentguard-hook" ] || fail "$src is no checkout of agentguard; run the install.sh inside one"
if [ -n "$repo" ]; then
  [ -d "$repo" ] || fail "--init: there is no folder $repo"
  repo=$(cd "$repo" && pwd -P)
fi

# older A B: is version A (1.25.3, 1.26rc1) lower than B?
older() {
  awk -v a="$1" -v b="$2" 'BEGIN {
    gsub(/[^0-9.].*$/, "", a); gsub(/[^0-9.].*$/, "", b)
    n = split(a, x, "."); m = split(b, y, ".")
    for (i = 1; i <= n || i <= m; i++) { if (x[i]+0 != y[i]+0) exit !(x[i]+0 < y[i]+0) }
    exit 1
  }'
}

needed=$(awk '$1 == "go" { print $2; exit }' "$src/go.mod")
command -v go >/dev/null 2>&1 || fail "Go is not installed, or not on PATH. agentguard needs Go $needed or later: https://go.dev/dl"
# Asked outside the checkout: inside, a Go that is too old answers with an error or with the toolchain that it would fetch.
have=$(cd / && GOTOOLCHAIN=local go env GOVERSION 2>/dev/null | sed 's/^go//') || have=
[ -n "$have" ] || fail "'go env GOVERSION' does not answer; is $(command -v go) a working Go?"
if older "$have" "$needed"; then
  mode=$(cd / && go env GOTOOLCHAIN 2>/dev/null) || mode=local
  if older "$have" 1.21 || [ "$mode" = local ] || [ -z "$mode" ]; then
    fail "Go $have is too old. agentguard needs Go $needed or later: update it (https://go.dev/dl), or allow Go to fetch that version with GOTOOLCHAIN=auto (Go 1.21 or later)"
  fi
  say "Go $have is older than $needed: Go fetches the newer one itself (GOTOOLCHAIN=$mode)."
fi

version=$(git -C "$src" describe --tags --always --dirty 2>/dev/null) || version=dev
for name in agentguard agentguard-hook; do
  [ ! -d "$bin/$name" ] || fail "$bin/$name is a folder; move it away first"
done

if [ -n "$dry" ]; then
  say "would build version $version from $src with Go $have"
  say "would install $bin/agentguard and $bin/agentguard-hook"
  [ -z "$repo" ] || say "would run 'agentguard init' in $repo"
  exit 0
fi

mkdir -p "$bin" || fail "cannot make $bin; choose another folder with --prefix"
# Built beside the target, so that each program appears by one rename: a client may start the hook at any moment.
new=$(mktemp -d "$bin/.agentguard-new.XXXXXX") || fail "cannot write in $bin; choose another folder with --prefix"
trap 'rm -rf "$new"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
say "building version $version"
(cd "$src" && GOOS='' GOARCH='' CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X agentguard/cmd/internal/door.version=$version" \
  -o "$new/" ./cmd/agentguard ./cmd/agentguard-hook) || fail "the build failed; nothing was installed"
"$new/agentguard" version >/dev/null || fail "the built program does not run; nothing was installed"
for name in agentguard-hook agentguard; do
  mv -f "$new/$name" "$bin/$name" || fail "cannot replace $bin/$name"
done
say "installed $bin/agentguard and $bin/agentguard-hook"

if [ -n "$repo" ]; then
  say
  say "What changes in $repo:"
  (cd "$repo" && "$bin/agentguard" init --yes) || fail "the programs are installed, but $repo was not set up (see above)"
else
  say "next: 'agentguard init' in a repository sets its guards up; 'agentguard doctor' proves that they work"
fi

# Last, so that it stands below a long list of changes.
case ":$PATH:" in
  *":$bin:"*)
    found=$(command -v agentguard 2>/dev/null || true)
    if [ -n "$found" ] && [ "$found" != "$bin/agentguard" ]; then
      say "note: $found comes first on your PATH and is another program; remove it or change the order"
    fi ;;
  *)
    say "note: $bin is not on your PATH. Add this line to your shell's start file:"
    # shellcheck disable=SC2016 # $PATH is for the start file
    say '  export PATH="'"$bin"':$PATH"' ;;
esac
