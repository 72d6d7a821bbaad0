package prose

import "sync"

// Parts of the Chinese patterns; render leaves no spaces.
var chineseParts = []string{
	// What is checked, and that it is not well.
	"{check}", "(?:测试|用例|套件|ci|流水线|lint|构建|检查|\\d个|`test|`cmd)",
	"{bad}", `(?:失败|没(?:有)?通过|未通过|不通过|报错|红的|跑不(?:了|起来)|无法运行|没法运行|没有运行|还没跑|没跑)`,
	"{has}", `(?:现在|目前|已经|已|均|都|也|全部|全都|仍然|依然|现已|全)*`,
	"{pass}", `(?:通过|成功|全绿|跑通|绿了|变绿|是绿的|全部通过|通过测试)`,
	"{none}", `(?:没有|无|未发现)(?:任何)?(?:报错|错误|告警|警告|问题)`,
	"{tree}", "(?:git)?(?:工作区|工作树|工作目录|`status)",
	"{place}", "(?:`place|`name|main|master|develop|origin/?[a-z0-9_./-]*|远程(?:仓库|分支)?|远端(?:仓库|分支)?|主分支|github)",
	"{ours}", `(?:(?:所有|全部|这些|本次|这次)?(?:的)?(?:修复|改动|修改|变更|更改|代码|提交|分支|内容)(?:都|均|也)?)`,
}

