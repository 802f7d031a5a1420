# Sizes, speeds, times, and texts that the window and the desktop share.
# $amount, $size, $rate, $time and $date are texts in the format of the language; $count, $done and similar values are numbers.

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

# "3.1 of 4.2 GB", or "12 MB of 4.2 GB".
part = { $done } of { $whole }
rate = { $size }/s
percent = { $percent } %

span-seconds = { $seconds } s
span-minutes = { $minutes } min
span-hours = { $hours } h
span-hours-minutes = { $hours } h { $minutes } min
span-days =
    { $days ->
        [one] 1 day
       *[other] { $days } days
    }
time-left = { $time } left
# A day and the time of day.
moment = { $date }, { $time }

n-files = { message-files }
n-downloads =
    { $count ->
        [one] 1 download
       *[other] { $count } downloads
    }
# The same after a verb: "Pause 3 downloads".
n-downloads-object = { n-downloads }
# "3 of 4 files".
files-of = { $done } of { n-files }

totals-paused = Everything is paused
totals-idle = No downloads are running
totals-running = { $count } running
totals-waiting = { $count } queued

row-paused = Paused
row-waits = Queued

action-pause = Pause
action-resume = Resume
action-cancel = Cancel
action-open = Open
action-show-in-folder = Show in folder
action-retry = Retry
pause-all = Pause all
resume-all = Resume all

# Limit on the total speed of all downloads.
limit = Speed limit
    .none = No limit

# Power action after the last download: it is chosen for one time, and begins with a countdown.
afterwards = When finished
    .nothing = Do nothing
    .sleep = Sleep
    .shut-down = Shut down
afterwards-sleeps = This computer goes to sleep in { $time }
afterwards-shuts-down = This computer shuts down in { $time }
afterwards-why = No download is running or queued any more.
afterwards-stay = { action-cancel }
