help-headings =
    .usage = 用法:
    .commands = 命令
    .arguments = 参数
    .options = 选项
    .run = 仅本次运行
    .everywhere = 所有命令
help-notes =
    .default = [默认: { $value }]
    .env = [环境变量: { $name }]
    .values = [可用的值: { $values }]
    .value-list = 可用的值：
    .aliases = [也可用：{ $names }]
help-value-names =
    .address = ADDRESS
    .algorithm = ALGORITHM
    .change = CHANGE
    .command = 命令
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
    .options = 选项
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
    .names = `ashore browsers` 显示的名称，例如 firefox；不带名称时为您的所有浏览器
    .data_dir = 列表所在的文件夹 [默认: XDG 数据文件夹中的 ashore，~/.local/share/ashore]
    .owner = 代表此所有者操作，例如某个程序或订阅源：既不显示也不更改其他所有者的下载
    .json = 在 stdout 输出 JSON，每行一个对象
    .quiet = 只输出错误
    .verbose = 在 stderr 输出日志；重复此选项会更详细。RUST_LOG 优先
    .urls = 链接（http 或 https）。`get` 也接受列表中一个下载的 ID。以 .meta4 或 .metalink 结尾的文件会像 --metalink 那样读取。括号表示多个链接：page-[001:120].jpg、[a:f]、{"{"}one,two{"}"}
    .input = 从文件读取链接，"-" 表示从 stdin 读取，每行一个。链接可以在其他文字之中，可以在制表符之后带有镜像，下面还可以有 "  out=NAME" 这样的行，与 aria2 的列表相同。空行以及以 # 或 ; 开头的行会跳过；不是链接的行会报告并略过。文件中的链接排在命令行的链接之后。链接超过 100,000 个或 10 MiB 时，`add` 会创建多个下载，每个进入列表后就输出它的 ID；`get` 总是只创建一个
    .dir = 保存文件的文件夹；文件夹必须存在 [默认: 当前文件夹]
    .output = 文件名，只用于单个链接；前面的文件夹相对于 --dir [默认: 服务器给出的名称]
    .title = 列表和通知中的标题 [默认: 根据链接得出]
    .description = 描述此下载的文字，与标题一起显示
    .icon = 显示在标题旁的图像文件；如果给出多种尺寸，会使用最合适的一种
    .download_total = 所有文件的总大小上限，以字节为单位；超过时下载失败
    .source = 下载的来源：command-line、feed、clipboard、device 或 program。只有您自己开始的下载可以访问您的本地网络
    .deliver = 保留结束事件，直到所有者的程序确认它，即使还没有程序连接过
    .id = 下载的 unique_id，至少前 4 个字符，或者它的 `--id` 名称
    .headers = 随每个请求发送的标头字段；可以给出多次。标头字段保存在列表中，但 Authorization 和 Cookie 例外，它们像 `ashore sign-in` 那样为其服务器保存。使用 @FILE 时，从 FILE 读取标头字段，每行一个，这样进程列表中不会显示它们
    .optional = 此选项之后的链接可以失败，而不会使下载失败；如果此选项之后没有链接，则适用于所有链接
    .method = GET、HEAD、POST、PUT、PATCH 或 DELETE，后四种可以带或不带 --upload-file [默认: GET，带 --upload-file 时为 PUT]
    .upload_file = 作为每个请求的正文发送的文件
    .user = 以此用户登录链接的服务器；没有密码时，Ashore 会询问密码。密码保存在系统的密钥环中，这样重新启动后下载可以继续：参见 `ashore sign-in`。如果既没有此选项也没有 --user-file，则对单个服务器的链接使用 ASHORE_USER
    .user_file = 与 --user 相同，但从文件的第一行读取，"-" 表示从 stdin 读取；进程列表中不会显示它
    .netrc = 在此 Ashore 运行期间，将 ~/.netrc 中的密码发送给要求密码的服务器
    .netrc_file = 与 --netrc 相同，但使用另一个文件
    .cookies = 将 cookies.txt 文件（curl 和浏览器扩展的格式）中的 Cookie 发送给它们所属的服务器。Ashore 保存一份只有您能读取的副本
    .user_agent = 代替 Ashore 自己的用户代理发送
    .referrer = 链接所在的网页。该网页自己网站的服务器会收到完整地址，其他服务器只收到网站的名称
    .checksums = 文件应有的校验和，只用于单个链接：sha-256=HEX，或 sha-512、sha-1、md5。每种算法可以给出一次
    .mirrors = 同一文件的另一个地址，只用于单个链接；可以给出多次，最好的排在最前
    .size = 文件的大小，以字节为单位，只用于单个链接；大小不同的文件会被拒绝
    .metalink = 将 Metalink 中的文件作为一个下载，使用其镜像和校验和。请给出一个文件，"-" 表示 stdin
    .curl = 下载浏览器所复制的 cURL、Wget 或 PowerShell 命令中的链接，使用命令中的标头、文件名和登录信息。含有 Ashore 不支持的选项的命令会被拒绝，并指出该选项。"-" 表示从 stdin 读取命令
    .literal = 不展开链接中的括号
    .skip_existing = 跳过文件夹中已有的文件：列表中同一链接的未更改的文件，或者大小与服务器报告的相同且不早于服务器上文件的文件
    .paused = 不开始，而是等待 `ashore resume`
    .ignore_when_paused = 如果所有下载都已暂停，则不添加任何内容
    .first = 将下载排在所有等待的下载之前 [默认: 根据设置 "order"]
    .last = 将下载排在所有等待的下载之后
    .now = 立即开始：如果没有空位，最后一个正在运行的下载会让出位置，并保留每个字节
    .until = 单个链接是一个编号系列的开头：链接中的最后一个数字一直数到 N，前一页完成后再下载下一页
    .parts = 单个链接指向一个链接列表，每行一个链接，如播放列表：这些链接也会下载
    .at_once = 同时下载该列表中链接的最大数量，1 到 64；为 1 时按顺序逐个下载
    .keep_for = 通知您下载结束后，下载在列表中保留多久：90s、30m、12h、7d、4w [默认: 设置 "forget-finished-after"]
    .takes_files = 下载自动从列表中移除时，将文件移到回收站；您更改过的文件会保留
    .proxy = 用于所有传输的代理，例如 http://host:3128 或 socks5h://host:1080；"none" 表示不使用代理。使用 @FILE 时，从 FILE 的第一行读取代理，这样进程列表中不会显示它 [默认: 设置，或者 http_proxy、https_proxy、all_proxy 和 no_proxy]
    .ca_certificate = 除系统的证书外，还信任此 PEM 文件中的证书
    .allow_insecure_redirects = 跟随从 HTTPS 到 HTTP 的重定向；传输途中可能会被读取和更改
    .connect_timeout = 等待服务器接受连接的秒数 [默认: 15，或者设置]
    .total_timeout = 对一个文件的一次尝试的最长时间，以秒为单位；已收到的字节会保留 [默认: 无限制]
    .ids = 下载的 unique_id，或者至少前 4 个字符
    .files = 还将已下载的文件移到回收站，但下载后被替换或更改的文件除外
    .url = 服务器，或指向它的任意链接
    .name = 此电脑的名称 [默认: 它的主机名]
    .link = 服务器或另一台电脑输出的链接；没有给出时，从 stdin 读取链接
    .device = 电脑的名称或 ID
    .help = 显示帮助
    .help-short = 显示帮助（使用 '--help' 查看更多）
    .help-long = 显示帮助（使用 '-h' 查看摘要）
    .version = 显示版本

