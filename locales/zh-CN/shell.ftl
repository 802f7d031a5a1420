tray-open = 打开 { -ashore }
tray-quit = 退出
tray-shut = 无法打开列表

note-show = 显示
note-sent = 已发送 { $amount }
note-done = 已完成
note-files-left-out = 略过 { $count } 个文件
note-failed = 无法下载。
note-files-failed = { $count } 个文件失败：{ $why }
note-many-finished = { $count } 项下载已完成
note-many-failed = { $count } 项下载失败
note-many-mixed = { $count } 项下载已完成，{ $failed } 项失败
note-and-more = 以及另外 { $count } 项
note-in-tray = { -ashore } 仍在运行
    .body = 下载会继续进行。可从面板图标打开或退出 { -ashore }。
note-group = { -ashore } - { $owner }
note-group-command-line = { -ashore } - 命令行
span-more-than-a-day = 剩余一天以上

ask-open = 打开此文件？
    .body = { $name } 可能会在此电脑上运行。请仅在了解其来源时打开。
ask-folder = 选择文件夹
