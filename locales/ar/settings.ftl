settings = الإعدادات
settings-open = الإعدادات (Ctrl+,)
settings-back = العودة إلى القائمة
settings-search = البحث في الإعدادات
settings-nothing = لا يوجد إعداد يتعلق بـ «{ $text }».
settings-file = تُحفظ الإعدادات في هذا الملف، ويمكن تعديله يدويًا أيضًا:
settings-reset = { $name }: العودة إلى القيمة الافتراضية
settings-percent = %
settings-unit = { $name }: الوحدة
    .kib = كيبيبايت
    .mib = ميبيبايت
    .gib = جيبيبايت
    .never = أبدًا
settings-unit-seconds =
    { $count ->
        [zero] ثانية
        [one] ثانية
        [two] ثانيتان
        [few] ثوانٍ
        [many] ثانية
       *[other] ثانية
    }
settings-unit-minutes =
    { $count ->
        [zero] دقيقة
        [one] دقيقة
        [two] دقيقتان
        [few] دقائق
        [many] دقيقة
       *[other] دقيقة
    }
settings-unit-hours =
    { $count ->
        [zero] ساعة
        [one] ساعة
        [two] ساعتان
        [few] ساعات
        [many] ساعة
       *[other] ساعة
    }
settings-unit-days =
    { $count ->
        [zero] يوم
        [one] يوم
        [two] يومان
        [few] أيام
        [many] يومًا
       *[other] يوم
    }
settings-unit-weeks =
    { $count ->
        [zero] أسبوع
        [one] أسبوع
        [two] أسبوعان
        [few] أسابيع
        [many] أسبوعًا
       *[other] أسبوع
    }
settings-number-wrong = أدخل عددًا بمنزلتين عشريتين على الأكثر.
settings-outside = أدخل قيمة من { $least } إلى { $most }.
settings-paint = الرسم
settings-pace-full = السرعة الكاملة
settings-pace-slow = بطيء
settings-pace-off = متوقف
settings-rounded = في ملف الإعدادات أوقات أدق من نصف ساعة، ويقرّبها الرسم.
settings-not-followed = مشكلة في ملف الإعدادات: { $text }
settings-not-followed-more =
    { $count ->
        [zero] مشكلة في ملف الإعدادات: { $text }
        [one] مشكلة في ملف الإعدادات: { $text } توجد مشكلة أخرى في الإعدادات.
        [two] مشكلة في ملف الإعدادات: { $text } توجد مشكلتان أخريان في الإعدادات.
        [few] مشكلة في ملف الإعدادات: { $text } توجد { $count } مشكلات أخرى في الإعدادات.
        [many] مشكلة في ملف الإعدادات: { $text } توجد { $count } مشكلة أخرى في الإعدادات.
       *[other] مشكلة في ملف الإعدادات: { $text } توجد { $count } مشكلة أخرى في الإعدادات.
    }
settings-cell = { $day }، من { $from } إلى { $until }: { $pace }
settings-grid-help = الأسهم للتنقل، والمسافة للرسم، وShift مع الأسهم لمتابعة الرسم.

settings-general = عام
settings-folders = المجلدات
settings-network = الشبكة
settings-browsers = المتصفحات
settings-schedule = الجدول
settings-notifications = الإشعارات
settings-power = الطاقة
settings-space = المساحة
settings-advanced = متقدم

setting-language = اللغة
    .about = لغة النافذة وأيقونة الشريط والإشعارات.
    .auto = إعداد النظام الافتراضي
setting-parallel = التنزيلات المتزامنة
    .about = عدد الملفات التي تُنزّل في الوقت نفسه.
setting-parallel-per-host = التنزيلات المتزامنة لكل خادم
    .about = مع 1 تأتي ملفات الخادم الواحد واحدًا بعد الآخر.
setting-order = ترتيب قائمة الانتظار
    .about = الترتيب الذي تبدأ به التنزيلات المنتظرة. تتناوب النافذة وسطر الأوامر والبرامج الأخرى دائمًا.
    .first-come = الأقدم أولًا
    .newest-first = الأحدث أولًا
setting-forget-finished-after = إزالة التنزيلات المكتملة بعد
    .about = بعد هذه المدة تغادر التنزيلات المكتملة القائمة. وتبقى ملفاتها. مع «{ settings-unit.never }» تبقى في القائمة حتى تزيلها أنت.
setting-close-to-tray = مواصلة العمل عند الإغلاق
    .about = وإلا فإنه ينتهي، ويُستأنف ما كان قيد التنزيل عند التشغيل التالي.
setting-start-at-login = البدء عند تسجيل الدخول
    .about = مخفيًا في الشريط، لتُستأنف التنزيلات حالما تسجّل الدخول.
