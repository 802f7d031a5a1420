# The page in a browser: signing in, the connection, this device, and the folders on the computer with { -ashore }.

remote-sign-in = 登录 { -ashore }
    .about = 请输入令牌。或者在运行 { -ashore } 的电脑上执行“ashore remote link”，然后扫描二维码或打开链接。
    .again = 此设备的会话已结束。您在页面中输入的文本仍然保留。
    .token = 令牌
    .name = 此设备的名称
    .pairing = 正在用链接登录…
remote-wait = { $time }后可以再次尝试
remote-connecting = 正在连接 { -ashore }…
    .again = 正在重新连接…
    .now = 立即连接
remote-lost = 连接已断开。{ $time }后再次尝试。

remote-device = 此设备
    .control = 此设备可以使用此页面的全部功能。
    .add = 此设备可以添加下载并查看列表。
    .read = 此设备可以查看列表。
    .sign-out = 退出登录
# Firefox on Android
remote-device-name = { $system } 上的 { $browser }
remote-readable = 此连接未加密。网络中的其他人可以读取所有数据，包括令牌。
remote-install = 只有地址以 https 开头时，浏览器才会将此页面安装为应用。

# The settings about other devices, in the window.
remote-others = 从其他设备访问
    .allow = 允许其他设备连接
    .about = 您的手机和其他电脑随后可以在浏览器中打开此列表。
    .plain = 数据传输时未加密，因此请仅在您信任的网络中开启。
    .address = 地址
    .copy = 复制地址
    .local = 只有此电脑可以访问此地址。
    .link = 让设备登录
    .scan = 请用设备扫描此代码，或在设备上打开链接。
    .none = 没有已登录的设备。
    .control = 可以执行任何操作。
    .add = 可以添加下载并查看列表。
    .read = 可以查看列表。
    .metrics = 可以读取指标。
    .program = 程序。{ $scope }
    .seen = 上次使用：{ $time }
    .added = { $name } 已登录。
    .sign-out = 退出登录：{ $name }

remote-save = 保存到此设备
# The bar at the bottom of a narrow page: list, add, settings.
remote-views = 视图

remote-folder-roots = 可用文件夹
    .above = 上级文件夹
    .none = 此文件夹中没有其他文件夹。
    .reading = 正在读取文件夹…
    .submit = 使用此文件夹

remote-failure-lost = 与 { -ashore } 的连接已断开。请检查 { -ashore } 是否正在运行，以及此设备能否访问它。
remote-failure-signed-out = 此设备未登录。请重新登录。
remote-failure-too-large = 此文本太长，无法一次发送。请分成几部分。
remote-failure-unavailable = 只能在运行 { -ashore } 的电脑上的窗口中执行此操作。
