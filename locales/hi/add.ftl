add = जोड़ें
add-hint = डाउनलोड जोड़ें (Ctrl+N)
add-title = डाउनलोड जोड़ें
add-links = लिंक
    .hint = https://…  हर पंक्ति में एक
add-folder = फ़ोल्डर
    .hint = आपका डाउनलोड फ़ोल्डर
add-name = शीर्षक
    .hint = फ़ाइल से लिया जाएगा
    .hint-set = फ़ाइलों से लिया जाएगा
add-checksum = चेकसम
    .hint = sha-256=… (वैकल्पिक)
add-checksum-trouble = चेकसम ऐसा होता है: sha-256= और उसके बाद 64 अंक और a से f तक के अक्षर।
add-together = ऐसे जोड़ें
add-one-set = एक समूह
add-one-each = अलग-अलग
add-start = शुरू
add-now = अभी
add-later = बाद में
add-submit =
    { $count ->
        [one] जोड़ें
       *[other] { $count } लिंक जोड़ें
    }
add-understood =
    { $count ->
        [one] { $count } लिंक समझा गया
       *[other] { $count } लिंक समझे गए
    }
add-misunderstood =
    { $count ->
        [one] { $count } पंक्ति नहीं
       *[other] { $count } पंक्तियाँ नहीं
    }
add-none-understood =
    { $count ->
        [one] यह पंक्ति लिंक नहीं है
       *[other] इनमें से कोई पंक्ति लिंक नहीं है
    }
add-line-number = पंक्ति { $number }
add-link-count =
    { $count ->
        [one] { $count } लिंक
       *[other] { $count } लिंक
    }
add-from-to = { $first } से { $last }
add-signs-in = साइन-इन सहित
add-and-more = और { $count } अन्य
add-partly = { add-partly-added } { add-partly-left } { $text }
add-partly-added =
    { $added ->
        [one] { $added } लिंक जोड़ा गया।
       *[other] { $added } लिंक जोड़े गए।
    }
add-partly-left =
    { $count ->
        [one] यहाँ बचा हुआ नहीं जोड़ा गया:
       *[other] यहाँ बचे हुए { $count } नहीं जोड़े गए:
    }