help = 下载管理器
    .long =
        { help }。

        Ashore 通过 HTTP 和 HTTPS 下载文件，在崩溃和断电时保留每个字节，并从中断处继续。
    .after =
        示例：
          ashore get https://example.org/debian.iso     下载到这里，并等待完成
          ashore get -d ~/Music -i links.txt            许多文件作为一个下载
          ashore get --checksum sha-256=9f86... URL     只接受这些字节
          ashore serve &                                在后台下载
          id=$(ashore add URL)                          放入列表，然后继续做别的
          ashore show $id                               它现在怎么样了
          ashore sign-in https://example.org --user me  用于来自那里的一切
          ashore list --json | jq -r .title             供程序使用

        同一时间只有一个程序处理列表：窗口、`ashore serve` 或 `ashore get`。其中一个运行时，其他每个 `ashore` 都与它通信；否则会自己短暂地打开列表。不会因为两个程序同时运行而下载两次。

        退出码：
          0    全部完成
          1    有一部分失败（可选文件的失败不计）
          2    参数不成立
          3    无法访问：列表无法打开，或者占用它的程序没有回应
          4    被拒绝：Ashore 不接受的链接、文件夹或 ID
          130  已中断；一切都会保留

        结果输出到 stdout，给人看的文字输出到 stderr。使用 --json 时，未成功的命令还会在 stdout 输出 {"{"}"error": {"{"}"code": ..., "text": ...{"}"}{"}"}。设置了 NO_COLOR 时不使用颜色。
