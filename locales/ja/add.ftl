add = 追加
add-hint = ダウンロードを追加 (Ctrl+N)
add-title = ダウンロードを追加
add-links = リンク
    .hint = https://…  1 行に 1 つ
add-folder = フォルダー
    .hint = ダウンロードフォルダー
add-name = タイトル
    .hint = ファイルから取得
    .hint-set = ファイルから取得
add-checksum = チェックサム
    .hint = sha-256=… (省略可)
add-checksum-trouble = チェックサムは sha-256= の後に 64 桁の数字と a から f の文字が続く形です。
add-together = 追加方法
add-one-set = 1 つのセット
add-one-each = 1 つずつ
add-start = 開始
add-now = 今すぐ
add-later = 後で
add-submit = { $count } 個のリンクを追加
add-understood = { $count } 個のリンクを認識
add-misunderstood = { $count } 行は認識できません
add-none-understood =
    { $count ->
        [1] この行はリンクではありません
       *[other] どの行もリンクではありません
    }
add-line-number = { $number } 行目
add-link-count = { $count } 個のリンク
add-from-to = { $first } ～ { $last }
add-signs-in = サインインあり
add-and-more = ほか { $count } 件
add-partly = { add-partly-added }{ add-partly-left }{ $text }
add-partly-added = { $added } 個のリンクを追加しました。
add-partly-left = 残りの { $count } 個は追加できませんでした: { "" }
