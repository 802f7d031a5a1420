help-headings =
    .usage = 使い方:
    .commands = コマンド
    .arguments = 引数
    .options = オプション
    .run = この実行のみ
    .everywhere = すべてのコマンドで共通
help-notes =
    .default = [既定値: { $value }]
    .env = [環境変数: { $name }]
    .values = [使える値: { $values }]
    .value-list = 使える値:
    .aliases = [別名: { $names }]
help-value-names =
    .address = ADDRESS
    .algorithm = ALGORITHM
    .change = CHANGE
    .command = コマンド
    .days = DAYS
    .dir = DIR
    .file = FILE
    .host = HOST
    .kind = KIND
    .link = LINK
    .machine = MACHINE
    .method = METHOD
    .name = NAME
    .number = NUMBER
    .options = オプション
    .owner = OWNER
    .password = PASSWORD
    .path = PATH
    .search = SEARCH
    .seconds = SECONDS
    .size = SIZE
    .source = SOURCE
    .speed = SPEED
    .text = TEXT
    .time = TIME
    .title = TITLE
    .user = USER
    .value = VALUE

help-arguments =
    .names = `ashore browsers` に表示される名前。例: firefox。名前がなければ、使用中のすべてのブラウザー
    .data_dir = リストのフォルダー [既定値: XDG データフォルダーの ashore、~/.local/share/ashore]
    .owner = プログラムやフィードなど、この所有者として操作します。ほかの所有者のダウンロードは表示も変更もしません
    .json = stdout に JSON を 1 行に 1 オブジェクトずつ出力します
    .quiet = エラーのみを出力します
    .verbose = stderr にログを出力します。繰り返すと詳しくなります。RUST_LOG が優先されます
    .urls = リンク（http または https）。`get` はリストにあるダウンロードの ID も受け付けます。.meta4 または .metalink で終わるファイルは --metalink と同じように読み取ります。括弧は複数のリンクに展開されます: page-[001:120].jpg、[a:f]、{"{"}one,two{"}"}
    .input = ファイルから、"-" の場合は stdin から、リンクを 1 行に 1 つずつ読み取ります。リンクはほかの文字の中にあってもよく、タブの後にミラーを、その下に aria2 のリストのように "  out=NAME" のような行を置けます。空行と # または ; で始まる行は飛ばします。リンクではない行は報告して除きます。ファイルのリンクはコマンドラインのリンクの後に続きます。リンクが 100,000 個または 10 MiB を超える場合、`add` は複数のダウンロードを作成し、リストに入りしだいそれぞれの ID を出力します。`get` は常に 1 つだけ作成します
    .dir = ファイルを保存するフォルダー。フォルダーは存在している必要があります [既定値: 現在のフォルダー]
    .output = ファイル名（リンクが 1 つの場合）。前に付けたフォルダーは --dir からの相対です [既定値: サーバーが示す名前]
    .title = リストと通知でのタイトル [既定値: リンクから作られます]
    .description = ダウンロードを説明する文。タイトルとともに表示されます
    .icon = タイトルの横に表示する画像ファイル。複数のサイズを指定すると、最も合うものが使われます
    .download_total = すべてのファイルの合計サイズの上限（バイト）。超えるとダウンロードは失敗します
    .source = ダウンロードの由来: command-line、feed、clipboard、device、program。ローカルネットワークにアクセスできるのは、自分で始めたダウンロードだけです
    .deliver = 所有者のプログラムが確認するまで終了イベントを保持します。まだ 1 つも接続していなくても保持します
    .id = ダウンロードの unique_id、少なくともその先頭 4 文字、または `--id` の名前
    .headers = すべてのリクエストで送るヘッダー。複数回指定できます。ヘッダーはリストに保存されますが、Authorization と Cookie は `ashore sign-in` と同じようにサーバーごとに保存されます。@FILE の場合はヘッダーを FILE から 1 行に 1 つずつ読み取るため、プロセス一覧に表示されません
    .optional = このオプションより後のリンクは失敗してもダウンロードの失敗になりません。後にリンクがなければ、すべてのリンクに適用されます
    .method = GET、HEAD、POST、PUT、PATCH、DELETE。後の 4 つは --upload-file があってもなくても使えます [既定値: GET、--upload-file がある場合は PUT]
    .upload_file = すべてのリクエストの本文として送るファイル
    .user = リンクのサーバーにこのユーザーとしてサインインします。パスワードがなければ Ashore が尋ねます。再起動後もダウンロードを続けられるように、パスワードはシステムのキーチェーンに保存されます。`ashore sign-in` を参照してください。このオプションも --user-file もない場合、1 つのサーバーのリンクには ASHORE_USER が使われます
    .user_file = --user と同じですが、ファイルの 1 行目から、"-" の場合は stdin から読み取ります。プロセス一覧には表示されません
    .netrc = この Ashore が動いている間、~/.netrc のパスワードを、求めてきたサーバーに送ります
    .netrc_file = --netrc と同じですが、別のファイルを使います
    .cookies = cookies.txt ファイル（curl やブラウザーのアドオンの形式）の Cookie を、それが属するサーバーに送ります。Ashore は自分だけが読み取れるコピーを保存します
    .user_agent = Ashore 自身のものの代わりに送るユーザーエージェント
    .referrer = リンクがあったページ。そのページ自身のサイトのサーバーには完全なアドレスを、ほかのサーバーにはサイトの名前だけを送ります
    .checksums = ファイルの正しいチェックサム（リンクが 1 つの場合）: sha-256=HEX、または sha-512、sha-1、md5。アルゴリズムごとに 1 回指定できます
    .mirrors = 同じファイルの別のアドレス（リンクが 1 つの場合）。複数回指定できます。最も良いものを最初に指定してください
    .size = ファイルのサイズ（バイト、リンクが 1 つの場合）。サイズが異なるファイルは拒否されます
    .metalink = Metalink のファイルを、そのミラーから、そのチェックサムを使って、1 つのダウンロードとして取得します。ファイルを指定するか、stdin の場合は "-" を指定してください
    .curl = ブラウザーがコピーした cURL、Wget、PowerShell のコマンドのリンクを、コマンドのヘッダー、ファイル名、サインインを使って取得します。Ashore が対応していないオプションのあるコマンドは拒否され、そのオプションが示されます。"-" の場合、コマンドは stdin から読み取られます
    .literal = リンクの括弧を展開しません
    .skip_existing = すでにフォルダーにあるファイルを飛ばします。リストに同じリンクのファイルとしてあり変更されていないファイル、またはサーバーが示すサイズと同じでサーバーのファイルより古くないファイルです
    .paused = 開始せずに `ashore resume` を待ちます
    .ignore_when_paused = すべてのダウンロードが一時停止中なら、何も追加しません
    .first = ダウンロードを待機中のものすべての前に置きます [既定値: 設定 "order" に従います]
    .last = ダウンロードを待機中のものすべての後に置きます
    .now = すぐに開始します。空きがなければ、最後に始まった実行中のダウンロードが、全バイトを残したまま場所を譲ります
    .until = 1 つのリンクから番号付きの続きが始まります。リンクの最後の数字を N まで数え、前のページが完了してから次のページを取得します
    .parts = 1 つのリンクが、プレイリストのような 1 行に 1 つずつのリンクの一覧を指しています。それらのリンクも取得します
    .at_once = その一覧のリンクを同時に取得する最大数、1 から 64。1 の場合は順番に 1 つずつ取得します
    .keep_for = 終了が通知されてからダウンロードがリストに残る時間: 90s、30m、12h、7d、4w [既定値: 設定 "forget-finished-after"]
    .takes_files = ダウンロードがリストから自動で削除されるときに、ファイルをゴミ箱に移します。自分で変更したファイルは残ります
    .proxy = すべての転送に使うプロキシ。例: http://host:3128 または socks5h://host:1080。"none" の場合は使いません。@FILE の場合はプロキシを FILE の 1 行目から読み取るため、プロセス一覧に表示されません [既定値: 設定、または http_proxy、https_proxy、all_proxy、no_proxy]
    .ca_certificate = システムの証明書に加えて、この PEM ファイルの証明書を信頼します
    .allow_insecure_redirects = HTTPS から HTTP への転送に従います。その場合、通信は途中で読み取られたり変更されたりするおそれがあります
    .connect_timeout = サーバーが接続を受け入れるのを待つ秒数 [既定値: 15、または設定]
    .total_timeout = 1 つのファイルを取得する 1 回の試行の最長時間（秒）。受信したバイトは残ります [既定値: 制限なし]
    .ids = ダウンロードの unique_id、または少なくともその先頭 4 文字
    .files = ダウンロードしたファイルもゴミ箱に移します。ダウンロード後に置き換えまたは変更されたファイルは除きます
    .url = サーバー、またはそのサーバーへの任意のリンク
    .name = このコンピューターの名前 [既定値: ホスト名]
    .link = サーバーまたは別のコンピューターが出力したリンク。指定がなければ stdin から読み取ります
    .device = コンピューターの名前または ID
    .help = ヘルプを表示します
    .help-short = ヘルプを表示します（詳しくは '--help'）
    .help-long = ヘルプを表示します（要約は '-h'）
    .version = バージョンを表示します

