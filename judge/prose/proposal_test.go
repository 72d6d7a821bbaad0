package prose

import "testing"

// TestToldIsNoProposal: what has been done, what a reader is to do and what
// something does by itself announces nothing. Beside each its announcement.
func TestToldIsNoProposal(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"設定の変更もまとめて反映しています。", false},
		{"`a1b2c3d` で依存の更新もあわせてコミットしています。", false},
		{"三つの画面すべてに適用しております。", false},
		{"では、この変更をコミットします。", true},
		{"コミットしておきます。", true},
		{"適用後は一覧に保存ボタンが表示され、再利用できます。", false},
		{"登録後に画面が読み込まれると、通常表示に戻ります。", false},
		{"反映後、フォルダーが並んでいるか確認：", false},
		{"The rule propagated and metrics are now being shipped to the collector.", false},
		{"Users can set a remote, and the branch will be pushed there now.", false},
		{"This will lint, build, tag and publish the package now.", false},
		{"I'll commit and push this now.", true},
		{"The changes will be pushed now.", true},
	} {
		if got := len(Parse(c.text).proposals()) > 0; got != c.want {
			t.Errorf("%q: proposal %v, want %v", c.text, got, c.want)
		}
	}
}
