package evidence

// runner is one way to verify. Programs are base names, and all lists are
// separated by blanks. An option stands in them as it is written; "--opt=a|b"
// means those values only, and the values %none, %all and %noop stand for a
// pattern that matches no test, one that matches every test, and a program that
// does nothing. A word without a dash means the first operand, behind sub if
// there is one.
type runner struct {
	programs string
	sub      string // the first operand, one of these; empty: none needed
	then     string // the operand behind sub, one of these
	with     string // options of which one must be given
	kind     Kind
	idle     string // with these it verifies nothing
	watch    string // with these it goes on for ever
	loose    string // with these its status hides failures
	untested string // with these it leaves its tests out and does the rest
	part     string // with these it covers a part
	value    string // options whose value is the next word
	at       string // options that name another folder
	wide     string // operands that mean everything
	behind   string // idle words behind "--", where another program reads them
	hands    string // the program whose row reads those; empty: this row
	single   bool   // long options have one dash
	abbrev   bool   // long options may be cut short
	local    bool   // without an operand it covers one folder
	task     bool   // the operands are names that the project chose
}

// Options that several runners share.
const (
	goIdle  = "-c -list -n -exec=%noop -run=%none -skip=%all -count=0"
	goPart  = "-run -skip"
	goValue = "-run -skip -list -exec -count -timeout -bench -benchtime -blockprofile -blockprofilerate -coverprofile -covermode -coverpkg -cpu -cpuprofile -fuzz -fuzztime -memprofile -memprofilerate -mutexprofile -o -outputdir -p -parallel -shuffle -tags -vet -mod -modfile -ldflags -gcflags -asmflags -trace -overlay -pgo -buildmode -toolexec"

	pytestIdle  = "--collect-only --co --collectonly --fixtures --funcargs --fixtures-per-test --setup-plan --setupplan --setup-only --setuponly --markers --cache-show --version -V --last-failed-no-failures=none --lfnf=none -k=%none"
	pytestPart  = "-k -m --lf --last-failed --sw --stepwise --deselect --ignore --ignore-glob --testmon --picked --nf --shard-id --splits"
	pytestValue = "-k -m -p -c -o -r -W -n -g --deselect --ignore --ignore-glob --rootdir --confcutdir --maxfail --tb --durations --junitxml --junit-xml --cov --cov-report --cov-config --numprocesses --dist --timeout --capture --log-level --log-cli-level --import-mode --basetemp --override-ini --color --reruns --count --randomly-seed --ds --html --lfnf --last-failed-no-failures --splits --group --shard-id --num-shards"

	jestIdle  = "--listTests --list-tests --showConfig --show-config --clearCache --clear-cache --init -v --version -t=%none --testNamePattern=%none --testPathIgnorePatterns=%all"
	jestPart  = "-t --testNamePattern --testPathPattern --testPathPatterns --testPathIgnorePatterns -o --onlyChanged --onlyFailures -f --changedSince --findRelatedTests --related --lastCommit --runTestsByPath --selectProjects --ignoreProjects --shard --group --testMatch --testRegex --filter"
	jestValue = "-t -c -w --testNamePattern --testPathPattern --testPathPatterns --testPathIgnorePatterns --config --rootDir --roots --maxWorkers --env --testEnvironment --reporters --coverageReporters --coverageDirectory --collectCoverageFrom --selectProjects --ignoreProjects --shard --changedSince --testTimeout --outputFile --testMatch --projects --setupFilesAfterEnv"

	phpunitIdle  = "--list-tests --list-tests-xml --list-suites --list-groups --list-test-files --list-test-ids --check-version --check-php-configuration --generate-configuration --migrate-configuration --warm-coverage-cache --atleast-version --init --version --filter=%none"
	phpunitPart  = "--filter --exclude-filter --group --exclude-group --testsuite --exclude-testsuite --covers --uses --dirty --retry --todos"
	phpunitValue = "-c -d --configuration --bootstrap --filter --exclude-filter --group --exclude-group --testsuite --exclude-testsuite --log-junit --coverage-html --coverage-clover --coverage-text --processes -p --order-by --random-order-seed --printer"

	cargoIdle  = "--no-run --list --build-plan -V --unit-graph"
	cargoPart  = "-p --package --exclude --lib --bin --bins --test --tests --doc --example --examples --bench --benches -E --filter-expr --partition"
	cargoValue = "-p -j -F -E -Z -P --package --exclude --bin --test --example --bench --features --target --target-dir --manifest-path --profile --message-format --jobs --color --config --filter-expr --partition --test-threads --retries --cargo-profile --run-ignored --no-tests --status-level --ignore-filename-regex --output-path"
	cargoTests = "--list --help -h --bench --skip=%all"

	rspecIdle  = "--dry-run --init --version -v -e=%none --example=%none"
	rspecPart  = "-e -E --example --example-matches -t --tag -P --pattern --exclude-pattern --only-failures -n --next-failure"
	rspecValue = "-e -E -f -r -I -O -o -t -P --example --example-matches --format --require --options --out --tag --pattern --exclude-pattern --seed --order --default-path --error-exit-code --failure-exit-code"

	makeIdle  = "-n --just-print --dry-run --recon -q --question -t --touch -v --version"
	makeValue = "-C -f -I -o -W -E --directory --file --makefile --include-dir --old-file --assume-old --what-if --new-file --assume-new --eval"
	npmIdle   = "-l --list -v --version --script-shell=%noop --dry-run -e --eval -p --print"
	npmValue  = "-F --filter --filter-prod --workspace-concurrency --reporter --script-shell --loglevel --include --exclude --from --test-pattern --config -c -j --jobs"
	siteIdle  = "serve server watch dev new init version"
)

