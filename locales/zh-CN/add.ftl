add = 添加
add-hint = 添加链接（Ctrl+N）
add-title = { empty.action }
add-links = 链接
    .hint = 粘贴链接，每行一个
add-folder = 文件夹
    .hint = 您的下载文件夹
add-name = 文件名
    .hint = 自动
add-set-title = 名称
    .hint = 自动
add-checksum = 校验和
    .hint = sha-256=…（可选）
add-checksum-trouble = 校验和形如 sha-256=，后接 64 个数字和 a 到 f 的字母。
add-together = 分组
add-one-set = 一组
add-one-each = 各自单独
add-start = 开始
add-now = 现在
add-next = 队列中的下一个
add-later = 添加并暂停
add-submit = 添加 { $count } 个链接
add-progress = 已添加 { $added } / { $count }
add-understood = 找到 { $count } 个链接
add-misunderstood = 已跳过 { $count } 行
add-none-understood =
    { $count ->
       *[other] 未找到链接
    }
add-line-number = 第 { $number } 行
add-link-count = { $count } 个链接
add-from-to = { $first } 至 { $last }
add-signs-in = 含登录信息
add-and-more = 以及另外 { $count } 项
add-partly = { add-partly-added }{ add-partly-left }{ $text }
add-partly-added = 已添加 { $added } 个链接。
add-partly-left = 留在此处的 { $count } 个未添加：

add-asking = 正在询问服务器…
add-wants-sign-in = 需要登录。请输入用户名和密码。
add-unsized = 大小未知
add-resumes = 支持断点续传
add-begins-anew = 不支持断点续传

add-answer-gone = 服务器的应答已过期。{ -ashore } 会再次询问。
add-is-there = 已在您的列表中
add-is-there-otherwise = 似乎是您已有的下载
add-are-all-there = 这些链接都已在您的列表中
add-are-there = 其中 { $count } 个链接已在您的列表中
add-are-unfinished = { $count } 个可以用这些链接继续
add-repeat = 重复项
add-go-on = 继续已有下载
add-go-on-many = 继续未完成的
add-skip = 跳过
add-again = 重新下载
add-taken = “{ $name }”已存在。新文件会加上编号。

add-along = 登录、Cookie 和标头
add-user = 用户名
add-password = 密码
add-keep = 保存到密钥环
add-cookies = Cookie
    .hint = 名称=值; 其他=值，或 cookies.txt 的内容行
add-headers = 标头
    .hint = 名称: 值
add-headers-trouble = 标头第 { $line } 行无效。请使用“名称: 值”。

add-list-too-large = 此文件太大。请使用 ashore add -i FILE。

new-link = 更换链接
new-folder = 更改文件夹…
relink = 更换链接…
relink-question = 使用其他链接继续？
    .body = 如果新链接指向同一文件，已下载的部分会保留。否则下载会重新开始。
    .link = 指向同一文件的新链接
    .submit = 使用此链接
    .open = 在浏览器中打开页面
    .open-about = 请打开链接所在的页面，并在那里点击文件。如果扩展可以访问所有网站，并且交出每次点击，随后下载会继续。

action-anyway = 仍然下载
action-free-space = 打开文件夹
action-sign-in = 登录
sign-in-question = 登录并重试？
    .body = 您的用户名和密码只会发送给 { $host }。
    .submit = 登录