help-get = 下载，并等待下载完成
    .long =
        { help-get }

        如果没有 Ashore 正在运行，`get` 自己下载，其他程序可以关注此下载。否则 `get` 将链接交给正在运行的 Ashore，并关注此下载。Ctrl-C 会保留每个字节；`ashore get ID` 或再次执行同一命令会继续。

        结束时，stdout 为每个文件输出一行，stderr 为每个失败的文件输出一句话。使用 --json 时，stdout 随时输出此下载的每个事件，最后一行是 `ashore show ID --json` 所输出的对象。
    .id = 您自己为下载取的名称，其他所有命令都接受它来代替 ID。一个名称只能属于一个活动的下载
    .connections = 每个文件的最大连接数，1 到 64 [默认: 8，或者设置]
    .parallel = 同时下载文件的最大数量，1 到 64，总数和每台服务器都适用 [默认: 4 和 2，或者设置]
    .after =
        示例：
          ashore get URL -o debian.iso             绝不覆盖文件："debian (1).iso"
          ashore get URL1 URL2 --optional URL3     前两个完成时即完成
          ashore get -i - {"<"} links.txt              每行一个链接
          ashore get debian.meta4                  Metalink 所描述的内容
          ashore get URL --mirror URL2             从两者中任一处取得同一文件
          ashore get URL URL.sha256                用旁边的校验和文件检查
          ashore get -i links.txt --parallel 16    同时十六个文件
          ashore get --upload-file a.pdf URL       发送文件，并保留回应
          ashore get 1b9d6bcd                      继续列表中的一个下载
help-add = 将链接添加到列表，不等待下载
    .long =
        { help-add }

        只输出 unique_id；使用 --json 时输出记录。链接由窗口、`ashore serve` 或下一个运行的 Ashore 下载。
    .id = { help-get.id }
    .again = 即使列表中有相同的未完成下载，也添加此下载。没有此选项时，已有的下载会移到最前
    .to = 将下载发送到共享列表中的这台电脑，而不是添加到这里；参见 `ashore sync devices`
help-serve = 不打开窗口而下载，直到 Ctrl-C 或 SIGTERM
    .long =
        { help-serve }

        Ashore 就绪时输出一行。使用 --json 时：{"{"}"ready": true, "data_dir": ..., "socket": ...{"}"}。
    .remote = 向其他设备提供页面；不使用 --listen 时仅在本机的 6800 端口
    .listen = 提供页面的地址，例如 0.0.0.0:6800，或 unix: 加套接字路径；可重复使用
    .allow_host = 浏览器可用来访问本机的其他名称，例如 nas.local；可重复使用
    .allow_origin = 除 Ashore 的页面外，允许发送请求的页面或扩展的来源；可重复使用
    .trusted_proxy = 通过 X-Forwarded-For 说明客户端地址的代理的地址或网络；可重复使用
    .public_url = 代理之后的页面地址，用于链接；若为 https://，则只接受通过 TLS 加载的页面登录
    .base_path = 页面的路径，如果它不是 --public-url 的路径
    .root = 除设置中的下载文件夹外，其他设备可以选择的文件夹；可重复使用
    .aria2 = 为 aria2 设计的程序可以访问的下载。程序需要 `ashore remote token --name` 输出的令牌
    .aria2-off = 无：接口关闭
    .aria2-own = 这些程序添加的下载
    .aria2-all = 所有下载；其他下载可以读取、暂停和继续，但不能移除
    .aria2_may_stop = 允许为 aria2 设计的程序通过 `shutdown` 调用停止 Ashore
