search = 検索
search-hint = ダウンロードを検索 (Ctrl+F)
search-clear = 検索をクリア
filters = 表示
filters-wide = サイドバーを表示
filter-all = すべて
filter-running = 進行中
filter-waiting = 待機中
filter-paused = 一時停止中
filter-done = 完了
filter-failed = 失敗
filter-cancelled = キャンセル済み
kinds = ファイルの種類
kind-video = 動画
kind-music = 音声
kind-picture = 画像
kind-document = 文書
kind-archive = アーカイブ
kind-program = プログラム
kind-other = その他
sort-by = 並べ替え
sorted-by = 並べ替え: { $name }
    .reversed = 並べ替え: { $name } (逆順)
sort-newest = 新しい順
sort-name = 名前
sort-size = サイズ
sort-progress = 進行状況
sort-speed = { details-speed }
sort-left = 残り時間
sort-reverse = 逆順にする
column-added = { about-created }
column-left = { sort-left }
columns = 列
in-turn = キューの順序
dense = 行をコンパクトに表示
chosen = { $count } 件選択中
downloads = ダウンロード
reading = 読み込み中…
reading-file = { reading }
read-again = もう一度試す
list-failed = リストを読み込めませんでした
more = その他
close = 閉じる
cancel = キャンセル
choose = 選択…

totals-slow-hours = 低速の時間帯

row-sending = 送信中 { $part }
row-connecting = 接続中
row-stalled = データなし
row-failed-files = { $count } 個失敗
row-failed-files-because = { row-failed-files }: { $why }
row-paused-with-everything = 一時停止中 (すべて一時停止)
row-paused-at-percent = { percent } で一時停止
row-paused-at = { $amount } で一時停止
row-not-started = 未開始
row-waits-because = 待機中: { $why }
row-waits-slots = 待機中: 同時に { n-files }まで
row-waits-server = 待機中: { $host } からは同時に { $count } 個まで
row-tries = 再試行中
row-tries-because = 再試行中: { $why }
row-tries-in = { $time }後に再試行
row-tries-in-because = { $time }後に再試行: { $why }
row-done = 完了 { $moment }
row-verified = 検証済み
row-size-unknown = サイズ不明
row-cancelled = キャンセル済み
row-awaits-link = ブラウザでファイルをクリックしてください。そのクリックでこのダウンロードが続きます。
row-awaits-link-other = ブラウザでクリックされたのは別のファイル ({ $name }) で、独立したダウンロードになりました。
row-sign-in-again = サーバーがこのダウンロードを拒否しています。ブラウザでもう一度サインインし、そこでリンクをクリックしてください。
row-cancelled-at = キャンセル { $moment }
row-files-kept = { files-of }を保持
row-kept = { $amount } を保持
row-all-failed = { n-files }すべてが失敗: { $why }
row-some-failed = { files-of }が失敗: { $why }

retry-failed = 失敗分を再試行
try-now = 今すぐ再試行
start-now = 今すぐ開始
remove = 削除
to-the-top = 先頭へ移動
to-the-end = 末尾へ移動
copy-link = リンクをコピー
copy-links = リンクをコピー
copy-command = cURL としてコピー
cancel-asking = ダウンロードをキャンセル…
remove-from-list = リストから削除
remove-from-list-asking = リストから削除…
remove-with-files-asking = ファイルを削除…
rename = リスト内の名前を変更…
rename-field = リスト内の名前
files-show = ファイルを表示
files-hide = ファイルを隠す
drag = ドラッグして順序を変更 (Alt+上、Alt+下)
progress-of = { $title } の進行状況
action-on = { $action }: { $title }

many-pause = { n-downloads-object }を一時停止
many-resume = { n-downloads-object }を再開
many-start = { n-downloads-object }を今すぐ開始
many-top = { n-downloads-object }を先頭へ移動
many-end = { n-downloads-object }を末尾へ移動
many-retry = { n-downloads-object }を再試行
many-copy = { n-downloads }のリンクをコピー
many-cancel = { n-downloads-object }をキャンセル…
many-remove = { n-downloads-object }を削除
many-remove-asking = { n-downloads-object }を削除…
many-remove-files-asking = { n-downloads-object }のファイルを削除…

empty = リンクを貼り付けて始めましょう
    .body = ファイルのアドレスをコピーし、このウィンドウのどこかで Ctrl+V を押してください。1 行に 1 つずつ、一度に多くのリンクも貼り付けられます。
    .action = リンクを追加
    .after = このウィンドウは閉じてもかまいません。ダウンロードはバックグラウンドで続きます。
    .drop = リンクや、リンクを含むファイルをこのウィンドウにドロップすることもできます。
    .browsers = 設定でブラウザーを接続すると、{ -ashore } がそのダウンロードを受け取ります。
drop-here = リンク、またはリンクを含むファイルをここにドロップ
nothing-found = 見つかりません
    .search = 「{ $text }」を含むダウンロードはありません。
    .kind = 「{ $kind }」の種類のものはありません。
    .all-kinds = すべての種類を表示
