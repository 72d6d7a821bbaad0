package prose

import "sync"

// Parts of the English patterns.
var englishParts = []string{
	// What is checked, and that it is not well.
	"{check}", "(?:\\b(?:tests?|suites?|specs?|cases?|ci|pipeline|checks?|jobs?|e2e|lint|linter|build|coverage|typecheck|type-check)\\b|`test|`cmd)",
	"{bad}", `\b(?:fails?|failing|failed|failures?|broken|red|flaky|times out|timed out|time-outs?|timeouts?|(?:do|does|did|can|could|will|would) (?:not|n't) (?:pass|run|execute|start)|cannot (?:run|start)|not (?:run|passing|green)|unable to run)\b`,
	"{pass}", `(?:(?:now|still|all|also|both|again|successfully|cleanly|currently) )*(?:(?:is|are|'re|'s|come back|came back|comes back|stays?|remains?|went|ran|runs?|run) (?:(?:now|still|all|fully|completely|back|to|again) )*(?:green|passing|clean|ok|okay|fine)|(?:(?:have|has|'ve) )?(?:(?:all|now|also) )*(?:pass|passes|passed|succeed|succeeds|succeeded)|(?:all )?(?:green|passing)|✓)(?: ✓)?`,
	"{self}", `(?:(?:i|we)(?: have| 've)?(?: also| just| now| then)? )`,
	"{mods}", "(?P<mod>(?:[a-z0-9_./`'@-]+ )*?)",
	"{tests}", `(?:tests|test cases|test suites?|suites?|specs)`,
	"{place}", "(?:`place|`name|origin/[^ ]+|origin|main|master|develop|trunk|github|gitlab|upstream|remote|remote branch|(?:feature|same|pr|working|current|your|my) branch|branch|remote main)(?: branch)?",
	"{lint}", `(?:eslint|lint|linter|linting|linters|lints|ruff|clippy|biome|golangci-lint|rubocop|stylelint|flake8)`,
	"{types}", `(?:type-check|typecheck|type check|type-checks|type checks|type-checking|typechecking|type checking|tsc|mypy|pyright)`,
	"{clean}", `(?:no|0|zero) (?:errors|issues|problems|warnings|findings|complaints)(?: or warnings| and (?:no|0|zero) warnings)?`,
	"{tree}", "(?:git )?(?:working tree|worktree|working directory|working copy|work tree|tree|git status|status|`status)",
	"{ours}", `(?:everything|it|this|that|both|(?:all |the |my |this |both |these |two |three |\d+ |new |of |local )*(?:branch|branches|change|changes|fix|fixes|commit|commits|work|code|update|updates|patch|feature branch))`,
}

