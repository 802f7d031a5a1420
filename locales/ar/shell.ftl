tray-open = فتح { -ashore }
tray-quit = إنهاء
tray-clipboard = إضافة من الحافظة
tray-shut = تعذر فتح القائمة

note-show = إظهار
note-details = التفاصيل
note-sent = أُرسل { $amount }
note-done = اكتمل التنزيل
note-files-left-out =
    { $count ->
        [zero] لم يُترك أي ملف
        [one] تُرك ملف واحد
        [two] تُرك ملفان
        [few] تُركت { $count } ملفات
        [many] تُرك { $count } ملفًا
       *[other] تُرك { $count } ملف
    }
note-failed = تعذر التنزيل.
note-files-failed =
    { $count ->
        [zero] لم يفشل أي ملف: { $why }
        [one] فشل ملف واحد: { $why }
        [two] فشل ملفان: { $why }
        [few] فشلت { $count } ملفات: { $why }
        [many] فشل { $count } ملفًا: { $why }
       *[other] فشل { $count } ملف: { $why }
    }
note-many-finished =
    { $count ->
        [zero] لم يكتمل أي تنزيل
        [one] اكتمل تنزيل واحد
        [two] اكتمل تنزيلان
        [few] اكتملت { $count } تنزيلات
        [many] اكتمل { $count } تنزيلًا
       *[other] اكتمل { $count } تنزيل
    }
note-many-failed =
    { $count ->
        [zero] لم يفشل أي تنزيل
        [one] فشل تنزيل واحد
        [two] فشل تنزيلان
        [few] فشلت { $count } تنزيلات
        [many] فشل { $count } تنزيلًا
       *[other] فشل { $count } تنزيل
    }
note-many-running =
    { $count ->
        [zero] لا يوجد تنزيل جارٍ
        [one] تنزيل واحد جارٍ
        [two] تنزيلان جاريان
        [few] { $count } تنزيلات جارية
        [many] { $count } تنزيلًا جاريًا
       *[other] { $count } تنزيل جارٍ
    }
note-and-more =
    { $count ->
        [zero] ولا شيء غيرها
        [one] وواحد آخر
        [two] واثنان آخران
        [few] و{ $count } أخرى
        [many] و{ $count } أخرى
       *[other] و{ $count } أخرى
    }
note-all-done = اكتملت كل التنزيلات
    .body = { note-many-finished }. لا شيء في الانتظار.
note-all-ended = انتهت كل التنزيلات
    .body =
        { $count ->
            [zero] لم يكتمل أي تنزيل، وفشل { $failed }. تقول القائمة السبب.
            [one] اكتمل تنزيل واحد، وفشل { $failed }. تقول القائمة السبب.
            [two] اكتمل تنزيلان، وفشل { $failed }. تقول القائمة السبب.
            [few] اكتملت { $count } تنزيلات، وفشل { $failed }. تقول القائمة السبب.
            [many] اكتمل { $count } تنزيلًا، وفشل { $failed }. تقول القائمة السبب.
           *[other] اكتمل { $count } تنزيل، وفشل { $failed }. تقول القائمة السبب.
        }
note-in-tray = يعمل { -ashore } في الخلفية
    .body = تستمر التنزيلات. افتح { -ashore } من أيقونته في الشريط، أو أنهِه من هناك.
note-group = { -ashore } - { $owner }
note-group-command-line = { -ashore } - سطر الأوامر

ask-open = فتح هذا الملف؟
    .body = يمكن أن يشغّل { $name } شيئًا على هذا الجهاز. لا تفتحه إلا إذا كنت تعرف مصدره.
ask-folder = اختيار مجلد
ask-file = اختيار ملف
ask-save-list = { list-save }
ask-list = اختيار قائمة مصدَّرة

ask-server = إبقاء خادم المزامنة على هذا الجهاز؟
    .body = يخزّن هذا الجهاز عندئذ القائمة المشفرة، ويمكن لأجهزتك الأخرى الوصول إليه عبر الشبكة. تظهر كلمات الاستعادة بعد ذلك.
    .yes = إبقاؤه هنا
ask-set-up = إنشاء قائمة؟
    .body = ينشئ { -ashore } قائمة مشفرة على { $server }، ويعرض كلمات الاستعادة الأربع والعشرين.
    .yes = إنشاء
ask-join = الانضمام إلى القائمة؟
    .body = يرسل هذا الجهاز قائمة تنزيلاته مشفرةً إلى { $server }. تستطيع كل أجهزة القائمة المشتركة قراءتها. لا تنضم إلا إلى قائمة تخصك.
    .yes = انضمام
ask-words = عرض كلمات الاستعادة؟
    .body = كل من يعرف الكلمات الأربع والعشرين والعنوان والرقم يستطيع قراءة القائمة. تأكد من أنك وحدك.
    .yes = عرض
ask-invite = إضافة جهاز؟
    .body = يعرض { -ashore } رابطًا. الجهاز الذي يفتحه أولًا يستطيع قراءة القائمة. الرابط صالح لعشر دقائق.
    .yes = عرض الرابط
ask-remove-machine = إزالة جهاز؟
    .body = لا يستطيع { $machine } قراءة أي شيء يُكتب من الآن فصاعدًا. تتابع تنزيلاته الخاصة. تحصل القائمة على كلمات استعادة جديدة تظهر بعد ذلك.
    .yes = إزالة
ask-trust = بدء التنزيلات دون سؤال؟
    .body = تبدأ عندئذ التنزيلات التي يرسلها { $machine } إلى هذا الجهاز فورًا.
    .yes = بدؤها
