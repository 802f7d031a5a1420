-ashore = Ashore

size =
    { $unit ->
        [B] { $amount } B
        [kB] { $amount } kB
        [GB] { $amount } GB
        [TB] { $amount } TB
        [PB] { $amount } PB
       *[MB] { $amount } MB
    }

part = { $done } / { $whole }
rate = { $size }/秒
percent = { $percent }%

span-seconds = { $seconds } 秒
span-minutes = { $minutes } 分钟
span-hours = { $hours } 小时
span-hours-minutes = { $hours } 小时 { $minutes } 分钟
span-days = { $days } 天
time-left = 剩余 { $time }
moment = { $date } { $time }

n-files = { message-files }
n-downloads = { $count } 项下载
n-downloads-object = { n-downloads }
files-of = { $done } / { n-files }

totals-paused = 已全部暂停
totals-idle = 没有正在进行的下载
totals-running = { $count } 项进行中
totals-waiting = { $count } 项排队中

row-paused = 已暂停
row-waits = 排队中

action-pause = 暂停
action-resume = 继续
action-cancel = 取消
action-open = 打开
action-show-in-folder = 在文件夹中显示
action-retry = 重试
pause-all = 全部暂停
resume-all = 全部继续

limit = 速度限制
    .none = 不限速

afterwards = 完成后
    .nothing = 不执行操作
    .sleep = 睡眠
    .shut-down = 关机
afterwards-sleeps = 此电脑将在 { $time }后睡眠
afterwards-shuts-down = 此电脑将在 { $time }后关机
afterwards-why = 已没有正在进行或排队的下载。
afterwards-stay = { action-cancel }
