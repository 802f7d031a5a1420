add = إضافة
add-hint = إضافة تنزيلات (Ctrl+N)
add-title = إضافة تنزيلات
add-links = الروابط
    .hint = ⁦https://…⁩  رابط في كل سطر
add-folder = المجلد
    .hint = مجلد التنزيلات لديك
add-name = اسم الملف
    .hint = يؤخذ من الخادم
add-set-title = العنوان
    .hint = يؤخذ من الملفات
add-checksum = مجموع التحقق
    .hint = ⁦sha-256=…⁩ (اختياري)
add-checksum-trouble = يبدو مجموع التحقق هكذا: ⁦sha-256=⁩ تتبعها 64 خانة من الأرقام والحروف من a إلى f.
add-together = الإضافة
add-one-set = مجموعة واحدة
add-one-each = كل رابط على حدة
add-start = البدء
add-now = الآن
add-next = تاليًا
add-later = لاحقًا (موقوف مؤقتًا)
add-submit =
    { $count ->
        [zero] إضافة
        [one] إضافة
        [two] إضافة رابطين
        [few] إضافة { $count } روابط
        [many] إضافة { $count } رابطًا
       *[other] إضافة { $count } رابط
    }
add-progress = أُضيف { $added } من { $count }
add-understood =
    { $count ->
        [zero] لم يُفهم أي رابط
        [one] فُهم رابط واحد
        [two] فُهم رابطان
        [few] فُهمت { $count } روابط
        [many] فُهم { $count } رابطًا
       *[other] فُهم { $count } رابط
    }
add-misunderstood =
    { $count ->
        [zero] لا سطر لم يُفهم
        [one] لم يُفهم سطر واحد
        [two] لم يُفهم سطران
        [few] لم تُفهم { $count } أسطر
        [many] لم يُفهم { $count } سطرًا
       *[other] لم يُفهم { $count } سطر
    }
add-none-understood =
    { $count ->
        [zero] لا يوجد رابط هنا
        [one] هذا السطر ليس رابطًا
        [two] هذان السطران ليسا رابطين
        [few] لا رابط في أي من هذه الأسطر
        [many] لا رابط في أي من هذه الأسطر
       *[other] لا رابط في أي من هذه الأسطر
    }
add-line-number = السطر { $number }
add-link-count =
    { $count ->
        [zero] لا روابط
        [one] رابط واحد
        [two] رابطان
        [few] { $count } روابط
        [many] { $count } رابطًا
       *[other] { $count } رابط
    }
add-from-to = من { $first } إلى { $last }
add-signs-in = مع تسجيل الدخول
add-and-more =
    { $count ->
        [zero] ولا شيء غيرها
        [one] وواحد آخر
        [two] واثنان آخران
        [few] و{ $count } أخرى
        [many] و{ $count } أخرى
       *[other] و{ $count } أخرى
    }
add-partly = { add-partly-added } { add-partly-left } { $text }
add-partly-added =
    { $added ->
        [zero] لم يُضف أي رابط.
        [one] أُضيف رابط واحد.
        [two] أُضيف رابطان.
        [few] أُضيفت { $added } روابط.
        [many] أُضيف { $added } رابطًا.
       *[other] أُضيف { $added } رابط.
    }
add-partly-left =
    { $count ->
        [zero] لم يبق شيء:
        [one] الرابط الباقي هنا لم يُضف:
        [two] الرابطان الباقيان هنا لم يُضافا:
        [few] الروابط الباقية هنا وعددها { $count } لم تُضف:
        [many] الروابط الباقية هنا وعددها { $count } لم تُضف:
       *[other] الروابط الباقية هنا وعددها { $count } لم تُضف:
    }

add-asking = جارٍ سؤال الخادم…
add-wants-sign-in = يطلب الخادم تسجيل الدخول. املأ بياناته أدناه، أو استخدم رابطًا يحمل إذنه معه.
add-unsized = لا يذكر الخادم حجمه
add-resumes = يمكن استئنافه بعد انقطاع
add-begins-anew = يبدأ من جديد بعد انقطاع