setting-offer-copied-links = اقتراح الروابط المنسوخة
    .about = عندما تأتي النافذة إلى المقدمة، ومرة واحدة لكل رابط. عندئذ فقط يقرأ { -ashore } ما نسخته، ولا يرسله إلى أي مكان.
setting-folder = مجلد التنزيل
    .about = تُحفظ الملفات هنا ما لم تختر لها مجلدًا آخر.
    .hint = مجلد التنزيلات في سطح المكتب
setting-folder-video = مقاطع الفيديو
    .about = مجلد داخل مجلد التنزيل يُنشأ عند الحاجة، أو المسار الكامل لمجلد في مكان آخر.
setting-folder-audio = الموسيقى والكلام
    .about = مجلد داخل مجلد التنزيل يُنشأ عند الحاجة، أو المسار الكامل لمجلد في مكان آخر.
setting-folder-pictures = الصور
    .about = مجلد داخل مجلد التنزيل يُنشأ عند الحاجة، أو المسار الكامل لمجلد في مكان آخر.
setting-folder-documents = المستندات
    .about = مجلد داخل مجلد التنزيل يُنشأ عند الحاجة، أو المسار الكامل لمجلد في مكان آخر.
setting-folder-archives = الأرشيفات
    .about = مجلد داخل مجلد التنزيل يُنشأ عند الحاجة، أو المسار الكامل لمجلد في مكان آخر.
setting-folder-programs = البرامج وصور الأقراص
    .about = مجلد داخل مجلد التنزيل يُنشأ عند الحاجة، أو المسار الكامل لمجلد في مكان آخر.
setting-folder-kind-hint = في مجلد التنزيل نفسه
setting-connections = الاتصالات لكل ملف
    .about = هذا العدد على الأكثر، وفقط حيث يسرّع أكثر من اتصال.
setting-offline = عند عدم الاتصال
    .about = الانتظار لا يكلّف شيئًا. المتابعة تفيد إن كانت خوادمك في البيت أو كان سطح المكتب لا يعرف شبكتك.
    .wait = انتظار
    .go = متابعة
setting-metered = على الشبكات المحدودة
    .about = على شبكة هاتف مثلًا.
    .wait = انتظار شبكة أخرى
    .go = متابعة
setting-proxy = الوكيل
    .about = لكل شيء، مثل http://host:3128 أو socks5h://host:1080؛ و«none» لعدم استخدام أي وكيل.
    .hint = ما تقوله بيئة سطح المكتب
setting-no-proxy = تجاوز الوكيل من أجل
    .about = أسماء وشبكات يُتصل بها مباشرة، تفصل بينها فواصل.
    .hint = ما تقوله بيئة سطح المكتب
setting-proxy-loopback = الوكيل لهذا الجهاز
    .about = استخدام الوكيل للخوادم على هذا الجهاز أيضًا.
setting-local-for-programs = السماح للبرامج باستخدام الشبكة المحلية
    .about = يسمح للبرامج والخلاصات والأجهزة الأخرى بأن تجعل { -ashore } ينزّل من هذا الجهاز ومن الشبكات حوله: أجهزة التوجيه وخوادم المنزل. ما تضيفه بنفسك يمكن أن يأتي من هناك دائمًا.
setting-cookies = ملفات تعريف الارتباط
    .about = إعادتها إلى الخوادم التي وضعتها، حتى ينتهي { -ashore }.
setting-browser-hand-over = تسليم التنزيلات
    .about = تسلّم إضافة المتصفح كل نقرة على ملف إذا تلقّى { -ashore } الملف نفسه. والبنود التي تضيفها إلى قوائم المتصفح هي وحدها التي تعمل في كل حال.
    .automatic = تلقائيًا
    .menu = من القائمة فقط
setting-browser-least-size = أصغر ملف
    .about = تبقى الملفات الأصغر في المتصفح.
setting-browser-sites = المواقع المتروكة للمتصفح
    .about = مفصولة بمسافات، مثل example.org. يشمل الموقع نطاقاته الفرعية.
    .none = لا توجد مواقع
setting-browser-endings = الامتدادات المتروكة للمتصفح
    .about = مفصولة بمسافات، مثل: html js css
setting-browser-bypass-key = مفتاح التجاوز
    .about = النقر مع مفتاح Alt يترك التنزيل للمتصفح.
setting-browser-starts-ashore = السماح للمتصفح بتشغيل { -ashore }
    .about = إذا عُطّل هذا الخيار، تبقى كل التنزيلات في المتصفح ما دام { -ashore } مغلقًا.
setting-browser-channel = السماح للمتصفحات المقترنة بالاتصال
    .about = لا تستطيع متصفحات Flatpak و snap تشغيل { -ashore }. تتصل عبر منفذ لا يصل إليه إلا هذا الكمبيوتر.
