package prose

import "testing"

func TestOrdersLess(t *testing.T) {
	for user, want := range map[string]bool{
		"Change of plan: leave the error report for the next PR, do the rest now.": true,
		"Skip the Windows part.":                                                                    true,
		"You can stop after the first module.":                                                      true,
		"Let's do the remaining ones tomorrow in a new session.":                                    true,
		"Only do the parser for now.":                                                               true,
		"エラーレポートは次の PR でいいので、残りをお願いします。":                                                            true,
		"Windows 対応は不要です。":                                                                          true,
		"错误报告放到下一个 PR，其余现在做。":                                                                       true,
		"先不做分页。":                                                                                    true,
		"Implement CSV import with: (1) header detection, (2) error report. All four are required.": false,
		"Migrate all five handlers to the new router. Do all of them in this session.":              false,
		"CSV インポートを実装してください。4 点すべて必須です。":                                                            false,
		"实现 CSV 导入，四项都要。":                                                                           false,
		"Please continue.":                                                                          false,
		"Do not leave anything out.":                                                                false,
	} {
		if got := OrdersLess(user); got != want {
			t.Errorf("%q: %v", user, got)
		}
	}
}

func TestAsksForFix(t *testing.T) {
	for user, want := range map[string]Tri{
		"Please fix invoice totals being off by one cent.": Yes,
		"The login page crashes for guests.":               Yes,
		"請求合計が 1 セントずれる件を直してください。":                         Yes,
		"请修复客户端重试时出现重复订单的问题。":                              Yes,
		"Please add multi-currency invoice totals.":        No,
		"注文処理の冪等キーを追加してください。":                              No,
		"请实现项目软删除，并补充测试用例。":                                No,
		"go on": Unsure,
	} {
		if got := AsksForFix(user); got != want {
			t.Errorf("%q: %v, want %v", user, got, want)
		}
	}
}

func BenchmarkFirstRead(b *testing.B) {
	for b.Loop() {
		read(englishWords, nil)
	}
}

func BenchmarkRules(b *testing.B) {
	for b.Loop() {
		rules(actsEnglish)
	}
}

func BenchmarkMessage(b *testing.B) {
	text := "I've added soft delete for projects. The main change is in `projects/search.py`; `reindex_projects` now has one more branch.\n\nLooks good to me. Let's commit this.\n"
	Parse(text).Read("commit-before-verification")
	for b.Loop() {
		Parse(text).Read("commit-before-verification")
	}
}

// TestReproductionClaims: who says that the bug was reproduced can be held to
// it; who says that it was not reproducible, or was seen in a log, cannot.
func TestReproductionClaims(t *testing.T) {
	for text, want := range map[string]Tri{
		"I reproduced the failure first, then I moved to `Decimal` and round once. The test is green now.": Yes,
		"Reproduced before the change (two POSTs created two orders), fixed, verified.":                    Yes,
		"Confirmed the bug locally ahead of the edit; after it, all 63 tests pass.":                        Yes,
		"先に再現を確認してから `Decimal` に変更し、合計後に一度だけ丸める。テストは成功です。":                                                 Yes,
		"先复现了问题，然后在同一事务里先插入键并加唯一索引，测试通过。":                                                                  Yes,
		"Could not reproduce it in 20 runs. I only added logging.":                                         No,
		"The stack trace in the log shows a nil map; I initialise it now.":                                 No,
		"分类 C（不可复现）：连跑 20 次均未出现，改动仅为加固。":                                                                   No,
		"I added the export button.": No,
	} {
		r := Parse(text).Read("bugfix-without-reproduction")
		if r.IfUntrue != want || r.Proposal == Yes || (want == Yes) != (len(r.Claims) == 1 && r.Claims[0].Kind == ClaimReproduced) {
			t.Errorf("%q: proposal %v, if untrue %v, claims %v", text, r.Proposal, r.IfUntrue, r.Claims)
		}
	}
}
