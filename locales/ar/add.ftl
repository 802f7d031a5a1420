add = إضافة
add-hint = إضافة تنزيلات (Ctrl+N)
add-title = إضافة تنزيلات
add-links = الروابط
    .hint = ⁦https://…⁩  رابط في كل سطر
add-folder = المجلد
    .hint = مجلد التنزيلات لديك
add-name = العنوان
    .hint = يؤخذ من الملف
    .hint-set = يؤخذ من الملفات
add-checksum = مجموع التحقق
    .hint = ⁦sha-256=…⁩ (اختياري)
add-checksum-trouble = يبدو مجموع التحقق هكذا: ⁦sha-256=⁩ تتبعها 64 خانة من الأرقام والحروف من a إلى f.
add-together = الإضافة
add-one-set = مجموعة واحدة
add-one-each = كل رابط على حدة
add-start = البدء
add-now = الآن
add-later = لاحقًا
add-submit =
    { $count ->
        [zero] إضافة
        [one] إضافة
        [two] إضافة رابطين
        [few] إضافة { $count } روابط
        [many] إضافة { $count } رابطًا
       *[other] إضافة { $count } رابط
    }
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