help = ダウンロードマネージャー
    .long =
        { help }。

        Ashore は HTTP と HTTPS でファイルをダウンロードします。クラッシュや停電があっても全バイトを残し、止まったところから続けます。
    .after =
        例:
          ashore get https://example.org/debian.iso     ここにダウンロードし、完了まで待つ
          ashore get -d ~/Music -i links.txt            多くのファイルを 1 つのダウンロードとして
          ashore get --checksum sha-256=9f86... URL     このバイト列以外は受け付けない
          ashore serve &                                バックグラウンドでダウンロードする
          id=$(ashore add URL)                          リストに入れて、ほかのことを続ける
          ashore show $id                               その後どうなったか
          ashore sign-in https://example.org --user me  そこからのものすべてに使う
          ashore list --json | jq -r .title             プログラム用

        リストを扱うプログラムは一度に 1 つだけです: ウィンドウ、`ashore serve`、`ashore get`。そのどれかが動いている間、ほかの `ashore` はそれと通信します。動いていなければ、少しの間だけ自分でリストを開きます。2 つのプログラムが動いているために同じものが 2 回ダウンロードされることはありません。

        終了コード:
          0    すべて完了
          1    一部が失敗（任意のファイルの失敗は数えない）
          2    引数が正しくない
          3    アクセス不可: リストを開けないか、リストを開いているプログラムが応答しない
          4    拒否: Ashore が受け付けないリンク、フォルダー、ID
          130  中断。すべて残る

        結果は stdout に、人が読む文は stderr に出力されます。--json の場合、失敗したコマンドは stdout に {"{"}"error": {"{"}"code": ..., "text": ...{"}"}{"}"} も出力します。NO_COLOR が設定されていれば色は付きません。
