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

part = { $done } von { $whole }
rate = { $size }/s
percent = { $percent } %

span-seconds = { $seconds } s
span-minutes = { $minutes } min
span-hours = { $hours } h
span-hours-minutes = { $hours } h { $minutes } min
span-days =
    { $days ->
        [one] 1 Tag
       *[other] { $days } Tage
    }
time-left = noch { $time }
moment = { $date }, { $time }

n-files = { message-files }
n-downloads =
    { $count ->
        [one] 1 Download
       *[other] { $count } Downloads
    }
n-downloads-object = { n-downloads }
files-of = { $done } von { n-files }

totals-paused = Alles ist angehalten
totals-idle = Nichts läuft
totals-running = { $count } laufen
totals-waiting = { $count } warten

row-paused = Angehalten
row-waits = In Warteschlange

action-pause = Anhalten
action-resume = Fortsetzen
action-cancel = Abbrechen
action-open = Öffnen
action-show-in-folder = Ordner anzeigen
action-retry = Wiederholen
pause-all = Alle anhalten
resume-all = Alle fortsetzen

limit = Tempolimit
    .none = Kein Limit

afterwards = Nach Abschluss
    .nothing = Nichts tun
    .sleep = Schlafen
    .shut-down = Ausschalten
afterwards-sleeps = Dieser Rechner geht in { $time } schlafen
afterwards-shuts-down = Dieser Rechner schaltet sich in { $time } aus
afterwards-why = Kein Download läuft oder wartet mehr.
afterwards-stay = { action-cancel }
