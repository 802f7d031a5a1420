tray-open = { -ashore } を開く
tray-quit = 終了
tray-shut = リストを開けません

note-show = 表示
note-sent = { $amount } 送信済み
note-done = 完了
note-files-left-out = { $count } 個のファイルを除外
note-failed = ダウンロードできませんでした。
note-files-failed = { $count } 個のファイルが失敗: { $why }
note-many-finished = { $count } 件のダウンロードが完了
note-many-failed = { $count } 件のダウンロードが失敗
note-many-mixed = { $count } 件のダウンロードが完了、{ $failed } 件が失敗
note-and-more = ほか { $count } 件
note-in-tray = { -ashore } は動作中です
    .body = ダウンロードは続きます。パネルのアイコンから { -ashore } を開くか終了できます。
note-group = { -ashore } - { $owner }
note-group-command-line = { -ashore } - コマンドライン
span-more-than-a-day = 残り 1 日以上

ask-open = このファイルを開きますか？
    .body = { $name } はこのコンピューターで実行される可能性があります。入手元がわかる場合にのみ開いてください。
ask-folder = フォルダーを選択