help-get = ダウンロードし、完了するまで待つ
    .long =
        { help-get }

        Ashore が動いていなければ `get` 自身がダウンロードし、ほかのプログラムがその様子を見られます。動いていれば `get` はリンクをその Ashore に渡し、ダウンロードの様子を表示します。Ctrl-C を押しても全バイトが残ります。`ashore get ID` または同じコマンドをもう一度実行すると続きます。

        終わると、stdout にファイルごとに 1 行、stderr に失敗したファイルごとに 1 文が出力されます。--json の場合、stdout にこのダウンロードのすべてのイベントが起こりしだい出力され、最後の行に `ashore show ID --json` が出力するオブジェクトが出力されます。
    .id = ダウンロードに付ける自分の名前。ほかのすべてのコマンドで ID の代わりに使えます。同じ名前を持てる動作中のダウンロードは 1 つだけです
    .connections = 1 ファイルあたりの最大接続数、1 から 64 [既定値: 8、または設定]
    .parallel = 同時にダウンロードするファイルの最大数、1 から 64。全体とサーバーごとに適用されます [既定値: 4 と 2、または設定]
    .after =
        例:
          ashore get URL -o debian.iso             既存のファイルは上書きしない: "debian (1).iso"
          ashore get URL1 URL2 --optional URL3     最初の 2 つがそろえば完了
          ashore get -i - {"<"} links.txt              1 行に 1 リンク
          ashore get debian.meta4                  Metalink が記述するもの
          ashore get URL --mirror URL2             どちらからでも同じファイル
          ashore get URL URL.sha256                隣のチェックサムファイルで検査する
          ashore get -i links.txt --parallel 16    一度に 16 ファイル
          ashore get --upload-file a.pdf URL       ファイルを送り、応答を保存する
          ashore get 1b9d6bcd                      リストのダウンロードを続ける
