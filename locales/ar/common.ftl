-ashore = Ashore

size =
    { $unit ->
        [B] { $amount } بايت
        [kB] { $amount } ك.ب
        [GB] { $amount } غ.ب
        [TB] { $amount } ت.ب
        [PB] { $amount } ب.ب
       *[MB] { $amount } م.ب
    }

part = { $done } من { $whole }
rate = { $size }/ث
# Kept together from left to right, so that the sign stays behind the number.
percent = ⁦{ $percent }%⁩

span-seconds = { $seconds } ث
span-minutes = { $minutes } د
span-hours = { $hours } س
span-hours-minutes = { $hours } س و{ $minutes } د
span-days =
    { $days ->
        [zero] { $days } يوم
        [one] يوم واحد
        [two] يومان
        [few] { $days } أيام
        [many] { $days } يومًا
       *[other] { $days } يوم
    }
time-left = يتبقى { $time }
moment = { $date }، { $time }

n-files = { message-files }
n-downloads =
    { $count ->
        [zero] لا تنزيلات
        [one] تنزيل واحد
        [two] تنزيلان
        [few] { $count } تنزيلات
        [many] { $count } تنزيلًا
       *[other] { $count } تنزيل
    }
n-downloads-object =
    { $count ->
        [zero] لا تنزيلات
        [one] تنزيل واحد
        [two] تنزيلين
        [few] { $count } تنزيلات
        [many] { $count } تنزيلًا
       *[other] { $count } تنزيل
    }
files-of =
    { $count ->
        [zero] { $done } من { $count } ملف
        [one] { $done } من ملف واحد
        [two] { $done } من ملفين
        [few] { $done } من { $count } ملفات
        [many] { $done } من { $count } ملفًا
       *[other] { $done } من { $count } ملف
    }

totals-paused = كل شيء متوقف مؤقتًا
totals-idle = لا شيء قيد التنزيل
totals-running = { $count } قيد التنزيل
totals-waiting = { $count } في الانتظار

row-paused = متوقف مؤقتًا
row-waits = في الانتظار

action-pause = إيقاف مؤقت
action-resume = استئناف
action-cancel = إلغاء
action-open = فتح
action-show-in-folder = إظهار في المجلد
action-retry = إعادة المحاولة
pause-all = إيقاف الكل مؤقتًا
resume-all = استئناف الكل

limit = حد السرعة
    .none = بلا حد

afterwards = عند الانتهاء
    .nothing = لا شيء
    .sleep = السكون
    .shut-down = إيقاف التشغيل
afterwards-sleeps = يدخل هذا الجهاز في وضع السكون بعد { $time }
afterwards-shuts-down = يتوقف هذا الجهاز عن العمل بعد { $time }
afterwards-why = لم يعد هناك تنزيل قيد التنفيذ أو في الانتظار.
afterwards-stay = { action-cancel }
