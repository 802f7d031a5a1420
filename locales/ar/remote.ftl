# The page in a browser: signing in, the connection, this device, and the folders on the computer with { -ashore }.

remote-sign-in = تسجيل الدخول إلى { -ashore }
    .about = أدخل الرمز. أو نفّذ «ashore remote link» على الحاسوب الذي يعمل عليه { -ashore }، ثم امسح الرمز المربع أو افتح الرابط.
    .again = انتهت جلسة هذا الجهاز. النص الذي كتبته في الصفحة محفوظ.
    .token = الرمز
    .name = اسم هذا الجهاز
    .pairing = يجري تسجيل الدخول بالرابط…
remote-wait = المحاولة التالية ممكنة بعد { $time }
remote-connecting = يجري الاتصال بـ { -ashore }…
    .again = تجري إعادة الاتصال…
    .now = اتصل الآن
remote-lost = انقطع الاتصال. المحاولة التالية بعد { $time }.

remote-device = هذا الجهاز
    .control = يمكن لهذا الجهاز فعل كل شيء في هذه الصفحة.
    .add = يمكن لهذا الجهاز إضافة تنزيلات ورؤية القائمة.
    .read = يمكن لهذا الجهاز رؤية القائمة.
    .sign-out = تسجيل الخروج
# Firefox on Android
remote-device-name = { $browser } على { $system }
remote-readable = هذا الاتصال غير مشفر. يمكن لآخرين على الشبكة قراءة كل البيانات، بما فيها الرمز.
remote-install = لا تثبّت المتصفحات هذه الصفحة كتطبيق إلا إذا بدأ عنوانها بـ https.

# The settings about other devices, in the window.
remote-others = من أجهزة أخرى
    .allow = السماح باتصال أجهزة أخرى
    .about = يستطيع هاتفك وحواسيبك الأخرى عندئذ فتح هذه القائمة في متصفح.
    .plain = تُنقل البيانات دون تشفير، فلا تشغّل هذا إلا في شبكة تثق بها.
    .address = العنوان
    .copy = نسخ العنوان
    .local = لا يستطيع الوصول إلى هذا العنوان إلا هذا الحاسوب.
    .link = تسجيل دخول جهاز
    .scan = امسح هذا الرمز بالجهاز، أو افتح الرابط عليه.
    .none = لم يُسجَّل دخول أي جهاز.
    .control = مسموح له بكل شيء.
    .add = مسموح له بإضافة التنزيلات ورؤية القائمة.
    .read = مسموح له برؤية القائمة.
    .metrics = مسموح له بقراءة المقاييس.
    .program = برنامج. { $scope }
    .seen = آخر استخدام: { $time }
    .added = سُجّل دخول { $name }.
    .sign-out = تسجيل الخروج: { $name }

remote-save = حفظ على هذا الجهاز
# The bar at the bottom of a narrow page: list, add, settings.
remote-views = الأقسام

remote-folder-roots = المجلدات المتاحة
    .above = المجلد الأعلى
    .none = لا يحتوي هذا المجلد على مجلدات أخرى.
    .reading = تجري قراءة المجلدات…
    .submit = استخدام هذا المجلد

remote-failure-lost = انقطع الاتصال بـ { -ashore }. تحقق من أن { -ashore } يعمل ومن أن هذا الجهاز يصل إليه.
remote-failure-signed-out = لم يُسجَّل الدخول من هذا الجهاز. سجّل الدخول مجددًا.
remote-failure-too-large = هذا النص أطول من أن يُرسل دفعة واحدة. قسّمه إلى أجزاء.
remote-failure-unavailable = هذا ممكن فقط في النافذة على الحاسوب الذي يعمل عليه { -ashore }.
