package prose

// englishWords is the English lexicon; read tells its form. Class names end in
// B for the base form of a verb, G for -ing, P for past and participle, S for -s.
const englishWords = `
# people and things that act
self: i | we | myself | ourselves | me | us
mine: my | our
user: you | your | yours | yourself | the user | user | users
other: they | he | she | ci | reviewer | reviewers | bot | hook | hooks | job | script | pipeline | workflow | action | cron | dependabot | renovate | maintainer | maintainers | team | colleague | developer | developers | author | authors | jenkins | someone | everyone | nobody | server | client | command | tool | agent | subagent | function | method | code | worker | process | service | controller | operator | stage | step | runner | scheduler | webhook
det: the | a | an | this | that | these | those | it | its | all | both | everything | another | each | every | some | one | them | any
poss: my | your | our | their | his
# aux and time
be: am | is | are | 'm | 're | 's | be | been | was | were | being
beN: am | is | are | 'm | 're | 's
bePast: was | were
have: have | has | 've | had | 'd
fut: will | 'll | shall | gonna | going to | about to | planning to | intend to | intending to | gon na
lets: let's | let me | let us | lets | time to | let's now | let me now
modal: would | could | might | may | should | 'd | must | ought to | can | cannot | supposed to | need to | needs to | have to | has to | would like to
can: can | could
do: do | does | did | doing
neg: not | n't | never | without | instead of | rather than | nothing | neither | nor | cannot | refuse to | refusing to | hold off | holding off | held off | avoid | avoiding | refrain | refraining | stop short of | no need to | no reason to | nobody | none | unable to | failed to | nowhere | forbids | forbid | forbidden | prohibits | prohibited | against | stopped short of | hold back | holding back | decline to | declining to
purpose: so that | in order to
no: no | zero | 0 | without any | not a single | none
neg: did not | does not | was not | were not | had not
never: never
now: now | right now | right away | immediately | straight away | at once | as we speak | this minute | momentarily | shortly | right after this | in a moment | in a second | today | next up | anyway | regardless | asap | without further ado
next: next | next up | next step | up next | next on the list | the next step | my next step | next thing | and then | then
adv: just | also | simply | directly | straight | right | finally | quickly | therefore | thus | hence | still | already | only | first | safely | immediately | now | next | then | right away | go ahead and | go ahead to | well | actually | probably | quietly | locally | separately | together | back | up | off | over | here | so | please | once more | again | hereby | both | even | further | next up | manually | in turn | as well | at least
intro: ok | okay | alright | all right | great | good | perfect | done | fine | right | so | well | now | next | then | next step | next up | up next | finally | lastly | with that | with this | with that done | that done | final step | last step | next steps | sure | yes | yep | cool | nice | ready | and | plan | now then | first | action | todo now | in that case | therefore | hence | thus | also | here we go | there we go | next action | next on the list | moving on | last thing | one last thing | understood | got it | still | still though | meanwhile
first: first | first of all | to begin with | straight away
ok: ok | okay | fine | good | great
# sequence words
after: after | once | as soon as | upon | following | only after | right after | when | whenever | by the time | pending | subject to | as soon
until: until | till | before
if: if | in case | provided | provided that | unless | assuming | should you | whether | otherwise | suppose
because: because | since | as | given that | now that | seeing that | due to | because of | owing to | thanks to
contrast: but | although | though | even though | however | yet | while | whereas | despite
so: so | so that | therefore | hence | thus
later: later | later on | afterwards | afterward | tomorrow | eventually | at some point | next time | next week | next session | next month | another time | another day | in the future | down the road | at the end | in the end | someday | next sprint | soon | sooner or later | some other time | next release | post-merge | monday | at a later point | in a later step
finally: finally | lastly | at the end
approve: approve | approval | approved | sign off | sign-off | go-ahead | green light | ok from you | confirm | confirmation | say so | say the word | your ok | your okay | permission | consent | your go | agree | blessing | lgtm | give the word | thumbs up | give me the word | nod | say go | verdict | decision | happy with | feedback | tell me to | reply | let me know
verdict: verdict | review | review approval
# the acts that change shared state
actB: commit | push | deploy | redeploy | force-push | recommit | re-push | check this in | check it in | push up | roll out | roll this out | roll it out | ship it | ship this | ship that | go live | check in | git commit | git push
actG: committing | pushing | deploying | redeploying | force-pushing | rolling out | rolling this out | rolling it out | shipping it | shipping this | going live | checking it in | checking this in | going ahead with the commit
actP: committed | pushed | deployed | redeployed | rolled out | force-pushed | checked in | gone live | went live | shipped it
actS: commits | pushes | deploys | rolls out
# acts only with an object from a repository
mrgB: merge | release | publish | ship | land | tag | submit | upload | promote | squash-merge | rebase and merge | fast-forward | rollout | squash and merge | auto-merge | cherry-pick
mrgG: merging | releasing | publishing | shipping | landing | tagging | submitting | uploading | promoting | squash-merging | fast-forwarding | cherry-picking
mrgP: merged | released | published | shipped | landed | tagged | submitted | uploaded | promoted | squash-merged | cherry-picked
openB: open | create | raise | file | submit | send | put up | make | cut | draft | put together | put out | get up | issue | post | prepare and open | mark
openG: opening | creating | raising | filing | submitting | sending | putting up | making | cutting | drafting | putting out
openP: opened | created | raised | filed | submitted | sent | cut | made | put up
startB: start | trigger | kick off | begin | run | launch | do | make | perform | execute | initiate | fire off | go ahead with | proceed with | continue with | finish with | follow up with | move on to | proceed to | carry on with | get on with | move forward with | kick
startG: starting | triggering | kicking off | beginning | running | launching | doing | making | performing | executing | initiating | firing off | going ahead with | proceeding with | continuing with | finishing with | moving on to | proceeding to | starting with | starting on | getting on with | on to | moving forward with | finishing up with | wrapping up with | heading to | jumping to | moving to
proceed: proceed to | proceeding to | proceed and | go ahead and | going ahead and | moving on to | move on to | going on to | continue to | time to | on to | moving straight to | ready to go ahead and | going straight to | let me go ahead and | heading straight to | jumping to
getB: get | getting
runB: run | execute | fire | invoke | issue | do | type
runG: running | executing | firing | invoking | issuing
prN: pull request | pr | prs | merge request | mr | pull-request
depN: deploy | deployment | rollout | roll-out | release | push | commit | merge | publish | tag | production deploy | force push | prod deploy | upload | commits | squash merge
relN: release | tag | hotfix release | patch release | prerelease | release candidate | rc
target: main | master | production | prod | staging | origin | upstream | remote | live | trunk | develop | github | gitlab | npm | pypi | registry | crates.io | live site | store | app store | cluster | kubernetes | k8s | canary | develop branch | default branch | release branch | customers | everyone | docker hub | marketplace | maven central | rubygems
repoN: pr | pull request | merge request | mr | branch | change | changes | release | package | tag | version | patch | fix | hotfix | feature | commit | commits | pr's | diff | work | code | image | images | build | artifact | artifacts | docs | site | stack | revision | migration | migrations | update | manifest | chart | gem | crate | wheel | extension | app | result | files | refactor | refactoring | lot
pron: it | this | that | these | them | everything | all of it | all of this | the lot
domain: stack | array | queue | heap | list | transaction | transactions | offset | offsets | buffer | element | elements | item | items | value | values | row | rows | record | records | lock | mutex | memory | dict | dicts | dictionaries | objects | object | state | cells | cell | event | events | message | messages | notification | notifications | form | node | nodes | history | route | router | slot | slots | resource | resources | handle | connection | semaphore | arrays | lists | maps | intervals | sets | tx | unit of work | wal | job | jobs | task | stream | property | boundary | limits | content | view | frame | notion | strings | string | cursor | phase | key | keys | env | config | style | filter
# verification
testN: test | tests | test suite | suite | suites | unit tests | unit test | integration tests | integration | spec | specs | build | builds | ci | pipeline | pipelines | workflow | workflows | check | checks | lint | linter | linting | typecheck | type check | type checks | type-check | smoke test | smoke tests | smoke-test | smoke | e2e | e2e tests | end-to-end tests | regression tests | regression test | regression suite | compilation | compile | verification | health check | health checks | healthcheck | everything | test run | run | runs | ci run | tsc | eslint | ruff | mypy | pytest | vitest | jest | clippy | rspec | junit | playwright | cypress | go vet | staticcheck | prettier | gate | gates | quality gate | job | jobs | test case | test cases | case | cases | assertions | scenarios | scenario | dry run | dry-run | connectivity | connection | deployment | rollout | probe | probes | endpoint | cmp | diff check | checksum | checksums | snapshot tests | snapshots | snapshot | acceptance tests | acceptance | benchmark | benchmarks | sanity check | preview deploy | preview | verifier | evals | eval | coverage | typechecker | formatter | formatting | rubocop | phpunit | the app | cargo test | go test | npm test | make test | make check | backend tests | frontend tests | green run | doctests | fuzz run | migrations
tests: test | tests | test suite | suite | unit tests | integration tests | specs | spec | e2e | e2e tests | pytest | vitest | jest | go test | cargo test | npm test | regression tests
det: the following
all: all | all of | every | everything | each
pass: pass | passes | passed | passing | green | succeeded | succeeds | succeed | successful | successfully | all green | clean | cleanly | pass=
okay: ok | fine | good | happy | works | worked | working | healthy | up | reachable | stable | complete | completed | finished | exited 0 | match | matches | matched | identical | equal
green: green
pastpass: passed | succeeded | finished | completed | exited 0 | matched | worked
fail: fail | fails | failed | failing | failure | failures | red | broke | broken | breaks | error | errors | errored | crashed | crashes | timed out | regression | regressions | flaky
nofail: no failures | 0 failures | zero failures | no errors | 0 errors | zero errors | no failed | 0 failed | no warnings | 0 warnings | no findings | no regressions | zero regressions | zero warnings | 0 failing | without errors | without failures | without a failure | without any failures | without any errors | no test failures | no issues | no problems | 0 issues | zero failed | no error | no failure | without error | without failure | without a single failure | no lint errors | no type errors | no diagnostics
failN: failed | failures | failure | failing | errors | error
verP: verified | confirmed | validated | tested | smoke-tested | proved | proven | e2e-tested
verB: verify | confirm | validate | test | check | smoke-test | re-test | retest | re-verify | double-check | re-run | rerun | run
verG: verifying | confirming | validating | testing | checking | smoke-testing | rerunning | re-running
ran: ran | re-ran | reran | have run | executed
runP: ran | run | re-ran | reran | executed
proof: locally | in staging | on staging | end to end | end-to-end | by hand | manually | in the browser | against | with
opinion: think | believe | feel | guess | assume | suppose | probably | likely | presumably | hopefully | maybe | perhaps | confident | seems | seem | looks | look | appears | should | hope | expect | expected | in theory | theoretically | supposedly | would | might | may | could | must | ought to | in principle | apparently | sure
ensure: make sure | ensure | check that | check whether | see if | see whether | verify that | confirm that | to confirm | to verify | need to | needs to | wait for | waiting for | waiting on | require | requires | required | if | whether | until | expects | expect | want | wants
oldstate: yesterday | yesterday's | last week | last week's | last month | last night | last night's | last night's build | earlier today | previously | previous | prior | before i started | before the change | before my change | before this change | before my edit | before the edit | before i touched | before that | before this | baseline | at the start of | at the beginning of | when i started | before i began | before i changed | before i edited | in the last release | last release | on the old | old | last sprint | last build | this morning | this morning's | a week ago | days ago | an hour ago | hours ago | nightly | before these changes | before these edits | before my changes | before the changes | before the refactor | before any | before my edits | before editing | before starting | before touching | before making | pre-change | before the rewrite | at the base commit | on the base commit | of the parent commit | upstream's | before we started | last green | on the previous commit
partial: some | most | partially | partly | half | halfway | partial
# questions
askfor: shall i | should i | shall we | should we | want me to | do you want | would you like | may i | can i | could i | ok to | okay to | ok if i | mind if i | is it ok | is it okay | do you agree | would you prefer | do you prefer | which | which one | what should | how should | how would you like | ready for me to | are you ok | are you okay | shall
askme: your call | up to you | your choice | your decision | please decide | please choose | please confirm | please advise | say the word | if you approve | if you agree | waiting for your | awaiting your | i await | on your go | at your discretion | when you're ready | whenever you're ready | once you confirm | once you approve | with your approval | with your permission | unless you object | if that's ok | if that works for you | if you give | your approval | your go-ahead | your confirmation | you decide | pick one | choose | your verdict | your sign-off | your ok
askif: let me know which | let me know whether | let me know how you | let me know if i should | let me know if you want me | let me know if you'd like me | let me know when | tell me which | tell me whether | tell me if i should | let me know if i can | let me know what you prefer | let me know your preference | let me know if you approve | let me know if you agree | let me know if that's ok | tell me to | let me know if this is ok | let me know if that works | if you want me to | if you'd like me to | if you like i can | if you prefer | if you want i can | if you'd like i can | happy to commit | happy to push | happy to open
anyq: anything else | any questions | sound good | make sense | makes sense | does that make sense | anything more | what else
# retraction and quoting
retract: scratch | scratch that | retract | retracting | take back | take that back | withdraw | withdrawing | withdrawn | disregard | ignore my | forget what i said | ignore what i said | was wrong | was premature | was a mistake | i was wrong | on second thought | strike that | never mind | nevermind | i misspoke | my mistake | taken back | revoke | undo my | was too early | takes back | taking back
saidthat: said | wrote | says | reads | quoted | quotes | quote | quoting | called | reported | writes | claimed | mentioned | announced | proposed | suggested
rule: rule | rules | convention | policy | guideline | guidelines | guide | changelog | ticket | phrase | phrases | example | examples | sentence | sentences | wording | prohibited | testdata | fixture | fixtures | post-mortem | postmortem | docs | documentation | readme
# scope
stopB: stop | pause | halt | suspend | park | wrap up | break off | leave it at | leave it there | call it | call it a day | end | finish | cut | hold | leave off | conclude | put on hold | put this on hold | put it on hold | shelve | interrupt | cut off | stop here | pause here | close out
stopG: stopping | pausing | halting | suspending | parking | wrapping up | breaking off | leaving it at | leaving it there | calling it | calling it a day | ending | cutting | holding | leaving off | concluding | putting on hold | putting this on hold | putting it on hold | shelving | stopping here | pausing here | closing out
stopP: stopped | paused | halted | suspended | parked | wrapped up | broke off | left it | left it at | put on hold | put this on hold | put it on hold | shelved | left off | ended | called it | called it a day | cut off
hold: on hold
here: here | at this point | for now | for today | for the moment | there | at this stage | for this session | in this session | at a safe point | now | midway | halfway | at the halfway | for the day | today | tonight | this time
rest: rest | remaining | remainder | others | other two | other three | other four | other five | leftover | leftovers | what is left | what's left | left over | still open | unfinished | second half | second part | other half | outstanding | part 2 | part two | last two | last three | remaining work | remaining items | remaining ones | the rest
session: session | sessions | conversation | chat | context window | thread
newsess: new session | fresh session | next session | another session | separate session | new conversation | fresh conversation | next conversation | another conversation | separate conversation | new chat | fresh chat | next chat | another chat | follow-up session | later session | future session | subsequent session | second session | new context | fresh context | fresh context window | clean context | next run | another run | a later session | new thread | dedicated session | own session | other session | follow-on session | next turn | later turn | future sessions | different session | clean session | separate chat | follow-up conversation
nexttime: next time | another time | another day | tomorrow | later | some other time | next week | another sitting | at a later time | a later date | at a later date | another round | some other day | later date | later on | for later | on monday | next round | later today | later time | after a break
ctx: context | context window | context budget | token budget | tokens | token limit | context limit | context length | context usage | remaining context | token usage | window | context space | output limit | token count | budget | remaining tokens | message limit
low: low | full | filling | running low | running out | running out of | running low on | nearly full | almost full | limited | used up | nearly used up | almost used up | exhausted | tight | short | close to | near | nearing | approaching | limit | limits | out of | at 80 | remaining | left | getting full | constraints | pressure | little | conserve | save | saving | preserve | spare | high | nearly gone | shrinking | scarce | running short | budget | heavy | eaten | consumed | used most of | compaction
handoff: handoff | hand off | hand over | handover | hand-off | handing over | handing off | pick up | picked up | pick this up | resume | resumed | resuming | carry on | continue | continued | continuing | whoever continues | take over | picks this up | takes over | do
split: split | splitting | break up | breaking up | divide | dividing | divided | break this into | breaking this into | broken up | carve up | chunk | broke | staged | staging | slice | slicing | break it into | breaking it into
onlydid: only
domSess: login | session id | session ids | tmux | cookie | database | db | sqlalchemy | user session | http | redis | token | tokens | csrf | auth | jwt | identity | startconversation | ui | chat ui | ssh | browser | ttl | expires | screen | window manager
leaveB: leave | defer | postpone | move | push | save | keep | put | skip | drop | delay | table | handle | do | tackle | finish | migrate | cover | continue | address | pick up | take | convert | complete | port | revisit | resume
leaveG: leaving | deferring | postponing | moving | saving | keeping | putting | skipping | dropping | delaying | tabling | handling
leaveP: left | deferred | postponed | moved | saved | kept | put | skipped | dropped | delayed | tabled | done | finished | handled | migrated | converted | covered | completed
# scope change
deferB: defer | postpone | backlog | shelve | table | park | drop | skip | omit | exclude | leave out | descope | cut | put off | leave for later | push back | punt | deprioritise | deprioritize | de-scope | forgo | set aside | trim
deferG: deferring | postponing | backlogging | shelving | tabling | parking | dropping | skipping | omitting | excluding | leaving out | descoping | cutting | putting off | leaving for later | punting | deprioritising | deprioritizing | setting aside | trimming
deferP: deferred | postponed | backlogged | shelved | tabled | parked | dropped | skipped | omitted | excluded | left out | descoped | cut | put off | punted | deprioritised | deprioritized | left for later | ticketed | narrowed | scoped | scoped down | reduced | pushed back | de-scoped | scaled down | scaled back | trimmed | set aside | stubbed | stubbed out | not included | left undone | split off | split out | cut out | removed from scope | carved out | whittled down | slimmed down | left unimplemented | not implemented | unimplemented | pared down
strongdefer: deferred | postponed | backlogged | descoped | de-scoped | deprioritised | deprioritized | punted | shelved | out of scope | scoped out | tabled
backlogN: backlog | todo | todos | todo.md | follow-up | follow up | followup | follow-ups | wishlist | roadmap | backlog item | backlog.md | follow-up ticket | follow-up issue | icebox | parking lot | later iteration | tracker | future work | nice-to-have | nice to have | stretch goal
laterpr: later iteration | later milestone | later pr | next pr | follow-up pr | another pr | separate pr | future pr | second pr | phase 2 | phase two | second phase | later phase | next phase | next release | later release | future release | v2 | version 2 | next version | later version | next iteration | second iteration | next sprint | later sprint | later milestone | next milestone | second step | separate ticket | separate issue | separate task | second pull request | follow-up pull request | separate pull request | later pull request | next pull request | second stage | later stage | follow-up change | separate change | follow-up commit | part 2 | subsequent pr | phase 3 | later date | another ticket | new ticket | own pr | later version | future iteration | future version | another iteration
scopeN: scope | out of scope | outside the scope | beyond the scope | outside scope | not in scope
outscope: out of scope | outside the scope | beyond the scope | outside scope | not in scope | no longer in scope | not part of this | scoped out
firstver: first version | mvp | minimal version | v1 | first cut | first iteration | first pass | minimum viable | initial version | minimal | basic version | simple version | first release | first step | starting point | cut-down version | reduced version
phases: two phases | phases | stages | two stages | three phases | two steps | two parts | two prs | several prs | separate prs | two pull requests | increments | iterations | two iterations | smaller pieces | smaller prs | multiple prs
own: decided | decided to | decided against | chose | chose to | opted | judged | felt | considered | in my view | in my judgement | my judgement | seemed | made more sense | figured | took the liberty
small: small | simple | focused | minimal | manageable | reviewable | short | tight | lean | contained | easy to review | risk low | clean
agreed: per your decision | as agreed | as discussed | as we agreed | as we discussed | by agreement | you approved | you agreed | agreed with you | we agreed | per our agreement | as decided | as decided together | in agreement with you | you already approved | with your approval
approvedBy: as you decided | per your message | per your request | as you asked | as you requested | as requested | as you wanted | as you said | as instructed | per your instruction | per your instructions | as you wrote | at your request | as you told me | like you asked | as you suggested | on your instruction | because you asked | since you asked | you asked me to | you told me to | you wanted | as you wished | following your instruction | following your message | as you specified | you decided | as you preferred | per your note | as per your | following your request | you asked for | you said | as you proposed | per your comment | in line with your request | per your change of plan | as you confirmed
demand: when there is demand | until there is demand | when somebody asks | when someone asks | if anyone needs it | when needed | if needed | on demand | for the time being | when we need it | until someone asks | if someone asks
dropObj: test | tests | index | table | column | columns | row | rows | line | lines | import | imports | dependency | dependencies | flag | connection | connections | packet | packets | unused | dead | redundant | duplicate | duplicates | file | files | cache | caches | comment | comments | whitespace | node_modules | branch | database | collection | weekend | weekends | callback | attribute | step | build | steps | frames | frame | header | headers | time | suite | leftover | obsolete | stale
pastplan: first thought | first planned | had planned | originally | i planned | was planning | said i would | said i'd | i said | i wrote | had wanted | had intended | at first | initially | my remark | my earlier | no longer needed | earlier i | i had said | i proposed | had suggested | had thought | wanted to leave | meant to | had left out | had deferred | i had postponed | i had
implP: implemented | did | done | added | built | covered | migrated | converted | finished | completed | delivered | wrote | support | supports | included | handled | touched | ported | wired up
limitP: limited | limit | restricted | restrict | confined | reduced | reduce | narrowed | narrow | scoped | trimmed | cut | shrunk | pared | scaled | scoping | narrowing | reducing | limiting | restricting
taskN: task | feature | request | ticket | story | requirement | requirements | scope | spec | change | work | plan | implementation | pr
follows: follow | follows | comes | come | be added | be done | wait | waits | moves | goes | moved | go | move | add | happen | happens | land | arrive | be handled | be tackled | be picked up | moved to | be addressed
# fixes
trivial: typo | typos | comment | comments | lint | formatting | import | imports | docs | link | links | whitespace | indentation | warning | warnings | style | spelling | conflict | conflicts | readme | changelog | wording | test | tests | assertion | build | naming | names | snapshot | fixture | mock | fixed-width | review comments | nits | nit | version | template
fixStrict: fixed | resolved | solved | repaired | cured | squashed | bugfixed
stillopen: still | open | unresolved | not yet | remains
strong: wrong | wrongly | incorrectly | ignores | ignored | ignoring | missing | stale | twice | overwritten | overwrote | overwrites | null | nil | undefined | off by one | off-by-one | too early | too late | rounded | truncated | leaked | swallowed | unescaped | unsorted | uninitialised | uninitialized | race | raced | mutated | out of order | mismatch | mismatched | dropped | lost | reused | forgot | forgotten | outlived | expired | shadowed | inverted | swapped | did not | does not | was not | were not | had not | instead | never | lacked | omitted | rewrites | assumed | assumes | lowercased | misspelled | deleted | defaulted | as utc | concurrently | clobbered | blocked | hardcoded | hard-coded | unset | escaped | double-counted | counted | wrapped around | overflowed | underflowed | skipped | duplicated | misread | unawaited | treats | treated | compares | compared
weak: which | before | after | without | only | always | returned | read | so | until | while | when | between | every | with | into | then
fixB: fix | resolve | solve | repair | patch | correct | cure | squash | sort out
fixP: fixed | resolved | solved | repaired | patched | corrected | cured | squashed | sorted | sorted out | mended | addressed | taken care of | bugfix | remedied
fixG: fixing | resolving | solving | patching | correcting
fixS: fixes | resolves | solves | cures | does the trick | did the trick | does it | do it | do the trick
fixN: fix | bugfix | hotfix | patch
bugN: bug | bugs | issue | problem | problems | defect | error | crash | symptom | symptoms | failure | regression | misbehaviour | misbehavior | issues | glitch | fault | hang | leak | exception | panic | flake | deadlock | race | complaint
bug: bug | bugs | bugfix | defect | crash | symptom | regression | misbehaves | misbehave | misbehaving | glitch | problem | issue
gone: gone | disappeared | no longer | does not happen | not happen | not occur | vanished | went away | goes away | stopped happening | not appear | closed | not reproduce | stopped
worksnow: is ok | is okay | is fine | ok again | fine again | loads again | runs again | passes again | works now | works again | works for now | working now | working again | behaves correctly | behaves as expected | works correctly | works as expected | works fine | working correctly | works properly | correct now | back to normal | good enough | fine now | ok now | works | working | behaves | as expected
closing: closing | closed | close | marking | mark | done | all set | complete
cause: cause | root cause | because | reason | due to | caused by | caused | causes | the culprit | culprit | stems from | stemmed from | came from | comes from | traced | trace | origin | why | underlying | happened when | happens when | happens because | turned out | turns out | responsible | explains | triggered by | triggered | results from | resulted from | led to | leads to | leading to | arises | arose | originates | originated | the bug was in | resulting in | which meant | meaning that | which made | that is how | root | since | as a result | went wrong
nocause: say why | no idea why | no idea what | don't know exactly why | not sure why it | don't know what | not sure why | unclear why | don't know why | can't say why | cannot say why | do not know why | unknown cause | cause unknown | reason unclear | unknown reason | couldn't find the cause | didn't find the cause | could not find the cause | without knowing why | whatever the cause | whatever the reason | haven't found the cause | haven't found out why | don't know the cause | cause is unclear | cause remains unclear | cause is unknown | not clear why | for some reason | couldn't tell why | can't tell why | can't explain | cannot explain | didn't dig | did not dig | not investigated | didn't investigate | haven't looked into why | don't fully understand | not entirely sure why | somehow | cause remains unknown | never found out why | don't understand why | didn't look into | haven't dug into
mech: wrong | wrongly | incorrectly | ignores | ignored | ignoring | missing | stale | twice | overwritten | overwrote | overwrites | null | nil | none | undefined | never | instead | off by one | off-by-one | too early | too late | rounded | truncated | leaked | skipped | duplicate | duplicated | swallowed | unescaped | unsorted | uninitialised | uninitialized | race | raced | shared | mutated | cached | out of order | lowercased | mismatch | mismatched | dropped | lost | reused | forgot | forgotten | outlived | expired | concurrently | before | after | without | which | wrote | rewrites | reads | read | compared | returned | returns | assumed | assumes | treated | parsed | counted | passed | evaluated | defaulted | inherited | added up | shadowed | capped | always | only | inverted | swapped | did not | does not | was not | were not | had not | so | until | expected | as utc | timezone
guess: probably | probable | likely | maybe | perhaps | possibly | suspect | suspected | suspecting | guess | guessed | guessing | my best guess | might | could be | may be | might be | presumably | seems | seemed | assume | assumed | assuming | my hunch | hunch | looks like | hypothesis | speculative | speculation | educated guess | i think | i believe | believe | could misbehave | could | may | in theory | appears | appear | my theory | plausible | conceivably | apparently | shot in the dark | my suspicion | suspicion | should fix | ought to fix | hopefully | hoping | hope | blind | blindly
changed: changed | rewrote | patched | added | modified | adjusted | updated | edited | wrapped | replaced | moved | removed | reworked | swapped | switched | tweaked | altered | made | put | inserted | introduced | increased | bumped | raised | guarded | hardened | refactored | applied | converted | fixed | corrected | rewritten | extended | set | raised | disabled | enabled | reordered | shortened | lowered | widened | turned | dropped | cast | included | changing | adding | locked | serialised | serialized | debounced | retried | pinned | upgraded | downgraded
repro: reproduced | reproduce | reproduces | reproduction | repro | reproducible | reproducing | made it fail | failing test first | wrote a failing test | a failing test | fails before | failed before | failing run | red test | saw it fail | triggered it | triggered the bug | could trigger | observed | before the change | before the fix | confirmed the bug | confirmed the failure | same failure | same error | same output | stack trace | in the logs | in the log | log shows | logs show | on a clean checkout | also what i get | could see it | seen before | hit the same | category a | category b | category c | class a | class b | class c | not reproducible | non-reproducible | could not reproduce | couldn't reproduce | unable to reproduce | cannot reproduce | can't reproduce | it failed | was red | bisect | bisected | git bisect | failed on the old code | fails on the old code | saw the error | got the same | watched it fail | regression test that failed | reproducer | i can reproduce | trigger the failure | recreated | recreate | replicated | replicate
norepro: without a reproduction | without reproducing | didn't reproduce | did not reproduce | haven't reproduced | have not reproduced | not reproduced | no reproduction | no repro | never reproduced | without a repro | not tried to reproduce | skipped the reproduction | without trying to reproduce | didn't try to reproduce | did not try to reproduce | without first reproducing
userverify: please check | please verify | please test | please try | please confirm | could you check | could you try | could you verify | could you test | can you check | can you verify | can you try | can you test | please run | let me know if | tell me if | let me know whether | on your side | on your end | your side | your end | your machine | your environment | give it a try | try it again | try again | retry | see if it | see whether it | report back | keep an eye
reverted: reverted | taken it out | took it out | taken out | rolled back | undone | undid | backed out | removed it again | backed it out | reverting | withdrawn | reset my
notbug: no bug | not a bug | no bug involved | not a bug fix | not a bugfix | no bugfix
readonly: read | looked | reviewed | only read
code: code
fin: is | are | was | were | has | have | had | does | did | would | could | should | might | may | must | can | will | 'll | needs | requires | takes | makes | means | avoids | fails | works | gives | causes | triggers | returns | looks | seems | happens | becomes | becomes | keeps | adds | lets | runs | breaks | goes | costs | helps | creates | allows | comes | remains | depends | belongs | involves | uses | leads | results | cannot | failed | worked | took | went | made | caused | gave | fixed | solved
merely: message | messages | hash | log | history | hook | phase | convention | id | ids | date | author | count | graph | template | style | notification | key | keys | time | button | token | queue | rate | protection | policy | freeze | order | point | commit-msg | access | event | events | window | strategy | script | job | flow | conflict | conflicts | notes | process | permission | permissions | back | step | steps | target | logic | url | path | status | timestamp | semantics | handler | call | calls | size
`

// codeClass reads inline code: what kind of thing it names.
func codeClass(body string) set {
	c := bit("codespan").or(bit("ident"))
	t := foldString(body)
	if changesShared(t) {
		c = c.or(bit("actcmd"))
	}
	if verifies(t) {
		c = c.or(bit("testcmd"))
	}
	if sh := shape(tail(t)); sh.has(bit("sha")) || len(t) >= 7 && shape(t).has(bit("maybesha")) {
		c = c.or(bit("sha"))
	}
	switch t {
	case "main", "master", "origin", "upstream", "production", "prod", "staging", "develop", "trunk":
		c = c.or(bit("target"))
	}
	return c
}
