//go:build deps

package deps

import (
	_ "github.com/fatih/color"
	_ "github.com/go-git/go-git/v5/plumbing"
	_ "github.com/go-git/go-git/v5/storage/filesystem"
	_ "github.com/goccy/go-yaml"
	_ "github.com/gofrs/flock"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/tailscale/hujson"
	_ "github.com/tidwall/gjson"
	_ "github.com/urfave/cli/v2"
	_ "github.com/zricethezav/gitleaks/v8/detect"
	_ "mvdan.cc/sh/v3/syntax"
)