help-list = 显示列表，最新的在最前
    .search = 只显示标题、链接或文件名包含此文字的下载
    .active = 只显示尚未结束的下载：正在运行、等待中或已暂停
    .settled = 只显示已结束的下载
    .failed = 只显示有文件最终失败的下载；`ashore retry` 会重试该文件
    .limit = 最多显示 N 个下载
help-watch = 显示活动的下载及其速度，直到按 Ctrl-C。使用 --json 时，每次变化都输出记录及其速度
help-show = 显示一个下载的所有详细信息
    .id = 下载的 unique_id，或者至少前 4 个字符
    .attempts = 在每个文件下面列出每次下载尝试：开始时间、时长、收到的字节，以及尝试结束的原因。使用 --json 时，每条记录的 `tries` 中有这些尝试
help-open = 用默认程序打开已下载的文件；有多个文件的下载则打开其文件夹
    .folder = 打开文件夹而不是文件
help-pause = 暂停下载，并保留每个字节
    .ids = 下载的 unique_id，或者至少前 4 个字符 [默认: 全部]
help-resume = 继续已暂停的下载
    .ids = { help-pause.ids }
help-cancel = 永久取消下载，并保留已完成的文件
help-retry = 重试失败的文件，并立即开始已安排的重试
    .dir = 如果下载自己的文件夹已无法使用，则将尚未完成的文件放在此文件夹中
help-remove = 从列表中移除下载；活动的下载会先取消
help-first = 将下载移到队列最前
help-move = 将下载移到队列中的另一位置
    .before = 直接移到此下载之前
    .last = 移到所有其他下载之后
help-move-to = 把下载的文件移动到另一个文件夹；正在进行的下载会在那里继续
    .dir = 尚未完成的文件的文件夹
help-relink = 替换未完成文件的链接，并保留已有的字节
    .url = 同一文件的新链接
    .file = 文件的编号，与 `ashore show` 列出的相同；仅当有多个文件未完成时才需要
help-change = 更改下载的显示方式：标题、描述和图标
    .title = 新标题
    .description = 新描述
    .icon = 显示在标题旁的新图像文件；如果给出多种尺寸，会使用最合适的一种
help-match = 查找下载中哪个文件有指定的链接
    .long =
        { help-match }

        输出文件的编号、状态和链接；使用 --json 时输出记录。如果下载中没有文件有此链接，则不输出任何内容。
    .url = 要查找的链接
    .all = 输出每个匹配的文件，而不只是第一个
    .ignore_search = 比较链接时忽略问号及其后的内容
    .ignore_method = 匹配任何方法的请求
    .method = 请求的方法 [默认: GET]
help-ids = 列出 `--id` 给您的活动下载取的名称；使用 --owner 时，列出该所有者的活动下载的名称
help-find = 输出具有此 `--id` 名称的活动下载的 ID
    .name = `--id` 给下载取的名称
help-owed = 列出已结束但结束尚未确认的下载
    .long =
        { help-owed }

        使用 --owner 时，列出该所有者的下载；否则列出尚未通知您已结束的下载。输出 unique_id、结束事件的编号和标题；使用 --json 时输出记录。
help-acknowledge = 确认所有者的下载的结束事件，这样它不会再次发送
    .event_number = 结束事件的编号：`event_number` [默认: 最新的]
help-clear = 移除从命令行添加的所有下载；使用 --owner 时，移除该所有者的所有下载
    .long =
        { help-clear }

        活动的下载会先取消。已完成的文件会保留，除非给出 --files。
help-reset = 取消从命令行添加的所有活动下载；使用 --owner 时，取消该所有者的所有活动下载
    .long =
        { help-reset }

        下载保留在列表中，已完成的文件会保留。
