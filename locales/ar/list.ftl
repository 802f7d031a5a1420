search = بحث
search-hint = البحث في التنزيلات (Ctrl+F)
search-clear = مسح البحث
filters = عرض
filters-wide = إظهار الشريط الجانبي
filter-all = الكل
filter-running = قيد التنزيل
filter-waiting = في الانتظار
filter-paused = المتوقفة مؤقتًا
filter-done = مكتمل
filter-failed = فشل
filter-cancelled = المُلغاة
kinds = أنواع الملفات
kind-video = فيديو
kind-music = صوت
kind-picture = صور
kind-document = مستندات
kind-archive = أرشيفات
kind-program = برامج
kind-other = أخرى
sort-by = الترتيب حسب
sorted-by = مرتب حسب: { $name }
    .reversed = مرتب حسب: { $name }، بترتيب معكوس
sort-newest = الأحدث أولًا
sort-name = الاسم
sort-size = الحجم
sort-progress = التقدم
sort-speed = { details-speed }
sort-left = الوقت المتبقي
sort-reverse = عكس الترتيب
column-added = { about-created }
column-left = المتبقي
columns = الأعمدة
in-turn = ترتيب قائمة الانتظار
dense = صفوف مضغوطة
chosen =
    { $count ->
        [zero] لم يُحدد شيء
        [one] عنصر واحد محدد
        [two] عنصران محددان
        [few] { $count } عناصر محددة
        [many] { $count } عنصرًا محددًا
       *[other] { $count } عنصر محدد
    }
downloads = التنزيلات
reading = جارٍ التحميل…
reading-file = { reading }
read-again = إعادة المحاولة
list-failed = تعذرت قراءة القائمة
more = المزيد
close = إغلاق
cancel = إلغاء
choose = اختيار…

totals-slow-hours = ساعات بطيئة

row-sending = جارٍ إرسال { $part }
row-connecting = جارٍ الاتصال
row-stalled = لا بيانات
row-failed-files =
    { $count ->
        [zero] لم يفشل أي ملف
        [one] فشل ملف واحد
        [two] فشل ملفان
        [few] فشلت { $count } ملفات
        [many] فشل { $count } ملفًا
       *[other] فشل { $count } ملف
    }
# Written out: a sentence of nothing but gaps has no direction of its own.
row-failed-files-because =
    { $count ->
        [zero] لم يفشل أي ملف: { $why }
        [one] فشل ملف واحد: { $why }
        [two] فشل ملفان: { $why }
        [few] فشلت { $count } ملفات: { $why }
        [many] فشل { $count } ملفًا: { $why }
       *[other] فشل { $count } ملف: { $why }
    }
row-paused-with-everything = متوقف مؤقتًا (الكل متوقف مؤقتًا)
row-paused-at-percent = متوقف مؤقتًا عند { percent }
row-paused-at = متوقف مؤقتًا عند { $amount }
row-not-started = لم يبدأ بعد
row-waits-because = في الانتظار: { $why }
row-waits-slots = في قائمة الانتظار: { n-files } في آن واحد
row-waits-server = في قائمة الانتظار: { $count } في آن واحد من { $host }
row-tries = جارٍ إعادة المحاولة
row-tries-because = جارٍ إعادة المحاولة: { $why }
row-tries-in = إعادة المحاولة بعد { $time }
row-tries-in-because = إعادة المحاولة بعد { $time }: { $why }
row-done = اكتمل { $moment }
row-verified = تم التحقق منه
row-size-unknown = الحجم غير معروف
row-cancelled = أُلغي
row-awaits-link = انقر الملف في المتصفح. تتابع النقرة هذا التنزيل.
row-awaits-link-other = كانت النقرة في المتصفح على ملف آخر ({ $name })، وهو تنزيل مستقل.
row-sign-in-again = يرفض الخادم هذا التنزيل. سجّل الدخول مجددًا في المتصفح، وانقر الرابط هناك.
row-cancelled-at = أُلغي { $moment }
row-files-kept = احتُفظ بعدد { files-of }
row-kept = احتُفظ بمقدار { $amount }
row-all-failed =
    { $count ->
        [zero] لم يفشل أي ملف: { $why }
        [one] فشل الملف الوحيد: { $why }
        [two] فشل الملفان: { $why }
        [few] فشلت كل الملفات وعددها { $count }: { $why }
        [many] فشلت كل الملفات وعددها { $count }: { $why }
       *[other] فشلت كل الملفات وعددها { $count }: { $why }
    }
