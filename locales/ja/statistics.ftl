statistics = 統計
    .back = リストに戻る
    .reading = { reading }
statistics-in-all = 合計
    .about = リストから外れたダウンロードも含まれます。

statistics-received = 受信
statistics-sent = { $amount } 送信
statistics-arrived =
    { $count ->
       *[other] 完了したファイル
    }
statistics-added = 追加は { $count } 個
statistics-succeeded = 成功
statistics-nothing-ended = まだ何も終了していません
statistics-none-failed = 失敗なし
statistics-failed = { $count } 個失敗
statistics-none = –

statistics-days = 直近 { $count } 日
    .about = ダウンロードは追加された日に数えられます。
    .choose = 直近 { $count } 日の各日に届いたもの
statistics-day = 日付
statistics-today = 今日
statistics-whole = この期間すべて
statistics-nothing = 追加なし
statistics-nothing-came = この期間に追加されたもののうち、届いたものはありません。
statistics-said = { $day }: { $what }
statistics-column-received = 受信
statistics-column-files = 完了したファイル
statistics-column-failed = 失敗

statistics-from = 追加元
    .window = このウィンドウ
    .command-line = コマンドライン
    .feed = フィード
    .clipboard = クリップボード
    .device = ほかのデバイス
    .browser = ブラウザー
    .program = プログラム
statistics-empty = まだ数えるものがありません
    .body = ダウンロードを追加すると、日ごとのダウンロードで受信したデータ量がこのページに表示されます。このウィンドウやブラウザなど、どこで追加されたかも表示されます。
