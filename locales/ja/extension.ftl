extension-name = { -ashore }: ダウンロードマネージャー
extension-description = ブラウザのダウンロードを { -ashore } に渡します。{ -ashore } がファイルを確保するまで、ブラウザはダウンロードを保持します。

extension-menu =
    .link = リンクを { -ashore } でダウンロード
    .image = 画像を { -ashore } でダウンロード
    .media = メディアファイルを { -ashore } でダウンロード
    .selection = 選択範囲のリンクを { -ashore } でダウンロード…
    .page = すべてのリンクを { -ashore } でダウンロード…

extension-state =
    .running = 接続済み
    .idle = 接続済み。{ -ashore } は次のダウンロードで起動します。
    .missing = { -ashore } が見つかりません
    .missing-cure = { -ashore } をインストールし、その設定でこのブラウザを接続してください。それまで、すべてのダウンロードはブラウザに残ります。

extension-pair = このブラウザをペアリング
    .why = このブラウザが Flatpak や snap のものである場合は、{ -ashore } の設定の「{ settings-browsers }」に表示されるコードを入力してください。
    .code = { -ashore } のコード
    .wrong = コードは 8 文字の英数字です。もう一度入力してください。
    .absent = { -ashore } が応答しません。その設定で「{ setting-browser-channel }」をオンにして、新しいコードを作ってください。
    .closed = このブラウザは { -ashore } とペアリング済みですが、{ -ashore } が応答しません。{ -ashore } を起動してください。

extension-site = このサイトのダウンロードをブラウザに任せる
extension-site-refused = { -ashore } は { $site } の直近 2 件のダウンロードを受け取れませんでした。{ $date }まではブラウザに残ります。
extension-site-again = もう一度 { -ashore } を使う
extension-bypass = Alt キーを押しながらリンクをクリックすると、ダウンロードはブラウザに残ります。
extension-bypass-access = すべてのサイトへのアクセスを許可すると、Alt キーが使えます。

extension-kept = ブラウザに残しました: { $name }
extension-why =
    .type = ページ、スクリプト、スタイルはブラウザに残ります。
    .ending = この拡張子のファイルはブラウザに残ります。
    .small = ファイルが設定の下限より小さいためです。
    .method = ページがフォームを送信しました。フォームは再送されません。
    .encoded = サーバーがこのファイルを圧縮しているため、サイズを比較できません。
    .danger = ブラウザがこのファイルについて警告しています。保存するかどうかはブラウザで選んでください。
    .scheme = このファイルはページ自身が作成しました。
    .extension = このダウンロードは別の拡張機能が開始しました。
    .menu-only = ダウンロードはメニューからのみ渡されます。
    .bypass = Alt キーが押されていました。
    .site = このサイトのダウンロードはブラウザに任されています。
    .site-refused = { -ashore } はこのサイトの直近 2 件のダウンロードを受け取れませんでした。
    .no-access = すべてのサイトへのアクセスがないため、このファイルを比較できません。
    .no-head = ブラウザーがサーバーの応答を通知しなかったため、このファイルを比較できません。
    .too-many = クリックなしで 1 分間に、このサイトから 10 件、または全体で 30 件を超えるダウンロードが始まりました。
    .received = { -ashore } が応答する前に、ブラウザーがファイル全体を受信し終えていました。
    .host = { -ashore } が見つかりません。インストールし、その設定でこのブラウザを接続してください。
    .failed = { -ashore } との接続が応答なしに終了しました。
    .silent = { -ashore } が時間内に応答しませんでした。
    .no-links = このページには読み取れるリンクがありません。
    .links-left-out = ページのリンクが多すぎて 1 つのメッセージに収まらないため、最後のリンクは省かれました。
    .unknown = { -ashore } は理由を示しませんでした。{ -ashore } とこの拡張機能を更新してください。

extension-all-links = すべてのリンクを追加…
extension-media = このページのメディア
extension-media-stream = ストリームのリスト
extension-media-add = { $name } を追加
extension-added = 追加しました

extension-mode =
    .automatic-hint = クリックしたファイルは、{ -ashore } が同じファイルを受信できる場合に { -ashore } へ渡されます。
    .menu-hint = リンクを右クリックして { -ashore } を選びます。それ以外はすべてブラウザに残ります。
extension-least =
    .hint = MiB 単位です。これより小さいファイルは、すぐに取得できるためブラウザに残ります。
extension-sites =
    .remove = { $site } でもう一度 { -ashore } を使う
    .add = サイトを追加 (例: example.com)
    .trouble = これはサイトの名前ではありません。
extension-access = すべてのサイトへのアクセス
    .given = 許可されています。{ -ashore } はサインイン中のサイトからもファイルを受信できます。
    .missing = 許可されていません。{ -ashore } はサインイン中のサイトからファイルを受信できません。
    .allow = アクセスを許可
    .revoke = アクセスを取り消す
extension-connection = 接続
    .version = { -ashore } { $version }

extension-welcome = ダウンロードは { -ashore } に渡されます
    .body = いつもどおりリンクをクリックしてください。{ -ashore } が同じファイルを確保するまでブラウザはダウンロードを保持するので、ダウンロードが失われることはありません。
extension-welcome-access = すべてのサイトへのアクセスを許可しますか？
    .why = { -ashore } は Cookie を使ってダウンロードするため、サインイン中のサイトはブラウザと同じファイルを { -ashore } に送信します。
    .what = この拡張機能は、各応答のヘッダーとダウンロードの Cookie を読み取り、Alt キーを押したクリックを認識します。ページの内容は読み取らず、データはこのコンピューターの { -ashore } にのみ送信します。
    .without = アクセスがない場合、ダウンロードはメニューからのみ渡されます。
    .given = アクセスが許可されています。準備が整いました。
    .refused = アクセスは後でこの拡張機能の設定から許可できます。
