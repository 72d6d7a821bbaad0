package prose

import (
	"sync"
)

// acts are the rules for "the writer changes shared state now".
var acts = tables{
	en: sync.OnceValue(func() []pattern { return rules(actsEnglish) }),
	ja: sync.OnceValue(func() []pattern { return rules(actsJapanese) }),
	zh: sync.OnceValue(func() []pattern { return rules(actsChinese) }),
}

// The English rules. O is an object of a repository, B an act in its base form,
// G in -ing, P as a participle.
const actsEnglish = `
=O: pron adv* | .{0,4} (repoN | target | prN | relN | codespan | version | sha)
=B: actB | mrgB (<O> | adv* $ | adv* ('without' | now | next | 'as' | first)) | openB .{0,5} (prN | relN) | startB det? !other{0,3} depN | ('make' | 'do') det .{0,1} depN | openB det .{0,1} 'commit' | runB .{0,3} actcmd | getB (pron | .{0,3} repoN) ('into' | 'onto' | 'to') .{0,2} target | getB (pron | .{0,3} repoN) .{0,2} (actP | mrgP | 'out' | 'in' | 'live' | 'up')
=G: actG | mrgG (<O> | adv* $ | adv* ('without' | now | next | 'as' | first)) | openG .{0,5} (prN | relN) | startG det? !other{0,3} depN | ('making' | 'doing') det depN | runG .{0,3} actcmd | getB pron (actP | mrgP | 'out')
=S: (self | adv | comma | 'also')
will: self <S>* beN? <S>* fut <S>* proceed? adv* <B>
will be: self <S>* beN? <S>* fut adv* 'be' adv* <G>
will, second verb: self .{0,9} (fut | 'and' fut) adv* <B>
will and: self <S>* beN? <S>* fut .{0,9} ('and' | 'then') adv* <B>
am doing: self <S>* beN <S>* proceed? (<G> | proceed adv* <B>)
let us: lets adv* proceed? adv* <B>
let us and: lets .{0,8} 'and' adv* <B>
dropped subject: ^ (intro comma?)* adv* fut adv* <B>
go ahead: ^ (intro comma?)* adv* proceed adv* <B>
doing: ^ (intro comma?)* (adv comma?)* <G>
and doing: 'and' adv* <G> .{0,4} (now | next) adv* $
call: ^ (intro comma?)* actB ((pron | 'and' <B> | det repoN) (now | adv)* | now | next) $
call now: ^ intro comma? (intro comma?)* (actB | mrgB <O>) .{0,6} $
command: ^ actcmd adv* $
nominal: ^ (next | now) next* ('is' | 'comes' | 'are' | 'for')? det? (actG | depN) .{0,4} $
passive: (pron | repoN | det | codespan | prN) .{0,3} (fut adv* 'be' | beN adv* 'being') adv* (actP | mrgP | openP)
is to: poss next .{0,2} 'is' 'to' <B>
time for: ^ (intro comma?)* 'time' 'for' det? depN adv* $
ending with: ^ (intro comma?)* adv* ('finalizing' | 'finalising' | 'finishing' | 'concluding' | 'closing' | 'ending' | 'rounding' | stopG) .{0,4} 'with' det depN
by doing: self <S>* fut .{0,4} 'by' <G>
with a commit: (lets | self <S>* fut) .{0,4} 'with' det depN
shall: askfor .{0,4} <B>
ship: ^ (intro comma?)* ('ship_it' | 'ship_this' | 'ship_that') adv* $
goes: (pron | repoN | relN | codespan) .{0,2} ('goes' | 'going' | 'heading') ('out' | 'up' | 'to' | 'into' | 'live' | 'in' | 'onto')
`

const actsJapanese = `
=N: act | mrg
=fin: (do | te) aux{0,2} (np | vol) | dofin | (do | te) auxfin
=E: (because | contrast | 'よ' | 'ね' | end | wa)? $
suru: <N> (obj | part | only)? (<fin>) <E>
go: <N> (obj | part | 'の' ){0,2} (sagyou | testN)? (obj | part)? (go aux{0,2} (np | vol) | gote aux{1,2} (np | vol) | gofin | do go (np | vol)) <E>
pr: prN (obj | part)? (make aux{0,2} (np | vol) | makete aux{1,2} (np | vol) | makefin | <fin>) <E>
run: actcmd (obj | part)? (<fin> | go aux{0,2} (np | vol) | gofin) <E>
make: act obj (make aux{0,2} (np | vol) | makete aux{1,2} (np | vol) | makefin) <E>
out: target ('に' | 'へ') (mrg | make | put) aux{0,2} (np | vol) <E>
ask: (<N> | prN obj? make) (obj | part)? do? (te | aux)? ask
nominal: ^ now (wa | comma | part)? (now (wa | comma | part)?)* (<N>) ('です' | '!')? $
te, on: <N> obj? te .{0,4} ('次' | '先' | now | '終わり' | '完了' | '締め' | '一区切り') .{0,2} (go | do | make) aux{0,2} (np | vol) <E>
te, end: <N> obj? te .{0,2} halt .{0,2} (np | vol) <E>
te: <N> do? (te | after)
te, then: ^ .{0,3} <N> (do | te) aux{0,2} $
te, first: ((first | now) .{0,4} <N> (do | te) | <N> obj first go) $
`

const actsChinese = `
=T: (now | want | first | ba | go)
=M: (repoN | target | codespan | 'pr' | prN | all | '这' | '样' | '也' | '新' | '上' | '里' | '还是' | '一并' | part | '到' | num | quote | 'diff' | word | ident | '它' | '针' | '对' | '向' | '这样' | '就这样')
=A: (act | mrg)
self: self (<T> | <M> | again){0,7} <A>
self now: self .{0,8} now (<T> | <M>){0,4} <A>
head: ^ (because | contrast)? '还是'? <T> (<T> comma?)* (<T> | <M>){0,5} <A>
pr: (self | ^) (<T> | <M>){0,6} open (num | meas | le | '个' | '一' | '一个'){0,2} .{0,2} prN
make: (self | ^) (<T> | <M>){0,5} open ('一' | '个' | '一个' | '一次' | num | meas) ('个' | meas)? act $
run: (self | ^) (<T> | <M>){0,5} (go | '执行') .{0,2} actcmd
ba pr: (self | ^) (<T> | again){0,3} ba (meas | num | '这个' | '这' | det | repoN){0,2} prN open
ba first: (self | ^) (now | first | want){1,3} ba .{1,6} <A>
ba: (<A> | open .{0,3} prN) .{0,6} lets
act, now: ^ <A> .{0,5} $
bare: ^ <A> (target | codespan | '到' | 'main')* $
tag: (self | ^ <T>) <T>{0,5} ('打' | '打上' | '打个' | '打一个') .{0,3} prN
ask: <A> .{0,4} ask
merge pr: (self | ^ <T>) <T>{0,5} (act | mrg) .{0,3} prN
`
