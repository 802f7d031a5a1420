cli-state =
    .pending = لم يبدأ
    .running = قيد التنزيل
    .waiting = في الانتظار
    .paused = متوقف مؤقتًا
    .done = مكتمل
    .aborted = أُلغي
    .failed = فشل

cli-column =
    .id = المعرّف
    .state = الحالة
    .progress = المكتمل
    .size = الحجم
    .title = العنوان
    .used = المستخدم
    .most = من
    .files = الملفات
    .owner = لمن
    .added = أُضيف
    .succeeded = اكتمل
    .failed = فشل
    .retried = أُعيد
    .speed = السرعة
    .left = المتبقي

cli-queued = ينتظر دوره
cli-everything-paused = كل شيء متوقف مؤقتًا؛ يتابع الأمر `ashore resume`
cli-next-try = { $why } المحاولة التالية في { $time }
cli-redirected = أُحيل إلى { $url }
cli-under-way = قيد التنفيذ
cli-milliseconds = { $count } م.ث
cli-unknown-time = وقت غير معروف
cli-optional = اختياري
cli-no-file = لم يصل أي ملف
cli-checked =
    .digest = المجموع الاختباري صحيح ({ $kind })
    .digest-of-unknown-kind = المجموع الاختباري صحيح
    .on-resume = الطول صحيح، وقورن عند الاستئناف
    .size-unknown = الطول غير معروف، ولا مجموع اختباري للمقارنة
    .unverified = الطول صحيح، ولم يُتحقق منه: لا مجموع اختباري للمقارنة
    .none = لم يُفحص

cli-list-empty = { nothing-all } أضف شيئًا بالأمر `ashore add URL`.
cli-all-paused = كل شيء متوقف مؤقتًا.
cli-paused = أُوقف مؤقتًا.
cli-all-resumed = يتابع كل شيء.
cli-resumed = استُؤنف.
cli-cancelled = أُلغي. تُحفظ الملفات المكتملة.
cli-relinked = استُبدل الرابط. يُستأنف التنزيل بالرابط الجديد ويحتفظ بما لديه من بايتات.
cli-ended-already = كان هذا التنزيل قد انتهى؛ لم يتغير شيء.
cli-folder-changed = أصبحت الملفات الآن في { $path }.
cli-nothing-to-retry = لم يفشل شيء في هذا التنزيل.
cli-retried =
    { $count ->
        [zero] لا تُعاد محاولة أي ملف.
        [one] تُعاد محاولة ملف واحد.
        [two] تُعاد محاولة ملفين.
        [few] تُعاد محاولة { $count } ملفات.
        [many] تُعاد محاولة { $count } ملفًا.
       *[other] تُعاد محاولة { $count } ملف.
    }
cli-removed = أُزيل من القائمة.
cli-first = هذا التنزيل هو التالي.
cli-moved = نُقل.
cli-changed = غُيّر.
cli-nothing-runs = لا يعمل برنامج ينزّله الآن: افتح النافذة أو شغّل `ashore serve`.
cli-still-paused = كل شيء متوقف مؤقتًا، لذلك لا يعمل أي تنزيل. يستأنف الأمر `ashore resume` دون معرّف كل شيء.
cli-watch-more = و{ $count } غيرها
cli-watch-end = يغلق Ctrl-C هذا العرض. تستمر التنزيلات.

cli-field =
    .id = المعرّف
    .own-name = الاسم الخاص
    .owner = طلبه
    .state = الحالة
    .failure = السبب
    .folder = المجلد
    .page = الصفحة
    .created = أُنشئ
    .settled = انتهى
    .expires = يبقى حتى

cli-added = أصبح في القائمة { $links } ضمن { $downloads }.
cli-add-moved = هذا في القائمة من قبل، وهو الآن في أعلاها؛ يضيفه --again مرة أخرى.
    .some = بعض هذه الروابط كان في القائمة من قبل، وهي الآن في أعلاها؛ يضيفها --again مرة أخرى.
