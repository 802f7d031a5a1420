add = जोड़ें
add-hint = लिंक जोड़ें (Ctrl+N)
add-title = { empty.action }
add-links = लिंक
    .hint = लिंक चिपकाएँ, हर पंक्ति में एक
add-folder = फ़ोल्डर
    .hint = आपका डाउनलोड फ़ोल्डर
add-name = फ़ाइल का नाम
    .hint = स्वचालित
add-set-title = नाम
    .hint = स्वचालित
add-checksum = चेकसम
    .hint = sha-256=… (वैकल्पिक)
add-checksum-trouble = चेकसम ऐसा होता है: sha-256= और उसके बाद 64 अंक और a से f तक के अक्षर।
add-together = समूह
add-one-set = एक समूह
add-one-each = अलग-अलग
add-start = शुरू
add-now = अभी
add-next = कतार में अगला
add-later = रुका हुआ जोड़ें
add-submit =
    { $count ->
        [one] जोड़ें
       *[other] { $count } लिंक जोड़ें
    }
add-progress = { $count } में से { $added } जोड़े गए
add-understood =
    { $count ->
        [one] { $count } लिंक मिला
       *[other] { $count } लिंक मिले
    }
add-misunderstood =
    { $count ->
        [one] { $count } पंक्ति छोड़ी गई
       *[other] { $count } पंक्तियाँ छोड़ी गईं
    }
add-none-understood =
    { $count ->
        [one] कोई लिंक नहीं मिला
       *[other] कोई लिंक नहीं मिला
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
add-wants-sign-in = साइन-इन आवश्यक है। अपना उपयोगकर्ता नाम और पासवर्ड डालें।
add-unsized = आकार अज्ञात
add-resumes = फिर से शुरू करना समर्थित
add-begins-anew = फिर से शुरू करना समर्थित नहीं

add-answer-gone = सर्वर के उत्तर की अवधि समाप्त हो गई। { -ashore } फिर पूछेगा।
add-is-there = पहले से आपकी सूची में है
add-is-there-otherwise = यह ऐसे डाउनलोड जैसा है जो आपके पास पहले से है
add-are-all-there = ये सभी लिंक पहले से आपकी सूची में हैं
add-are-there =
    { $count ->
        [one] इनमें से { $count } लिंक पहले से आपकी सूची में है
       *[other] इनमें से { $count } लिंक पहले से आपकी सूची में हैं
    }
add-are-unfinished =
    { $count ->
        [one] { $count } इस लिंक से जारी रह सकता है
       *[other] { $count } इन लिंक से जारी रह सकते हैं
    }
add-repeat = डुप्लिकेट
add-go-on = मौजूदा जारी रखें
add-go-on-many = अधूरे जारी रखें
add-skip = छोड़ दें
add-again = दोबारा डाउनलोड करें
add-taken = “{ $name }” पहले से है। नई फ़ाइल के नाम में संख्या लगेगी।

add-along = साइन-इन, कुकी और हेडर
add-user = उपयोगकर्ता नाम
add-password = पासवर्ड
add-keep = कीचेन में सहेजें
add-cookies = कुकी
    .hint = नाम=मान; दूसरा=मान, या cookies.txt की पंक्तियाँ
add-headers = हेडर
    .hint = नाम: मान
add-headers-trouble = हेडर की पंक्ति { $line } मान्य नहीं है। “नाम: मान” लिखें।

add-list-too-large = यह फ़ाइल बहुत बड़ी है। ashore add -i FILE का उपयोग करें।

new-link = लिंक बदलें
new-folder = फ़ोल्डर बदलें…
relink = लिंक बदलें…
relink-question = दूसरे लिंक से जारी रखें?
    .body = अगर नया लिंक उसी फ़ाइल का है, तो आपकी अधूरी फ़ाइल रखी जाएगी। नहीं तो डाउनलोड शुरू से होगा।
    .link = उसी फ़ाइल का नया लिंक
    .submit = इस लिंक का उपयोग करें
    .open = ब्राउज़र में पेज खोलें
    .open-about = लिंक का पेज खोलें, और वहाँ फ़ाइल पर क्लिक करें। अगर एक्सटेंशन के पास सभी साइटों की अनुमति है और वह हर क्लिक सौंपता है, तो डाउनलोड जारी रहेगा।

action-anyway = फिर भी डाउनलोड करें
action-free-space = फ़ोल्डर खोलें
action-sign-in = साइन इन करें
sign-in-question = साइन इन करके फिर कोशिश करें?
    .body = आपका उपयोगकर्ता नाम और पासवर्ड केवल { $host } को भेजे जाते हैं।
    .submit = साइन इन करें