row-some-failed = فشل { files-of }: { $why }

retry-failed = إعادة الفاشل
try-now = المحاولة الآن
start-now = البدء الآن
remove = إزالة
to-the-top = نقل إلى الأعلى
to-the-end = نقل إلى الأسفل
copy-link = نسخ الرابط
copy-links = نسخ الروابط
copy-command = نسخ كأمر cURL
cancel-asking = إلغاء التنزيل…
remove-from-list = إزالة من القائمة
remove-from-list-asking = إزالة من القائمة…
remove-with-files-asking = حذف الملفات…
rename = إعادة التسمية في القائمة…
rename-field = الاسم في القائمة
files-show = إظهار الملفات
files-hide = إخفاء الملفات
drag = اسحب لتغيير الترتيب (Alt+↑ وAlt+↓)
progress-of = تقدم { $title }
action-on = { $action }: { $title }

many-pause = إيقاف { n-downloads-object } مؤقتًا
many-resume = استئناف { n-downloads-object }
many-start = بدء { n-downloads-object } الآن
many-top = نقل { n-downloads-object } إلى الأعلى
many-end = نقل { n-downloads-object } إلى الأسفل
many-retry = إعادة محاولة { n-downloads-object }
many-copy =
    { $count ->
        [zero] نسخ الروابط
        [one] نسخ روابط تنزيل واحد
        [two] نسخ روابط تنزيلين
        [few] نسخ روابط { $count } تنزيلات
        [many] نسخ روابط { $count } تنزيلًا
       *[other] نسخ روابط { $count } تنزيل
    }
many-cancel = إلغاء { n-downloads-object }…
many-remove = إزالة { n-downloads-object }
many-remove-asking = إزالة { n-downloads-object }…
many-remove-files-asking = حذف ملفات { n-downloads-object }…

empty = ألصق رابطًا للبدء
    .body = انسخ عنوان ملف واضغط Ctrl+V في أي مكان من هذه النافذة. يمكن لصق روابط كثيرة دفعة واحدة: رابط في كل سطر.
    .action = إضافة روابط
    .after = يمكنك إغلاق هذه النافذة. تستمر التنزيلات في الخلفية.
    .drop = يمكنك أيضًا إفلات روابط أو ملفات تحتوي على روابط في هذه النافذة.
    .browsers = صِل متصفحك في الإعدادات، فيتلقى { -ashore } تنزيلاته.
drop-here = أفلت هنا روابط أو ملفات تحتوي على روابط
nothing-found = لم يُعثر على شيء
    .search = لا يوجد هنا تنزيل يحتوي على «{ $text }».
    .kind = لا يوجد هنا شيء من نوع «{ $kind }».
    .all-kinds = عرض كل الأنواع
nothing-all = القائمة فارغة.
nothing-running = لا توجد تنزيلات جارية.
nothing-waiting = قائمة الانتظار فارغة.
nothing-paused = لا توجد تنزيلات متوقفة مؤقتًا.
nothing-done = لا توجد تنزيلات مكتملة.
nothing-failed = لا توجد تنزيلات فاشلة.
nothing-cancelled = لم يُلغَ أي تنزيل.

remove-question =
    { $count ->
        [zero] إزالة من القائمة؟
        [one] إزالة من القائمة؟
        [two] إزالة تنزيلين من القائمة؟
        [few] إزالة { $count } تنزيلات من القائمة؟
        [many] إزالة { $count } تنزيلًا من القائمة؟
       *[other] إزالة { $count } تنزيل من القائمة؟
    }
    .keeps = تبقى الملفات التي نُزّلت في مكانها.
    .files = نقل الملفات أيضًا إلى سلة المهملات
    .deletes =
        { $count ->
            [zero] يُزال التنزيل أيضًا من القائمة.
            [one] يُزال التنزيل أيضًا من القائمة.
            [two] يُزال التنزيلان أيضًا من القائمة.
            [few] تُزال التنزيلات أيضًا من القائمة.
            [many] تُزال التنزيلات أيضًا من القائمة.
           *[other] تُزال التنزيلات أيضًا من القائمة.
        }
    .submit =
        { $count ->
            [zero] إزالة
            [one] إزالة
            [two] إزالة تنزيلين
            [few] إزالة { $count } تنزيلات
            [many] إزالة { $count } تنزيلًا
           *[other] إزالة { $count } تنزيل
        }
    .title-files = نقل الملفات إلى سلة المهملات؟
    .submit-files = إزالة ونقل الملفات إلى سلة المهملات