help-add = ダウンロードを待たずに、リンクをリストに追加する
    .long =
        { help-add }

        unique_id だけを出力します。--json の場合は登録内容を出力します。リンクを取得するのは、ウィンドウ、`ashore serve`、または次に動く Ashore です。
    .id = { help-get.id }
    .again = 同じ未完了のダウンロードがリストにあっても追加します。このオプションがなければ、既存のダウンロードが先頭に移ります
    .to = ここに追加せず、共有リストのこのコンピューターにダウンロードを送ります。`ashore sync devices` を参照してください
help-serve = ウィンドウなしで、Ctrl-C または SIGTERM までダウンロードする
    .long =
        { help-serve }

        Ashore の準備ができると 1 行を出力します。--json の場合: {"{"}"ready": true, "data_dir": ..., "socket": ...{"}"}
    .remote = ページをほかのデバイスに公開する。--listen がなければこのコンピューターのポート 6800 だけ
    .listen = ページを公開するアドレス。0.0.0.0:6800 など、または unix: とソケットのパス。複数の場合は繰り返します
    .allow_host = ブラウザーがこのコンピューターを呼べる別の名前。nas.local など。複数の場合は繰り返します
    .allow_origin = Ashore のページのほかに、リクエストを送信できるページや拡張機能のオリジン。複数の場合は繰り返します
    .trusted_proxy = X-Forwarded-For でクライアントのアドレスを示すプロキシのアドレスまたはネットワーク。複数の場合は繰り返します
    .public_url = プロキシの背後にあるページのアドレス。リンクに使います。https:// の場合、TLS で読み込まれたページからのサインインだけを受け付けます
    .base_path = ページのパス。--public-url のパスと異なる場合
    .root = 設定のダウンロードフォルダーのほかに、ほかのデバイスが選べるフォルダー。複数の場合は繰り返します
    .aria2 = aria2 用のプログラムが扱えるダウンロード。プログラムには `ashore remote token --name` のトークンが必要です
    .aria2-off = なし: インターフェースを閉じる
    .aria2-own = これらのプログラムが追加したダウンロード
    .aria2-all = すべてのダウンロード。ほかのダウンロードは読み取り、一時停止、再開ができ、削除はできません
    .aria2_may_stop = aria2 用のプログラムが `shutdown` の呼び出しで Ashore を終了することを許可する
help-list = リストを新しい順に表示する
    .search = タイトル、リンク、ファイル名のどれかにこの文字列を含むダウンロードだけを表示します
    .active = まだ終わっていないダウンロードだけを表示します: 実行中、待機中、一時停止中
    .settled = 終わったダウンロードだけを表示します
    .failed = 完全に失敗したファイルのあるダウンロードだけを表示します。`ashore retry` でそのファイルを再試行できます
    .limit = 最大 N 個のダウンロードを表示します
help-watch = Ctrl-C まで、動作中のダウンロードを速度とともに表示する。--json では変化のたびに登録内容と速度を出力する
help-show = ダウンロードの詳細をすべて表示する
    .id = ダウンロードの unique_id、または少なくともその先頭 4 文字
    .attempts = 各ファイルの下に、ダウンロードの試行をすべて表示します: 開始、時間、受信したバイト、試行が終わった理由。--json の場合、各レコードの `tries` に試行が含まれます
help-open = ダウンロードしたファイルを既定のプログラムで開く。複数のファイルのダウンロードではフォルダーを開く
    .folder = ファイルの代わりにフォルダーを開く
help-pause = ダウンロードを一時停止し、全バイトを残す
    .ids = ダウンロードの unique_id、または少なくともその先頭 4 文字 [既定値: すべて]
help-resume = 一時停止中のダウンロードを再開する
    .ids = { help-pause.ids }
help-cancel = ダウンロードを完全に中止し、完了したファイルを残す
help-retry = 失敗したファイルを再試行し、予定された再試行をすぐに始める
    .dir = ダウンロード自身のフォルダーがもう使えない場合に、まだ完了していないファイルを置くフォルダー
help-remove = ダウンロードをリストから削除する（動作中のものは先に中止）
help-first = ダウンロードを順番待ちの先頭に移す
help-move = ダウンロードを順番待ちの別の位置に移す
    .before = このダウンロードの直前に移します
    .last = ほかのすべてのダウンロードの後に移します
