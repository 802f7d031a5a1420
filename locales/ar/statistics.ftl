statistics = الإحصاءات
    .back = العودة إلى القائمة
    .reading = { reading }
statistics-in-all = الإجمالي
    .about = تُحسب أيضًا التنزيلات التي غادرت القائمة.

statistics-received = حجم ما وصل
statistics-sent = أُرسل { $amount }
statistics-arrived =
    { $count ->
        [zero] لم يصل أي ملف
        [one] ملف وصل
        [two] ملفان وصلا
        [few] ملفات وصلت
        [many] ملفًا وصل
       *[other] ملف وصل
    }
statistics-added =
    { $count ->
        [zero] لم يُضف شيء
        [one] من ملف واحد أُضيف
        [two] من ملفين أُضيفا
        [few] من { $count } ملفات أُضيفت
        [many] من { $count } ملفًا أُضيف
       *[other] من { $count } ملف أُضيف
    }
statistics-succeeded = نسبة النجاح
statistics-nothing-ended = لم ينته شيء بعد
statistics-none-failed = لم يفشل شيء
statistics-failed =
    { $count ->
        [zero] لم يفشل شيء
        [one] فشل واحد
        [two] فشل اثنان
        [few] فشلت { $count }
        [many] فشل { $count }
       *[other] فشل { $count }
    }
statistics-none = –

statistics-days =
    { $count ->
        [zero] آخر الأيام
        [one] آخر يوم
        [two] آخر يومين
        [few] آخر { $count } أيام
        [many] آخر { $count } يومًا
       *[other] آخر { $count } يوم
    }
    .about = يُحسب التنزيل لليوم الذي أُضيف فيه.
    .choose =
        { $count ->
            [zero] ما وصل في آخر الأيام
            [one] ما وصل في آخر يوم
            [two] ما وصل في كل من آخر يومين
            [few] ما وصل في كل يوم من آخر { $count } أيام
            [many] ما وصل في كل يوم من آخر { $count } يومًا
           *[other] ما وصل في كل يوم من آخر { $count } يوم
        }
statistics-day = اليوم
statistics-today = اليوم
statistics-whole = كل هذه الأيام
statistics-nothing = لم يُضف شيء
statistics-nothing-came = لم يصل شيء مما أُضيف في هذه الأيام.
statistics-said = { $day }: { $what }
statistics-column-received = ما وصل
statistics-column-files = الملفات التي وصلت
statistics-column-failed = ما فشل

statistics-from = من أين أُضيف
    .window = هذه النافذة
    .command-line = سطر الأوامر
    .feed = الخلاصات
    .clipboard = الحافظة
    .device = أجهزة أخرى
    .browser = المتصفحات
    .program = البرامج
statistics-empty = لا يوجد ما يُحسب بعد
    .body = بعد إضافة تنزيل تعرض هذه الصفحة مقدار البيانات المستلمة لتنزيلات كل يوم. وتعرض أيضًا من أين أُضيفت التنزيلات، مثل هذه النافذة أو متصفح.
