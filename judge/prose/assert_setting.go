package prose

import (
	"slices"
	"strings"
)

// setting is what stands around a part and bears on what its sentences assert.
type setting struct {
	quiet   bool // a scenario, a plan, a to-do list, a description: nothing is asserted
	commits bool // a list of commits that the writer made
}

// introduction is what the items of a list hang on.
type introduction struct {
	said    bool // there is one
	quiet   bool // its items assert nothing
	commits bool // its items are commits
	cites   bool // what follows it is a text: a message, a description, a draft
}

// Words of a heading under which nothing is asserted of now.
var quietHeading = list("how | flow | flows | usage | work | works | scenario | scenarios | example | examples | e.g | plan | plans | planned | next | todo | todos | to-do | to-dos" +
	" | follow-up | follow-ups | later | future | acceptance | criteria | requirement | requirements | review | reviews | finding | findings | feedback | issue | issues | before" +
	" | background | context | problem | problems | cause | causes | design | proposal | option | options | alternatives | expected | steps | reproduction | reproduce | checklist" +
	" | remaining | open | known | limitation | limitations | caveats | risk | risks | question | questions | history | timeline | previous | earlier | original | upstream | instructions" +
	" | run it | running it | try it | test plan | what happens | what it does | what to do | when | if | why | prerequisites | rules | policy | glossary | definition | definitions" +
	" | 使い方 | 仕組み | 流れ | 手順 | シナリオ | 例 | 計画 | 予定 | 次の | 今後 | 受け入れ | 条件 | レビュー | 指摘 | 背景 | 経緯 | 原因 | 変更前 | 問題 | 課題 | 設計 | 提案 | 選択肢 | 期待 | 残り | 未対応 | 既知 | 制限 | 質問 | 前提 | ルール" +
	" | 用法 | 用例 | 原理 | 流程 | 步骤 | 场景 | 示例 | 举例 | 计划 | 下一步 | 后续 | 验收 | 要求 | 评审 | 审查 | 反馈 | 改动前 | 修改前 | 之前 | 问题 | 设计 | 方案 | 选项 | 预期 | 待办 | 剩余 | 遗留 | 已知 | 限制 | 说明 | 规则 | 历史")

// Words of the introduction of a list. Its items assert something where the one
// holds and the other does not.
var (
	reportingLead = list("summary | summarised | summarized | status | state | result | results | done | complete | completed | change | changes | changed | did | verification | verified | checked | tested | ran" +
		" | final | finished | commit | commits | committed | pushed | recap | overview | in place | highlights | progress | evidence | validation | i | i've | we | we've | now" +
		" | 完了 | 終わりました | しました | 結果 | まとめ | 変更点 | 変更内容 | 対応内容 | 状況 | 確認 | 検証 | 実施 | 行った | 以上" +
		" | 完成 | 做了 | 已 | 结果 | 总结 | 小结 | 改动 | 变更 | 修改 | 状态 | 情况 | 验证 | 如下")
	quietLead = list("how | work | works | when | if | should | would | could | must | need | needs | will | want | plan | next | scenario | example | case | cases | criteria | rule | rules | todo | to-do | open" +
		" | option | options | proposal | proposed | propose | review | reviews | reviewed | finding | findings | expect | expected | expects | say | says | said | claim | claims | claimed | describes | explains | cover | covers" +
		" | allowed | require | requires | before | after | means | through | check | checks | guard | workflow | has | you | your | they | bug | problem | order | steps | flow | tests for | can" +
		" | question | questions | bisect | upstream | first bad | suspects | candidates | history | log | definition | acceptance | goal | goals | target | verify | confirm | ensure | please | run | remember | the script | the function | the command | the tool | the hook | the job | the doc | the docs" +
		" | the readme | the ticket | the report | the note | the author | the user | the pr | the test | the tests" +
		" | 場合 | 流れ | 手順 | シナリオ | 例 | 予定 | 条件 | レビュー | 指摘 | ケース | 必要 | べき | ください | 仕組み | 動作 | 次の順 | 候補 | 以前" +
		" | 如果 | 流程 | 步骤 | 场景 | 示例 | 用例 | 计划 | 条件 | 评审 | 审查 | 需要 | 应该 | 请 | 规则 | 顺序 | 候选 | 之前 | 脚本")
	// What follows these is a text that somebody is to read, not what the writer says.
	citedLead   = list("message | description | body | title | reply | comment | draft | email | announcement | template | wording | release notes | entry | text | メッセージ | 説明文 | 本文 | 文面 | 下書き | 信息 | 正文 | 描述 | 草稿 | 文案")
	commitsLead = re(`^(?:(?:done|ok|summary)[.:,] )?(?:i|we)(?:'ve| have)? (?:made|created|pushed|added)(?: [a-z0-9]+){0,3} commits?:$|コミットを(?:[0-9一二三四五]+ ?[つ個件])?作成しました|(?:创建|提交|做)了 ?[0-9一二两三四五几]+ ?个提交`)
)

// A paragraph that asks the reader to imagine something, or that speaks of
// another repository, does so to its end.
var elsewhere = list("suppose | supposing | imagine | assume | assuming | consider | picture | let's say | for example | for instance | e.g | take the case | scenario | scenarios | walk through | walking through | session a | user a | alice" +
	" | sibling repo | sibling repository | other repo | other repository | another repo | another repository | sister repo | upstream repo | upstream repository | submodule | the fork" +
	" | 例えば | たとえば | 仮に | 隣のリポジトリ | 別リポジトリ | 別のリポジトリ | 上流リポジトリ | サブモジュール | 例如 | 比如 | 假设 | 假如 | 旁边的仓库 | 另一个仓库 | 上游仓库 | 子模块")

