-ashore = Ashore

size =
    { $unit ->
        [B] { $amount } Б
        [kB] { $amount } кБ
        [GB] { $amount } ГБ
        [TB] { $amount } ТБ
        [PB] { $amount } ПБ
       *[MB] { $amount } МБ
    }

part = { $done } из { $whole }
rate = { $size }/с
percent = { $percent } %

span-seconds = { $seconds } с
span-minutes = { $minutes } мин
span-hours = { $hours } ч
span-hours-minutes = { $hours } ч { $minutes } мин
span-days =
    { $days ->
        [one] { $days } день
        [few] { $days } дня
        [many] { $days } дней
       *[other] { $days } дня
    }
time-left = осталось { $time }
moment = { $date }, { $time }

n-files = { message-files }
n-downloads =
    { $count ->
        [one] { $count } загрузка
        [few] { $count } загрузки
        [many] { $count } загрузок
       *[other] { $count } загрузки
    }
n-downloads-object =
    { $count ->
        [one] { $count } загрузку
        [few] { $count } загрузки
        [many] { $count } загрузок
       *[other] { $count } загрузки
    }
files-of =
    { $count ->
        [one] { $done } из { $count } файла
        [few] { $done } из { $count } файлов
        [many] { $done } из { $count } файлов
       *[other] { $done } из { $count } файла
    }

totals-paused = Всё приостановлено
totals-idle = Ничего не загружается
totals-running = активных: { $count }
totals-waiting = в очереди: { $count }

row-paused = Приостановлено
row-waits = В очереди

action-pause = Пауза
action-resume = Продолжить
action-cancel = Отменить
action-open = Открыть
action-show-in-folder = Открыть папку
action-retry = Повторить
pause-all = Приостановить всё
resume-all = Продолжить всё

limit = Ограничение скорости
    .none = Без ограничения

afterwards = По завершении
    .nothing = Ничего не делать
    .sleep = Перейти в сон
    .shut-down = Выключить
afterwards-sleeps = Компьютер уйдёт в сон через { $time }
afterwards-shuts-down = Компьютер выключится через { $time }
afterwards-why = Загрузок в работе и в очереди больше нет.
afterwards-stay = { action-cancel }
