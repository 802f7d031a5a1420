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

part = { $whole } में से { $done }
rate = { $size }/से॰
percent = { $percent }%

span-seconds = { $seconds } से॰
span-minutes = { $minutes } मि॰
span-hours = { $hours } घं॰
span-hours-minutes = { $hours } घं॰ { $minutes } मि॰
span-days =
    { $days ->
        [one] { $days } दिन
       *[other] { $days } दिन
    }
time-left = { $time } बाकी
moment = { $date }, { $time }

n-files = { message-files }
n-downloads =
    { $count ->
        [one] { $count } डाउनलोड
       *[other] { $count } डाउनलोड
    }
n-downloads-object = { n-downloads }
files-of =
    { $count ->
        [one] { $count } फ़ाइल में से { $done }
       *[other] { $count } फ़ाइलों में से { $done }
    }

totals-paused = सब कुछ रुका हुआ है
totals-idle = कुछ भी नहीं चल रहा
totals-running = { $count } चल रहे
totals-waiting = { $count } कतार में

row-paused = रुका हुआ
row-waits = कतार में

action-pause = रोकें
action-resume = फिर शुरू करें
action-cancel = रद्द करें
action-open = खोलें
action-show-in-folder = फ़ोल्डर में दिखाएँ
action-retry = फिर कोशिश करें
pause-all = सभी रोकें
resume-all = सभी फिर शुरू करें

limit = गति सीमा
    .none = कोई सीमा नहीं

afterwards = पूरा होने पर
    .nothing = कुछ न करें
    .sleep = स्लीप करें
    .shut-down = बंद करें
afterwards-sleeps = यह कंप्यूटर { $time } में स्लीप में जाएगा
afterwards-shuts-down = यह कंप्यूटर { $time } में बंद होगा
afterwards-why = अब कोई डाउनलोड न चल रहा है, न कतार में है।
afterwards-stay = { action-cancel }
