add = जोड़ें
add-hint = डाउनलोड जोड़ें (Ctrl+N)
add-title = डाउनलोड जोड़ें
add-links = लिंक
    .hint = https://…  हर पंक्ति में एक
add-folder = फ़ोल्डर
    .hint = आपका डाउनलोड फ़ोल्डर
add-name = फ़ाइल का नाम
    .hint = सर्वर से लिया जाएगा
add-set-title = शीर्षक
    .hint = फ़ाइलों से लिया जाएगा
add-checksum = चेकसम
    .hint = sha-256=… (वैकल्पिक)
add-checksum-trouble = चेकसम ऐसा होता है: sha-256= और उसके बाद 64 अंक और a से f तक के अक्षर।
add-together = ऐसे जोड़ें
add-one-set = एक समूह
add-one-each = अलग-अलग
add-start = शुरू
add-now = अभी
add-next = अगली बारी में
add-later = बाद में (रुका हुआ)
add-submit =
    { $count ->
        [one] जोड़ें
       *[other] { $count } लिंक जोड़ें
    }
add-progress = { $count } में से { $added } जोड़े गए
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

add-asking = सर्वर से पूछा जा रहा है…
add-wants-sign-in = सर्वर साइन-इन माँगता है। उसे नीचे भरें, या ऐसा लिंक लें जिसमें अनुमति शामिल हो।
add-unsized = सर्वर आकार नहीं बताता
add-resumes = रुकने के बाद आगे बढ़ सकता है
add-begins-anew = रुकने पर नए सिरे से शुरू होता है

add-answer-gone = सर्वर के उत्तर की अवधि समाप्त हो गई। लिंक जोड़ने पर { -ashore } सर्वर से फिर पूछेगा।
add-is-there = यह लिंक पहले से सूची में है
add-is-there-otherwise = उसी जगह का एक लिंक पहले से सूची में है
add-are-all-there = ये सभी लिंक पहले से सूची में हैं
add-are-there =
    { $count ->
        [one] इनमें से { $count } लिंक पहले से सूची में है
       *[other] इनमें से { $count } लिंक पहले से सूची में हैं
    }
add-are-unfinished =
    { $count ->
        [one] इनमें से { $count } अधूरा है, और इस लिंक से जारी रहकर जो आ चुका है उसे रख सकता है
       *[other] इनमें से { $count } अधूरे हैं, और इन लिंक से जारी रहकर जो आ चुका है उसे रख सकते हैं
    }
add-repeat = इनका क्या करें
add-go-on = उसी को जारी रखें
add-go-on-many = अधूरे जारी रखें
add-skip = छोड़ दें
add-again = दोबारा डाउनलोड करें
add-taken = फ़ोल्डर में { $name } नाम का कुछ पहले से है। वह रहेगा, और इस फ़ाइल के नाम के पीछे एक संख्या लगेगी।

add-along = साइन-इन, कुकी और हेडर
add-user = उपयोगकर्ता नाम
add-password = पासवर्ड
add-keep = साइन-इन और कुकी कीचेन में रखें
add-cookies = कुकी
    .hint = नाम=मान; दूसरा=मान, या cookies.txt की पंक्तियाँ
add-headers = हेडर
    .hint = नाम: मान
add-headers-trouble = हेडर की पंक्ति { $line } कोई हेडर नहीं है। हेडर “नाम: मान” जैसा होता है।

add-list-too-large = लिंक की सूची के लिए यह फ़ाइल बहुत बड़ी है। लंबी सूची ऐसे जोड़ी जा सकती है: ashore add -i FILE।

new-link = नया लिंक
new-folder = दूसरा फ़ोल्डर
relink = नया लिंक…
relink-question = दूसरे लिंक से जारी रखें?
    .body = { -ashore } अधूरी फ़ाइल की तुलना नए लिंक की फ़ाइल से करता है। अगर वे अलग हैं, तो डाउनलोड शुरू से होगा।
    .link = उसी फ़ाइल का नया लिंक
    .submit = इस लिंक का उपयोग करें
    .open = ब्राउज़र में पेज खोलें
    .open-about = लिंक का पेज खोलें, और वहाँ फ़ाइल पर क्लिक करें। अगर एक्सटेंशन के पास सभी साइटों की अनुमति है और वह हर क्लिक सौंपता है, तो डाउनलोड जारी रहेगा।

action-anyway = फिर भी डाउनलोड करें
action-free-space = जगह खाली करें
action-sign-in = साइन इन करें
sign-in-question = साइन इन करके फिर कोशिश करें?
    .body = { $host } साइन-इन माँगता है। आपका उपयोगकर्ता नाम और पासवर्ड केवल इसी सर्वर को भेजे जाएँगे।
    .submit = साइन इन करें
