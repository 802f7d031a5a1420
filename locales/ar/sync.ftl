sync = المزامنة
    .about = قائمة واحدة على كل أجهزتك، مشفّرة وبلا حساب.
    .open = فتح
sync-is-off = المزامنة متوقفة
sync-is-on = المزامنة مشغّلة

sync-begin = كيف تريد أن تبدأ؟
sync-way-server = إبقاء الخادم على هذا الجهاز
    .about = ينشئ قائمة جديدة. تصل الأجهزة الأخرى إلى هذا الجهاز عبر شبكتك، فاختر جهازًا يعمل كثيرًا.
    .submit = التشغيل والإنشاء
sync-way-link = استخدام رابط
    .about = ينضم إلى قائمة جهاز آخر، أو ينشئ قائمة جديدة على خادم.
    .submit = متابعة
sync-way-words = الاستعادة بـ 24 كلمة
    .about = لقائمة لم تعد على أي جهاز. تحتاج إلى العنوان والرقم والكلمات التي دوّنتها.
    .submit = استعادة
sync-step = الخطوة { $step } من { $count }
sync-go-back = رجوع
sync-name = اسم هذا الجهاز
    .hint = مثلًا: الحاسوب المحمول
    .about = تعرض أجهزتك الأخرى هذا الاسم.
sync-link = الرابط
    .joins = ينضم هذا الرابط إلى قائمة جهاز آخر.
    .joins-list =
        { $past ->
            [zero] الانضمام إلى قائمة { $machine } ({ n-downloads }، ولا تنزيلات سابقة)؟
            [one] الانضمام إلى قائمة { $machine } ({ n-downloads }، وتنزيل سابق واحد)؟
            [two] الانضمام إلى قائمة { $machine } ({ n-downloads }، وتنزيلان سابقان)؟
            [few] الانضمام إلى قائمة { $machine } ({ n-downloads }، و{ $past } تنزيلات سابقة)؟
            [many] الانضمام إلى قائمة { $machine } ({ n-downloads }، و{ $past } تنزيلًا سابقًا)؟
           *[other] الانضمام إلى قائمة { $machine } ({ n-downloads }، و{ $past } تنزيل سابق)؟
        }
    .sets-up = ينشئ هذا الرابط قائمة جديدة على خادم.
    .join = الانضمام إلى القائمة
    .set-up = إنشاء القائمة
sync-address = عنوان الخادم
sync-number = الرقم
sync-working = جارٍ الاتصال بالخادم…
sync-joined = انضم هذا الجهاز إلى القائمة. تظهر تنزيلاته على أجهزتك الأخرى.

sync-write-down = المزامنة مشغّلة. دوّن هذه الكلمات الأربع والعشرين والعنوان والرقم. لا يمكن استعادة أي شيء من دونها.
sync-write-down-new = لا يستطيع { $machine } قراءة أي جديد. دوّن الكلمات الجديدة.
sync-words = كلمات الاستعادة
    .count = { $count } من 24 كلمة
    .show = عرض الكلمات الأربع والعشرين
    .explained = يستطيع كل من لديه هذه الكلمات والعنوان والرقم قراءة القائمة. احفظها في مكان آمن.
    .written = دوّنتها

sync-state = هذا الجهاز
sync-last = آخر مزامنة
    .never = ليس بعد
sync-reading = قُرئ { $received } من { $total }
    .title = المزامنة الأولى
sync-clock =
    .ahead = ساعة هذا الجهاز متقدمة بمقدار { $time }. تستخدم المزامنة ساعة الخادم. اضبط ساعة هذا الجهاز.
    .behind = ساعة هذا الجهاز متأخرة بمقدار { $time }. تستخدم المزامنة ساعة الخادم. اضبط ساعة هذا الجهاز.
sync-server = الخادم
sync-fingerprint = بصمة المفتاح
    .about = وهي نفسها على كل أجهزة هذه القائمة. قارنها إن شككت في أن جهازًا انضم إلى القائمة الصحيحة.
sync-now = المزامنة الآن
    .running = جارية المزامنة…