help-move-to = ダウンロードのファイルを別のフォルダーに移動する（実行中のダウンロードはそこで続く）
    .dir = まだ完了していないファイルのフォルダー
help-relink = 完了していないファイルのリンクを置き換え、受信済みのバイトを残す
    .url = 同じファイルへの新しいリンク
    .file = `ashore show` が表示するファイルの番号。完了していないファイルが複数あるときだけ必要
help-change = ダウンロードの見え方を変更する: タイトル、説明、アイコン
    .title = 新しいタイトル
    .description = 新しい説明
    .icon = タイトルの横に表示する新しい画像ファイル。複数のサイズを指定すると、最も合うものが使われます
help-match = 指定したリンクがダウンロードのどのファイルのものか調べる
    .long =
        { help-match }

        ファイルの番号、状態、リンクを出力します。--json の場合はレコードを出力します。そのリンクのファイルがダウンロードになければ、何も出力しません。
    .url = 探すリンク
    .all = 最初のファイルだけでなく、一致するファイルをすべて出力します
    .ignore_search = リンクを比べるときに、疑問符とその後をすべて無視します
    .ignore_method = どのメソッドのリクエストにも一致させます
    .method = リクエストのメソッド [既定値: GET]
help-ids = `--id` で自分の動作中のダウンロードに付けた名前を表示する。--owner の場合はその所有者のもの
help-find = この `--id` の名前を持つ動作中のダウンロードの ID を出力する
    .name = `--id` でダウンロードに付けた名前
help-owed = 終了がまだ確認されていない、終わったダウンロードを表示する
    .long =
        { help-owed }

        --owner の場合はその所有者のダウンロードを、それ以外では終了がまだ通知されていないダウンロードを表示します。unique_id、終了イベントの番号、タイトルを出力します。--json の場合は登録内容を出力します。
help-acknowledge = 所有者のダウンロードの終了イベントを確認し、再び届かないようにする
    .event_number = 終了イベントの番号: `event_number` [既定値: 最新のもの]
help-clear = コマンドラインから追加したすべてのダウンロードを削除する。--owner の場合はその所有者のすべて
    .long =
        { help-clear }

        動作中のダウンロードは先に中止されます。--files を指定しない限り、完了したファイルは残ります。
help-reset = コマンドラインから追加した動作中のダウンロードをすべて中止する。--owner の場合はその所有者のすべて
    .long =
        { help-reset }

        ダウンロードはリストに残り、完了したファイルも残ります。
help-queue-stats = これまでに要求、成功、失敗したファイルをすべて数える。--owner の場合は 1 つの所有者だけ
help-remove-owner = 所有者とそのすべてのダウンロードを削除する
    .long =
        { help-remove-owner }

        そのダウンロードは停止し、終了イベントは送られません。完了したファイルは残ります。
    .name = 所有者の名前
help-limit = 転送の速度を制限する
    .long =
        { help-limit }

        制限は実行中の転送にもすぐに適用され、解除するまで続きます。1 つの転送に複数の制限が適用される場合は、最も低いものが有効です。同じ制限を共有するダウンロードには均等に割り当てられます。速度を指定しなければ、現在の制限を表示します。
    .speed = 1 秒あたりのバイト数、1K から 10G まで（K、M、G は 1,024 の累乗、kB、MB、GB は 1,000 の累乗）。"none" または 0 で制限を解除します
    .host = このサーバーとの通信を制限します: そこからの、またはそこを経由するダウンロードと、そこへのアップロード。名前はリンクにあるとおりに指定してください。サブドメインは別のサーバーです
    .id = 1 つのダウンロードのファイルを制限します: その unique_id、または少なくとも先頭 4 文字
    .after =
        例:
          ashore limit 2M                          全体で毎秒 2 MiB
          ashore limit 500K --host example.org     そこから来るもの
          ashore limit 1M --id 1b9d6bcd            1 つのダウンロード
          ashore limit none                        全体を再びできるだけ速く
          ashore limit                             何が制限されているか