help-queue-stats = 统计曾经请求、成功或失败的所有文件，包括所有所有者；使用 --owner 时只统计一个所有者
help-remove-owner = 移除一个所有者及其所有下载
    .long =
        { help-remove-owner }

        其下载会停止，且不发送结束事件。已完成的文件会保留。
    .name = 所有者的名称
help-limit = 限制传输速度
    .long =
        { help-limit }

        限制立即生效，也适用于正在进行的传输，并一直保持到取消为止。如果多个限制适用于一个传输，以最低的为准；共用一个限制的下载平分该限制。没有给出速度时，显示当前的限制。
    .speed = 每秒字节数，从 1K 到 10G（K、M 和 G 是 1,024 的幂；kB、MB 和 GB 是 1,000 的幂）；"none" 或 0 取消限制
    .host = 限制与此服务器的流量：从它或通过它的下载，以及到它的上传。请像在链接中那样给出名称。子域名是单独的服务器
    .id = 限制一个下载的文件：它的 unique_id，或者至少前 4 个字符
    .after =
        示例：
          ashore limit 2M                          全部加起来每秒 2 MiB
          ashore limit 500K --host example.org     来自那里的内容
          ashore limit 1M --id 1b9d6bcd            一个下载
          ashore limit none                        全部恢复为尽可能快
          ashore limit                             有哪些限制
help-sign-in = 为服务器保存密码或令牌，并随每个请求发送给该服务器
    .long =
        { help-sign-in }

        密码或令牌会询问，或从 stdin 的第一行读取。它保存在系统的密钥环中；如果没有可用的密钥环，则保存在只有您能读取的文件中。密码只用于链接的协议、主机和端口，绝不会发送到别处。没有给出链接时，显示已保存登录信息的服务器，以及各自的保存位置。
    .user = 用于登录的用户名
    .token = 使用持有者令牌登录，许多服务会签发这种令牌
help-sign-out = 删除为服务器保存的密码或令牌
help-quota = 限制一个所有者或一类文件可以占用列表的多少
    .long =
        { help-quota }

        列表中的每个下载都计入，无论是否完成；移除下载会释放它的份额。配额中没有空间的下载会等待并保留每个字节，有空间时自动继续。没有给出数量时，显示用量和限制。
    .quota_owner = 所有者："window"、"command-line" 或程序的名称；"all" 表示所有所有者合计
    .size = 最大字节数（K、M 和 G 是 1,024 的幂；kB、MB 和 GB 是 1,000 的幂）；"none" 取消配额，包括文件数的配额
    .files = 最大文件数
    .category = 只计入此类文件：video、music、picture、document、archive、program 或 other
    .after =
        示例：
          ashore quota                             谁占用了多少
          ashore quota my-program 10G              该程序所请求的内容，合计 10 GiB
          ashore quota my-program --files 1000     并且不超过一千个文件
          ashore quota all 50G --category video    视频，无论谁请求的
          ashore quota my-program none             有多少用多少
help-statistics = 统计曾经添加的所有下载：已完成、失败，以及它们的字节
    .long =
        { help-statistics }

        文件及其大小按来源、合计和添加日期统计。既未完成也未失败的文件仍在列表中、已取消或已移除。移除下载不会改变任何数字。
    .days = 要单独列出的天数
help-settings = 显示设置，或更改一项设置
    .long =
        { help-settings }

        更改立即生效，并保存在数据文件夹中的 `ashore.toml` 里，该文件也可以手动编辑。
    .name = 设置的名称；没有给出名称时，显示所有设置
    .value = 新的值，与设置文件中相同但不带引号；时间设置可以有任意多行
    .default = 将设置恢复为默认值
    .after =
        示例：
          ashore settings                          每项设置及其值
          ashore settings hours                    它的用途
          ashore settings parallel 8               从现在起同时八个文件
          ashore settings hours 'mon-fri 08:00-18:00 slow' 'sat 00:00-24:00 off'
          ashore settings parallel --default       恢复为未指定时的值
