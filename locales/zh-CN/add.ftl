add = 添加
add-hint = 添加下载（Ctrl+N）
add-title = 添加下载
add-links = 链接
    .hint = https://…  每行一个
add-folder = 文件夹
    .hint = 您的下载文件夹
add-name = 文件名
    .hint = 取自服务器
add-set-title = 标题
    .hint = 取自文件
add-checksum = 校验和
    .hint = sha-256=…（可选）
add-checksum-trouble = 校验和形如 sha-256=，后接 64 个数字和 a 到 f 的字母。
add-together = 添加为
add-one-set = 一组
add-one-each = 各自单独
add-start = 开始
add-now = 现在
add-next = 接下来
add-later = 稍后（已暂停）
add-submit = 添加 { $count } 个链接
add-progress = 已添加 { $added } / { $count }
add-understood = 已识别 { $count } 个链接
add-misunderstood = { $count } 行未识别
add-none-understood =
    { $count ->
        [1] 这一行不是链接
       *[other] 这些行都不是链接
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
add-wants-sign-in = 服务器要求登录。请在下方填写，或使用自带授权的链接。
add-unsized = 服务器未提供大小
add-resumes = 支持断点续传
add-begins-anew = 不支持断点续传

add-answer-gone = 服务器的应答已过期。添加链接时，{ -ashore } 会再次询问服务器。
add-is-there = 此链接已在列表中
add-is-there-otherwise = 列表中已有指向同一位置的链接
add-are-all-there = 这些链接都已在列表中
add-are-there = 其中 { $count } 个链接已在列表中
add-are-unfinished = 其中 { $count } 个尚未完成，可以用这些链接继续，并保留已下载的部分
add-repeat = 如何处理
add-go-on = 继续已有的下载
add-go-on-many = 继续未完成的
add-skip = 略过
add-again = 重新下载
add-taken = 文件夹中已有名为“{ $name }”的项目。它会保留，此文件的名称后会加上编号。

add-along = 登录、Cookie 和标头
add-user = 用户名
add-password = 密码
add-keep = 将登录信息和 Cookie 保存在密钥环中
add-cookies = Cookie
    .hint = 名称=值; 其他=值，或 cookies.txt 的内容行
add-headers = 标头
    .hint = 名称: 值
add-headers-trouble = 标头的第 { $line } 行不是标头。标头形如“名称: 值”。

add-list-too-large = 此文件太大，不能作为链接列表。较长的列表可以这样添加：ashore add -i FILE。

new-link = 新链接
new-folder = 其他文件夹
relink = 新链接…
relink-question = 使用其他链接继续？
    .body = { -ashore } 会将目前已接收的内容与新链接的文件进行比对。如果两者不同，下载会重新开始。
    .link = 指向同一文件的新链接
    .submit = 使用此链接
    .open = 在浏览器中打开页面
    .open-about = 请打开链接所在的页面，并在那里点击文件。如果扩展可以访问所有网站，并且交出每次点击，随后下载会继续。

action-anyway = 仍然下载
action-free-space = 释放空间
action-sign-in = 登录
sign-in-question = 登录并重试？
    .body = { $host } 要求登录。您的用户名和密码只会发送给此服务器。
    .submit = 登录