help-sign-in = サーバーのパスワードまたはトークンを保存し、そのサーバーへのすべてのリクエストで送る
    .long =
        { help-sign-in }

        パスワードまたはトークンは、入力を求めるか、stdin の 1 行目から読み取ります。保存先はシステムのキーチェーンです。使えるキーチェーンがなければ、自分だけが読み取れるファイルに保存します。パスワードはリンクのスキーム、ホスト、ポートに対してだけ使われ、ほかには決して送られません。リンクを指定しなければ、サインインが保存されているサーバーと、それぞれの保存先を表示します。
    .user = サインインに使うユーザー名
    .token = 多くのサービスが発行するベアラートークンでサインインします
help-sign-out = 保存されているサーバーのパスワードまたはトークンを削除する
help-quota = 所有者またはファイルの種類が使えるリストの量を制限する
    .long =
        { help-quota }

        完了したかどうかにかかわらず、リストのすべてのダウンロードが数えられます。ダウンロードを削除すると、その分が空きます。割り当てに空きのないダウンロードは全バイトを残したまま待ち、空きができると自動的に続きます。量を指定しなければ、使用量と上限を表示します。
    .quota_owner = 所有者: "window"、"command-line"、またはプログラムの名前。"all" はすべての所有者の合計です
    .size = 最大バイト数（K、M、G は 1,024 の累乗、kB、MB、GB は 1,000 の累乗）。"none" で、ファイル数のものも含めて割り当てを解除します
    .files = 最大ファイル数
    .category = この種類のファイルだけを数えます: video、music、picture、document、archive、program、other
    .after =
        例:
          ashore quota                             誰のものがどれだけあるか
          ashore quota my-program 10G              そのプログラムが要求したもの、合計 10 GiB
          ashore quota my-program --files 1000     ファイルは 1000 個まで
          ashore quota all 50G --category video    誰が要求したかを問わず、動画
          ashore quota my-program none             空きがある限り
help-statistics = これまでに追加したすべてのダウンロードを数える: 完了、失敗、そのバイト数
    .long =
        { help-statistics }

        ファイルとそのサイズを、由来ごと、合計、追加した日ごとに数えます。完了も失敗もしていないファイルは、まだリストにあるか、中止または削除されたものです。ダウンロードを削除しても、数は変わりません。
    .days = 日ごとに表示する日数
help-settings = 設定を表示する、または 1 つを変更する
    .long =
        { help-settings }

        変更はすぐに適用され、データフォルダーの `ashore.toml` に保存されます。このファイルは手でも編集できます。
    .name = 設定の名前。指定しなければ、すべての設定を表示します
    .value = 新しい値。設定ファイルと同じ書き方で、引用符は付けません。時間帯の設定には何行でも指定できます
    .default = 設定を既定値に戻します
    .after =
        例:
          ashore settings                          すべての設定とその値
          ashore settings hours                    何のための設定か
          ashore settings parallel 8               今から一度に 8 ファイル
          ashore settings hours 'mon-fri 08:00-18:00 slow' 'sat 00:00-24:00 off'
          ashore settings parallel --default       何も指定しないときの値に戻す
help-events = 動作中の Ashore のすべてのイベントを、1 行に 1 つの JSON オブジェクトとして出力する
help-doctor = リスト、そのバックアップ、途中のファイルを検査する
    .long =
        { help-doctor }

        開くときにリストが破損していれば、脇に移して最新のバックアップから復元します。`doctor` はその結果を報告します。数えているダウンロードと一致しない件数は報告され、--repair で数え直されます。ほかには何も変更しません。リストが破損しているか矛盾していれば、終了コードは 1 です。
    .repair = 数えているダウンロードと一致しない件数を数え直します
help-adopt = ダウンロードのない途中のファイルをリストに追加し、続ける
    .long =
        { help-adopt }

        `ashore doctor` がそのようなファイルを表示します。新しいダウンロードそれぞれの unique_id を出力します。--json の場合は登録内容を出力します。引数がなければ、続けられる途中のファイルをすべて追加します。
    .partials = 途中のファイルのパス、またはその名前にある 8 桁の数字