// runners is the table of common ones, first match wins. Data only.
var runners = [...]runner{
	// Go
	{
		programs: "go", sub: "test", kind: Test, single: true, local: true, wide: "./... ...", at: "-C",
		idle: goIdle, part: goPart, value: goValue, behind: goIdle,
	},
	{
		programs: "gotestsum", kind: Test, wide: "./...", idle: "tool help", watch: "--watch --watch-chdir",
		value: "-f --format --jsonfile --junitfile --packages --rerun-fails-max-failures --post-run-command", behind: goIdle, hands: "go",
	},
	{programs: "gotest richgo", kind: Test, single: true, wide: "./... test", idle: goIdle, part: goPart, value: goValue},
	{
		programs: "ginkgo", kind: Test, single: true, wide: "./... run -r",
		idle:  "build bootstrap generate labels outline unfocus version nodot -dry-run -dryRun -focus=%none -skip=%all",
		watch: "watch", part: "-focus -skip -focus-file -skip-file -label-filter -skip-package",
		value: "-focus -skip -p -procs -nodes -label-filter -focus-file -skip-file -skip-package -timeout -output-dir -junit-report -json-report -seed -tags -coverprofile -coverpkg",
	},
	{programs: "go", sub: "build install", kind: Build, single: true, local: true, wide: "./... .", at: "-C", idle: "-n", value: goValue},
	{programs: "go", sub: "vet", kind: Lint, single: true, local: true, wide: "./...", at: "-C", idle: "-n help", value: goValue},
	{programs: "golangci-lint", sub: "run", kind: Lint, wide: "./...", loose: "--issues-exit-code=0", value: "-c -E -D -p --config --enable --disable --timeout --new-from-rev --build-tags"},
	{programs: "golangci-lint", sub: "fmt", with: "-d --diff", kind: Lint},
	{programs: "staticcheck revive gosec errcheck nilaway", kind: Lint, single: true, wide: "./...", idle: "-version -list-checks -explain -matrix", value: "-checks -tags -config -formatter -f -fail"},
	{programs: "govulncheck", kind: Lint, wide: "./...", idle: "-version"},
	{programs: "gofmt gofumpt goimports gci", kind: Lint, idle: "-w", wide: ". ./..."},
	// Rust
	{programs: "cargo cross", sub: "nextest", then: "run r", kind: Test, idle: cargoIdle, part: cargoPart, value: cargoValue, behind: cargoTests},
	{programs: "cargo-nextest", sub: "nextest", then: "run r", kind: Test, idle: cargoIdle, part: cargoPart, value: cargoValue},
	{programs: "cargo cross", sub: "llvm-cov", kind: Test, idle: "report show-env clean nextest-archive --no-run " + cargoIdle, part: cargoPart, value: cargoValue, wide: "test nextest", behind: cargoTests},
	{programs: "cargo", sub: "miri hack careful insta mutants", then: "test nextest", kind: Test, idle: cargoIdle, part: cargoPart, value: cargoValue, behind: cargoTests},
	{programs: "cargo cross", sub: "test t tarpaulin mutants", kind: Test, idle: cargoIdle + " --print-config --print-rust-flags", part: cargoPart, value: cargoValue, behind: cargoTests},
	{programs: "cargo cross", sub: "check c", kind: Types, idle: "--unit-graph", value: cargoValue, part: cargoPart},
	{programs: "cargo", sub: "clippy", kind: Lint, value: cargoValue, part: "-p --package"},
	{programs: "cargo", sub: "fmt", with: "--check", kind: Lint, value: "-p"},
	{programs: "cargo", sub: "deny audit machete udeps", kind: Lint},
	{programs: "cargo", sub: "publish", with: "--dry-run -n", kind: Compare},
	{programs: "cargo", sub: "package", kind: Build, idle: "-l --list", value: cargoValue},
	{programs: "cargo cross", sub: "build b", kind: Build, idle: "--build-plan --unit-graph", value: cargoValue, part: cargoPart},
	{programs: "cargo", sub: "xtask make", kind: Check, idle: "--list-all-steps --list-category-steps --print-steps --diff-steps", task: true},
	{programs: "trunk wasm-pack", sub: "test", kind: Test},
	{programs: "trunk wasm-pack", sub: "build", kind: Build},
	{programs: "rustfmt", with: "--check", kind: Lint},
	// Python
	{programs: "pytest py.test pytest-3 pytest3", kind: Test, wide: ". tests test tests/ test/ ./tests ./test", idle: pytestIdle, watch: "-f --looponfail", part: pytestPart, value: pytestValue, at: "--rootdir"},
	{
		programs: "tox", kind: Test, abbrev: true,
		idle: "-l --listenvs -a --listenvs-all --showconfig --notest -n --devenv --help-ini --hi -b --pkg-only --sdistonly list l config c devenv d depends de quickstart q exec e schema man",
		part: "-e -m -f --skip-env", value: "-e -m -f -c -p -x -o --conf --workdir --root --override --skip-env --installpkg --result-json --parallel", wide: "run r run-parallel p legacy le", task: true,
	},
	{programs: "nox", kind: Test, idle: "-l --list --list-sessions --install-only --report", part: "-s -e -t -k --session --sessions --tags --keywords", value: "-s -e -t -k -f -p --session --sessions --tags --keywords --noxfile --pythons --force-python --default-venv-backend --envdir", task: true},
	{programs: "unittest", kind: Test, abbrev: true, wide: "discover", part: "-k", value: "-k -s -p -t --start-directory --pattern --top-level-directory --durations"},
	{programs: "nosetests nose2", kind: Test, idle: "--collect-only --plugins", part: "-a --attr -A --eval-attr -m --testmatch", value: "-a -A -c -w -s -m --attr --config --where"},
	{programs: "trial", kind: Test, idle: "-n --dry-run --help-reporters --help-order", value: "-j --jobs --reporter --order"},
	{programs: "stestr testr", sub: "run", kind: Test, part: "--failing --load-list --include-list --exclude-regex"},
	{programs: "green", kind: Test, idle: "--help", value: "-s --processes"},
	{programs: "behave", kind: Test, abbrev: true, idle: "-d --dry-run --steps-catalog --steps-usage --lang-list --lang-help --tags-help", part: "-t --tags -n --name -i --include -e --exclude", value: "-t -n -i -e -f -o -D --tags --name --include --exclude --format --outfile --define --stage"},
	{programs: "robot pabot", kind: Test, idle: "--dryrun --help", loose: "--nostatusrc", part: "-t -s -i -e --test --suite --include --exclude --rerunfailed", value: "-t -s -i -e -v -d -N -L --test --suite --include --exclude --variable --outputdir --name --loglevel"},
	{programs: "doctest", kind: Test},
	{programs: "manage.py django-admin", sub: "test", kind: Test, abbrev: true, part: "-k --tag --exclude-tag", value: "-k -v -p --tag --exclude-tag --settings --verbosity --parallel --pattern --testrunner"},
	{programs: "manage.py django-admin", sub: "check makemigrations", kind: Lint},
	{programs: "setup.py", sub: "test", kind: Test},
	{programs: "hatch", sub: "test", kind: Test, idle: "-s --show", part: "-i -x --include --exclude", value: "-i -x -py --python --include --exclude --retries --retry-delay", wide: "tests"},
	{programs: "hatch", sub: "fmt", with: "--check -l --linter", kind: Lint},
	{programs: "hatch", sub: "build", kind: Build},
	{programs: "mypy pyright basedpyright pytype dmypy pyrefly", kind: Types, wide: ". src check run", idle: "-V --version --createstub --dependencies daemon status stop", watch: "-w --watch", value: "-p -m -c --config-file --project --python-version --package --module"},
	{programs: "pyre ty", sub: "check", kind: Types},
	{programs: "ruff", sub: "check", kind: Lint, wide: ".", idle: "--show-files --show-settings", watch: "-w --watch", loose: "--exit-zero -e", value: "--select --ignore --config --extend-select --output-format"},
	{programs: "ruff", sub: "format", with: "--check --diff", kind: Lint, wide: "."},
	{programs: "flake8 pylint pycodestyle bandit pyflakes pydocstyle vulture", kind: Lint, wide: ". src", loose: "--exit-zero", idle: "--list-msgs --list-msgs-enabled --list-groups --list-extensions --list-conf-levels --help-msg --generate-rcfile --generate-toml-config --bug-report", value: "--rcfile --config --max-line-length --select --ignore -r -c -f"},
	{programs: "black isort autopep8 yapf", with: "--check --diff -c --check-only -d", kind: Lint, wide: "."},
	{programs: "py_compile compileall", kind: Lint},
	{programs: "pre-commit prek lefthook overcommit", sub: "run", kind: Lint, idle: "--list", value: "--hook-stage --from-ref --to-ref --files --color --hook-type", wide: "pre-commit pre-push"},
	{programs: "overcommit", with: "--run -r", kind: Lint},
	{programs: "hk", sub: "check", kind: Lint, idle: "--plan -n --dry-run"},
	{programs: "twine", sub: "check", kind: Compare},
	// JavaScript, TypeScript
	{programs: "jest jest-cli", kind: Test, idle: jestIdle, watch: "--watch --watchAll", part: jestPart, value: jestValue, at: "--rootDir"},
	{
		programs: "vitest", kind: Test, wide: "run watch dev",
		idle:  "list init bench --clearCache --clear-cache --mergeReports --merge-reports --typecheck.only --list-tags --listTags -v --version -t=%none --testNamePattern=%none",
		watch: "watch dev -w --watch --standalone --ui", part: "-t --testNamePattern --project --changed --shard --dir --exclude --tags-filter related",
		value: "-t -c -r --testNamePattern --config --root --dir --project --shard --reporter --environment --pool --maxWorkers --minWorkers --testTimeout --hookTimeout --exclude --bail --outputFile --coverage.reporter --coverage.provider", at: "-r --root",
	},
	{programs: "mocha", kind: Test, idle: "--dry-run --list-files --list-reporters --list-interfaces -V init -g=%none --grep=%none", watch: "-w --watch", part: "-g --grep -f --fgrep -i --invert", value: "-g -f -r -R -t -u -O -s -j --grep --fgrep --require --reporter --timeout --ui --config --spec --extension --file --ignore --exclude --jobs"},
	{programs: "ava", kind: Test, idle: "reset-cache debug", watch: "-w --watch", part: "-m --match", value: "-m -T -c --match --timeout --config --concurrency --node-arguments"},
	{programs: "tap", kind: Test, wide: "run", idle: "list build config dump-config plugin report versions debug repl replay version help", part: "-O --only --grep -g --changed -n", value: "-j -t -R -g --jobs --timeout --reporter --grep"},
	{programs: "tape borp uvu lab qunit brittle", kind: Test, idle: "--dry-run -l --list", watch: "-w --watch", value: "-r --require -i --ignore -t -m -o"},
	{programs: "jasmine", kind: Test, idle: "init examples version enumerate -v", part: "--filter --filter-path", value: "--filter --config --reporter --seed"},
	{programs: "karma", sub: "start run", kind: Test},
	{programs: "web-test-runner wtr testem", kind: Test, idle: "launchers init", watch: "--watch -w", part: "--group", wide: "ci"},
	{programs: "test-storybook", kind: Test, idle: "--eject " + jestIdle, watch: "--watch --watchAll", part: jestPart, value: jestValue},
	{
		programs: "playwright", sub: "test", kind: Test, idle: "--list -g=%none --grep=%none --grep-invert=%all", watch: "--ui --ui-host --ui-port",
		part:  "-g --grep --grep-invert --project --shard --last-failed --only-changed --test-list",
		value: "-g -c -j -x --grep --grep-invert --project --shard --config --workers --reporter --retries --timeout --max-failures --output --repeat-each --global-timeout --trace",
	},
	{programs: "cypress", sub: "run run-ct", kind: Test, part: "-s --spec --tag", value: "-s -b -C -c -e -P -r -o --spec --browser --config --config-file --env --reporter --project --key --group", at: "-P --project"},
	{programs: "wdio nightwatch codeceptjs testcafe detox", kind: Test, idle: "config install repl dry-run list init generate def build --list-files --list-browsers -b --dry-run", part: "--spec --suite --grep --tag -t -T --test --group -f --fixture", wide: "run test run-multiple run-workers", value: "--spec --suite --grep --env -e -c --config --tag"},
	{programs: "node", with: "--test", kind: Test, idle: "-c --check -v --version --test-name-pattern=%none --test-skip-pattern=%all", watch: "--watch", part: "--test-name-pattern --test-skip-pattern --test-only --test-shard", value: "-r --require --import --loader --experimental-loader --env-file -C --conditions --test-name-pattern --test-reporter --test-reporter-destination --test-concurrency --test-timeout --test-shard"},
	{programs: "node", with: "--check -c", kind: Lint, value: "-r --require --import --loader"},
	{programs: "bun", sub: "test", kind: Test, idle: "-t=%none --test-name-pattern=%none", watch: "--watch --hot", part: "-t --test-name-pattern --only --todo --changed", value: "-t -r --test-name-pattern --preload --timeout --rerun-each --coverage-reporter --coverage-dir --env-file --config --reporter --reporter-outfile --max-concurrency --seed --bail", at: "--cwd"},
	{programs: "deno", sub: "test", kind: Test, idle: "--no-run --filter=%none", watch: "--watch", part: "--filter --doc --ignore", value: "-c --config --filter --import-map --junit-path --reporter --coverage"},
	{programs: "deno", sub: "check", kind: Types},
	{programs: "deno", sub: "lint", kind: Lint, idle: "--rules", watch: "--watch"},
	{programs: "deno", sub: "fmt", with: "--check", kind: Lint},
	{programs: "react-scripts craco react-app-rewired rescripts", sub: "test", kind: Test, idle: jestIdle, watch: "--watch --watchAll", part: jestPart, value: jestValue},
	{programs: "ng vue-cli-service ember wp-scripts tsdx umi-test aegir rstest", sub: "test test:unit test:e2e test-unit-js test-e2e unit e2e", kind: Test, idle: "--list --list-tests --listTests", watch: "--server --watch", part: "--include --filter --module --grep --project"},
	{programs: "tsc vue-tsc tsgo", kind: Types, idle: "-v --version --init --showConfig --listFilesOnly --all --clean --dry -d", watch: "-w --watch", value: "-p --project --outDir --target --module --lib --types --typeRoots --jsx"},
	{programs: "svelte-check", kind: Types, watch: "--watch", value: "--tsconfig --workspace --output --threshold"},
	{programs: "flow", kind: Types, wide: "check status focus-check", idle: "version stop ls init start server"},
	{programs: "attw tsd publint", kind: Types},
	{programs: "astro nuxt nuxi", sub: "check typecheck", kind: Types, watch: "--watch"},
	{programs: "next", sub: "lint", kind: Lint},
	{programs: "eslint oxlint stylelint standard xo tslint", kind: Lint, wide: ". src", idle: "--print-config --init --env-info --inspect-config --rules --lsp -v --version", value: "-c -f -o --config --ext --format --rule --ignore-path --ignore-pattern --max-warnings --cache-location --parser-options --resolve-plugins-relative-to --rulesdir --output-file --tsconfig"},
	{programs: "biome", sub: "check ci lint", kind: Lint, wide: ". src", value: "--config-path --max-diagnostics --reporter --since"},
	{programs: "biome", sub: "format", kind: Lint, wide: ". src", idle: "--write --fix", value: "--config-path --max-diagnostics --reporter --since"},
	{programs: "prettier", with: "--check -c --list-different -l", kind: Lint, value: "--config --ignore-path --plugin --parser --log-level"},
	{programs: "knip depcheck madge depcruise dependency-cruiser syncpack sherif", kind: Lint},
	{programs: "docusaurus vitepress vuepress gatsby hexo jekyll mkdocs zola mdbook nikola pelican eleventy @11ty/eleventy antora quarto gitbook hugo sphinx-build middleman bridgetown slidev storybook", kind: Build, idle: siteIdle + " start develop deploy gh-deploy clean swizzle list preview env config mod create add", watch: "--watch -w --serve -s -D --livereload"},
	{programs: "next vite nuxt nuxi astro ng rollup webpack esbuild tsup rspack parcel swc svelte-kit remix react-router expo tauri electron-builder wrangler vercel netlify", sub: "build generate export", kind: Build, watch: "-w --watch", idle: "--dry-run"},
	{programs: "rollup webpack esbuild tsup tsdown unbuild rspack", kind: Build, idle: "serve info init version configtest help", watch: "watch -w --watch"},
	{programs: "nx", kind: Check, idle: "show graph print-affected list report daemon reset migrate init connect import repair g generate --graph --dry-run -d", part: "-p --projects --exclude affected", value: "-t -p -c --target --targets --projects --exclude --configuration --base --head --parallel --runner --output-style", task: true},
	{programs: "turbo", kind: Check, idle: "ls prune query login link unlink gen daemon info telemetry bin --dry --dry-run --graph", watch: "watch", part: "-F --filter --affected --scope", value: "-F --filter --concurrency --cache-dir --output-logs --log-order --env-mode --team --token --api --cache --log-prefix", at: "--cwd", task: true},
	{programs: "lerna moon rush rushx ultra wsrun", kind: Check, idle: "ls list changed diff clean bootstrap publish version query docker sync setup graph project task", part: "--scope --since --include --to --from --only --affected", value: "--scope --since --ignore --concurrency --to --from --only", task: true},
	{programs: "npm-run-all run-s run-p nr concurrently", kind: Check, idle: "-n", task: true},
	// JVM
	{
		programs: "gradlew gradle gw", kind: Build, task: true, watch: "-t --continuous",
		idle:     "-m --dry-run --test-dry-run -v --version --status --stop -? tasks projects properties dependencies help init wrapper buildEnvironment components",
		untested: "-DskipTests -PskipTests -Pskip.tests -Dskip.tests",
		part:     "--tests", value: "-x -p -b -c -g -I -a --exclude-task --project-dir --build-file --settings-file --init-script --tests --console --warning-mode --max-workers --include-build --configuration --task", at: "-p --project-dir",
	},
	{
		programs: "mvn mvnw mvnd", kind: Build, task: true, single: true, idle: "-v",
		untested: "-DskipTests -DskipTest -Dskip.tests -Dmaven.test.skip -Dmaven.test.skip.exec -DskipUnitTests -Dskip.unit.tests -Dskip.surefire.tests -Dsurefire.skip -Dmaven.surefire.skip",
		loose:    "-fn -fail-never -Dmaven.test.failure.ignore -DtestFailureIgnore -Dmaven.test.error.ignore",
		part:     "-Dtest -Dit.test -Dgroups -pl -projects -Dsurefire.suiteXmlFiles", value: "-pl -P -f -s -gs -t -T -l -rf -projects -activate-profiles -file -settings -threads -log-file -resume-from -toolchains", at: "-f -file",
	},
	{programs: "sbt", kind: Build, task: true, idle: "projects tasks settings show inspect about help plugins reload console", value: "-D -J"},
	{programs: "mill", kind: Build, task: true, idle: "resolve plan show inspect path visualize visualizePlan init version", watch: "-w --watch"},
	{programs: "lein clojure clj bb ant scala-cli scala bloop amper", kind: Build, task: true, idle: "-P -Spath -Stree -Sdescribe -p -projecthelp -diagnostics -version tasks deps help"},
	{programs: "detekt ktlint checkstyle spotbugs pmd scalafmt scalafix", kind: Lint},
	// .NET
	{
		programs: "dotnet", sub: "test", kind: Test, idle: "-t --list-tests -? --info", loose: "--ignore-exit-code", part: "--filter --treenode-filter --filter-class --filter-method --project",
		value:  "-c -f -r -o -l -s -v -a -e -d --configuration --framework --runtime --output --logger --settings --verbosity --filter --results-directory --collect --arch --os --environment --project --solution --max-parallel-test-modules",
		behind: "--list-tests --help -? --info",
	},
	{programs: "dotnet", sub: "vstest", kind: Test, idle: "-lt --ListTests /ListTests /lt"},
	{programs: "dotnet", sub: "build publish msbuild pack", kind: Build, value: "-c -f -r -o -v -a --configuration --framework --runtime --output --verbosity --arch --os"},
	{programs: "dotnet", sub: "format", with: "--verify-no-changes", kind: Lint},
	{programs: "msbuild xbuild", kind: Build},
	{programs: "vstest.console", kind: Test, idle: "-lt --ListTests /ListTests /lt /?"},
	{programs: "nunit3-console xunit.console", kind: Test, idle: "--explore -list -?"},
	// Ruby
	{programs: "rspec turbo_tests parallel_rspec flatware", kind: Test, abbrev: true, wide: "spec spec/ ./spec rspec", idle: rspecIdle, part: rspecPart, value: rspecValue, loose: "--failure-exit-code=0"},
	{programs: "minitest m parallel_test", kind: Test, wide: "test test/", idle: "--show-tests", part: "-n --name -e --exclude -x", value: "-n -e -s --name --exclude --seed -m"},
	{programs: "cucumber cucumber-js parallel_cucumber", kind: Test, abbrev: true, wide: "features features/", idle: "-d --dry-run --init -i --i18n-languages --i18n-keywords", part: "-t --tags -n --name -e --exclude", value: "-t -n -e -p -f -o -r -i --tags --name --exclude --profile --format --out --require --import"},
	{programs: "rails", kind: Check, idle: "-T --tasks server s console c generate g destroy d new runner r routes db stats notes about", part: "-n --name -i --include -e --exclude", value: "-n -e -s --name --exclude --seed -b", task: true},
	{programs: "rake", kind: Check, abbrev: true, idle: "-n --dry-run -T --tasks -P --prereqs -W --where -D --describe -AT -A -H -V", value: "-f -R -C -I -r -e -E -p -m -j --rakefile --rakelibdir --directory --libdir --require --jobs", at: "-C --directory", task: true},
	{programs: "rubocop standardrb reek brakeman erblint haml-lint", kind: Lint, idle: "-L --list-target-files -V -v --version --show-cops --show-docs-url --init --auto-gen-config --start-server --stop-server", value: "-c -f -o --config --format --out --only --except --fail-level"},
	{programs: "srb steep sorbet", kind: Types, idle: "init version"},
	// PHP
	{programs: "phpunit simple-phpunit paratest", kind: Test, idle: phpunitIdle, part: phpunitPart, value: phpunitValue, abbrev: true},
	{programs: "pest", kind: Test, idle: phpunitIdle, part: phpunitPart, value: phpunitValue},
	{programs: "codecept", sub: "run", kind: Test, part: "-g -x --group --skip --filter -f", value: "-c -o -e -g -x --env --group --skip --override"},
	{programs: "behat", kind: Test, idle: "--dry-run -dl -di -df --definitions -d --init --story-syntax -V", part: "--tags --name --suite -s --role", value: "-s -f -o -c -p --tags --name --suite --format --out --config --profile"},
	{programs: "phpspec", sub: "run", kind: Test},
	{programs: "kahlan atoum tester infection", kind: Test},
	{programs: "artisan", sub: "test dusk", kind: Test, idle: phpunitIdle, part: phpunitPart, value: phpunitValue},
	{programs: "phpstan", sub: "analyse analyze", kind: Types, value: "-c -l -a --configuration --level --memory-limit --error-format"},
	{programs: "psalm phan", kind: Types, idle: "--init --version -v"},
	{programs: "phpcs php-cs-fixer pint phpmd ecs rector", kind: Lint, idle: "list describe init -i"},
	{programs: "php", with: "-l --syntax-check", kind: Lint},
	{programs: "composer", kind: Check, idle: "-l --list --dry-run", task: true},
	// C, C++
	{
		programs: "ctest", kind: Test, single: true, idle: "-N -show-only -print-labels -list-presets -version -E=%all -exclude-regex=%all -R=%none -help-full -help-manual -help-command",
		part:  "-R -tests-regex -E -exclude-regex -L -label-regex -LE -label-exclude -I -tests-information -rerun-failed",
		value: "-R -E -L -LE -I -C -j -O -T -M -D -S -tests-regex -exclude-regex -label-regex -label-exclude -tests-information -build-config -parallel -timeout -repeat -test-dir -preset -output-junit -output-log -stop-time",
	},
	{programs: "meson", sub: "test", kind: Test, idle: "--list --benchmark --wrap=%noop --wrapper=%noop", part: "--suite --no-suite", value: "-C -t -j --suite --no-suite --wrapper --wrap --setup --num-processes --repeat --timeout-multiplier --logbase --test-args"},
	{programs: "meson", sub: "compile", kind: Build, value: "-C -j"},
	{programs: "cmake", with: "--build", kind: Build, value: "--build -t --target -j --parallel --config --preset", idle: "-N -P -E", task: true},
	{programs: "ninja samu", kind: Build, idle: "-n -t --version", value: "-C -f -j -k -l -d -w", task: true},
	{programs: "gcc g++ clang clang++ cc c++ rustc javac kotlinc swiftc ghc zig-cc", kind: Build, idle: "--version -v -dumpversion -###"},
	{programs: "clang-tidy cppcheck", kind: Lint, idle: "--list-checks --dump-config --doc --errorlist"},
	{programs: "clang-format", with: "--dry-run -n", kind: Lint},
	{
		programs: "bazel bazelisk buck2 pants please plz", sub: "test coverage", kind: Test, wide: "//... :: ...",
		idle: "--nobuild --build=false --noanalyze --check_tests_up_to_date --run_under=%noop --test_arg=--gtest_list_tests|--help|--list|--list-tests|--list_tests|--collect-only --build_only --test_filter=%none",
		part: "--test_filter --test_tag_filters --test_size_filters --test_lang_filters --changed-since --include --exclude", value: "-c -j -k --config --test_filter --test_output --test_arg --jobs",
	},
	{programs: "bazel bazelisk buck2 pants please plz", sub: "build check", kind: Build, wide: "//... ::", idle: "--nobuild"},
	{programs: "pants", sub: "lint", kind: Lint, wide: "::"},
	// Elixir, Erlang, Haskell, OCaml, Swift, Dart, Zig, Julia, Perl, R, Lua, Scala, Elm, Nim, Crystal
	{programs: "mix", sub: "test", kind: Test, idle: "--dry-run", watch: "--listen-on-stdin", loose: "--exit-status=0", part: "--only --include --exclude --stale --failed --partitions", value: "--only --include --exclude --seed --max-failures --max-cases --timeout --formatter --slowest --exit-status --partitions --repeat-until-failure"},
	{programs: "mix", sub: "format", with: "--check-formatted --dry-run", kind: Lint},
	{programs: "mix", kind: Check, idle: "help archive local hex", task: true},
	{programs: "rebar3", kind: Test, idle: "help tree deps shell", part: "--suite --case --group --module --app --dir", value: "--suite --case --group --module --app --dir", task: true},
	{programs: "gleam", sub: "format", with: "--check", kind: Lint},
	{programs: "gleam", kind: Check, task: true},
	{
		programs: "stack", sub: "test", kind: Test, idle: "--no-run-tests --dry-run --only-snapshot --only-dependencies --only-configure --test-arguments=--dry-run|--list-tests|--help|--match=%none --ta=--dry-run|--list-tests|--help",
		watch: "--file-watch --file-watch-poll", value: "--test-arguments --ta --resolver --stack-yaml --flag --ghc-options",
	},
	{programs: "stack", sub: "build", with: "--test", kind: Test, idle: "--no-run-tests --dry-run", watch: "--file-watch"},
	{programs: "cabal", sub: "test v2-test new-test v1-test", kind: Test, idle: "--dry-run --only-dependencies --only-download --only-configure --test-options=--dry-run|--list-tests|--help --test-option=--dry-run|--list-tests|--help", wide: "all", value: "--test-options --test-option --test-show-details -w -f -O --builddir --project-file"},
	{programs: "dune", sub: "test runtest", kind: Test, watch: "-w --watch", value: "-p -j --root --profile --display", at: "--root"},
	{programs: "cabal", sub: "run", kind: Test, task: true},
	{programs: "dune", sub: "build", then: "@runtest @test", kind: Test, watch: "-w --watch"},
	{programs: "stack cabal dune", sub: "build", kind: Build, idle: "--dry-run", watch: "--file-watch -w --watch"},
	{programs: "swift", sub: "test", kind: Test, idle: "list -l --list-tests --show-codecov-path --show-coverage-path --show-code-coverage-path --filter=%none --skip=%all", part: "--filter --skip -s --specifier", value: "-c -s --filter --skip --specifier --configuration --package-path --scratch-path --build-path --num-workers --xunit-output --sdk --toolchain", at: "--package-path"},
	{programs: "swift", sub: "build", kind: Build, idle: "--show-bin-path", value: "-c --product --target --package-path"},
	{
		programs: "xcodebuild", kind: Build, task: true, single: true, part: "-only-testing -skip-testing -testPlan",
		idle:  "-list -showBuildSettings -showsdks -version -showdestinations -showTestPlans -checkFirstLaunchStatus -enumerate-tests -dry-run -n -exportArchive -resolvePackageDependencies",
		value: "-scheme -workspace -project -destination -configuration -sdk -target -derivedDataPath -resultBundlePath -testPlan -only-testing -skip-testing -arch -xctestrun -archivePath -parallel-testing-worker-count -test-iterations -toolchain",
	},
	{programs: "xctest", kind: Test},
	{programs: "fastlane", kind: Check, idle: "lanes list actions init env docs", task: true},
	{programs: "swiftlint swiftformat", kind: Lint, idle: "rules version docs generate-docs", wide: "lint"},
	{programs: "flutter dart very_good patrol", sub: "test", kind: Test, part: "-n -N -t -x -P --name --plain-name --tags --exclude-tags --preset --shard-index", value: "-n -N -t -x -P -p -j -r -c -d --name --plain-name --tags --exclude-tags --preset --platform --concurrency --reporter --timeout --dart-define --device-id --test-randomize-ordering-seed --coverage-path", idle: "--start-paused --name=%none --plain-name=%none"},
	{programs: "flutter dart", sub: "analyze", kind: Lint, watch: "--watch"},
	{programs: "dart", sub: "format", with: "--set-exit-if-changed", kind: Lint},
	{programs: "flutter", sub: "build", kind: Build},
	{programs: "melos", kind: Check, idle: "list bootstrap bs clean", task: true},
	{programs: "zig", sub: "test", kind: Test, idle: "--test-no-exec --test-filter=%none", part: "--test-filter", value: "--test-filter --test-name-prefix --test-cmd -O -target --dep -I -L -l"},
	{programs: "zig", sub: "fmt", with: "--check", kind: Lint},
	{programs: "zig", sub: "build", kind: Build, idle: "-l --list-steps", watch: "--watch", part: "-Dtest-filter", task: true},
	{programs: "prove", kind: Test, abbrev: true, idle: "-D --dry -V --version -H --man --exec=%noop -e=%noop", part: "--state", value: "-I -e -j -a -P -M --exec --jobs --archive --state --ext --formatter --harness --source --merge", wide: "t t/"},
	{programs: "yath dzil build", sub: "test", kind: Test},
	{programs: "r", sub: "CMD", then: "check", kind: Test, idle: "--no-tests"},
	{programs: "busted", kind: Test, idle: "-l --list", part: "-t --tags --exclude-tags --filter --filter-out --name -r --run", value: "-t -o -m -p -C -f -r --tags --exclude-tags --filter --filter-out --name --output --run --pattern --helper --lpath"},
	{programs: "luacheck selene", kind: Lint},
	{programs: "elm-test elm-test-rs", kind: Test, idle: "init install make", watch: "--watch", value: "--seed --fuzz --report --compiler"},
	{programs: "elm-review", kind: Lint, watch: "--watch"},
	{programs: "bats", kind: Test, idle: "-c --count -v --version", part: "-f --filter --filter-tags --filter-status --negative-filter", value: "-f -F -j -o --filter --filter-tags --filter-status --formatter --jobs --output --report-formatter --gather-test-outputs-in", wide: "test tests test/ tests/"},
	{programs: "shellspec", kind: Test, idle: "--list --count --dry-run --syntax-check --translate --init --task -v --version", part: "-P --pattern -E --example -T --tag --focus --quick -q --repair --next", value: "-P -E -T -s -f -o -j -D --pattern --example --tag --shell --format --output --jobs --default-path"},
	{programs: "roundup testscript runtest shunit2", kind: Test},
	{programs: "crystal", sub: "spec", kind: Test, idle: "--dry-run --list-tags", part: "-e --example -l --line --location --tag", value: "-e -l --example --line --location --tag --order --time --junit_output"},
	{programs: "ameba", kind: Lint},
	{programs: "nimble", sub: "test", kind: Test},
	{programs: "testament", kind: Test, idle: "--simulate --print"},
	{programs: "elm", sub: "make", kind: Build},
	{programs: "forge", sub: "test snapshot coverage", kind: Test, idle: "-l --list --match-test=%none --no-match-test=%all", watch: "-w --watch", part: "--mt --mc --mp --match-test --match-contract --match-path --no-match-test --no-match-contract --no-match-path --nmt --nmc --nmp --rerun", value: "--mt --mc --mp --match-test --match-contract --match-path --no-match-test --no-match-contract --no-match-path --nmt --nmc --nmp --fork-url -f --rpc-url --fuzz-runs --fuzz-seed --root --seed -j", at: "--root"},
	{programs: "forge", sub: "build", kind: Build},
	{programs: "hardhat truffle anchor", sub: "test coverage", kind: Test, part: "--grep", value: "--grep --network --config --provider.cluster"},
	{programs: "aptos sui", sub: "move", then: "test", kind: Test, idle: "-l --list", part: "-f --filter", value: "--filter --package-dir --path"},
	// Infrastructure, shell, documents
	{programs: "shellcheck hadolint actionlint yamllint tflint tfsec checkov ansible-lint markdownlint markdownlint-cli2 vale codespell typos kubeconform kubeval kube-linter cfn-lint lychee", kind: Lint, loose: "--soft-fail", idle: "--list-optional --init"},
	{programs: "buf", sub: "lint breaking", kind: Lint},
	{programs: "shfmt", with: "-d --diff -l --list", kind: Lint},
	{programs: "stylua taplo nixfmt alejandra", with: "--check -c", kind: Lint},
	{programs: "terraform tofu terragrunt", sub: "test", kind: Test, single: true, part: "-filter", value: "-filter -var -var-file -test-directory"},
	{programs: "terraform tofu terragrunt", sub: "validate", kind: Lint, single: true},
	{programs: "terraform tofu terragrunt", sub: "fmt", with: "-check", kind: Lint, single: true},
	{programs: "terraform tofu terragrunt", sub: "plan", kind: Compare, single: true, idle: "help"},
	{programs: "helm", sub: "lint", kind: Lint},
	{programs: "helm", sub: "unittest test", kind: Test},
	{programs: "helm", sub: "template diff", kind: Compare},
	{programs: "helm", sub: "upgrade install", with: "--dry-run", kind: Compare},
	{programs: "kubectl oc", sub: "apply create replace delete", with: "--dry-run", kind: Compare},
	{programs: "kubectl oc", sub: "diff", kind: Compare},
	{programs: "kubectl oc", sub: "rollout", then: "status", kind: Compare},
	{programs: "kubectl oc", sub: "wait", kind: Compare},
	{programs: "pulumi", sub: "preview", kind: Compare},
	{programs: "cdk cdktf", sub: "diff synth", kind: Compare},
	{programs: "sam", sub: "validate", kind: Compare},
	{programs: "sam", sub: "build", kind: Build},
	{programs: "ansible-playbook", with: "--check -C --syntax-check", kind: Compare, idle: "--list-hosts --list-tasks --list-tags"},
	{programs: "wrangler firebase netlify fly flyctl", sub: "deploy publish", with: "--dry-run --build-only", kind: Compare},
	{programs: "serverless sls", sub: "package", kind: Compare},
	{programs: "npm pnpm yarn bun", sub: "publish pack", with: "--dry-run", kind: Compare},
	{programs: "goreleaser", sub: "check", kind: Compare},
	{programs: "goreleaser", sub: "release build", with: "--snapshot --skip", kind: Build},
	{programs: "docker podman docker-compose", sub: "config", kind: Compare, with: "-q --quiet"},
	{programs: "nginx apachectl httpd sshd", with: "-t configtest", kind: Compare},
	{programs: "caddy", sub: "validate", kind: Compare},
	{programs: "promtool", sub: "check", kind: Compare},
	{programs: "promtool", sub: "test", kind: Test},
	{programs: "prisma alembic atlas", sub: "validate check", kind: Compare},
	{programs: "rsync", with: "-n --dry-run", kind: Compare},
	{programs: "opa", sub: "test", kind: Test},
	{programs: "opa regal", sub: "check lint", kind: Lint},
	{programs: "conftest", sub: "verify", kind: Test},
	{programs: "conftest", sub: "test", kind: Lint},
	{programs: "docker podman docker-compose buildah nerdctl", sub: "build buildx", kind: Build, idle: "--check --print"},
	{programs: "docker-compose podman-compose", kind: Check, idle: "config ps logs down stop rm pull --dry-run -d --detach", value: "-f -p --file --project-name --profile --env-file --scale", task: true},
	{programs: "k6 artillery schemathesis newman", sub: "run", kind: Test, loose: "-x --suppress-exit-code"},
	{programs: "hurl", with: "--test", kind: Test},
	{programs: "nix", sub: "flake", then: "check", kind: Check, idle: "--no-build"},
	{programs: "nix", sub: "build", kind: Build, idle: "--dry-run"},
	// Task runners
	{
		programs: "make gmake", kind: Build, task: true, abbrev: true, idle: makeIdle, loose: "-i --ignore-errors",
		value: makeValue, at: "-C --directory",
	},
	{
		programs: "just", kind: Check, task: true,
		idle:  "-l --list -n --dry-run -s --show --summary --dump --evaluate --choose -e --edit --variables --groups --fmt --init --man --completions --changelog --usage -V --version --shell=%noop",
		value: "-f -d -E --justfile --working-directory --set --shell --shell-arg --dotenv-path --dotenv-filename --color --command -c --cygpath", at: "-d --working-directory",
	},
	{
		programs: "task go-task", kind: Check, task: true, idle: "-l --list -a --list-all -n --dry --summary --status -i --init --completion --version", watch: "-w --watch",
		value: "-t -d -o -C -I --taskfile --dir --output --concurrency --interval", at: "-d --dir",
	},
	{programs: "mage", kind: Check, task: true, single: true, idle: "-l -h -version -init -clean -compile", value: "-d -w -t -goos -goarch -compile", at: "-d -w"},
	{programs: "invoke inv", kind: Check, task: true, idle: "-l --list -R --dry -V --version --print-completion-script", value: "-c -r -f -F -D --collection --search-root --config --list-format --list-depth", at: "-r --search-root"},
	{programs: "doit", kind: Check, task: true, idle: "list info dumpdb help clean forget ignore reset-dep tabcompletion strace", value: "-f -n -d --dir --db-file --reporter"},
	{programs: "poe poethepoet", kind: Check, task: true, idle: "-d --dry-run --version", value: "-C --directory -e --executor", at: "-C --directory"},
	{programs: "mise rtx", kind: Check, task: true, idle: "ls list install use env doctor current where which settings trust upgrade -n --dry-run", watch: "watch", value: "-C -j -E -o -t --cd --jobs --env --output --tool --timeout", at: "-C --cd"},
	{programs: "makers", kind: Check, task: true, idle: "--list-all-steps --print-steps --diff-steps"},
	{programs: "earthly dagger tilt", kind: Check, task: true, idle: "ls doc functions login init develop install up down"},
	{programs: "x.py x", kind: Check, task: true, idle: "--dry-run --no-run", value: "--stage -j --jobs --config --target --host --build"},
	{programs: "npm", kind: Check, task: true, idle: npmIdle, part: "-w --workspace", value: npmValue + " -w --workspace", at: "-C --prefix"},
	{programs: "pnpm yarn bun deno", kind: Check, task: true, idle: npmIdle, part: "-F --filter --filter-prod", value: npmValue, at: "-C --prefix --dir --cwd"},
	{programs: "rye", sub: "test", kind: Test, part: "-p --package", value: "-p --package"},
	{programs: "pdm hatch rye uv poetry pipenv pixi", sub: "run", kind: Check, task: true, idle: "-l --list", value: "-p -e -C --project --env --directory --with --group --python --extra --manifest-path --environment"},
	{programs: "vp pdm", kind: Check, task: true, idle: "install add remove lock update sync list info show init use venv cache config plugin self import export fix outdated"},
	{programs: "sail ddev lando", kind: Check, task: true, idle: "up down start stop restart list config describe"},
	// CI readers
	{programs: "gh", kind: CI, task: true},
	{programs: "glab", sub: "ci pipeline", kind: CI},
	{programs: "act", kind: CI, idle: "-l --list -n --dryrun -g --graph --validate --bug-report", value: "-j -W -P -s -e --job --workflows --platform --secret --eventpath"},
	// Comparisons and probes
	{programs: "cmp diff colordiff", kind: Compare},
	{programs: "sha256sum md5sum sha1sum sha512sum b2sum shasum cksum", with: "-c --check", kind: Compare},
	{programs: "gpg gpgv", with: "--verify", kind: Compare},
	{programs: "cosign minisign", sub: "verify verify-blob -V", kind: Compare},
	{programs: "pg_isready grpc_health_probe", kind: Compare},
	{programs: "redis-cli valkey-cli mysqladmin", kind: Compare, sub: "ping", value: "-h -p -P -u -a -n --host --port --user"},
	{programs: "systemctl", sub: "is-active is-enabled", kind: Compare},
	{programs: "systemd-analyze", sub: "verify", kind: Compare},
	{programs: "nc ncat", with: "-z", kind: Compare},
}
