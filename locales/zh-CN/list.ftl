search = 搜索
search-hint = 搜索下载（Ctrl+F）
search-clear = 清除搜索
filters = 显示
filters-wide = 显示侧边栏
filter-all = 全部
filter-running = 进行中
filter-waiting = 排队中
filter-paused = 已暂停
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
    .reversed = 排序：{ $name }，倒序
sort-newest = 最新在前
sort-name = 名称
sort-size = 大小
sort-progress = 进度
sort-speed = { details-speed }
sort-left = 剩余时间
sort-reverse = 反转顺序
column-added = { about-created }
column-left = { sort-left }
columns = 列
in-turn = 队列顺序
dense = 紧凑行
chosen = 已选择 { $count } 项
downloads = 下载
reading = 正在加载…
reading-file = { reading }
read-again = 重试
list-failed = 无法读取列表
more = 更多
close = 关闭
cancel = 取消
choose = 选择…

totals-slow-hours = 限速时段

row-sending = 正在发送 { $part }
row-connecting = 正在连接
row-stalled = 无数据
row-failed-files = { $count } 个失败
row-failed-files-because = { row-failed-files }：{ $why }
row-paused-with-everything = 已暂停（全部暂停）
row-paused-at-percent = 暂停于 { percent }
row-paused-at = 暂停于 { $amount }
row-not-started = 尚未开始
row-waits-because = 排队中：{ $why }
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
copy-command = 复制为 cURL
cancel-asking = 取消下载…
remove-from-list = 从列表中移除
remove-from-list-asking = 从列表中移除…
remove-with-files-asking = 删除文件…
rename = 在列表中重命名…
rename-field = 列表中的名称
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
many-remove-files-asking = 删除 { n-downloads-object }的文件…

empty = 粘贴链接即可开始
    .body = 复制文件的地址，然后在此窗口的任意位置按 Ctrl+V。也可以一次粘贴多个链接：每行一个。
    .action = 添加链接
    .after = 您可以关闭此窗口。下载会在后台继续。
    .drop = 您也可以将链接或包含链接的文件拖放到此窗口。
    .browsers = 在设置中连接浏览器后，{ -ashore } 就会接收它的下载。
drop-here = 将链接或包含链接的文件拖放到此处
nothing-found = 未找到
    .search = 这里没有包含“{ $text }”的下载。
    .kind = 这里没有“{ $kind }”类型的下载。
    .all-kinds = 显示所有类型
nothing-all = 列表中没有内容。
nothing-running = 没有正在进行的下载。
nothing-waiting = 队列为空。
nothing-paused = 没有已暂停的下载。
nothing-done = 没有已完成的下载。
nothing-failed = 没有失败的下载。
nothing-cancelled = 没有已取消的下载。

remove-question =
    { $count ->
        [1] 从列表中移除？
       *[other] 从列表中移除 { n-downloads-object }？
    }
    .keeps = 已下载的文件会留在原处。
    .files = 同时将文件移到回收站
    .deletes =
        { $count ->
           *[other] 下载也会从列表中移除。
        }
    .submit =
        { $count ->
            [1] 移除
           *[other] 移除 { n-downloads-object }
        }
    .title-files = 将文件移到回收站？
    .submit-files = 移除并将文件移到回收站
remove-loses-all =
    { $count ->
        [1] 此下载的未完成数据将被删除。
       *[other] 这些下载的未完成数据将被删除。
    }
remove-loses-some = 其中 { $count } 项尚未完成。它们的未完成数据将被删除。
cancel-question =
    { $count ->
        [1] 取消此下载？
       *[other] 取消 { n-downloads-object }？
    }
    .body =
        { $count ->
            [1] 它的未完成文件将被删除。已完成的文件会保留。
           *[other] 它们的未完成文件将被删除。已完成的文件会保留。
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
notice-command-copied = 已复制为 cURL。
    .without = 已复制为 cURL，但省略了以下可能涉密的标头：{ $headers }
notice-again-without = 正在重新下载“{ $title }”，但省略了以下可能涉密的标头：{ $headers }
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
notice-undo-hint = 撤销（Ctrl+Z）
notice-back =
    { $count ->
        [1] 已恢复“{ $title }”
       *[other] 已恢复 { $count } 项下载
    }
notice-are-next = 接下来是 { $count } 项下载。
notice-are-last = 已将 { $count } 项下载移到最后
notice-is-next = 接下来是“{ $title }”。
notice-is-last = 已将“{ $title }”移到最后
notice-is-number = “{ $title }”排在第 { $number } 位，共 { $count } 项。
notice-was-waiting = “{ $title }”已在列表中，接下来就会下载。
notice-was-running = “{ $title }”已在下载。

keys = 键盘快捷键
keys-hint = 键盘快捷键（F1）
keys-choosing = 选择
keys-doing = 所选下载
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
keys-remove-files = 删除文件
keys-menu = 打开包含所有操作的菜单
keys-move = 上移或下移一位
keys-move-far = 移到最前或最后
keys-paste = 添加剪贴板中的链接
keys-add = { empty.action }
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
limit-field = 上限
    .hint = { limit.none }
    .wrong = 请输入数字，或留空。
    .submit = 设定

limit-unit = 单位