add-answer-gone = انتهت صلاحية ردّ الخادم. يسأل { -ashore } الخادم من جديد عند إضافة الرابط.
add-is-there = هذا الرابط موجود في القائمة بالفعل
add-is-there-otherwise = يوجد في القائمة بالفعل رابط إلى المكان نفسه
add-are-all-there = كل هذه الروابط موجودة في القائمة بالفعل
add-are-there =
    { $count ->
        [zero] لا شيء من هذه الروابط في القائمة
        [one] واحد من هذه الروابط موجود في القائمة بالفعل
        [two] اثنان من هذه الروابط موجودان في القائمة بالفعل
        [few] { $count } من هذه الروابط موجودة في القائمة بالفعل
        [many] { $count } من هذه الروابط موجودة في القائمة بالفعل
       *[other] { $count } من هذه الروابط موجودة في القائمة بالفعل
    }
add-are-unfinished =
    { $count ->
        [zero] لا شيء منها غير مكتمل
        [one] واحد منها غير مكتمل، ويمكنه المتابعة بهذا الرابط مع الاحتفاظ بما وصل
        [two] اثنان منها غير مكتملين، ويمكنهما المتابعة بهذين الرابطين مع الاحتفاظ بما وصل
        [few] { $count } منها غير مكتملة، ويمكنها المتابعة بهذه الروابط مع الاحتفاظ بما وصل
        [many] { $count } منها غير مكتملة، ويمكنها المتابعة بهذه الروابط مع الاحتفاظ بما وصل
       *[other] { $count } منها غير مكتملة، ويمكنها المتابعة بهذه الروابط مع الاحتفاظ بما وصل
    }
add-repeat = ما العمل مع المكرر
add-go-on = متابعة الموجود
add-go-on-many = متابعة غير المكتمل
add-skip = تخطي
add-again = تنزيل من جديد
add-taken = في المجلد شيء اسمه { $name } من قبل. يبقى كما هو، ويُضاف رقم بعد اسم هذا الملف.

add-along = تسجيل الدخول وملفات تعريف الارتباط والترويسات
add-user = اسم المستخدم
add-password = كلمة المرور
add-keep = حفظ تسجيل الدخول وملفات تعريف الارتباط في سلسلة المفاتيح
add-cookies = ملفات تعريف الارتباط
    .hint = ⁦name=value; other=value⁩، أو أسطر ملف ⁦cookies.txt⁩
add-headers = الترويسات
    .hint = ⁦Name: value⁩
add-headers-trouble = السطر { $line } من الترويسات ليس ترويسة. تبدو الترويسة هكذا: ⁦Name: value⁩.

add-list-too-large = هذا الملف أكبر من أن يكون قائمة روابط. يمكن إضافة قائمة طويلة بالأمر: ashore add -i FILE.

new-link = رابط جديد
new-folder = مجلد آخر
relink = رابط جديد…
relink-question = المتابعة برابط آخر؟
    .body = يقارن { -ashore } الملف الجزئي بملف الرابط الجديد. إذا اختلفا يبدأ التنزيل من جديد.
    .link = رابط جديد للملف نفسه
    .submit = استخدام هذا الرابط
    .open = فتح الصفحة في المتصفح
    .open-about = افتح صفحة الرابط، وانقر الملف هناك. عندئذ يتابع التنزيل إذا كان للإضافة وصول إلى كل المواقع وكانت تسلّم كل نقرة.

action-anyway = تنزيل على أي حال
action-free-space = إفراغ مساحة
action-sign-in = تسجيل الدخول
sign-in-question = تسجيل الدخول والمحاولة مجددًا؟
    .body = يطلب { $host } تسجيل الدخول. لا يُرسل اسم المستخدم وكلمة المرور إلا إلى هذا الخادم.
    .submit = تسجيل الدخول