cli-add-running = هذا قيد التنزيل من قبل. يضيفه --again مرة أخرى.
    .some = بعض هذه الروابط قيد التنزيل من قبل. يضيفها --again مرة أخرى.
cli-add-netrc = يقرأ ملف netrc نسخةُ { -ashore } التي تنزّل. سمِّ الملف في الإعدادات: netrc = "~/.netrc".
cli-add-stopped = ما في { $list } قبل السطر { $line } موجود في القائمة: { $links } ضمن { $downloads }. أما الباقي فلا.
cli-add-continue = تابع من هناك بالأمر: { $command }

cli-get-options-unused = ينزّل هذا { -ashore } آخر، وتسري إعداداته: لا أثر لـ --parallel و--connections.
cli-get-removed = أُزيل هذا التنزيل من القائمة.
cli-get-known = هذا في القائمة من قبل ولم يكتمل. يتابع التنزيل.
cli-get-others =
    { $count ->
        [zero] لم يبقَ أي تنزيل آخر. يتابع الأمر `ashore serve` ما في القائمة.
        [one] بقي تنزيل آخر لم يكتمل. يتابع الأمر `ashore serve` ما في القائمة.
        [two] بقي تنزيلان آخران لم يكتملا. يتابع الأمر `ashore serve` ما في القائمة.
        [few] بقيت { $count } تنزيلات أخرى لم تكتمل. يتابع الأمر `ashore serve` ما في القائمة.
        [many] بقي { $count } تنزيلًا آخر لم يكتمل. يتابع الأمر `ashore serve` ما في القائمة.
       *[other] بقي { $count } تنزيل آخر لم يكتمل. يتابع الأمر `ashore serve` ما في القائمة.
    }
cli-get-summary = { $files }، { $size }، في { $path }
cli-get-stopped = توقف؛ حُفظ كل ما وصل ({ $size }).
    .next = تابع بالأمر `{ $get }`، أو في الخلفية بالأمر `{ $serve }`.
cli-get-left = يتابع التنزيل من دونك.
    .next = راقبه بالأمر `{ $get }`، وأوقفه بالأمر `{ $pause }`.

cli-serve-ready = { -ashore } جاهز ويعمل على { $path }. يوقفه Ctrl-C؛ ويُحفظ كل شيء.
    .short = { -ashore } جاهز.
cli-serve-remote = يمكن للأجهزة الأخرى فتح { $url }
cli-serve-plain = يستطيع كل من على الشبكة قراءة التبادل مع الأجهزة الأخرى لأنه بلا TLS. استخدم وكيلًا مع TLS و--public-url.
cli-serve-stopped = توقف؛ حُفظ كل شيء.
cli-healthy = { -ashore } يعمل وهو جاهز.
    .not = { -ashore } غير جاهز على { $place } ({ $why }). شغّله أو انظر في سجله.
cli-serve-kept = يبقى { $id } في القائمة مع أن وقته انقضى: { $why }
    .all = تبقى التنزيلات المنتهية في القائمة حاليًا: { $why }

cli-password-of = كلمة مرور { $user } لدى { $server }:
cli-token-for = رمز { $server }:
cli-signed-in =
    .system = سُجّل الدخول إلى { $server }. تحفظه حلقة المفاتيح؛ ويمحوه الأمر `ashore sign-out { $server }`.
    .file = سُجّل الدخول إلى { $server }. لا تعمل هنا حلقة مفاتيح، لذا يُحفظ في ملف لا يقرؤه سواك؛ ويمحوه الأمر `ashore sign-out { $server }`.
    .memory = سُجّل الدخول إلى { $server } ما دام { -ashore } هذا يعمل.
cli-sign-in-of-link = يُحفظ الاسم وكلمة المرور من الرابط لـ { $server }، لا في القائمة؛ ويمحوهما الأمر `ashore sign-out { $server }`.
cli-signed-out = مُحي.
    .unknown = لم يكن شيء محفوظًا لهذا الخادم.
