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

part = { $done } de { $whole }
rate = { $size }/s
percent = { $percent }%

span-seconds = { $seconds } s
span-minutes = { $minutes } min
span-hours = { $hours } h
span-hours-minutes = { $hours } h { $minutes } min
span-days =
    { $days ->
        [one] { $days } dia
        [many] { $days } de dias
       *[other] { $days } dias
    }
time-left = { $time } restantes
moment = { $date }, { $time }

n-files = { message-files }
n-downloads =
    { $count ->
        [one] { $count } download
        [many] { $count } de downloads
       *[other] { $count } downloads
    }
n-downloads-object = { n-downloads }
files-of = { $done } de { n-files }

totals-paused = Tudo está em pausa
totals-idle = Nada em andamento
totals-running = { $count } em andamento
totals-waiting = { $count } na fila

row-paused = Em pausa
row-waits = Na fila

action-pause = Pausar
action-resume = Retomar
action-cancel = Cancelar
action-open = Abrir
action-show-in-folder = Ver na pasta
action-retry = Tentar de novo
pause-all = Pausar tudo
resume-all = Retomar tudo

limit = Limite de velocidade
    .none = Sem limite

afterwards = Ao terminar
    .nothing = Não fazer nada
    .sleep = Suspender
    .shut-down = Desligar
afterwards-sleeps = Esta máquina será suspensa em { $time }
afterwards-shuts-down = Esta máquina será desligada em { $time }
afterwards-why = Não há mais downloads em andamento ou na fila.
afterwards-stay = { action-cancel }
