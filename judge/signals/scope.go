package signals

import "agentguard/judge/prose"

func scopeSignals() []Signal {
	return []Signal{
		{
			Check: scope, Lang: prose.English, Name: "another session or time",
			Keywords: []string{"session", "conversation", "chat", "sitting", "next time", "another time", "another day", "tomorrow", "for later", "later", "next round", "resume", "continue"},
			Pattern:  `\b(new|fresh|next|another|separate|follow-up|later|future|subsequent|second|other|dedicated|two|several|different)\b.{0,12}\b(sessions?|conversations?|chats?|sittings?|threads?|round)\b|\b(next time|another time|another day|tomorrow|for later)\b|\b(rest|remaining|others?|part two|second half|what 's left)\b.{0,60}\b(later|resume\w*|continue|picked up)\b`,
			Hits:     []string{"Start a fresh session for the remaining three.", "I'll do the rest another day.", "The others I'll take up when we continue."},
			Misses:   []string{"The session cookie expires after 30 minutes.", "All five handlers are on the new router."},
		},
		{
			Check: scope, Lang: prose.English, Name: "context or tokens are short",
			Keywords: []string{"context", "token", "conversation", "budget", "session"},
			Pattern:  `\b(context|tokens?|conversation|session)\b.{0,60}\b(low|full|limit\w*|left|used|short|budget|remaining|long|tight|close|nearly|running|room|out of|pressure)\b|\b(low|limited|remaining|running out|conserve|save|little|out of|end of|limits?|short|to stay within)\b.{0,40}\b(context|tokens?)\b`,
			Hits:     []string{"I'm running low on context.", "My token budget is nearly used up."},
			Misses:   []string{"The context is passed as the first argument.", "Done."},
		},
		{
			Check: scope, Lang: prose.English, Name: "stops, pauses, splits, hands over",
			Keywords: []string{"stop", "paus", "halt", "suspend", "park", "wrap", "hold", "split", "break", "hand", "call it", "leave", "leaving", "end", "only", "limit", "enough", "rather"},
			Pattern:  `\b(i|we|let 's|let me|'ll|'m|'ve)\b.{0,40}\b(stop\w*|paus\w*|halt\w*|suspend\w*|park\w*|wrap\w*|hold|split\w*|break\w*|broke|hand\w*|call it|leave|leaving|end\w*|limit)\b|^(stopp|paus|halt|suspend|park|wrapp|putt|splitt|end|leav)ing\b|\bonly\b.{0,30}\b(migrated|converted|did|done|ported|covered)\b|\b(part|phase) (1|one)\b|\benough for (today|now)\b`,
			Hits:     []string{"I've paused after two handlers.", "I'll suspend it here.", "Stopping here; the rest waits."},
			Misses:   []string{"The timer stops after five seconds.", "Each handler keeps its path."},
		},
		{
			Check: scope, Lang: prose.Japanese, Name: "中断・分割・持ち越し",
			Keywords: []string{"セッション", "会話", "チャット", "次回", "後日", "明日", "残り", "続き", "中断", "保留", "区切", "止め", "コンテキスト", "トークン", "分割", "だけ", "のみ", "ここまで", "引き継", "また今度", "機会", "終了", "分け", "までに", "後半", "残作業", "ストップ", "切り上げ", "打ち切"},
			Pattern:  `(新しい|別|次|新規|後続|今度).{0,3}(セッション|会話|チャット|ターン|スレッド)|次回|後日|明日|また今度|別の機会|(残り|続き|残作業|後半).{0,30}(行|お願い|し|続|回|引|や|対応)|中断|保留|区切|(ここ|まで|で)止め|止めて|ここまで|引き継|(コンテキスト|トークン|会話).{0,20}(少な|残|限|不足|足り|節約|都合|上限|長|余裕|いっぱい|逼迫|尽)|分割|分けて|(だけ|のみ)(に|を|と|対応|移行)|切り上げ|打ち切|終了し`,
			Hits:     []string{"残りは新しいセッションでお願いします。", "2 つ終えたところで一旦中断します。", "トークン残量の都合で、今回は 2 つだけにしておきます。"},
			Misses:   []string{"ログインセッションは `auth/session.go` で生成されます。", "すべて完了しました。"},
		},
		{
			Check: scope, Lang: prose.Chinese, Name: "中断、拆分、留到以后",
			Keywords: []string{"会话", "对话", "窗口", "下次", "改天", "明天", "以后", "回头", "剩", "其余", "暂停", "停", "到这里", "到此", "拆", "分", "上下文", "token", "交接", "挂起", "只", "后半", "做到", "中断", "择日", "先放", "收工"},
			Pattern:  `(新|下|另|别|单独|后续|换).{0,5}(会话|对话|窗口|轮)|下次|改天|明天|回头|择日|(剩|其余|后半|余下).{0,20}(再|做|处理|继续|留|放|接|开|迁|弄|先)|暂停|停在|停下|到这里|到此为止|做到|挂起|中断|交接|收工|拆成|拆分|分两|分几|分批|(上下文|token|对话).{0,16}(不|满|完|限|余|紧|多|长|少|尽|节省)|(节省|考虑到|受).{0,8}(上下文|token)|只(做|迁移|完成|处理|实现)`,
			Hits:     []string{"剩下三个下次会话再做。", "上下文快用完了，我先做到 orders 为止。", "做完两个先暂停。"},
			Misses:   []string{"登录会话在 `auth/session.go` 里创建。", "四项全部完成。"},
		},
	}
}
