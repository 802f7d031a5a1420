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
percent = { $percent } %

span-seconds = { $seconds } s
span-minutes = { $minutes } min
span-hours = { $hours } h
span-hours-minutes = { $hours } h { $minutes } min
span-days =
    { $days ->
        [one] 1 día
        [many] { $days } de días
       *[other] { $days } días
    }
time-left = quedan { $time }
moment = { $date }, { $time }

n-files = { message-files }
n-downloads =
    { $count ->
        [one] 1 descarga
        [many] { $count } de descargas
       *[other] { $count } descargas
    }
n-downloads-object = { n-downloads }
files-of = { $done } de { n-files }

totals-paused = Todo está en pausa
totals-idle = No hay nada en curso
totals-running = { $count } en curso
totals-waiting = { $count } en cola

row-paused = En pausa
row-waits = En cola

action-pause = Pausar
action-resume = Reanudar
action-cancel = Cancelar
action-open = Abrir
action-show-in-folder = Ver en carpeta
action-retry = Reintentar
pause-all = Pausar todo
resume-all = Reanudar todo

limit = Límite de velocidad
    .none = Sin límite

afterwards = Al terminar
    .nothing = No hacer nada
    .sleep = Suspender
    .shut-down = Apagar
afterwards-sleeps = Este equipo se suspenderá en { $time }
afterwards-shuts-down = Este equipo se apagará en { $time }
afterwards-why = Ya no hay descargas en curso ni en cola.
afterwards-stay = { action-cancel }
