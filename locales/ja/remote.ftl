# The page in a browser: signing in, the connection, this device, and the folders on the computer with { -ashore }.

remote-sign-in = { -ashore } にサインイン
    .about = トークンを入力してください。または { -ashore } が動作するコンピューターで「ashore remote link」を実行し、コードを読み取るかリンクを開いてください。
    .again = このデバイスのセッションは終了しました。ページに入力したテキストは残っています。
    .token = トークン
    .name = このデバイスの名前
    .pairing = リンクでサインインしています…
remote-wait = { $time }後に再試行できます
remote-connecting = { -ashore } に接続しています…
    .again = 再接続しています…
    .now = 今すぐ接続
remote-lost = 接続が切れました。次の試行は{ $time }後です。

remote-device = このデバイス
    .control = このデバイスはこのページのすべての操作ができます。
    .add = このデバイスはダウンロードの追加とリストの表示ができます。
    .read = このデバイスはリストの表示ができます。
    .sign-out = サインアウト
# Firefox on Android
remote-device-name = { $system } の { $browser }
remote-readable = この接続は暗号化されていません。ネットワーク上の他の人が、トークンを含むすべてのデータを読むことができます。
remote-install = ブラウザーがこのページをアプリとしてインストールするのは、アドレスが https で始まる場合だけです。

# The settings about other devices, in the window.
remote-others = ほかのデバイスから
    .allow = ほかのデバイスの接続を許可
    .about = スマートフォンやほかのコンピューターのブラウザーで、このリストを開けるようになります。
    .plain = データは暗号化されずに送られるため、信頼できるネットワークでのみオンにしてください。
    .address = アドレス
    .copy = アドレスをコピー
    .local = このアドレスに接続できるのは、このコンピューターだけです。
    .link = デバイスでサインイン
    .scan = デバイスでこのコードを読み取るか、リンクを開いてください。
    .none = サインインしているデバイスはありません。
    .control = すべての操作ができます。
    .add = ダウンロードの追加とリストの表示ができます。
    .read = リストの表示ができます。
    .metrics = メトリクスを読み取れます。
    .program = プログラム。{ $scope }
    .seen = 最終使用: { $time }
    .added = { $name } がサインインしました。
    .sign-out = サインアウト：{ $name }

remote-save = このデバイスに保存
# The bar at the bottom of a narrow page: list, add, settings.
remote-views = ビュー

remote-folder-roots = 使用できるフォルダー
    .above = 上のフォルダー
    .none = このフォルダーには他のフォルダーがありません。
    .reading = フォルダーを読み込んでいます…
    .submit = このフォルダーを使う

remote-failure-lost = { -ashore } への接続が切れました。{ -ashore } が動作していること、このデバイスから到達できることを確認してください。
remote-failure-signed-out = このデバイスはサインインしていません。もう一度サインインしてください。
remote-failure-too-large = このテキストは長すぎて一度に送れません。分割してください。
remote-failure-unavailable = この操作は { -ashore } が動作するコンピューターのウィンドウでのみ可能です。