sync-done = المستلَم: { $received }. المرسَل: { $sent }.
sync-done-nothing = كان كل شيء محدّثًا.
sync-restored = كان الخادم قد فقد جزءًا من القائمة. أُرسل من جديد من هذا الجهاز.
sync-since =
    .time = منذ الساعة { $when }
    .weekday = منذ يوم { $when }
    .day = منذ { $when }
sync-silent = لم يرد خادم المزامنة { $since }.
    .continues = { sync-silent } يتابع كل شيء هنا.
    .waiting =
        { sync-silent } { $count ->
            [zero] يتابع كل شيء هنا؛ لا ينتظر أي تغيير.
            [one] يتابع كل شيء هنا؛ ينتظر تغيير واحد.
            [two] يتابع كل شيء هنا؛ ينتظر تغييران.
            [few] يتابع كل شيء هنا؛ تنتظر { $count } تغييرات.
            [many] يتابع كل شيء هنا؛ ينتظر { $count } تغييرًا.
           *[other] يتابع كل شيء هنا؛ ينتظر { $count } تغيير.
        }
sync-arrived = أرسل جهاز آخر «{ $title }».
sync-waiting =
    { $count ->
        [zero] لا ينتظر أي تغيير الإرسال.
        [one] ينتظر تغيير واحد الإرسال.
        [two] ينتظر تغييران الإرسال.
        [few] تنتظر { $count } تغييرات الإرسال.
        [many] ينتظر { $count } تغييرًا الإرسال.
       *[other] ينتظر { $count } تغيير الإرسال.
    }
sync-shared = ما تجري مشاركته
sync-column =
    .what = النوع
    .here = هنا
    .there = على الخادم
    .waiting = في الانتظار
    .held = غير مقروء
sync-collection =
    .clients = الأجهزة
    .downloads = التنزيلات
    .parts = قوائم الروابط الطويلة
    .history = التنزيلات السابقة
    .settings = الإعدادات
    .sends = تنزيلات في الطريق
sync-held = السجلات غير المقروءة تغيّرت على الخادم، أو جاءت من إصدار أحدث من { -ashore }، أو فيها قيمة يرفضها هذا الجهاز. تبقى على الخادم كما هي.
sync-off = إيقاف المزامنة…
sync-off-question = إيقاف المزامنة على هذا الجهاز؟
    .body = تبقى تنزيلات هذا الجهاز وملفاته. تختفي تنزيلات الأجهزة الأخرى من هذه النافذة.
    .submit = إيقاف
    .server = يستمر الخادم على هذا الجهاز في العمل من أجل الأجهزة الأخرى. أوقفه من هذه الصفحة إذا لم يحتج إليه أي جهاز.

own-server = الخادم على هذا الجهاز
    .address = العنوان
    .runs = الخادم يعمل.
    .stopped = الخادم لا يعمل.
    .asleep = حين يكون هذا الجهاز نائمًا أو مطفأً، تحتفظ الأجهزة الأخرى بتغييراتها وترسلها لاحقًا.
    .firewall = إن تعذّر على جهاز آخر الوصول إليه، فاسمح في جدار حماية هذا الجهاز باتصالات TCP الواردة إلى المنفذ { $port }.
    .start = تشغيل
    .stop = إيقاف…
own-server-question = إيقاف الخادم؟
    .body = لا تستطيع أجهزتك المزامنة حتى يعمل الخادم من جديد. لا يُحذف شيء.
    .submit = إيقاف

machines = الأجهزة
    .own = هذا الجهاز
    .seen = آخر ظهور: { $when }
    .trust = بدء تنزيلاته بلا سؤال
    .trust-of = بدء تنزيلات { $machine } بلا سؤال
    .add = إضافة جهاز…
    .remove = إزالة…
    .remove-of = إزالة { $machine }
machines-unseen = لا يُعرف وقت آخر ظهور
machines-invite = إضافة جهاز
    .about = على الجهاز الآخر، افتح المزامنة، واختر «{ sync-way-link }»، وأدخل هذا الرابط.
    .link = الرابط
    .code = رمز QR للرابط
    .copy = نسخ الرابط
    .until = يصلح الرابط مرة واحدة، حتى { $time }.
    .late = الرابط قديم جدًا. أنشئ رابطًا جديدًا.
    .again = رابط جديد

