extension-name = { -ashore }：下载管理器
extension-description = 把浏览器的下载交给 { -ashore }。在 { -ashore } 取得文件之前，浏览器会保留每个下载。

extension-menu =
    .link = 用 { -ashore } 下载链接
    .image = 用 { -ashore } 下载图片
    .media = 用 { -ashore } 下载媒体文件
    .selection = 用 { -ashore } 下载所选内容中的链接…
    .page = 用 { -ashore } 下载所有链接…

extension-state =
    .running = 已连接
    .idle = 已连接。{ -ashore } 会随下一个下载启动。
    .missing = 未找到 { -ashore }
    .missing-cure = 请安装 { -ashore }，并在其设置中连接此浏览器。在此之前，所有下载都留在浏览器中。

extension-pair = 配对此浏览器
    .why = 如果此浏览器来自 Flatpak 或 snap，请输入 { -ashore } 在其设置的“{ settings-browsers }”中显示的代码。
    .code = { -ashore } 的代码
    .wrong = 代码由八个字母和数字组成。请重新输入。
    .absent = { -ashore } 没有响应。请在其设置中打开“{ setting-browser-channel }”，并生成新代码。
    .closed = 此浏览器已与 { -ashore } 配对，但 { -ashore } 没有响应。请启动 { -ashore }。

extension-site = 将此网站的下载留给浏览器
extension-site-refused = { -ashore } 无法接收 { $site } 的最近两个下载。在{ $date }之前，它们留在浏览器中。
extension-site-again = 重新使用 { -ashore }
extension-bypass = 按住 Alt 键点击链接，可将下载留给浏览器。
extension-bypass-access = 允许访问所有网站后，Alt 键才会生效。

extension-kept = 已留给浏览器：{ $name }
extension-why =
    .type = 网页、脚本和样式留在浏览器中。
    .ending = 带有此扩展名的文件留在浏览器中。
    .small = 文件小于设置中的限制。
    .method = 网页提交了表单，而表单不会重复提交。
    .encoded = 服务器压缩了此文件，因此无法比较其大小。
    .danger = 浏览器对此文件发出了警告，请在浏览器中决定是否保留。
    .scheme = 此文件由网页自行生成。
    .extension = 此下载由另一个扩展程序发起。
    .menu-only = 下载只通过菜单交出。
    .bypass = 当时按住了 Alt 键。
    .site = 此网站的下载留给浏览器。
    .site-refused = { -ashore } 无法接收此网站的最近两个下载。
    .no-access = 没有访问所有网站的权限，就无法比较此文件。
    .no-head = 浏览器没有报告服务器的响应，因此无法比较此文件。
    .too-many = 一分钟内未经点击，此网站发起的下载超过 10 个，或全部下载超过 30 个。
    .received = 在 { -ashore } 响应之前，浏览器已经收到了整个文件。
    .host = 未找到 { -ashore }。请安装它，并在其设置中连接此浏览器。
    .failed = 与 { -ashore } 的连接结束，没有得到回应。
    .silent = { -ashore } 没有及时回应。
    .no-links = 此网页没有可读取的链接。
    .links-left-out = 此网页的链接太多，一条消息放不下，因此省略了最后的链接。
    .unknown = { -ashore } 没有说明原因。请更新 { -ashore } 和此扩展程序。

extension-all-links = 添加所有链接…
extension-media = 此网页上的媒体
extension-media-stream = 流媒体列表
extension-media-add = 添加 { $name }
extension-added = 已添加

extension-mode =
    .automatic-hint = 您点击的文件会交给 { -ashore }，前提是它收到同一个文件。
    .menu-hint = 右键点击链接并选择 { -ashore }。其他所有下载都留在浏览器中。
extension-least =
    .hint = 单位为 MiB。更小的文件留在浏览器中，因为浏览器马上就能取得。
extension-sites =
    .remove = 对 { $site } 重新使用 { -ashore }
    .add = 添加网站，例如 example.com
    .trouble = 这不是网站名称。
extension-access = 访问所有网站
    .given = 已允许。{ -ashore } 可以接收您已登录网站的文件。
    .missing = 未允许。{ -ashore } 无法接收您已登录网站的文件。
    .allow = 允许访问
    .revoke = 取消访问
extension-connection = 连接
    .version = { -ashore } { $version }

extension-welcome = 下载现在交给 { -ashore }
    .body = 像往常一样点击链接。在 { -ashore } 取得同一个文件之前，浏览器会保留自己的下载，因此不会丢失任何下载。
extension-welcome-access = 允许访问所有网站吗？
    .why = 这样 { -ashore } 就会使用您的 Cookie 下载，您已登录的网站会向它发送与浏览器相同的文件。
    .what = 此扩展程序读取每个响应的标头和下载的 Cookie，并识别按住 Alt 键的点击。它不读取网页，并且只把数据发送给这台电脑上的 { -ashore }。
    .without = 没有此权限时，只能通过菜单交出下载。
    .given = 已允许访问。一切就绪。
    .refused = 您以后可以在此扩展程序的设置中允许访问。
