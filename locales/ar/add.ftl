add = إضافة
add-hint = إضافة روابط (Ctrl+N)
add-title = { empty.action }
add-links = الروابط
    .hint = ألصق الروابط، رابط في كل سطر
add-folder = المجلد
    .hint = مجلد التنزيلات لديك
add-name = اسم الملف
    .hint = تلقائي
add-set-title = الاسم
    .hint = تلقائي
add-checksum = مجموع التحقق
    .hint = ⁦sha-256=…⁩ (اختياري)
add-checksum-trouble = يبدو مجموع التحقق هكذا: ⁦sha-256=⁩ تتبعها 64 خانة من الأرقام والحروف من a إلى f.
add-together = التجميع
add-one-set = مجموعة واحدة
add-one-each = بشكل منفصل
add-start = البدء
add-now = الآن
add-next = التالي في القائمة
add-later = إضافة موقوفة مؤقتًا
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
        [zero] لم يُعثر على روابط
        [one] عُثر على رابط واحد
        [two] عُثر على رابطين
        [few] عُثر على { $count } روابط
        [many] عُثر على { $count } رابطًا
       *[other] عُثر على { $count } رابط
    }
add-misunderstood =
    { $count ->
        [zero] لم يُتخطَّ أي سطر
        [one] تُخطي سطر واحد
        [two] تُخطي سطران
        [few] تُخطيت { $count } أسطر
        [many] تُخطي { $count } سطرًا
       *[other] تُخطي { $count } سطر
    }
add-none-understood =
    { $count ->
        [zero] لم يُعثر على أي رابط
        [one] لم يُعثر على أي رابط
        [two] لم يُعثر على أي رابط
        [few] لم يُعثر على أي رابط
        [many] لم يُعثر على أي رابط
       *[other] لم يُعثر على أي رابط
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
add-wants-sign-in = تسجيل الدخول مطلوب. أدخل اسم المستخدم وكلمة المرور.
add-unsized = الحجم غير معروف
add-resumes = يدعم الاستئناف
add-begins-anew = لا يدعم الاستئناف

add-answer-gone = انتهت صلاحية ردّ الخادم. سيسأله { -ashore } من جديد.
add-is-there = موجود في قائمتك بالفعل
add-is-there-otherwise = يشبه تنزيلًا لديك بالفعل
add-are-all-there = كل هذه الروابط موجودة في قائمتك بالفعل
add-are-there =
    { $count ->
        [zero] لا شيء من هذه الروابط في قائمتك
        [one] واحد من هذه الروابط موجود في قائمتك بالفعل
        [two] اثنان من هذه الروابط موجودان في قائمتك بالفعل
        [few] { $count } من هذه الروابط موجودة في قائمتك بالفعل
        [many] { $count } من هذه الروابط موجودة في قائمتك بالفعل
       *[other] { $count } من هذه الروابط موجودة في قائمتك بالفعل
    }
add-are-unfinished =
    { $count ->
        [zero] لا يمكن استئناف أي منها
        [one] يمكن استئناف واحد بهذا الرابط
        [two] يمكن استئناف اثنين بهذين الرابطين
        [few] يمكن استئناف { $count } بهذه الروابط
        [many] يمكن استئناف { $count } بهذه الروابط
       *[other] يمكن استئناف { $count } بهذه الروابط
    }
add-repeat = المكررات
add-go-on = استئناف الموجود
add-go-on-many = استئناف غير المكتمل
add-skip = تخطي
add-again = تنزيل من جديد
add-taken = «{ $name }» موجود بالفعل. سيُرقَّم الملف الجديد.

add-along = تسجيل الدخول وملفات تعريف الارتباط والترويسات
add-user = اسم المستخدم
add-password = كلمة المرور
add-keep = الحفظ في سلسلة المفاتيح
add-cookies = ملفات تعريف الارتباط
    .hint = ⁦name=value; other=value⁩، أو أسطر ملف ⁦cookies.txt⁩
add-headers = الترويسات
    .hint = ⁦Name: value⁩
add-headers-trouble = سطر الترويسات { $line } غير صالح. استخدم ⁦Name: value⁩.

add-list-too-large = هذا الملف كبير جدًا. استخدم ashore add -i FILE.

new-link = استبدال الرابط
new-folder = تغيير المجلد…
relink = استبدال الرابط…
relink-question = المتابعة برابط آخر؟
    .body = يُحتفظ بالملف الجزئي إذا كان الرابط الجديد يؤدي إلى الملف نفسه. وإلا يبدأ التنزيل من جديد.
    .link = رابط جديد للملف نفسه
    .submit = استخدام هذا الرابط
    .open = فتح الصفحة في المتصفح
    .open-about = افتح صفحة الرابط، وانقر الملف هناك. عندئذ يتابع التنزيل إذا كان للإضافة وصول إلى كل المواقع وكانت تسلّم كل نقرة.

action-anyway = تنزيل على أي حال
action-free-space = فتح المجلد
action-sign-in = تسجيل الدخول
sign-in-question = تسجيل الدخول والمحاولة مجددًا؟
    .body = لا يُرسل اسم المستخدم وكلمة المرور إلا إلى { $host }.
    .submit = تسجيل الدخول