cli-no-sign-ins = لا شيء محفوظ لأي خادم. سجّل الدخول بالأمر `ashore sign-in URL --user NAME`.
cli-kept-in =
    .system = حلقة المفاتيح
    .file = ملف
    .memory = الذاكرة
cli-cookies-unusable = لا يمكن استخدام أي من ملفات تعريف الارتباط في { $path }. ربما انتهت صلاحيتها.

cli-limit-set =
    .all = سرعة كل شيء معًا محدودة بـ { $speed }.
    .host = سرعة كل ما يأتي من { $host } محدودة بـ { $speed }.
    .download = سرعة هذا التنزيل محدودة بـ { $speed }.
cli-limit-removed =
    .all = لا حدّ خاصًا لكل شيء معًا.
    .host = لا حدّ خاصًا لما يأتي من { $host }.
    .download = لا حدّ خاصًا لهذا التنزيل.
cli-no-limits = لا حدود للسرعة. يحدّ الأمر `ashore limit 2M` كل شيء معًا بـ 2 MiB في الثانية.
cli-limit-of =
    .all = كل شيء
    .host = من { $host }

cli-quota-set = تتسع القائمة لـ { $amount } من { $owner }.
cli-quota-removed = لا حصة محددة: { $owner }.
cli-no-quotas = لا شيء محدود، ولا شيء موجود. يحدد الأمر `ashore quota command-line 10G` حصة.
cli-everybody = الجميع

cli-statistics-empty = لم يُضف شيء قط. أضف شيئًا بالأمر `ashore add URL`.
cli-statistics =
    .all = الإجمالي
    .window = النافذة
    .command-line = سطر الأوامر
    .feed = الخلاصات
    .clipboard = الحافظة
    .device = أجهزة أخرى
    .browser = المتصفحات
    .program = البرامج

cli-not-default = ليست القيمة الافتراضية

cli-exported = حُفظ في { $path }: { $downloads }، { $files }.
    .pipe = حُفظ: { $downloads }، { $files }.
cli-imported = أُخذ: { $downloads }، { $files }. ما لم يكتمل موقوف مؤقتًا: يتابعه الأمر `ashore resume`.
cli-import-skipped = المدخلات التي لا يمكن استيرادها، مثل التورنت وروابط FTP: { $count }.

cli-find-nothing = لا تنزيل غير منتهٍ باسم { $name }.
cli-match-nothing = لا ملف في هذا التنزيل له هذا الرابط.
cli-acknowledged = تم التأكيد.
    .unknown = لا تأكيد مستحقًا لهذا الانتهاء؛ لم يتغير شيء.
cli-cleared = أُزيل من القائمة: { $count } من { $owner }.
cli-reset = أُلغي: { $count } من { $owner }.
cli-owner-removed = أُزيل مع كل ما طلبه هذا المالك. تبقى الملفات المكتملة.
cli-queue-stats = الإجمالي { $total }، نجح { $successes }، فشل { $failures }

cli-doctor =
    .list = القائمة
    .holder = يستخدمها
    .copy = نسخة
    .file = ملف
    .step = خطوة
    .gate = شرط
    .setting = إعداد
    .folder = مجلد
    .partial = جزئي
    .orphan = يتيم
    .repaired = أُصلح
    .counter = عدّاد
cli-doctor-list = { $path } (الإصدار { $version }): { $state }
cli-doctor-sound = سليمة
cli-doctor-nobody = لا أحد
cli-doctor-partial = { $path } ({ $size }، من { $id })
cli-doctor-orphan = { $path } ({ $size }، من { $url })
cli-doctor-orphans = اليتيم ملف جزئي لا تعرفه القائمة. يبقى حتى تزيله؛ ويتابعه الأمر `ashore adopt`.
cli-doctor-repair = بعض العدّادات لا تطابق التنزيلات التي تعدّها. يعيد الأمر `ashore doctor --repair` حسابها.
cli-doctor-contradiction = بعض السجلات يناقض بعضها بعضًا، ولا يمكن إثبات أيها الصحيح. قارن الملفات بمصدرها، أو أزل التنزيلات وأضفها من جديد.
cli-doctor-damage = اكتُشف التلف في { $moment }: { $why }.
    .undated = التلف: { $why }.