help-events = 输出正在运行的 Ashore 的每个事件，每行一个 JSON 对象
help-doctor = 检查列表、其备份和未完成的文件
    .long =
        { help-doctor }

        如果打开列表时发现它已损坏，会将它移到一旁，并恢复其最新的备份；`doctor` 会报告结果。与所统计的下载不一致的计数会报告，并在使用 --repair 时重新计算。不会更改其他内容。如果列表已损坏或不一致，退出码为 1。
    .repair = 重新计算与所统计的下载不一致的计数
help-adopt = 将没有下载的未完成文件添加到列表，并继续下载
    .long =
        { help-adopt }

        `ashore doctor` 会列出这些文件。输出每个新下载的 unique_id；使用 --json 时输出记录。没有参数时，添加所有可以继续的未完成文件。
    .partials = 未完成文件的路径，或其名称中的八位数字
help-export = 将列表导出到文件，不含机密信息
    .long =
        { help-export }

        文件中有链接、名称、文件夹、校验和、每个文件的结果及其检查方式、限制和配额：每行一个 JSON 对象，如 docs/export.md 所述。不包括密码、Cookie、令牌和已下载的文件本身。
    .file = 要写入的文件；"-" 表示 stdout
    .force = 替换已有的文件
    .to = 代替 Ashore 接收该文件的程序名称；aria2 会得到包含未完成下载的会话文件
help-import = 导入已导出的列表
    .long =
        { help-import }

        未完成的下载导入后为暂停状态：不会自动开始任何内容。已在列表中的下载不会更改。不完整的文件或含有无效行的文件会被拒绝，其中的内容都不会导入。
    .file = `ashore export` 写入的文件；"-" 表示 stdin
    .from = 代替 Ashore 写入该文件的程序名称；其下载导入后为暂停状态，并保留其 GID
    .unchecked = 即使文件在导出后被更改过，也导入它
help-sync = 在您的电脑之间共享一个加密的下载列表；没有给出命令时，显示同步的状态
    .long =
        { help-sync }

        列表保存在同步服务器上（参见 `ashore sync-server --help`）；它只知道大小和时间。每个下载由一台电脑进行，其他电脑可以看到并控制它。文件绝不会传输。
    .after =
        示例：
          ashore-sync-server invite                在服务器上输出一个设置链接
          ashore sync setup LINK                   创建列表，并输出它的 24 个单词
          ashore sync invite                       为下一台电脑输出一个链接
          ashore sync join LINK                    在那台电脑上
          ashore sync others                       其他电脑的下载
          ashore sync ask 6b3f pause               在那里暂停其中一个
          ashore add URL --to Laptop               在另一台电脑上下载链接
help-sync-status = 显示同步是否已开启、有什么在等待，以及最近一次同步失败的原因
help-sync-now = 立即同步
help-sync-setup = 在服务器上创建列表，并输出它的 24 个恢复单词
help-sync-join = 加入另一台电脑的列表
help-sync-recover = 用恢复单词加入列表，例如在所有电脑都丢失之后
    .long =
        { help-sync-recover }

        单词从终端或 stdin 读取，这样任何进程列表中都不会显示它们。
    .address = 服务器的地址，与单词一起输出：HOST:PORT#FINGERPRINT
    .uid = 与单词一起输出的编号
help-sync-invite = 输出一个链接，一台电脑可以在十分钟内用它加入一次
help-sync-devices = 列出列表中的电脑
help-sync-remove = 从列表中移除一台电脑，并输出新的恢复单词
    .long =
        { help-sync-remove }

        此后写入的内容，该电脑都无法读取。它已经读取的内容会保留。
help-sync-trust = 允许一台电脑不经询问就在这里开始下载
    .not = 在此电脑的下载开始之前重新询问
help-sync-words = 输出列表的恢复单词
help-sync-conflicts = 列出因另一台电脑的更改而未被采用的更改，或解决其中一个
    .number = 要解决的冲突的编号
    .take = 用另一个值代替当前值
    .drop = 保留当前值
