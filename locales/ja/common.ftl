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
span-minutes = { $minutes } 分
span-hours = { $hours } 時間
span-hours-minutes = { $hours } 時間 { $minutes } 分
span-days = { $days } 日
time-left = 残り { $time }
moment = { $date } { $time }

n-files = { message-files }
n-downloads = { $count } 件のダウンロード
n-downloads-object = { n-downloads }
files-of = { $done } / { $count } 個のファイル

totals-paused = すべて一時停止中
totals-idle = 進行中のものはありません
totals-running = { $count } 件進行中
totals-waiting = { $count } 件待機中

row-paused = 一時停止中
row-waits = 待機中

action-pause = 一時停止
action-resume = 再開
action-cancel = キャンセル
action-open = 開く
action-show-in-folder = フォルダーを表示
action-retry = 再試行
pause-all = すべて一時停止
resume-all = すべて再開

limit = 速度制限
    .none = 制限なし

afterwards = 完了したら
    .nothing = 何もしない
    .sleep = スリープする
    .shut-down = シャットダウンする
afterwards-sleeps = このコンピューターは { $time }後にスリープします
afterwards-shuts-down = このコンピューターは { $time }後にシャットダウンします
afterwards-why = 進行中または待機中のダウンロードはもうありません。
afterwards-stay = { action-cancel }