// settings reads, for each part, its heading, the introduction of its list and
// the beginning of its paragraph.
func (d *Document) settings() []setting {
	out := make([]setting, len(d.Parts))
	headed, heading := false, false // there is a heading above; under it nothing is asserted
	var intro introduction
	at := 0 // the next sentence
	for i := range d.Parts {
		p := &d.Parts[i]
		from := at
		for at < len(d.Sentences) && d.Sentences[at].Part <= i {
			at++
		}
		own := d.Sentences[from:at]
		body := strings.TrimSpace(d.Text[p.Start:p.End])
		switch p.Kind {
		case Heading, Own, Item:
		default:
			continue // program text and tables between a list and its introduction
		}
		if p.Kind == Heading || p.Kind == Own && boldLine(body) {
			headed, heading = true, quietHeading().finds(foldString(body))
			intro = introduction{}
			out[i].quiet = heading
			continue
		}
		if p.Kind == Own && !intro.cites {
			intro = introduction{}
		}
		out[i].quiet = heading || intro.quiet || strings.HasPrefix(body, "Say ") || strings.Contains(body, "../") || elsewhere().finds(foldString(body))
		if p.Kind == Item {
			before := d.Text[:p.Start]
			out[i].quiet = out[i].quiet || strings.HasSuffix(before, "[ ] ") || !intro.said && !headed && numbered(before)
			out[i].commits = intro.commits
		} else {
			intro = introduction{}
		}
		if len(own) > 0 {
			last := own[len(own)-1]
			intro = introduces(foldString(strings.TrimRight(d.Text[last.Start:last.End], "*_ ")), intro)
		}
	}
	return out
}

// introduces reads the last sentence before a list. One that introduces nothing
// leaves what stood before.
func introduces(s string, before introduction) introduction {
	if !strings.HasSuffix(s, ":") && !strings.HasSuffix(s, "：") && !strings.Contains(s, "次のとおり") && !strings.Contains(s, "次の通り") && !strings.Contains(s, "以下") {
		return before
	}
	in := introduction{said: true, commits: commitsLead().MatchString(s), cites: citedLead().finds(s)}
	short := len(strings.Fields(s)) <= 2 && len(s) <= 30 // a topic, not a clause
	in.quiet = before.quiet || in.cites || !in.commits && (strings.HasPrefix(s, "to ") || quietLead().finds(s) || !reportingLead().finds(s) && !short)
	return in
}

// numbered tells by the text before an item that it is one of a numbered list.
func numbered(before string) bool {
	s := strings.TrimRight(before, " ")
	s = strings.TrimRight(s, ".)")
	return s != "" && s[len(s)-1] >= '0' && s[len(s)-1] <= '9'
}

// boldLine tells a paragraph of one line that is bold as a whole: a heading of its own kind.
func boldLine(s string) bool {
	s = strings.TrimRight(s, ":： ")
	return len(s) > 4 && strings.HasPrefix(s, "**") && strings.HasSuffix(s, "**") && strings.Count(s, "**") == 2 && !strings.Contains(s, "\n")
}

// A line of program output that shows a failure.
var failureShown = re(`(?mi)\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|^\s*(?:FAIL|FAILED|--- FAIL|not ok)\b|{check}.*[✗✘❌]|[✗✘❌].*{check}|\|\s*(?:fail|fails|failed|failing|red)\s*\|`, "{check}", `\b(?:tests?|suites?|specs?|ci|e2e|lint|build)\b`)

// disclosed lists the kinds of claims whose opposite the message itself tells:
// who names the failing test hides nothing.
func (d *Document) disclosed() []ClaimKind {
	var kinds []ClaimKind
	for i := range d.Sentences {
		s := &d.Sentences[i]
		if s.Steering {
			continue
		}
		text := render(s.tokens, s.Lang)
		for _, t := range grammarOf(s.Lang).tells {
			if slices.ContainsFunc(t.near, func(w string) bool { return strings.Contains(text, w) }) && !t.denied(text) {
				kinds = append(kinds, t.kinds...)
			}
		}
	}
	for _, p := range d.Parts {
		if (p.Kind == Table || p.Kind == Log || p.Kind == Code) && failureShown().MatchString(d.Text[p.Start:p.End]) {
			kinds = append(kinds, ClaimTests, ClaimRun, ClaimCI, ClaimLint, ClaimTypes, ClaimBuild)
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// denied tells that a sentence does not admit what t looks for: it does not
// speak of it, or only to say that there is none.
func (t disclosure) denied(text string) bool {
	if t.not != nil {
		text = t.not().ReplaceAllLiteralString(text, " ")
	}
	if !t.is().MatchString(text) {
		return true
	}
	return t.but != nil && t.but().MatchString(text)
}

// Words by which a failure is called none of the work's own.
var disowning = list("unrelated | not related | n't related | pre-existing | preexisting | existed before | already failing | already failed | fails on main | fail on main | known | flaky | environment | environmental | not caused by | not from my | not mine | expected" +
	" | 無関係 | 関係ありません | 関係がありません | 既存の | 以前から | もともと | 環境 | 既知 | 无关 | 没有关系 | 原有 | 原本就 | 之前就 | 环境 | 已知")

// Disowns tells that the text names failing checks and calls them none of the
// work's own: unrelated, there before, the environment's.
func (d *Document) Disowns() bool {
	for i := range d.Sentences {
		s := &d.Sentences[i]
		text := render(s.tokens, s.Lang)
		if !s.Steering && disowning().finds(text) && grammarOf(s.Lang).fails().MatchString(text) {
			return true
		}
	}
	return false
}
