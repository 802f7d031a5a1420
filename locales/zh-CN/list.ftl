search = 搜索
search-hint = 搜索下载（Ctrl+F）
search-clear = 清除搜索
filters = 显示
filters-wide = 展开筛选列表
filter-all = 全部
filter-running = 进行中
filter-waiting = 等待中
filter-done = 已完成
filter-failed = 失败
filter-cancelled = 已取消
kinds = 文件类型
kind-video = 视频
kind-music = 音频
kind-picture = 图片
kind-document = 文档
kind-archive = 压缩包
kind-program = 程序
kind-other = 其他
sort-by = 排序方式
sorted-by = 排序：{ $name }
sort-newest = 最新在前
sort-name = 名称
sort-size = 大小
sort-progress = 进度
sort-speed = { details-speed }
sort-left = 剩余时间
column-added = { about-created }
columns = 列
in-turn = 队列顺序
dense = 紧凑行
chosen = 已选择 { $count } 项
downloads = 下载
reading = 正在读取列表
reading-file = 正在读取
read-again = 重试
list-failed = 无法读取列表
more = 更多
close = 关闭
cancel = 取消
choose = 选择…

totals-slow-hours = 限速时段

row-sending = 正在发送 { $part }
row-connecting = 正在连接
row-stalled = 停滞
row-failed-files = { $count } 个失败
row-failed-files-because = { row-failed-files }：{ $why }
row-paused-with-everything = 随全部下载一起暂停
row-paused-at-percent = 暂停于 { percent }
row-paused-at = 暂停于 { $amount }
row-not-started = 尚未开始
row-waits-because = 等待中：{ $why }
row-waits-slots = 排队中：同时 { n-files }
row-waits-server = 排队中：{ $host } 同时 { $count } 个
row-tries = 正在重试
row-tries-because = 正在重试：{ $why }
row-tries-in = { $time }后重试
row-tries-in-because = { $time }后重试：{ $why }
row-done = 已完成 { $moment }
row-verified = 已校验
row-size-unknown = 大小未知
row-cancelled = 已取消
row-awaits-link = 请在浏览器中点击该文件。点击后此下载会继续。
row-awaits-link-other = 在浏览器中点击的是另一个文件（{ $name }），它是一个单独的下载。
row-sign-in-again = 服务器拒绝此下载。请在浏览器中重新登录，并在那里点击链接。
row-cancelled-at = 已取消 { $moment }
row-files-kept = 保留 { files-of }
row-kept = 保留 { $amount }
row-all-failed = 全部 { n-files }失败：{ $why }
row-some-failed = { files-of }失败：{ $why }

retry-failed = 重试失败项
try-now = 立即重试
start-now = 立即开始
remove = 移除
to-the-top = 移到最前
to-the-end = 移到最后
copy-link = 复制链接
copy-links = 复制链接
cancel-asking = 取消下载…
remove-from-list = 从列表中移除
remove-from-list-asking = 从列表中移除…
remove-with-files-asking = 连同文件一起移除…
rename = 在列表中重命名
rename-field = 列表中的标题
files-show = 显示文件
files-hide = 隐藏文件
drag = 拖动以更改顺序（Alt+上、Alt+下）
progress-of = { $title } 的进度
action-on = { $action }：{ $title }

many-pause = 暂停 { n-downloads-object }
many-resume = 继续 { n-downloads-object }
many-start = 立即开始 { n-downloads-object }
many-top = 将 { n-downloads-object }移到最前
many-end = 将 { n-downloads-object }移到最后
many-retry = 重试 { n-downloads-object }
many-copy = 复制 { n-downloads }的链接
many-cancel = 取消 { n-downloads-object }…
many-remove = 移除 { n-downloads-object }
many-remove-asking = 移除 { n-downloads-object }…
many-remove-files-asking = 移除 { n-downloads-object }及其文件…

empty = 粘贴链接即可开始
    .body = 复制文件的地址，然后在此窗口的任意位置按 Ctrl+V。也可以一次粘贴多个链接：每行一个。
    .action = 添加链接
    .after = 下载进行时可以关闭窗口。{ -ashore } 会继续下载，完成后通知您。
nothing-found = 未找到
    .search = 这里没有包含“{ $text }”的下载。
    .kind = 这里没有“{ $kind }”类型的下载。
    .all-kinds = 显示所有类型
