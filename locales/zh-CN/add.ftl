add = 添加
add-hint = 添加下载（Ctrl+N）
add-title = 添加下载
add-links = 链接
    .hint = https://…  每行一个
add-folder = 文件夹
    .hint = 您的下载文件夹
add-name = 标题
    .hint = 取自文件
    .hint-set = 取自文件
add-checksum = 校验和
    .hint = sha-256=…（可选）
add-checksum-trouble = 校验和形如 sha-256=，后接 64 个数字和 a 到 f 的字母。
add-together = 添加为
add-one-set = 一组
add-one-each = 各自单独
add-start = 开始
add-now = 现在
add-later = 稍后
add-submit = 添加 { $count } 个链接
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