help-sync-others = 列出其他电脑的下载
help-sync-ask = 请求另一台电脑更改其下载，或接管该下载
    .id = 下载的 ID，如 `ashore sync others` 所输出，或其开头的字符
    .change = 更改
    .change-pause = 在那里暂停
    .change-resume = 在那里继续
    .change-remove = 在那里从列表中移除；其文件会保留
    .change-move-here = 改为在此电脑上下载
    .change-fetch-here = 也在此电脑上下载
help-sync-send = 将此电脑的一个下载发送到另一台电脑
    .id = { help-show.id }
help-sync-sends = 列出此电脑发送给其他电脑的下载、是否已送达，以及此电脑错过的下载
help-sync-rename = 给此电脑取另一个名称，其他电脑会显示该名称
    .name = 新名称
help-sync-clear-history = 在所有电脑和服务器上忘记过去的下载，例如为了释放服务器上的空间
    .keep = 保留最近 DAYS 天的下载；0 表示忘记全部
help-sync-leave = 在此电脑上关闭同步；下载和文件会保留
help-browsers = 连接浏览器，让其扩展把下载交给 Ashore；不带命令时列出浏览器
    .after =
        示例：
          ashore browsers                          列出浏览器，以及哪些已连接
          ashore browsers connect                  连接所有浏览器
          ashore browsers connect firefox          连接 Firefox
          ashore browsers disconnect firefox       断开 Firefox
          ashore browsers doctor                   测试每个连接
          ashore browsers pair                     显示用于配对浏览器的代码
help-browsers-list = 列出浏览器，以及各自是否已连接
help-browsers-connect = 让浏览器的扩展把下载交给 Ashore
    .long =
        { help-browsers-connect }

        在浏览器的文件夹中写入一个小文件。其他程序在那里写入的文件绝不会被更改。扩展本身在浏览器中安装。
help-browsers-disconnect = 删除 `connect` 写入的文件
help-browsers-doctor = 按浏览器的使用方式测试每个已连接浏览器的连接
    .long =
        { help-browsers-doctor }

        如果有连接不可用，退出代码为 1。
help-browsers-pair = 显示用于配对 Flatpak 或 snap 浏览器的代码
    .long =
        { help-browsers-pair }

        这类浏览器无法启动程序。请先打开设置 browser-channel。代码在扩展的弹出窗口中输入，五分钟内有效，只能使用一次。
help-browsers-unpair = 移除已配对的浏览器
    .names = `ashore browsers` 列出的已配对浏览器的名称
help-remote = 登录和注销其他设备与程序；不带命令时列出它们
    .after =
        示例：
          ashore remote                                   已登录的设备和程序
          ashore remote link                              供一台设备使用的链接和二维码
          ashore remote token                             用于登录的令牌
          ashore remote token --name sonarr --scope add   供程序使用的令牌
          ashore remote sign-out Phone                    注销一台设备
help-remote-link = 输出让一台设备登录的链接
    .long =
        { help-remote-link }

        链接在五分钟内可使用一次。在终端中还会显示为二维码。必须正在运行 `ashore serve --remote`。
    .scope = 设备的权限：全部、添加和读取，或仅读取
help-remote-token = 输出设备用于登录的令牌
    .long =
        { help-remote-token }

        使用 --name 时，为程序签发令牌，并且只输出这一次。
    .name = 获得自己令牌的程序的名称
    .scope = 程序的权限：全部、添加和读取、仅读取，或仅指标
    .renew = 替换令牌，并注销所有设备
help-remote-list = 列出已登录的设备和程序
help-remote-sign-out = 注销设备或程序
    .names = `ashore remote list` 列出的名称
help-healthy = 检查 Ashore 是否正在运行并已就绪
    .long =
        { help-healthy }

        供容器和脚本使用。Ashore 已就绪时退出代码为 0，否则为 1。
    .url = 不询问套接字，而询问此地址上供其他设备使用的服务器，例如 http://127.0.0.1:6800
help-sync-server = 运行同步服务器，这是一个单独的程序；参见 `ashore sync-server --help`
    .arguments = 同步服务器的命令和选项
help-help = 显示此帮助，或所给命令的帮助
    .subcommand = 显示这些命令的帮助