help-export = 秘密の情報を除いて、リストをファイルにエクスポートする
    .long =
        { help-export }

        ファイルには、リンク、名前、フォルダー、チェックサム、各ファイルの結果と検査の方法、制限、割り当てが、docs/export.md のとおり 1 行に 1 つの JSON オブジェクトとして入ります。パスワード、Cookie、トークン、ダウンロードしたファイルそのものは含まれません。
    .file = 書き込むファイル。"-" は stdout です
    .force = 既存のファイルを置き換えます
    .to = Ashore の代わりにファイルを受け取るプログラムの名前。aria2 は未完了のダウンロードを含むセッションファイルを受け取ります
help-import = エクスポートしたリストをインポートする
    .long =
        { help-import }

        未完了のダウンロードは一時停止の状態でインポートされ、自動では何も始まりません。すでにリストにあるダウンロードは変更されません。不完全なファイルや正しくない行のあるファイルは拒否され、その中身は何もインポートされません。
    .file = `ashore export` が書き込んだファイル。"-" は stdin です
    .from = Ashore の代わりにファイルを書き込んだプログラムの名前。そのダウンロードは一時停止の状態でインポートされ、GID は変わりません
    .unchecked = エクスポート後に変更されていても、ファイルをインポートします
help-sync = 自分のコンピューターの間で、暗号化された 1 つのダウンロードのリストを共有する。コマンドがなければ同期の状態を表示する
    .long =
        { help-sync }

        リストは同期サーバーに保存されます（`ashore sync-server --help` を参照）。サーバーが知るのはサイズと時刻だけです。各ダウンロードは 1 台のコンピューターが行い、ほかのコンピューターからも見て操作できます。ファイルは決して転送されません。
    .after =
        例:
          ashore-sync-server invite                サーバーで、設定用のリンクを出力する
          ashore sync setup LINK                   リストを作成し、24 個の単語を出力する
          ashore sync invite                       次のコンピューター用のリンクを出力する
          ashore sync join LINK                    そのコンピューターで
          ashore sync others                       ほかのコンピューターのダウンロード
          ashore sync ask 6b3f pause               その 1 つを、そちらで一時停止する
          ashore add URL --to Laptop               別のコンピューターでリンクをダウンロードする
help-sync-status = 同期がオンか、何が待っているか、最後の同期が失敗した理由を表示する
help-sync-now = 今すぐ同期する
help-sync-setup = サーバーにリストを作成し、復元用の 24 個の単語を出力する
help-sync-join = 別のコンピューターのリストに参加する
help-sync-recover = すべてのコンピューターを失った場合などに、復元用の単語でリストに参加する
    .long =
        { help-sync-recover }

        単語は端末または stdin から読み取るため、プロセス一覧に表示されません。
    .address = 単語とともに出力されたサーバーのアドレス: HOST:PORT#FINGERPRINT
    .uid = 単語とともに出力された番号
help-sync-invite = 1 台のコンピューターが 10 分以内に 1 回参加できるリンクを出力する
help-sync-devices = リストのコンピューターを表示する
help-sync-remove = コンピューターをリストから削除し、復元用の新しい単語を出力する
    .long =
        { help-sync-remove }

        以後に書き込まれたものを、そのコンピューターは読み取れません。すでに読み取ったものは残ります。
help-sync-trust = コンピューターが確認なしにここでダウンロードを始めることを許可する
    .not = このコンピューターのダウンロードが始まる前に、再び確認します
help-sync-words = リストの復元用の単語を出力する
help-sync-conflicts = 別のコンピューターの変更に負けた変更を表示する、または 1 つを解決する
    .number = 解決する競合の番号
    .take = 現在の値の代わりに、もう一方の値を使います
    .drop = 現在の値を残します
help-sync-others = ほかのコンピューターのダウンロードを表示する
help-sync-ask = 別のコンピューターにそのダウンロードの変更を頼む、またはダウンロードを引き継ぐ
    .id = `ashore sync others` が出力するダウンロードの ID、またはその先頭の文字
    .change = 変更の内容
    .change-pause = そちらで一時停止する
    .change-resume = そちらで再開する
    .change-remove = そちらでリストから削除する（ファイルは残る）
    .change-move-here = 代わりにこのコンピューターで取得する
    .change-fetch-here = このコンピューターでも取得する
help-sync-send = このコンピューターのダウンロードを別のコンピューターに送る
    .id = { help-show.id }
help-sync-sends = このコンピューターがほかに送ったダウンロードとそれが届いたかどうか、このコンピューターが受け取りそこねたダウンロードを表示する
help-sync-rename = このコンピューターの、ほかのコンピューターに表示される名前を変える
    .name = 新しい名前
