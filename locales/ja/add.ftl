add = 追加
add-hint = ダウンロードを追加 (Ctrl+N)
add-title = ダウンロードを追加
add-links = リンク
    .hint = https://…  1 行に 1 つ
add-folder = フォルダー
    .hint = ダウンロードフォルダー
add-name = ファイル名
    .hint = サーバーから取得
add-set-title = タイトル
    .hint = ファイルから取得
add-checksum = チェックサム
    .hint = sha-256=… (省略可)
add-checksum-trouble = チェックサムは sha-256= の後に 64 桁の数字と a から f の文字が続く形です。
add-together = 追加方法
add-one-set = 1 つのセット
add-one-each = 1 つずつ
add-start = 開始
add-now = 今すぐ
add-next = 次に
add-later = 後で (一時停止)
add-submit = { $count } 個のリンクを追加
add-progress = { $added } / { $count } 件を追加
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

add-asking = サーバーに問い合わせています…
add-wants-sign-in = サーバーがサインインを求めています。下に入力するか、許可を含むリンクを使ってください。
add-unsized = サイズはサーバーから示されていません
add-resumes = 中断しても再開可能
add-begins-anew = 中断すると最初からやり直し

add-answer-gone = サーバーの応答の期限が切れました。追加するときに { -ashore } がもう一度サーバーに問い合わせます。
add-is-there = このリンクはすでにリストにあります
add-is-there-otherwise = 同じ場所へのリンクがすでにリストにあります
add-are-all-there = これらのリンクはすべてすでにリストにあります
add-are-there = このうち { $count } 個のリンクはすでにリストにあります
add-are-unfinished = このうち { $count } 個は未完了で、届いた分を残したままこのリンクで続行できます
add-repeat = これらの扱い
add-go-on = リストにあるものを続行
add-go-on-many = 未完了のものを続行
add-skip = 除外
add-again = もう一度ダウンロード
add-taken = フォルダーにはすでに「{ $name }」があります。それはそのまま残り、このファイルの名前の後に番号が付きます。

add-along = サインイン、Cookie、ヘッダー
add-user = ユーザー名
add-password = パスワード
add-keep = サインインと Cookie をキーチェーンに保存
add-cookies = Cookie
    .hint = 名前=値; 別の名前=値、または cookies.txt の行
add-headers = ヘッダー
    .hint = 名前: 値
add-headers-trouble = ヘッダーの { $line } 行目はヘッダーではありません。ヘッダーは「名前: 値」の形です。

add-list-too-large = このファイルはリンクのリストとしては大きすぎます。長いリストは次のように追加できます: ashore add -i FILE。

new-link = 新しいリンク
new-folder = 別のフォルダー
relink = 新しいリンク…
relink-question = 別のリンクで続行しますか？
    .body = { -ashore } はこれまでに届いた分を、新しいリンクのファイルと照合します。内容が異なる場合、ダウンロードは最初からやり直されます。
    .link = 同じファイルの新しいリンク
    .submit = このリンクを使う
    .open = ブラウザでページを開く
    .open-about = リンクのページを開き、そこでファイルをクリックしてください。拡張機能がすべてのサイトにアクセスでき、クリックごとにダウンロードを渡す設定であれば、ダウンロードが続きます。

action-anyway = それでもダウンロード
action-free-space = 空きを作る
action-sign-in = サインイン
sign-in-question = サインインして再試行しますか？
    .body = { $host } はサインインを求めています。ユーザー名とパスワードはこのサーバーにだけ送られます。
    .submit = サインイン
