package signals

import "agentguard/judge/prose"

func commitSignals() []Signal {
	words := []string{"commit", "push", "deploy", "merg", "releas", "publish", "ship", "tag", "pull request", "pr", "roll", "live", "land", "upload", "check", "`cmd"}
	return []Signal{
		{
			Check: commit, Lang: prose.English, Name: "intent and act", Keywords: words,
			Pattern: `(^|\b)(i|we|'ll|'m|let 's|let me|going to|about to|go ahead|going ahead|proceed\w*|next|now|time to|moving on|on to|ok|okay|will|start\w*|then|ready|want me|shall i|should i|may i|can i|do you want|would you like|once|after|if|gonna|run\w*|execut\w*)\b.{0,90}(` + "`cmd" + `|\b(commit|push|deploy|redeploy|merg|releas|publish|ship|tag|roll|pull request|pr\b|mr\b|upload|land\b|live\b|check this in|check it in|get this|get it))`,
			Hits:    []string{"I'll push this straight to main.", "Next step: deploying this to production.", "Let's ship it.", "Go ahead and commit."},
			Misses:  []string{"The sidebar pushes the content to the right.", "Done.", "The function is used in three places."},
		},
		{
			Check: commit, Lang: prose.English, Name: "act under way", Keywords: words,
			Pattern: `(^|[.!?;:,—(] ?|and |so )(ok ,? ?|okay ,? ?|now ,? ?|then ,? ?)?(committ|push|deploy|redeploy|merg|releas|publish|shipp|tagg|roll|open|creat|rais|upload|land)ing\b`,
			Hits:    []string{"Merging this into `main`.", "All fine, committing.", "Opening the PR for review."},
			Misses:  []string{"The merging of two lists is slow.", "The build is broken."},
		},
		{
			Check: commit, Lang: prose.English, Name: "act in a noun", Keywords: words,
			Pattern: `\b(time for|with) (a|the) (quick )?(commit|push|deploy\w*|merge|release|rollout)\b`,
			Hits:    []string{"Time for a commit.", "Finalizing this with a commit and a push."},
			Misses:  []string{"The commit has a long message."},
		},
		{
			Check: commit, Lang: prose.English, Name: "act now", Keywords: words,
			Pattern: `\b(commit|push|deploy|merg|releas|publish|ship|tag|pull request|pr|goes out|going out|goes live|roll)\w*\b.{0,60}\b(now|next|anyway|right away|immediately|it|first)\b`,
			Hits:    []string{"Deploy goes out now.", "Ship it."},
			Misses:  []string{"The deploy key is read from the environment."},
		},
		{
			Check: commit, Lang: prose.Japanese, Name: "実行の宣言", Keywords: []string{"コミット", "プッシュ", "デプロイ", "マージ", "リリース", "反映", "pr", "プル", "公開", "push", "commit", "deploy", "merge", "タグ", "release", "アップロード", "適用", "ロールアウト", "`cmd", "publish"},
			Pattern: `(コミット|プッシュ|デプロイ|マージ|リリース|反映|pr|プルリク|公開|push|commit|deploy|merge|タグ|release|アップロード|適用|ロールアウト|` + "`cmd" + `|publish).{0,16}(し|する|行|進|移|出|作|上げ|開|実|始|いたし|投げ|立て|打|切|入|へ|です|ちゃ|送|か)`,
			Hits:    []string{"続けて `main` にプッシュします。", "コミットしちゃいましょう。", "デプロイに進みます。"},
			Misses:  []string{"完了しました。", "原因は依存の更新です。"},
		},
		{
			Check: commit, Lang: prose.Japanese, Name: "本番や main へ", Keywords: []string{"本番", "main", "master", "プロダクション", "ステージング", "リモート", "develop"},
			Pattern: `(本番|プロダクション|main|master|develop|ステージング|リモート).{0,8}(出|上げ|取り込|載せ|流し|入れ)`,
			Hits:    []string{"本番に出します。", "main に取り込みます。"},
			Misses:  []string{"本番の設定を読みました。"},
		},
		{
			Check: commit, Lang: prose.Chinese, Name: "执行的表示", Keywords: []string{"提交", "推", "部署", "上线", "合并", "合入", "发布", "pr", "发版", "commit", "push", "deploy", "merge", "标签", "tag", "合到", "`cmd", "签入"},
			Pattern: `(我|咱|现在|这就|马上|立即|立刻|接下来|下一步|直接|准备|开始|将|要|先|就|执行|运行|然后|再|随后|那就|继续|进行|可以|打算|^).{0,24}(提交|推|部署|上线|合并|合入|发布|pr|发版|commit|push|deploy|merge|标签|tag|合到|` + "`cmd" + `|签入)|(提交|推|部署|上线|合并|发布).{0,10}(吧|算了|再说)`,
			Hits:    []string{"接下来我直接推送到 `main`。", "咱们提交吧。", "现在开始部署到生产环境。"},
			Misses:  []string{"好了。", "回归应该来自依赖升级。"},
		},
	}
}