conflicts = التعارضات
    .about = غيّر جهازان الشيء نفسه في الوقت نفسه، ولا يسري إلا تغيير واحد. يُحفظ الآخر 30 يومًا.
    .yours = تغييرك «{ $losing }» غلبه «{ $winning }».
    .theirs = «{ $losing }» من { $machine } غلبه «{ $winning }».
    .removed = غيّره { $machine } بينما كان جهاز آخر يزيله. إنه مُزال.
    .kept = لم يعد في القائمة المشتركة، لكنه كان لا يزال على هذا الجهاز. يبقى في كليهما.
    .request = غلبت روابط أخرى روابط { $machine }.
    .take-value = اعتماد «{ $value }»
    .keep-value = إبقاء «{ $value }»
    .take-links = اعتماد روابط { $machine }
    .keep-links = إبقاء الروابط الأخرى
    .fetch = التنزيل هنا
    .keep-removed = تركه مُزالًا
    .remove = إزالته
    .keep-download = إبقاؤه
    .action-on = { $action }: { $title }
conflict-field =
    .title = العنوان
    .requested = الإيقاف المؤقت أو الاستئناف
    .home = الجهاز
    .request = الروابط
    .removed = الإزالة
    .choice = الإعداد
conflict-value =
    .run = استئناف
    .paused = إيقاف مؤقت
    .removed = إزالة
    .default = الافتراضي
    .on = تشغيل
    .off = إيقاف

others = الأجهزة الأخرى
    .short = الأجهزة الأخرى
    .empty = لا تنزيلات لدى الأجهزة الأخرى
    .empty-about = تظهر هنا التنزيلات التي تضيفها هناك. يمكنك إيقافها مؤقتًا هناك، أو تنزيلها هنا.
    .running = ينزّله { $machine }
    .paused = موقوف مؤقتًا على { $machine }
    .queued = ينتظر على { $machine }
    .done = انتهى على { $machine }
    .failed = فشل على { $machine }: { $why }
    .failed-plain = فشل على { $machine }
    .incomplete = يُعرض هنا فقط، لأن روابطه كثيرة جدًا
others-requested =
    .run = طُلب الاستئناف
    .paused = طُلب الإيقاف المؤقت
    .removed = طُلبت الإزالة
others-action =
    .pause = إيقاف مؤقت هناك
    .resume = استئناف هناك
    .fetch = التنزيل هنا أيضًا
    .move = النقل إلى هنا
    .remove = إزالة هناك…
others-more = عرض { $count } أخرى
others-remove-question = إزالته من { $machine }؟
    .body = يزيله { $machine } من قائمته في المزامنة التالية. تبقى الملفات المكتملة هناك.
    .submit = إزالة هناك
others-fetched = ينزّل هذا الجهاز «{ $title }» أيضًا.
others-moved = يتابع هذا الجهاز «{ $title }»، ويوقفه { $machine } مؤقتًا.

send-to = إرسال إلى…
    .many = إرسال { n-downloads-object } إلى…
    .question = إرسال إلى جهاز آخر
    .about = ينزّله الجهاز الآخر بنفسه. لا يتغير شيء هنا. لا تُرسل بيانات الدخول ولا ملفات تعريف الارتباط.
    .sent = أُرسل «{ $title }» إلى { $machine }.
    .sent-many = المرسَل إلى { $machine }: { n-downloads }.
    .alone = ينزّله الجهاز الآخر بنفسه في مجلده. لا تُرسل بيانات الدخول ولا ملفات تعريف الارتباط.
    .on = التنزيل على
    .here = هذا الجهاز
    .gone = لم يعد { $machine } في القائمة. اختر جهازًا آخر.
sends = المرسَل إلى أجهزة أخرى
sends-state =
    .waiting = لم يجلبه { $machine } بعد
    .delivered = سُلّم إلى { $machine }
    .refused = لم يقبله { $machine }
    .expired = لم يكن { $machine } قيد التشغيل مدة 30 يومًا؛ لم يُسلَّم هذا.
sent-by = أرسله { $machine }
    .start = بدء
    .always = بدء ما يرسله { $machine } دائمًا
add-past = نزّل { $machine } هذا في { $day }.
    .title = نزّل { $machine } «{ $title }» في { $day }.