cli-adopt-nothing = لا يوجد ملف جزئي بلا تنزيل تمكن متابعته.

cli-gate =
    .bootstrap = التشغيل الأول
    .paused = الإيقاف المؤقت
    .asleep = السكون
    .hours = الأوقات
    .offline = الشبكة
    .captive-portal = دخول الشبكة
    .metered = تكلفة الشبكة
    .battery = البطارية
    .in-use = الاستخدام
    .disk = المساحة
    .folder = المجلد
    .quota = الحصة
cli-gate-state =
    .open = مفتوح
    .closed = مغلق
    .unknown = غير معروف

cli-step =
    .data-folder = مجلد البيانات
    .ledger = القائمة
    .defaults = القيم الافتراضية
    .download-folder = مجلد التنزيل
    .keychain = حلقة المفاتيح
    .notifications = الإشعارات
cli-step-state =
    .done = تمت
    .not-available = غير متاحة هنا ({ $why })
    .failed = فشلت وتُعاد ({ $why })
    .due = مستحقة عند التشغيل التالي

cli-miscount =
    .counters = { $name }: العدّادات ليست عدّادات ملفاته
    .lanes = { $name }: قائمة الانتظار ليست لملفاته، فقد ينتظر بلا سبب
    .usage = { $name }: البايتات والملفات المحسوبة في الحصة ليست لتنزيلاته
    .name = { $name }: حجز الاسم لا يوافق الحالة
    .unsettled = { $name }: لم يبقَ ما يُعمل، ومع ذلك لم ينتهِ
    .digest = { $name }: لملف مكتمل مجموع اختباري غير الذي يذكره ملف المجاميع
    .response = { $name }: ملف مكتمل بلا سجل عنه، أو العكس

cli-sync-on = المزامنة مشغّلة. هذا الجهاز هو «{ $name }»، والخادم هو { $address }.
cli-sync-key = بصمة المفتاح، وهي نفسها على كل أجهزتك: { $fingerprint }
cli-sync-conflicts =
    { $count ->
        [zero] لم يُستبدل أي تغيير بتغيير من جهاز آخر. يعرضها الأمر `ashore sync conflicts`.
        [one] غلب تغييرُ جهاز آخر تغييرًا واحدًا. يعرضه الأمر `ashore sync conflicts`.
        [two] غلبت تغييراتُ جهاز آخر تغييرين. يعرضهما الأمر `ashore sync conflicts`.
        [few] غلبت تغييراتُ جهاز آخر { $count } تغييرات. يعرضها الأمر `ashore sync conflicts`.
        [many] غلبت تغييراتُ جهاز آخر { $count } تغييرًا. يعرضها الأمر `ashore sync conflicts`.
       *[other] غلبت تغييراتُ جهاز آخر { $count } تغيير. يعرضها الأمر `ashore sync conflicts`.
    }
cli-sync-column =
    .collection = المجموعة
    .records = هنا
    .waiting = في الانتظار
    .held = غير مقروء
    .machine = الجهاز
    .seen = آخر ظهور