remove-loses-all =
    { $count ->
        [zero] ستُحذف البيانات الجزئية لهذا التنزيل.
        [one] ستُحذف البيانات الجزئية لهذا التنزيل.
        [two] ستُحذف البيانات الجزئية لهذين التنزيلين.
        [few] ستُحذف البيانات الجزئية لهذه التنزيلات.
        [many] ستُحذف البيانات الجزئية لهذه التنزيلات.
       *[other] ستُحذف البيانات الجزئية لهذه التنزيلات.
    }
remove-loses-some =
    { $count ->
        [zero] كلها مكتملة. لن تُحذف أي بيانات جزئية.
        [one] واحد منها لم يكتمل. ستُحذف بياناته الجزئية.
        [two] اثنان منها لم يكتملا. ستُحذف بياناتهما الجزئية.
        [few] { $count } منها لم تكتمل. ستُحذف بياناتها الجزئية.
        [many] { $count } منها لم تكتمل. ستُحذف بياناتها الجزئية.
       *[other] { $count } منها لم تكتمل. ستُحذف بياناتها الجزئية.
    }
cancel-question =
    { $count ->
        [zero] إلغاء هذا التنزيل؟
        [one] إلغاء هذا التنزيل؟
        [two] إلغاء تنزيلين؟
        [few] إلغاء { $count } تنزيلات؟
        [many] إلغاء { $count } تنزيلًا؟
       *[other] إلغاء { $count } تنزيل؟
    }
    .body =
        { $count ->
            [zero] ستُحذف ملفاته الجزئية. تبقى الملفات المكتملة.
            [one] ستُحذف ملفاته الجزئية. تبقى الملفات المكتملة.
            [two] ستُحذف ملفاتهما الجزئية. تبقى الملفات المكتملة.
            [few] ستُحذف ملفاتها الجزئية. تبقى الملفات المكتملة.
            [many] ستُحذف ملفاتها الجزئية. تبقى الملفات المكتملة.
           *[other] ستُحذف ملفاتها الجزئية. تبقى الملفات المكتملة.
        }
    .submit =
        { $count ->
            [zero] إلغاء التنزيل
            [one] إلغاء التنزيل
            [two] إلغاء تنزيلين
            [few] إلغاء { $count } تنزيلات
            [many] إلغاء { $count } تنزيلًا
           *[other] إلغاء { $count } تنزيل
        }
    .keep = متابعة التنزيل

notices = الرسائل
notice-dismiss = إخفاء
notice-copied =
    { $count ->
        [zero] لم يُنسخ أي رابط.
        [one] نُسخ الرابط.
        [two] نُسخ رابطان.
        [few] نُسخت { $count } روابط.
        [many] نُسخ { $count } رابطًا.
       *[other] نُسخ { $count } رابط.
    }
notice-command-copied = نُسخ كأمر cURL.
    .without = نُسخ كأمر cURL من دون هذه الترويسات لأنها قد تكون سرية: { $headers }
notice-again-without = يُنزَّل «{ $title }» من جديد من دون هذه الترويسات لأنها قد تكون سرية: { $headers }
notice-not-copied = تعذر نسخ الروابط. سطح المكتب لا يسمح بذلك الآن.
notice-not-for-all =
    { $count ->
        [zero] تعذر ذلك مع { $refused } من { $count } تنزيل: { $text }
        [one] تعذر ذلك مع { $refused } من تنزيل واحد: { $text }
        [two] تعذر ذلك مع { $refused } من تنزيلين: { $text }
        [few] تعذر ذلك مع { $refused } من { $count } تنزيلات: { $text }
        [many] تعذر ذلك مع { $refused } من { $count } تنزيلًا: { $text }
       *[other] تعذر ذلك مع { $refused } من { $count } تنزيل: { $text }
    }
notice-offered =
    { $count ->
        [zero] لم تنسخ أي رابط.
        [one] نسختَ رابطًا. هل تضيفه؟
        [two] نسختَ رابطين. هل تضيفهما؟
        [few] نسختَ { $count } روابط. هل تضيفها؟
        [many] نسختَ { $count } رابطًا. هل تضيفها؟
       *[other] نسختَ { $count } رابط. هل تضيفها؟
    }