setting-hours = الساعات
    .about = اختر سرعة وارسم بها. ما تتركه كما هو يعمل بالسرعة الكاملة.
setting-slow-speed = السرعة في الساعات البطيئة
    .about = الحد لجميع التنزيلات معًا.
setting-notifications = { settings-notifications }
    .about = مع التقدم، يكون لكل تنزيل يستمر أكثر من 10 ثوانٍ إشعار. وابتداءً من 3 تنزيلات كهذه، يعرضها إشعار واحد كلها.
    .calm = التقدم بعد 10 ثوانٍ، والنتيجة
    .all = تقدم كل تنزيل، والنتيجة
    .ended = النتيجة فقط
    .none = لا شيء
setting-quiet-while-focused = كتم الإشعارات ما دامت النافذة نشطة
    .about = لا يُبلّغ عن شيء ما دام التركيز على هذه النافذة، لأنها تعرض الشيء نفسه.
setting-quiet-hours = ساعات الهدوء
    .about = كل يوم، مثل ⁦22:00-07:00⁩. وما انتهى خلالها يُبلّغ عنه بعد انقضائها.
    .hint = لا شيء
setting-all-done = الإشعار عند اكتمال كل التنزيلات
    .about = يعرض إشعارًا واحدًا حين ينتهي آخر تنزيل من عدة تنزيلات ولا يبقى شيء في الانتظار.
setting-battery-below = على البطارية، التوقف تحت
    .about = لا يُنزّل شيء بشحن أقل من هذا. ومع 0 ما دام هناك شحن.
setting-in-use = أثناء استخدام هذا الجهاز
    .about = الانتظار حتى لا يُستخدم هذا الجهاز مدة، أو المتابعة أثناء استخدامه.
    .wait = انتظار
    .go = متابعة
setting-keep-awake = منع السكون أثناء التنزيل
    .about = ما دامت التنزيلات جارية لا يدخل هذا الجهاز في وضع السكون من تلقاء نفسه. وقد تنطفئ الشاشة.
setting-free-space-floor = الحد الأدنى للمساحة الفارغة
    .about = لا يبدأ أي تنزيل في مجلد بمساحة فارغة أقل من هذه.
setting-attempts = المحاولات
    .about = عدد محاولات تنزيل الملف قبل أن يتركه { -ashore }.
setting-retry-after-seconds = الانتظار قبل المحاولة الثانية
    .about = يتضاعف مع كل محاولة أخرى، حتى ست ساعات.
setting-stall-seconds = مهلة انقطاع البيانات
    .about = إن لم يصل بايت واحد طوال هذه المدة، يُترك الاتصال ويُعاد.
setting-connect-timeout-seconds = مهلة الاتصال
    .about = المدة التي يُسمح بها للخادم لقبول اتصال جديد.
setting-total-timeout-seconds = المهلة الإجمالية
    .about = الحد الزمني للمحاولة الواحدة. يُحتفظ بالملف الجزئي عند انتهاء الوقت. مع 0 لا يوجد حد.
setting-checkpoint-seconds = حفظ التقدم كل
    .about = لا يكلّف انقطاع الكهرباء أكثر من هذا.
setting-http2 = HTTP/2
    .about = تتشارك ملفات صغيرة كثيرة من خادم واحد اتصالًا إن كان الخادم يدعم HTTP/2.
setting-insecure-redirects = الإحالات إلى روابط غير آمنة
    .about = اتباعها من https إلى http. عندها يمكن لأي أحد في الطريق قراءة ما يصل وتغييره.
setting-ca-certificate = شهادات إضافية
    .about = ملف PEM بجهات يوثق بها إلى جانب جهات النظام.
    .hint = لا شيء
setting-user-agent = وكيل المستخدم
    .about = الاسم الذي يعرّف به { -ashore } نفسه للخوادم.
    .hint = { -ashore } وإصداره
setting-referrer = المُحيل
    .about = عنوان صفحة ويب يرسله { -ashore } إلى الخوادم على أنه الصفحة التي وُجد فيها الرابط. الرابط الذي له صفحته الخاصة يحتفظ بها.
    .hint = لا شيء
setting-netrc = ملف Netrc
    .about = تُعطى كلمات مروره للخوادم التي تطلبها.
    .hint = لا شيء
setting-keychain = كلمات المرور والرموز
    .about = مكان حفظها. الملف لا يقرؤه أحد سواك.
    .auto = في سلسلة مفاتيح النظام، وإلا ففي ملف
    .system = في سلسلة مفاتيح النظام فقط
    .file = في ملف
    .none = حتى ينتهي { -ashore }