cli-sync-words = دوّن هذه الكلمات الأربع والعشرين والعنوان والرقم. لا يمكن استعادة القائمة من دونها.
cli-sync-place = العنوان: { $address }
cli-sync-user = الرقم: { $uid }
cli-sync-set-up = أُنشئت القائمة. شغّل `ashore sync invite` للحصول على رابط ينضم به الجهاز التالي.
cli-sync-joined = انضم هذا الجهاز إلى القائمة.
cli-sync-invite = شغّل هذا الأمر على الجهاز الآخر خلال عشر دقائق. يصلح الرابط مرة واحدة.
cli-sync-done = المستلَم: { $received }. المرسَل: { $sent }.
cli-sync-restored = كان الخادم قد فقد جزءًا من القائمة. أُرسل من جديد من هذا الجهاز.
cli-sync-arrived = أرسل جهاز آخر: { $title }
cli-sync-left = المزامنة متوقفة على هذا الجهاز. تبقى تنزيلاته وملفاته.
cli-sync-removed = لا يستطيع { $machine } قراءة أي شيء يُكتب من الآن فصاعدًا. هذه كلمات القائمة الجديدة.
cli-sync-own = هذا الجهاز
cli-sync-no-conflicts = لا تعارضات.
cli-sync-conflict = { $number }  { $title }: { $sentence }
cli-sync-resolved = تم. تحصل الأجهزة الأخرى على التغيير في المزامنة التالية.
cli-sync-dropped = يبقى التغيير الذي غلب.
cli-sync-trust =
    .starts = التنزيلات التي يرسلها { $machine } تبدأ الآن دون سؤال.
    .waits = التنزيلات التي يرسلها { $machine } تنتظر الآن حتى تبدأها.
cli-sync-no-others = لا تنزيلات لدى الأجهزة الأخرى.
cli-sync-sent = أُرسل إلى { $machine }.
cli-sync-secret = الكلمات أو الرابط (لا يظهر):
cli-sync-no-sends = لم يرسل هذا الجهاز أي تنزيلات.
cli-sync-send =
    .waiting = { $title }: لم يجلبه { $machine } بعد.
    .delivered = { $title }: سُلّم إلى { $machine }.
    .refused = { $title }: لم يقبله { $machine }.
    .expired = { $title }: لم يكن { $machine } قيد التشغيل مدة 30 يومًا؛ لم يُسلَّم هذا.
    .missed = { $title }: أرسله { $machine }، لكن هذا الجهاز كان مطفأ مدة 30 يومًا. يمكن إرساله من هناك مرة أخرى.

# Browsers in `ashore browsers`.
cli-browser =
    .connected = متصل ({ $program })
    .not-connected = غير متصل
    .none = غير مثبّت
    .foreign = كتب برنامج آخر { $path }
cli-browsers-connected = تم توصيل { $browser }. ثبّت الإضافة في المتصفح أيضًا.
cli-browsers-unchanged = كان { $browser } متصلًا من قبل.
cli-browsers-disconnected = تم فصل { $browser }.
cli-browsers-nothing = ليس لدى { $browser } اتصال يمكن إزالته.
cli-browsers-of-package = لا يزال { $browser } متصلًا عبر حزمة من النظام ثبّتت { $path }. لفصله، أزل الإضافة من المتصفح.
cli-browsers-none = { browsers-empty }
cli-browsers-well = { $browser }: الاتصال يعمل، و{ -ashore } قيد التشغيل.
cli-browsers-well-idle = { $browser }: الاتصال يعمل. يبدأ { -ashore } عندما يحتاجه المتصفح.
cli-browsers-paired = مقترن
cli-browsers-code = أدخل هذا الرمز في نافذة الإضافة المنبثقة خلال خمس دقائق: { $code }
cli-browsers-unpaired = لم يعد { $browser } مقترنًا.
cli-remote-link = افتح هذا الرابط على الجهاز الآخر خلال خمس دقائق: { $url }
cli-remote-local = هذا الحاسوب وحده يستطيع فتح الرابط. شغّل `ashore serve` مع --listen للوصول إليه من أجهزة أخرى.
cli-remote-none = لم يُسجّل دخول أي جهاز أو برنامج.
cli-remote-device = جهاز
cli-remote-program = برنامج
cli-remote-signed-out = سُجّل خروج { $name }.
cli-remote-renewed = سُجّل خروج كل الأجهزة.
cli-explains = يشرح الأمر `{ $command }` الوسائط.