notice-removed =
    { $count ->
        [zero] لم يُزل شيء من القائمة.
        [one] أُزيل من القائمة: { $title }
        [two] أُزيل تنزيلان من القائمة.
        [few] أُزيلت { $count } تنزيلات من القائمة.
        [many] أُزيل { $count } تنزيلًا من القائمة.
       *[other] أُزيل { $count } تنزيل من القائمة.
    }
notice-files-go = تُنقل الملفات إلى سلة المهملات بعد ثوانٍ.
notice-undo = تراجع
notice-undo-hint = تراجع (Ctrl+Z)
notice-back =
    { $count ->
        [zero] لم يُستعد شيء
        [one] استُعيد «{ $title }»
        [two] استُعيد تنزيلان
        [few] استُعيدت { $count } تنزيلات
        [many] استُعيد { $count } تنزيلًا
       *[other] استُعيد { $count } تنزيل
    }
notice-are-next =
    { $count ->
        [zero] لا شيء تاليًا.
        [one] تنزيل واحد هو التالي.
        [two] تنزيلان هما التاليان.
        [few] { $count } تنزيلات هي التالية.
        [many] { $count } تنزيلًا هي التالية.
       *[other] { $count } تنزيل هي التالية.
    }
notice-are-last =
    { $count ->
        [zero] لم يُنقل شيء إلى الأسفل
        [one] نُقل تنزيل واحد إلى الأسفل
        [two] نُقل تنزيلان إلى الأسفل
        [few] نُقلت { $count } تنزيلات إلى الأسفل
        [many] نُقل { $count } تنزيلًا إلى الأسفل
       *[other] نُقل { $count } تنزيل إلى الأسفل
    }
notice-is-next = «{ $title }» هو التالي.
notice-is-last = نُقل «{ $title }» إلى الأسفل
notice-is-number = «{ $title }» رقم { $number } من { $count }.
notice-was-waiting = كان «{ $title }» في القائمة من قبل، وهو التالي الآن.
notice-was-running = «{ $title }» قيد التنزيل بالفعل.

keys = اختصارات لوحة المفاتيح
keys-hint = اختصارات لوحة المفاتيح (F1)
keys-choosing = التحديد
keys-doing = التنزيلات المحددة
keys-queue = ترتيب قائمة الانتظار
keys-anywhere = في أي مكان
keys-go = التنقل في القائمة
keys-choose-more = تحديد المزيد، أو النقر مع Shift
keys-choose-everything = تحديد الكل
keys-choose-one = العودة إلى عنصر واحد
keys-open = فتح الملف، أو إظهار ملفات المجموعة
keys-files = إظهار ملفات المجموعة أو إخفاؤها
keys-details = تفاصيل التنزيل
keys-pause = إيقاف مؤقت أو استئناف
keys-copy = نسخ الروابط
keys-rename = إعادة التسمية في القائمة
keys-remove = إزالة من القائمة
keys-remove-files = حذف الملفات
keys-menu = فتح قائمة كل الإجراءات
keys-move = موضع واحد لأعلى أو لأسفل
keys-move-far = نقل إلى الأعلى أو إلى الأسفل
keys-paste = إضافة روابط الحافظة
keys-add = { empty.action }
keys-search = بحث
keys-undo = التراجع عن آخر إزالة
keys-settings = فتح الإعدادات، أو العودة إلى القائمة
keys-keys = هذه النظرة العامة
keys-close = إغلاق النافذة؛ وتستمر التنزيلات
keys-quit = إنهاء { -ashore }

key-ctrl = Ctrl
key-alt = Alt
key-shift = Shift
key-space = مسافة
key-up = ↑
key-down = ↓
key-left = ←
key-right = →
key-page-up = Page Up
key-page-down = Page Down
key-home = Home
key-end = End
key-enter = Enter
key-escape = Esc
key-delete = Del
key-menu = القائمة

afterwards-is = { afterwards }: { $then }
limit-is = حد السرعة: { $limit }
limit-other = غير ذلك…
limit-asking = { limit }…
limit-field = الحد
    .hint = { limit.none }
    .wrong = أدخل عددًا، أو اترك الحقل فارغًا.
    .submit = تعيين الحد

limit-unit = الوحدة
