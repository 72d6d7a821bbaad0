package signals

import "agentguard/judge/prose"

func changeSignals() []Signal {
	return []Signal{
		{
			Check: change, Lang: prose.English, Name: "put off or put on a list",
			Keywords: []string{"defer", "postpon", "backlog", "shelv", "tabled", "park", "todo", "follow-up", "followup", "follow up", "later", "next", "phase", "separate", "ticket", "future", "punt", "prioriti", "milestone", "iteration", "release", "when there is demand", "follow", "issue", "first step", "v2", "demand"},
			Pattern:  `\b(defer\w*|postpon\w*|backlog\w*|shelv\w*|tabled|parked|punt\w*|depriorit\w*|todo\w*)\b|\b(later|next|follow-up|followup|separate|another|future|second|subsequent|own|new)\b.{0,14}\b(pr|prs|pull request|release|phase|iteration|milestone|version|ticket|issue|sprint|change|step|stage|task)\b|\bphase (2|two|3)\b|\bfollow-ups?\b|\b(can|could|will|would) (follow|come|be added|wait)\b|\bcomes? later\b|\b(for later|future work|v2|first step|left for)\b|\bnext release\b|\badd it later\b`,
			Hits:     []string{"The error report is deferred to a later PR.", "I put rate limiting on the backlog.", "phase 2 can come when there is demand."},
			Misses:   []string{"All four points are implemented.", "The importer streams row by row."},
		},
		{
			Check: change, Lang: prose.English, Name: "left out or narrowed",
			Keywords: []string{"left", "leav", "drop", "skip", "omit", "exclud", "scope", "narrow", "reduc", "trim", "only", "mvp", "first version", "not included", "not part", "stub", "decided", "chose", "opted", "elected", "split", "phases", "limit", "without", "cut", "pared", "scaled", "unimplemented", "not implemented", "liberty"},
			Pattern:  `\b(left|leave|leaving)\b.{0,40}\b(out|later|todo|undone|unimplemented|separate|follow-up|next)\b|\b(drop\w*|skip\w*|omit\w*|exclud\w*|narrow\w*|reduc\w*|trim\w*|stub\w*|scoped|descop\w*|cut|pared|scaled)\b|\bout of scope\b|\b(outside|beyond) the scope\b|\bonly\b.{0,30}\b(did|implement\w*|cover\w*|add\w*|done|built|the first)\b|\b(did|done|implemented|covered|added)\b.{0,12}\bonly\b|\b(decided|chose|opted|elected)\b|\bsplit\w*\b|\bmvp\b|\bnot (included|part of|implemented)\b|\bunimplemented\b|\bliberty\b`,
			Hits:     []string{"I dropped the Windows support.", "To keep the change small I only did headers.", "The error report is out of scope now."},
			Misses:   []string{"All four points are implemented.", "Encoding detection covers UTF-8."},
		},
		{
			Check: change, Lang: prose.Japanese, Name: "先送り・除外",
			Keywords: []string{"後回し", "後日", "先送り", "延期", "見送", "保留", "持ち越し", "バックログ", "todo", "次", "別", "後続", "フェーズ", "外", "省", "除", "絞", "だけ", "のみ", "割愛", "対象外", "mvp", "スコープ", "今後", "課題", "チケット", "段階", "含め", "未実装", "縮小", "削", "やめ", "将来", "カット", "棚上げ", "スキップ", "issue"},
			Pattern:  `後回し|後日|先送り|延期|見送|保留|持ち越し|バックログ|todo|(次|別|後続|今後|将来|フォローアップ).{0,4}(pr|リリース|フェーズ|バージョン|チケット|タスク|課題|イテレーション|スプリント|機会|版|対応)|フェーズ ?2|第 ?2 ?(段階|フェーズ)|外し|外す|省き|省い|省略|除外|絞|(だけ|のみ)(に|を|と|対応|実装|完了)|割愛|対象外|スコープ外|範囲外|段階|含めて|含めま|未実装|縮小|削っ|削り|今後の課題|起票|棚上げ|スキップし|カットし|実装していません|ないことに|予定`,
			Hits:     []string{"エラーレポートはバックログに入れました。", "今回はヘッダ検出とドライランだけにしました。", "PDF 出力は次の PR に回しました。"},
			Misses:   []string{"4 点すべて実装しました。", "完了しました。"},
		},
		{
			Check: change, Lang: prose.Chinese, Name: "推迟、去掉",
			Keywords: []string{"推迟", "延后", "推后", "搁置", "待办", "todo", "backlog", "后续", "下", "以后", "之后", "第二", "二期", "去掉", "不做", "省略", "砍", "范围", "排除", "只", "mvp", "暂缓", "拆", "工单", "往后", "没做", "先不", "留", "缩", "舍", "没有做", "没实现", "单独", "放"},
			Pattern:  `推迟|延后|推后|搁置|待办|todo|backlog|(下|后续|另|单独|第二|以后).{0,4}(pr|版本|阶段|期|迭代|任务|工单|再)|二期|以后再|之后再|后续|去掉|不做|省略|砍掉|范围|排除|只(做|实现|完成|处理|支持)|mvp|暂缓|拆(成|到|出|分)|工单|往后|没做|先不|留(到|给|待|作)|缩(小|减)|舍弃|没有做|没实现|放(入|到|进|在)`,
			Hits:     []string{"错误报告已放入待办列表。", "这次只做了表头识别。", "分页暂缓。"},
			Misses:   []string{"四项全部完成。", "按行流式读取。"},
		},
	}
}