nothing-all = リストは空です。
nothing-running = 進行中のダウンロードはありません。
nothing-waiting = キューは空です。
nothing-paused = 一時停止中のダウンロードはありません。
nothing-done = 完了したダウンロードはありません。
nothing-failed = 失敗したダウンロードはありません。
nothing-cancelled = キャンセルしたダウンロードはありません。

remove-question =
    { $count ->
        [1] リストから削除しますか？
       *[other] { n-downloads-object }をリストから削除しますか？
    }
    .keeps = ダウンロードしたファイルはそのまま残ります。
    .files = ファイルもゴミ箱に移す
    .deletes =
        { $count ->
           *[other] ダウンロードはリストからも削除されます。
        }
    .submit =
        { $count ->
            [1] 削除
           *[other] { n-downloads-object }を削除
        }
    .title-files = ファイルをゴミ箱に移しますか？
    .submit-files = ファイルもゴミ箱に移して削除
remove-loses-all =
    { $count ->
        [1] このダウンロードの途中までのデータは削除されます。
       *[other] これらのダウンロードの途中までのデータは削除されます。
    }
remove-loses-some = うち { $count } 件はまだ完了していません。途中までのデータは削除されます。
cancel-question =
    { $count ->
        [1] このダウンロードをキャンセルしますか？
       *[other] { n-downloads-object }をキャンセルしますか？
    }
    .body =
        { $count ->
            [1] 途中までのファイルは削除されます。完了したファイルは残ります。
           *[other] いずれも途中までのファイルは削除されます。完了したファイルは残ります。
        }
    .submit =
        { $count ->
            [1] ダウンロードをキャンセル
           *[other] { n-downloads-object }をキャンセル
        }
    .keep = ダウンロードを続ける

notices = メッセージ
notice-dismiss = 閉じる
notice-copied = { $count } 個のリンクをコピーしました。
notice-command-copied = cURL としてコピーしました。
    .without = 秘密かもしれない次のヘッダーを省いて、cURL としてコピーしました: { $headers }
notice-again-without = 秘密かもしれない次のヘッダーを省いて、「{ $title }」をもう一度ダウンロードします: { $headers }
notice-not-copied = リンクをコピーできませんでした。現在デスクトップが許可していません。
notice-not-for-all = { n-downloads }のうち { $refused } 件では実行できませんでした: { $text }
notice-offered =
    { $count ->
        [1] リンクがコピーされています。追加しますか？
       *[other] { $count } 個のリンクがコピーされています。追加しますか？
    }
notice-removed =
    { $count ->
        [1] リストから削除しました: { $title }
       *[other] { $count } 件のダウンロードをリストから削除しました。
    }
notice-files-go = 数秒後にファイルはゴミ箱に移ります。
notice-undo = 元に戻す
notice-undo-hint = 元に戻す (Ctrl+Z)
notice-back =
    { $count ->
        [1] 「{ $title }」を復元しました
       *[other] { $count } 件のダウンロードを復元しました
    }
notice-are-next = 次は { $count } 件のダウンロードです。
notice-are-last = { $count } 件のダウンロードを末尾へ移動しました
notice-is-next = 次は「{ $title }」です。
notice-is-last = 「{ $title }」を末尾へ移動しました
notice-is-number = 「{ $title }」は { $count } 件中 { $number } 番目です。
notice-was-waiting = 「{ $title }」はすでにリストにありました。次に開始します。
notice-was-running = 「{ $title }」はすでに進行中です。

keys = キーボードショートカット
keys-hint = キーボードショートカット (F1)
keys-choosing = 選択
keys-doing = 選択したダウンロード
keys-queue = キューの順序
keys-anywhere = どこでも
keys-go = リスト内を移動
keys-choose-more = 選択を広げる (または Shift を押しながらクリック)
keys-choose-everything = すべて選択
keys-choose-one = 1 件の選択に戻す
keys-open = ファイルを開く、またはグループのファイルを表示
keys-files = グループのファイルを表示または隠す
keys-details = ダウンロードの詳細
keys-pause = 一時停止または再開
keys-copy = リンクをコピー
keys-rename = リスト内の名前を変更
keys-remove = リストから削除
keys-remove-files = ファイルを削除
keys-menu = すべての操作のメニューを開く
keys-move = 1 つ上または下へ
keys-move-far = 先頭または末尾へ移動
keys-paste = クリップボードのリンクを追加
keys-add = { empty.action }
keys-search = 検索
keys-undo = 直前の削除を取り消す
keys-settings = 設定を開く、またはリストに戻る
keys-keys = この一覧
keys-close = ウィンドウを閉じる (ダウンロードは続行)
keys-quit = { -ashore } を終了

key-ctrl = Ctrl
key-alt = Alt
key-shift = Shift
key-space = スペース
key-up = 上
key-down = 下
key-left = 左
key-right = 右
key-page-up = Page Up
key-page-down = Page Down
key-home = Home
key-end = End
key-enter = Enter
key-escape = Esc
key-delete = Del
key-menu = メニュー

afterwards-is = { afterwards }: { $then }
limit-is = 速度制限: { $limit }
limit-other = その他…
limit-asking = { limit }…
limit-field = 上限
    .hint = { limit.none }
    .wrong = 数を入力するか、空欄にしてください。
    .submit = 設定

limit-unit = 単位