settings-lacking-notifications = لا يعرض سطح المكتب إشعارات الآن. تقول القائمة كل ما كانت ستقوله.
settings-lacking-tray = ليس في سطح المكتب شريط للأيقونات الآن: النافذة التي تُغلق تُصغّر بدلًا من ذلك.

appearance = المظهر
appearance-theme = السمة
    .about = ألوان هذه الصفحة. يسري الاختيار على هذا الجهاز.
    .light = فاتحة
    .dark = داكنة
appearance-density = ارتفاع الصفوف
    .about = تعرض الصفوف المضغوطة تنزيلات أكثر، ولكل منها سطر نص واحد.
    .comfortable = مريح
    .compact = مضغوط

list = قائمتك
list-save = تصدير القائمة
    .about = يحفظ روابط كل التنزيلات وأسماءها ومجلداتها ونتائجها في ملف واحد. لا يحتوي الملف على كلمات مرور ولا ملفات تعريف ارتباط ولا رموز، ولا على الملفات المنزّلة.
    .choose = حفظ في ملف…
list-take-in = استيراد قائمة
    .about = يضيف تنزيلات قائمة حفظها { -ashore } هنا أو على جهاز آخر. تُضاف التنزيلات غير المكتملة موقوفة مؤقتًا. لا تتغير التنزيلات الموجودة في القائمة من قبل.
    .choose = اختيار ملف…
list-saved = حُفظت القائمة في { $path }. التنزيلات فيها: { $count }.
list-saved-without-headers = الملفات التي تُركت ترويساتها لأنها قد تكون سرية: { $count }.
list-taken-in = استُوردت القائمة. التنزيلات الجديدة: { $count }. غير المكتملة موقوفة مؤقتًا.
list-taken-in-nothing = لا يحتوي الملف على تنزيلات جديدة.
list-taken-in-known = التنزيلات التي كانت في القائمة من قبل: { $count }.
list-taken-in-elsewhere = التنزيلات التي تذهب إلى المجلد المعتاد لأن مجلدها لا يمكن استخدامه هنا: { $count }.
list-taken-in-without-headers = الملفات التي ليست ترويساتها فيها لأنها قد تكون سرية: { $count }. حيث يفتقدها خادم، سجّل الدخول.

# The browsers, and their connection with { -ashore }.
browsers-connected = متصل
    .package = متصل عبر حزمة { -ashore }
    .none = غير متصل
browsers-empty = لم يُعثر على أي متصفح. شغّل متصفحًا مرة واحدة ثم حاول مجددًا.
browsers-extension = يسلّم المتصفح المتصل تنزيلاته فور تثبيت إضافته.
browsers-connect = توصيل
    .label = توصيل { $browser }
browsers-disconnect = فصل
    .label = فصل { $browser }
browsers-check = تحقّق مرة أخرى
browsers-pair = إقران متصفح
browsers-paired = مقترن
    .remove = إزالة { $browser }
    .added = { $browser } مقترن الآن.
browsers-code = أدخل هذا الرمز في نافذة الإضافة المنبثقة:
    .rest = صالح لمدة { $time }

synonyms-parallel = متزامن، متزامنة، بالتوازي
synonyms-connections = خيوط، مقاطع، أجزاء، تقسيم
synonyms-startup = بدء التشغيل، تشغيل تلقائي، إقلاع
synonyms-clipboard = الحافظة، نسخ، لصق، مراقبة
synonyms-category = فئة، فئات، تصنيف
synonyms-tray = تصغير، الخلفية، إخفاء، شريط النظام
synonyms-metered = بيانات الجوال، هاتف محمول، تجوال
synonyms-quiet = عدم الإزعاج، صامت، كتم
synonyms-speed = عرض النطاق، حد، تحديد
synonyms-backup = نسخة احتياطية، استعادة، تصدير
synonyms-remote = هاتف، جوال، جهاز لوحي، عن بعد، رمز QR، متصفح، ويب، aria2
synonyms-appearance = الوضع الداكن، ليل، لون، كثافة، صفوف
synonyms-folder = موقع، دليل، مسار، وجهة، حفظ في
synonyms-cleanup = سجل، مسح، حذف، تنظيف
synonyms-notify = تنبيهات، نوافذ منبثقة، رسائل
synonyms-sleep = سكون، تعليق، إسبات، شاشة التوقف
synonyms-space = قرص، تخزين، احتياطي
synonyms-retries = إعادة المحاولة، تكرار، إعادة الاتصال
synonyms-schedule = جدولة، مواعيد، مخطط، مؤقت
synonyms-certificate = SSL، TLS، HTTPS، شهادة
synonyms-browser = إضافة، ملحق، تكامل، Chrome، Firefox، Edge
synonyms-proxy = SOCKS، VPN، نفق
synonyms-password = بيانات الاعتماد، تسجيل الدخول، حساب، أسرار