help-sync-clear-history = サーバーの空きを増やすためなどに、すべてのコンピューターとサーバーで過去のダウンロードを忘れる
    .keep = 過去 DAYS 日間のダウンロードを残します。0 の場合はすべて忘れます
help-sync-leave = このコンピューターで同期をオフにする（ダウンロードとファイルは残る）
help-browsers = 拡張機能がダウンロードを Ashore に渡せるように、ブラウザーを接続する。コマンドがなければブラウザーの一覧を表示する
    .after =
        例:
          ashore browsers                          ブラウザーと、接続されているもの
          ashore browsers connect                  すべてのブラウザーを接続する
          ashore browsers connect firefox          Firefox を接続する
          ashore browsers disconnect firefox       Firefox の接続を解除する
          ashore browsers doctor                   すべての接続をテストする
          ashore browsers pair                     ブラウザーをペアリングするコードを表示する
help-browsers-list = ブラウザーと、それぞれが接続されているかどうかを表示する
help-browsers-connect = ブラウザーの拡張機能がダウンロードを Ashore に渡せるようにする
    .long =
        { help-browsers-connect }

        ブラウザーのフォルダーに小さなファイルを書き込みます。ほかのプログラムがそこに書き込んだファイルは変更されません。拡張機能そのものはブラウザーでインストールします。
help-browsers-disconnect = `connect` が書き込んだファイルを削除する
help-browsers-doctor = 接続されているブラウザーごとに、ブラウザーが使うのと同じ方法で接続をテストする
    .long =
        { help-browsers-doctor }

        機能しない接続があれば、終了コードは 1 です。
help-browsers-pair = Flatpak や snap のブラウザーをペアリングするコードを表示する
    .long =
        { help-browsers-pair }

        そのようなブラウザーはプログラムを起動できません。先に設定 browser-channel をオンにしてください。コードは拡張機能のポップアップに入力します。5 分間、1 回だけ有効です。
help-browsers-unpair = ペアリング済みのブラウザーを削除する
    .names = `ashore browsers` が表示するペアリング済みブラウザーの名前
help-remote = ほかのデバイスやプログラムをサインイン、サインアウトする。コマンドがなければ一覧を表示
    .after =
        例:
          ashore remote                                   サインインしているデバイスとプログラム
          ashore remote link                              1 台のデバイス用のリンクと QR コード
          ashore remote token                             サインインに使うトークン
          ashore remote token --name sonarr --scope add   プログラム用のトークン
          ashore remote sign-out Phone                    デバイスをサインアウトする
help-remote-link = 1 台のデバイスをサインインさせるリンクを出力する
    .long =
        { help-remote-link }

        リンクは 5 分以内に 1 回だけ使えます。端末では QR コードも表示します。`ashore serve --remote` が動いている必要があります。
    .scope = デバイスの権限: すべて、追加と読み取り、または読み取りだけ
help-remote-token = デバイスがサインインに使うトークンを出力する
    .long =
        { help-remote-token }

        --name を付けると、プログラム用のトークンを発行し、この 1 回だけ出力します。
    .name = 専用のトークンを受け取るプログラムの名前
    .scope = プログラムの権限: すべて、追加と読み取り、読み取りだけ、またはメトリクスだけ
    .renew = トークンを置き換え、すべてのデバイスをサインアウトする
help-remote-list = サインインしているデバイスとプログラムを一覧表示する
help-remote-sign-out = デバイスやプログラムをサインアウトする
    .names = `ashore remote list` が表示する名前
help-healthy = Ashore が動作していて準備ができているか確認する
    .long =
        { help-healthy }

        コンテナーやスクリプト向けです。Ashore の準備ができていれば終了コードは 0、そうでなければ 1 です。
    .url = ソケットではなく、このアドレスにある、ほかのデバイス用のサーバーに問い合わせる。http://127.0.0.1:6800 など
help-sync-server = 別のプログラムである同期サーバーを実行する。`ashore sync-server --help` を参照
    .arguments = 同期サーバーのコマンドとオプション
help-help = このヘルプ、または指定したコマンドのヘルプを表示する
    .subcommand = これらのコマンドのヘルプを表示します
