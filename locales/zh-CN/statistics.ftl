statistics = 统计
    .back = 返回列表
    .reading = { reading }
statistics-in-all = 总计
    .about = 已移出列表的下载也计算在内。

statistics-received = 已接收
statistics-sent = 已发送 { $amount }
statistics-arrived =
    { $count ->
       *[other] 已完成的文件
    }
statistics-added = 共添加 { $count } 个
statistics-succeeded = 成功
statistics-nothing-ended = 尚无已结束的下载
statistics-none-failed = 没有失败
statistics-failed = { $count } 个失败
statistics-none = –

statistics-days = 最近 { $count } 天
    .about = 每项下载计入其添加的那一天。
    .choose = 最近 { $count } 天每天接收的内容
statistics-day = 日期
statistics-today = 今天
statistics-whole = 这些天合计
statistics-nothing = 没有添加下载
statistics-nothing-came = 这些天添加的下载中，尚未收到任何内容。
statistics-said = { $day }：{ $what }
statistics-column-received = 已接收
statistics-column-files = 已完成的文件
statistics-column-failed = 失败

statistics-from = 添加来源
    .window = 此窗口
    .command-line = 命令行
    .feed = 订阅源
    .clipboard = 剪贴板
    .device = 其他设备
    .browser = 浏览器
    .program = 程序
statistics-empty = 暂无可统计的内容
    .body = 添加下载后，此页会显示每天的下载接收了多少数据，还会显示下载是在哪里添加的，例如在此窗口或浏览器中。
