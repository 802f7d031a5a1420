add = 追加
add-hint = リンクを追加 (Ctrl+N)
add-title = { empty.action }
add-links = リンク
    .hint = リンクを貼り付け (1 行に 1 つ)
add-folder = フォルダー
    .hint = ダウンロードフォルダー
add-name = ファイル名
    .hint = 自動
add-set-title = 名前
    .hint = 自動
add-checksum = チェックサム
    .hint = sha-256=… (省略可)
add-checksum-trouble = チェックサムは sha-256= の後に 64 桁の数字と a から f の文字が続く形です。
add-together = グループ化
add-one-set = 1 つのグループ
add-one-each = 個別
add-start = 開始
add-now = 今すぐ
add-next = キューの次
add-later = 一時停止で追加
add-submit = { $count } 個のリンクを追加
add-progress = { $added } / { $count } 件を追加
add-understood = { $count } 個のリンクが見つかりました
add-misunderstood = { $count } 行をスキップ
add-none-understood =
    { $count ->
       *[other] リンクが見つかりません
    }
add-line-number = { $number } 行目
add-link-count = { $count } 個のリンク
add-from-to = { $first } ～ { $last }
add-signs-in = サインインあり
add-and-more = ほか { $count } 件
add-partly = { add-partly-added }{ add-partly-left }{ $text }
add-partly-added = { $added } 個のリンクを追加しました。
add-partly-left = 残りの { $count } 個は追加できませんでした: { "" }

add-asking = サーバーに問い合わせています…
add-wants-sign-in = サインインが必要です。ユーザー名とパスワードを入力してください。
add-unsized = サイズ不明
add-resumes = 再開可能
add-begins-anew = 再開不可

add-answer-gone = サーバーの応答の期限が切れました。{ -ashore } がもう一度問い合わせます。
add-is-there = すでにリストにあります
add-is-there-otherwise = すでにあるダウンロードと同じもののようです
add-are-all-there = これらのリンクはすべてすでにリストにあります
add-are-there = このうち { $count } 個のリンクはすでにリストにあります
add-are-unfinished = { $count } 個はこのリンクで再開できます
add-repeat = 重複
add-go-on = 既存のものを再開
add-go-on-many = 未完了のものを再開
add-skip = スキップ
add-again = もう一度ダウンロード
add-taken = 「{ $name }」はすでに存在します。新しいファイルには番号が付きます。

add-along = サインイン、Cookie、ヘッダー
add-user = ユーザー名
add-password = パスワード
add-keep = キーチェーンに保存
add-cookies = Cookie
    .hint = 名前=値; 別の名前=値、または cookies.txt の行
add-headers = ヘッダー
    .hint = 名前: 値
add-headers-trouble = ヘッダーの { $line } 行目が正しくありません。「名前: 値」の形で入力してください。

add-list-too-large = このファイルは大きすぎます。ashore add -i FILE を使ってください。

new-link = リンクを変更
new-folder = フォルダーを変更…
relink = リンクを変更…
relink-question = 別のリンクで続行しますか？
    .body = 新しいリンクが同じファイルを指していれば、途中までのファイルは残ります。そうでなければ、ダウンロードは最初からやり直されます。
    .link = 同じファイルの新しいリンク
    .submit = このリンクを使う
    .open = ブラウザでページを開く
    .open-about = リンクのページを開き、そこでファイルをクリックしてください。拡張機能がすべてのサイトにアクセスでき、クリックごとにダウンロードを渡す設定であれば、ダウンロードが続きます。

action-anyway = それでもダウンロード
action-free-space = フォルダーを開く
action-sign-in = サインイン
sign-in-question = サインインして再試行しますか？
    .body = ユーザー名とパスワードは { $host } にだけ送られます。
    .submit = サインイン
