details = التفاصيل
    .of = تفاصيل { $title }
    .hint = تفاصيل التنزيل المحدد (I)
    .close = إغلاق التفاصيل
    .resize = ارتفاع التفاصيل (↑ و↓)
details-files = الملفات
details-activity = النشاط
details-speed = السرعة
details-about = معلومات
# A connection of a running download, with its speed.
details-connection = الاتصال { $number }
    .left = متبقٍ { $size }
    .starting = يبدأ
details-connections =
    { $count ->
        [zero] لا اتصالات
        [one] اتصال واحد
        [two] اتصالان
        [few] { $count } اتصالات
        [many] { $count } اتصالًا
       *[other] { $count } اتصال
    }
details-file-before = الملف السابق
details-file-after = الملف التالي
details-copy = نسخ
details-copied = نُسخ
details-not-copied = تعذر النسخ. سطح المكتب لا يسمح بذلك الآن.
details-copy-activity = نسخ كل ما في هذه الصفحة
details-copy-head = نسخ ترويسات الرد
details-attempts = المحاولات
details-no-attempts = لم تُجرَ أي محاولة بعد.
details-answer = ردّ الخادم
details-answered = ردّ { $host } بـ «{ $status }».
details-redirects =
    { $count ->
        [zero] لم تحدث إعادة توجيه:
        [one] أُعيد التوجيه مرة واحدة:
        [two] أُعيد التوجيه مرتين:
        [few] أُعيد التوجيه { $count } مرات:
        [many] أُعيد التوجيه { $count } مرة:
       *[other] أُعيد التوجيه { $count } مرة:
    }
details-raw = ترويسات الرد

attempt-number = المحاولة { $number }
attempt-since = منذ { $time }
attempt-took = استغرقت { $time }
attempt-brought = وصل { $amount }
attempt-status = ردّ الخادم بـ { $status }
attempt-arrived = اكتمل، { $amount }.
attempt-running = قيد التنزيل، { $amount }.
attempt-connecting = جارٍ الاتصال.
attempt-anew-changed = بدأت من جديد: تغيّر الملف على الخادم. أُهمل { $amount }.
attempt-anew-no-ranges = بدأت من جديد: الخادم لا يدعم الاستئناف. أُهمل { $amount }.
attempt-anew-differs = بدأت من جديد: الخادم يعطي بايتات غير تلك التي كانت قد وصلت ({ $amount }).
attempt-anew-gone = بدأت من جديد: ما كان قد وصل ({ $amount }) نُقل أو حُذف.

speed-current = الآن
speed-mean = المتوسط
speed-highest = الأعلى
speed-not-running = متوقف
speed-now = الآن
speed-ago = قبل { $minutes } د
speed-soon = لم تصل البايتات الأولى بعد.
speed-none = تظهر السرعة أثناء التنزيل ولدقائق بعده.
speed-sentence =
    { $minutes ->
        [zero] السرعة: الآن { $current }، والمتوسط { $mean }، والأعلى { $highest }.
        [one] السرعة في الدقيقة الأخيرة: الآن { $current }، والمتوسط { $mean }، والأعلى { $highest }.
        [two] السرعة في آخر دقيقتين: الآن { $current }، والمتوسط { $mean }، والأعلى { $highest }.
        [few] السرعة في آخر { $minutes } دقائق: الآن { $current }، والمتوسط { $mean }، والأعلى { $highest }.
        [many] السرعة في آخر { $minutes } دقيقة: الآن { $current }، والمتوسط { $mean }، والأعلى { $highest }.
       *[other] السرعة في آخر { $minutes } دقيقة: الآن { $current }، والمتوسط { $mean }، والأعلى { $highest }.
    }
speed-sentence-not-running =
    { $minutes ->
        [zero] السرعة: متوقف الآن، والمتوسط { $mean }، والأعلى { $highest }.
        [one] السرعة في الدقيقة الأخيرة: متوقف الآن، والمتوسط { $mean }، والأعلى { $highest }.
        [two] السرعة في آخر دقيقتين: متوقف الآن، والمتوسط { $mean }، والأعلى { $highest }.
        [few] السرعة في آخر { $minutes } دقائق: متوقف الآن، والمتوسط { $mean }، والأعلى { $highest }.
        [many] السرعة في آخر { $minutes } دقيقة: متوقف الآن، والمتوسط { $mean }، والأعلى { $highest }.
       *[other] السرعة في آخر { $minutes } دقيقة: متوقف الآن، والمتوسط { $mean }، والأعلى { $highest }.
    }

about-address = العنوان
about-came-from = العنوان النهائي
about-page = وُجد في
about-mirrors = المرايا
about-title = الاسم
about-files = الملفات
about-files-done = اكتمل { files-of }
about-file = اسم الملف
about-folder = المجلد
about-size = الحجم
about-bytes = { $amount } ({ $bytes } بايت)
about-checked = التحقق
about-by-digest = مجموع التحقق مطابق
about-on-resume = الحجم مطابق؛ جرى التحقق من البيانات المستأنفة
about-not-verified = الحجم مطابق؛ لا يتوفر مجموع تحقق
about-size-unknown = الحجم غير معروف؛ لا يتوفر مجموع تحقق
about-missing = ضمانات غير متوفرة
about-missing-permissions = لا يحفظ هذا القرص أذونات كل ملف على حدة: تسري أذونات القرص كله.
about-missing-sync = لا يبين هذا القرص متى يصبح الملف آمنًا من انقطاع الكهرباء.
about-missing-folder-sync = لا يبين هذا القرص متى يصبح اسم الملف آمنًا من انقطاع الكهرباء.
about-missing-exclusive-name = لا يستطيع هذا القرص منع برنامج آخر من أخذ اسم الملف في اللحظة نفسها.
about-missing-at-once = لا يستطيع هذا القرص إعادة تسمية الملفات، لذا نُسخ الملف إلى اسمه.
about-checksum = مجموع التحقق
about-expected = المتوقع
about-created = أُضيف
about-asked-again = أُضيف من جديد
about-finished = اكتمل
about-ended = انتهى
about-expires = سيغادر القائمة
about-owner = أضافه
about-owner-window = هذه النافذة
about-owner-command-line = سطر الأوامر
about-id = المعرّف
about-copy-address = نسخ العنوان
about-copy-name = نسخ الاسم
about-copy-folder = نسخ المجلد
about-copy-checksum = نسخ مجموع التحقق
about-copy-id = نسخ المعرّف
