-ashore = Ashore

size =
    { $unit ->
        [B] { $amount } o
        [kB] { $amount } ko
        [GB] { $amount } Go
        [TB] { $amount } To
        [PB] { $amount } Po
       *[MB] { $amount } Mo
    }

part = { $done } sur { $whole }
rate = { $size }/s
percent = { $percent } %

span-seconds = { $seconds } s
span-minutes = { $minutes } min
span-hours = { $hours } h
span-hours-minutes = { $hours } h { $minutes } min
span-days =
    { $days ->
        [one] { $days } jour
        [many] { $days } de jours
       *[other] { $days } jours
    }
time-left = encore { $time }
moment = { $date }, { $time }

n-files = { message-files }
n-downloads =
    { $count ->
        [one] { $count } téléchargement
        [many] { $count } de téléchargements
       *[other] { $count } téléchargements
    }
n-downloads-object = { n-downloads }
files-of = { $done } sur { n-files }

totals-paused = Tout est en pause
totals-idle = Rien n’est en cours
totals-running = { $count } en cours
totals-waiting = { $count } en attente

row-paused = En pause
row-waits = En attente

action-pause = Pause
action-resume = Reprendre
action-cancel = Annuler
action-open = Ouvrir
action-show-in-folder = Voir le dossier
action-retry = Réessayer
pause-all = Tout mettre en pause
resume-all = Tout reprendre

limit = Limite de vitesse
    .none = Aucune limite

afterwards = Une fois terminé
    .nothing = Ne rien faire
    .sleep = Mettre en veille
    .shut-down = Éteindre
afterwards-sleeps = Cette machine se met en veille dans { $time }
afterwards-shuts-down = Cette machine s’éteint dans { $time }
afterwards-why = Plus aucun téléchargement n’est en cours ni en attente.
afterwards-stay = { action-cancel }