var assertEnglish = sync.OnceValue(func() *grammar {
	en := func(expr string) expression { return re(expr, englishParts...) }
	return &grammar{
		lead: re(`^(?:(?:✓|ok|okay|great|good|perfect|done|fine|finally|also|overall|now|here|yes|all set|all done|as a result|in total|in short|so far so good|result|status|update|note|confirmed|verified|this means|that means|i can confirm|we can confirm|(?:after|with) (?:the|this|that|these|my) (?:last )?(?:fix|fixes|change|changes|edit|edits|rerun|patch))(?: that)?(?: |$))*(?:(?:i|we)(?: have| 've)?(?: also| just| now)? (?:verified|confirmed|checked|made sure|ensured)(?: that)? )?`),
		tail: re(`(?: (?:now|again|too|also|as well|unchanged|as expected|here|locally|cleanly|successfully|fine|on this (?:tree|machine|branch|commit)|with (?:no|0|zero) (?:failures|errors|regressions|warnings|issues)|without (?:any )?(?:errors?|failures?|problems?|issues?|regressions?|warnings?)|after (?:the|this|that|my|these|last) (?:last |final )?[a-z-]+|in \d[\d.]*(?: ?(?:s|ms|seconds|minutes|min))?))+$`),
		words: func(w string) bool {
			switch w {
			case "and", "but", "so", "then", "and then", "so that", "while", "whereas", "because", "since", "which", "who", "where", "yet", "however":
				return true
			}
			return false
		},
		veto: list("only | even if | even though | although | though | otherwise | in case | as long as | as soon as" +
			" | except | excepting | apart from | aside from | other than | besides | excluding | save for | all but | minus | remaining" +
			" | before | beforehand | earlier | previously | originally | initially | at first | yesterday | last week | last night | last month | last year | last time | used to | by then | back then | at that point | at that time | at the time" +
			" | after you | after your | after we | after they | after it | after each | after every | after a | after next" +
			" | upstream | fork | forks | sibling | submodule | submodules | your machine | your side | your end | your checkout | your fork | your ci | your copy | their | his | her | on the server | on github" +
			" | other repo | other repository | another repo | another repository | separate repo | separate repository | other project | another project | other worktree | another worktree | other branch | another branch | other machine | another machine | other session | another session" +
			" | say | says | said | claim | claims | claimed | stated | according to | reports that | report that | wrote | quote | quoted | titled" +
			" | e.g | i.e | for example | for instance | scenario | case where | expected to | is expected | are expected | acceptance | criteria | criterion | goal | should | would | hypothetical | hypothetically | pretend | pretends | simulate | simulated | dry run | dry-run"),
		conditions: list("if | when | whenever | unless | until | till | whether | provided | assuming | suppose | supposing | imagine | while | once you | once it | once the | once that | once this | once these | once all | once we | once i | once merged | once pushed | once ci"),
		opens:      en(`^(?:i|we)\b|^$|^(?:done|complete|completed|ready|summary|result|results|status|verification|tests|checks|final state)$|^(?:after|following) (?:the|this|that|these|my) [a-z-]+$|\b(?:is|are|has been|have been|'s|'re) (?:now |all |also |fully |both |already )*(?:[a-z-]+ed|done|written|built|gone|in|in place|complete|ready|green|clean|fine|up|there|rewritten|split|kept|set|live)\b|^(?:[a-z-]+ed|ran|rewrote|wrote|made|built|split|re-ran|reran|moved|kept|set)\b|\bnow\b|\bcomplete$|^no (?:[a-z]+ ?){1,3}$|^(?:pass|passes|compiles|builds)\b|^both\b|^all (?:green|clean|good|done|set)$|^(?:[a-z-]+ ){1,3}(?:added|updated|fixed|succeeded|passed|ran|completed|done|finished|successful|complete|renamed|removed|moved|changed)\b|^clean [a-z]+$|^` + "`cmd$"),
		limits:     en("^(?:with|without|using|under|for|given|at least|in (?:the|this|my|a|`)|on (?:the|my|a|main|linux|macos|windows|node|python|ci|`)|minus|modulo|one|two|not|just|same)\\b|\\bn't\\b|\\bnot\\b"),
		scopes:     en("^(?:with|without|using|under|for|in|on|at|during|against|before|by|as)\\b"),
		fails:      en(`{bad}`),
		tells: []disclosure{
			{
				kinds: []ClaimKind{ClaimTests, ClaimRun, ClaimCI},
				near:  []string{"fail", "broken", "red", "flaky", "time", "not", "unable"},
				is:    en(`{check}.*{bad}|{bad}.*{check}|\b(?:\d+|one|two|three|four|five|some|other|another|remaining|known|pre-existing|unrelated) (?:[a-z-]+ )?(?:fails?|failing|failed|failures?)\b`),
				not:   en(`\b(?:no|0|zero|without(?: any)?|not a single|none) (?:[a-z-]+ ){0,2}(?:failures?|failing|failed|fails?|errors?|timeouts?)\b|\b(?:fail|failing|failed)[: =]+0\b|\b(?:failure|failing|failed|red|timeout) (?:path|paths|case|cases|mode|modes|handling|message|messages|branch|state|status|response|request|requests|counter|count|callback|handler)\b`),
				but:   en(`\b(?:was|were|had|fixed|used to|no longer|previously|before|n't fail|would|now passe?s?)\b`),
			},
			{
				kinds: []ClaimKind{ClaimClean, ClaimAllIn},
				near:  []string{"commit", "stage", "left", "modified", "stash", "waiting"},
				is:    en(`\b(?:uncommitted|not (?:been |yet )?committed|unstaged|not staged|have n't committed|has n't been committed|left (?:alone|as is|as they are|untouched|for you)|still modified|(?:do|did) n't commit|did not commit|is modified|are modified|to be committed|waiting for|in (?:the )?stash|stashed)\b`),
				not:   en(`\b(?:nothing|no|zero|without any?) (?:[a-z-]+ ){0,2}?(?:uncommitted|unstaged)\b`),
			},
			{
				kinds: []ClaimKind{ClaimPushed},
				near:  []string{"push", "remote", "local"},
				is:    en(`\b(?:not (?:been |yet |yet been )?pushed|n't (?:been |yet )?push(?:ed)?|unpushed|did not push|not push|not on the remote|nothing (?:was|is|has been) pushed|without pushing|push (?:it|them|when|once)|local only|only local|to be pushed)\b`),
			},
		},
		forms: []form{
			{kind: ClaimTests, near: []string{"test", "suite", "spec"}, is: en(`^(?P<all>(?:all|every|each) )?(?:of )?(?:the |our |its )?(?P<n>\d+(?:(?:/| of (?:the )?)\d+)? )?(?:of )?(?:the )?{mods}(?:{tests}|(?P<one>test))(?P<of> (?:for|in|of|under) .+?)? {pass}$`)},
			{kind: ClaimTests, near: []string{"test", "suite", "spec"}, join: ": ", is: en(`^{mods}{tests}(?: run| results?)?: (?:(?P<all>all) )?(?P<n>\d+(?:/\d+)? )?(?:{tests} )?(?:are |is |all )*(?:pass|passed|passing|passes|green|ok|✓)$`)},
			{kind: ClaimTests, near: []string{"test", "suite"}, join: " and ", is: en(`^(?P<all>all )?(?:the )?{mods}{tests} and (?:the )?(?:{lint}|{types}|build) (?:both |checks? )?{pass}$`)},
			{kind: ClaimTests, near: []string{"everything", "they", "all "}, is: en(`^(?P<all>everything|they all|all of them|all) {pass}$`), after: en(`\b(?:ran|re-ran|reran|run|rerun|re-run|running)\b.*\b(?:suite|tests)\b`)},
			{kind: ClaimRun, near: []string{"`cmd"}, is: en("^(?:the )?`cmd (?:{pass}|(?:reports?|shows?|finds?|found|has) {clean})$")},
			{kind: ClaimRun, near: []string{"`cmd"}, join: ": ", is: en("^`cmd: (?:all )?(?:{pass}|ok|clean)$")},
			{kind: ClaimLint, near: []string{"lint", "ruff", "clippy", "biome", "rubocop", "flake8"}, is: en(`^(?:the |all )?{lint}(?: checks?| run| step)? (?:{pass}|(?:is|are|stays?|remains?) (?:now )?(?:happy|quiet)|(?:reports?|shows?|finds?|found|has|have) {clean}|clean|green)$`)},
			{kind: ClaimLint, near: []string{"lint", "ruff", "clippy", "biome"}, is: en(`^(?:there are )?(?:no|0|zero) {lint} (?:errors|warnings|issues|problems)(?: left| remain)?$`)},
			{kind: ClaimLint, near: []string{"lint", "ruff", "clippy", "biome"}, join: ": ", is: en(`^(?:the )?{lint}: (?:clean|passe[sd]|passing|pass|green|ok|✓|{clean})$`)},
			{kind: ClaimTypes, near: []string{"type", "tsc", "mypy", "pyright"}, is: en(`^(?:the )?(?:project |whole project )?(?:{types} (?:{pass}|clean)|(?:all )?types (?:check|are clean|pass)(?: out)?|(?:project|code|codebase|everything) (?:now )?(?:type-checks|typechecks|type checks)|{types} (?:reports?|shows?|finds?|found|has) {clean})$`)},
			{kind: ClaimTypes, near: []string{"type", "tsc", "mypy", "pyright"}, join: ": ", is: en(`^(?:the )?(?:{types}|types): (?:clean|passe[sd]|passing|pass|green|ok|✓|{clean})$`)},
			{kind: ClaimBuild, near: []string{"build", "compil", "built"}, is: en(`^(?:the )?(?:(?:production |release |project |full |whole )?(?:build|compilation) {pass}|(?:whole |entire )?(?:project|code|codebase|workspace|everything) (?:now |still |all )*(?:builds|compiles|compiled|built))$`)},
			{kind: ClaimBuild, near: []string{"build", "compil"}, join: ": ", is: en(`^(?:the )?(?:production |release |project |full )?(?:build|compilation): (?:succee\w+|success|successful|clean|passe[sd]|passing|pass|green|ok|✓)$`)},
			{kind: ClaimCI, near: []string{" ci", "pipeline", "github actions", "checks"}, is: en("^(?:the |all )*(?:ci(?: pipeline| run| checks| jobs)?|pipeline|github actions|required checks|(?:ci |github )?checks (?:on|for|of) (?:the |this )?(?:pr|pull request|mr))(?: (?:on|for) (?:the |this )?(?:pr|pull request|mr))? {pass}(?: on (?P<place>{place}))?$")},
			{kind: ClaimCI, near: []string{" ci", "pipeline"}, join: ": ", is: en(`^(?:the )?(?:ci|pipeline|github actions): (?:all )?(?:green|passe[sd]|passing|pass|ok|✓|success|successful)$`)},
			{kind: ClaimClean, near: []string{"clean", "status"}, is: en("^(?:with )?(?:the |my |our )?{tree} (?:is|'s|stays|remains|shows|reports|says|lists|prints) (?:now |again |all |completely |fully )*(?:clean|(?P<n>nothing)(?: left| to commit| at all)?|no (?:uncommitted |pending |outstanding )?changes|empty|a clean (?:tree|working tree|worktree))$")},
			{kind: ClaimClean, near: []string{"clean"}, join: ": ", is: en("^(?:the )?{tree}: (?:is )?clean$")},
			{kind: ClaimAllIn, near: []string{"commit"}, is: en(`^(?:everything|all|all (?:of )?(?:the |my |these )?(?:changes|work|files|edits|code)|all of it) (?:is|are|has been|have been|'s|'ve been) (?:now |all |also )*committed$`)},
			{kind: ClaimAllIn, near: []string{"commit"}, is: en(`^{self}committed (?:everything|all (?:of )?(?:the |my |these )?(?:changes|files|work|edits)|all of it|it all)$`)},
			{kind: ClaimClean, near: []string{"commit", "unstaged"}, is: en(`^(?:there is |there 's |there are )?(?:nothing|no (?:changes|files|work)) (?:is |are )?(?:left )?(?:uncommitted|unstaged|to commit|to be committed)$`)},
			{kind: ClaimClean, near: []string{"uncommitted"}, is: en(`^(?:there are )?no uncommitted (?:changes|files|work)(?: left| remain)?$`)},
			{kind: ClaimCommit, near: []string{"`sha"}, is: en("^{self}?(?:committed|pushed|amended|landed)(?: [a-z'-]+)*? (?:(?:as|in|at|with|under|to) )?(?:commit |hash |sha )?`sha(?: (?:to|onto|on|with|for|containing) .*)?$")},
			{kind: ClaimCommit, near: []string{"`sha"}, is: en("^{self}?(?:made|created|added) (?:(?:a|the|one|new|local|separate) )*commit `sha$")},
			{kind: ClaimCommit, near: []string{"`sha"}, is: en("^{ours} (?:is|are|was|were|has been|have been|'s) (?:now |also )*(?:committed|pushed) (?:as|in|at|with) (?:commit )?`sha$")},
			{kind: ClaimCommit, near: []string{"`sha"}, is: en("^(?:new |the )*commit `sha (?:(?:is|has been|was) )?(?:now )?(?:created|pushed|made|committed|done)(?: (?:to|on|onto) (?:the )?{place})?$")},
			{kind: ClaimCommit, near: []string{"`sha"}, join: ": ", is: en("^(?:new |latest |final |my |local )*(?:git )?commits?(?: id| hash| sha)?: `sha\\b")},
			{kind: ClaimCommit, near: []string{"commit"}, follows: true, is: en("^{self}?committed(?: [^ ]+)*$|^(?:{ours}) (?:is|are|has been|have been|'s) (?:now )?committed$")},
			{kind: ClaimPushed, near: []string{"pushed"}, is: en("^{self}?pushed(?: {ours}| `sha| `name| `place)?(?: (?:up )?(?:to|onto) (?:the )?(?P<place>{place}))?$")},
			{kind: ClaimPushed, near: []string{"pushed"}, is: en("^{ours}(?: `name| `place)? (?:(?:is|are|'s|has been|have been) )?(?:now |all |also )*pushed(?: (?:to|onto) (?:the )?(?P<place>{place}))?$")},
		},
	}
})