var assertChinese = sync.OnceValue(func() *grammar {
	zh := func(expr string) expression { return re(expr, chineseParts...) }
	return &grammar{
		lead: re(`^(?:✓|另外|此外|目前|现在|当前|最后|而且|并且|结果|经确认|我确认)+`),
		veto: list("仅 | 只有 | 除 | 之外 | 以外 | 是否 | 应该 | 可能 | 之前 | 以前 | 原来 | 原本 | 开始时 | 起初 | 昨天 | 上次 | 上周 | 那时 | 当时" +
			" | 文档里 | 说明里 | 写着 | 写明 | 据 | 说是 | 声称 | 例如 | 比如 | 假设 | 假如 | 场景 | 上游 | 旁边 | 另一个 | 另一台 | 子模块 | 别的 | 其他 | 其它 | 你的 | 你昨天 | 你之前 | 你已经 | 你那边 | 他们 | 服务器" +
			" | 需要 | 请 | 预期 | 期望 | 目标 | 部分 | 几乎 | 一半 | 才会 | 才能 | 剩下"),
		conditions: list("如果 | 若 | 要是 | 一旦 | 只要 | 时候 | 时, | 时， | 时才 | 等到 | 等所有"),
		opens:      zh(`(?:了|完成|完毕|好|改为|改成|修复|重构|已\S+|没有变化|单独的组件|参数)$|^我|^$|^已|提交|推送`),
		limits:     zh(`^(?:除|但|不过|仅|只|在\S+(?:上|中|里))`),
		fails:      zh(`{bad}`),
		tells: []disclosure{
			{
				kinds: []ClaimKind{ClaimTests, ClaimRun, ClaimCI}, near: []string{"失败", "通过", "报错", "红", "跑", "运行"},
				is:  zh(`{check}.*{bad}|{bad}.*{check}`),
				not: zh(`(?:没有|无|0个?|零)(?:任何)?(?:一个)?(?:失败|报错)|失败(?:数)?(?:为|:)?0`),
				but: zh(`之前|原来(?:会|的)|修复|修好|不再|不会`),
			},
			{
				kinds: []ClaimKind{ClaimClean, ClaimAllIn}, near: []string{"提交", "保留", "改"},
				is:  zh(`(?:还没|没有|尚未|未)提交|未提交|保留(?:着|了)|(?:^|[^所])有(?:改动|修改)`),
				not: zh(`(?:没有|无)(?:任何)?(?:未提交|待提交)的?(?:改动|修改|变更|更改|文件)`),
			},
			{kinds: []ClaimKind{ClaimPushed}, near: []string{"推", "远", "本地"}, is: zh(`(?:还没|没有|尚未|未)(?:推送|推)|远[端程](?:还|仍)没有|只在本地|在本地`)},
		},
		forms: []form{
			{kind: ClaimTests, near: []string{"测试", "用例"}, is: zh(`^(?P<all>(?:所有|全部|全体))?(?:的)?(?:现有|既有|已有|原有)?(?:的)?(?:共)?(?P<n>\d+)?(?:个|项|条)?(?:自动)?测试(?:用例|套件)?{has}(?:\d+(?:个|项))?{has}{pass}(?:了)?(?:✓)?$`)},
			{kind: ClaimTests, near: []string{"测试", "用例"}, join: ": ", is: zh(`^(?:全部)?测试(?:结果|套件)?: {has}{pass}(?:了)?$`)},
			{kind: ClaimBuild, near: []string{"构建", "编译"}, join: ": ", is: zh(`^(?:生产)?(?:构建|编译): {has}{pass}(?:了)?$`)},
			{kind: ClaimLint, near: []string{"lint"}, join: ": ", is: zh(`^(?:eslint|lint): {has}(?:{none}|干净|{pass}(?:了)?)$`)},
			{kind: ClaimLint, near: []string{"lint", "代码检查", "静态检查"}, is: zh(`^(?:eslint|lint|代码检查|静态检查)(?:检查)?(?:{has}(?:{none}|干净(?:的)?|是干净的|{pass}(?:了)?))$`)},
			{kind: ClaimTypes, near: []string{"类型检查", "tsc", "mypy", "pyright"}, is: zh(`^(?:类型检查|tsc|mypy|pyright)(?:检查)?{has}(?:{none}|{pass}(?:了)?)$`)},
			{kind: ClaimBuild, near: []string{"构建", "编译"}, is: zh(`^(?:项目|整个项目|生产)?(?:构建|编译){has}{pass}(?:了)?$`)},
			{kind: ClaimCI, near: []string{"ci", "流水线"}, is: zh(`^(?:ci|流水线)(?:流水线|检查)?{has}{pass}(?:了)?$`)},
			{kind: ClaimClean, near: []string{"干净"}, is: zh(`^{tree}{has}(?:是)?(?:完全)?干净(?:的|了)?$`)},
			{kind: ClaimClean, near: []string{"干净"}, join: ": ", is: zh(`^{tree}: 干净(?:的)?$`)},
			{kind: ClaimClean, near: []string{"提交"}, is: zh(`^(?:没有|无)(?:任何)?(?:未提交|待提交)的?(?:改动|修改|变更|更改|文件)$`)},
			{kind: ClaimAllIn, near: []string{"提交"}, is: zh(`^(?:所有|全部)(?:的)?(?:改动|修改|变更|更改|文件|代码)?(?:都|均)?(?:已|已经)?(?:全部)?提交(?:了|完毕|完成|好了)?$|^(?:代码|改动|修改|变更|更改|工作)(?:已|已经)?(?:全部|都)(?:已|已经)?提交(?:了|完毕|完成|好了)?$`)},
			{kind: ClaimCommit, near: []string{"`sha"}, is: zh("^[^`]{0,30}(?:提交(?:为|成|到|了)?|提交号(?:为|是)?|创建(?:了)?提交|提交哈希(?:为|是)?)`sha$|^(?:我)?(?:推送|推)(?:了)?`sha(?:到{place})?$")},
			{kind: ClaimCommit, near: []string{"`sha"}, join: ": ", is: zh("^(?:已)?提交(?:号|id|哈希)?: `sha\\b")},
			{kind: ClaimCommit, near: []string{"提交"}, follows: true, is: zh("^[^`]{0,40}(?:已提交|已经提交|提交了)[^`]{0,12}$")},
			{kind: ClaimPushed, near: []string{"推送", "推到"}, is: zh(`^(?:{ours})?(?:我)?(?:已经|已|并|也|提交并|提交后)*(?:推送|推)(?:到|至)(?:了)?(?P<place>{place})(?:分支)?(?:了)?$|^(?:{ours})?(?:我)?(?:已经|已|并|也)+推送(?:了|完成|成功)?$|^{ours}(?:已|已经)?推送(?:了|完成|成功)?$`)},
		},
	}
})
