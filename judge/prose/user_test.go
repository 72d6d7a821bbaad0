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