nothing-all = 列表中没有内容。
nothing-running = 目前没有正在进行的下载。
nothing-waiting = 没有正在排队或等待您处理的下载。
nothing-done = 还没有完成的下载。
nothing-failed = 没有失败的下载。
nothing-cancelled = 没有已取消的下载。

remove-question =
    { $count ->
        [1] 从列表中移除？
       *[other] 从列表中移除 { n-downloads-object }？
    }
    .keeps = 已下载的文件会留在原处。
    .files = 同时删除已下载的文件
    .deletes = 已下载的文件会移到回收站。
    .submit =
        { $count ->
            [1] 移除
           *[other] 移除 { n-downloads-object }
        }
    .submit-files = 移除并删除文件
remove-loses-all =
    { $count ->
        [1] 它尚未完成。目前已接收的内容将被丢弃。
       *[other] 它们尚未完成。目前已接收的内容将被丢弃。
    }
remove-loses-some = 其中 { $count } 项尚未完成。目前已接收的内容将被丢弃。
cancel-question =
    { $count ->
        [1] 取消此下载？
       *[other] 取消 { n-downloads-object }？
    }
    .body =
        { $count ->
            [1] 下载将停止，未完成文件中已接收的内容将被丢弃。已完成的文件会留在原处。
           *[other] 这些下载将停止，未完成文件中已接收的内容将被丢弃。已完成的文件会留在原处。
        }
    .submit =
        { $count ->
            [1] 取消下载
           *[other] 取消 { n-downloads-object }
        }
    .keep = 继续下载

notices = 消息
notice-dismiss = 关闭
notice-copied = 已复制 { $count } 个链接。
notice-not-copied = 无法复制链接。桌面目前不允许此操作。
notice-not-for-all = { n-downloads }中有 { $refused } 项未能完成此操作：{ $text }
notice-offered =
    { $count ->
        [1] 您复制了一个链接。要添加吗？
       *[other] 您复制了 { $count } 个链接。要添加吗？
    }
notice-removed =
    { $count ->
        [1] 已从列表中移除：{ $title }
       *[other] 已从列表中移除 { $count } 项下载。
    }
notice-files-go = 几秒后文件会移到回收站。
notice-undo = 撤销
notice-undo-hint = 恢复（Ctrl+Z）
notice-back =
    { $count ->
        [1] “{ $title }”已恢复。
       *[other] 已恢复 { $count } 项下载。
    }
notice-are-next = 接下来是 { $count } 项下载。
notice-are-last = { $count } 项下载排在所有其他下载之后。
notice-is-next = 接下来是“{ $title }”。
notice-is-last = “{ $title }”排在所有其他下载之后。
notice-is-number = “{ $title }”排在第 { $number } 位，共 { $count } 项。
notice-was-waiting = “{ $title }”已在列表中，接下来就会下载。
notice-was-running = “{ $title }”已在下载。

keys = 快捷键
keys-hint = 快捷键（F1）
keys-choosing = 选择
keys-doing = 对所选项
keys-queue = 队列顺序
keys-anywhere = 任意位置
keys-go = 在列表中移动
keys-choose-more = 扩大选择，或按住 Shift 点击
keys-choose-everything = 全选
keys-choose-one = 恢复为单选
keys-open = 打开文件，或显示一组中的文件
keys-files = 显示或隐藏一组中的文件
keys-details = 下载的详细信息
keys-pause = 暂停或继续
keys-copy = 复制链接
keys-rename = 在列表中重命名
keys-remove = 从列表中移除
keys-remove-files = 连同文件一起移除
keys-menu = 打开包含所有操作的菜单
keys-move = 上移或下移一位
keys-move-far = 移到最前或最后
keys-paste = 添加剪贴板中的链接
keys-add = 添加下载
keys-search = 搜索
keys-undo = 撤销上次移除
keys-settings = 打开设置，或返回列表
keys-keys = 此概览
keys-close = 关闭窗口；下载会继续
keys-quit = 退出 { -ashore }

key-ctrl = Ctrl
key-alt = Alt
key-shift = Shift
key-space = 空格
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
key-menu = 菜单

afterwards-is = { afterwards }：{ $then }
limit-is = 速度限制：{ $limit }
limit-other = 其他…
limit-asking = { limit }…
limit-field = 每秒千字节数
    .hint = { limit.none }
    .wrong = 请填写整数；留空则不限速。
    .submit = 设定
