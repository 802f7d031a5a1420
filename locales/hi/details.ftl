details = विवरण
    .of = { $title } का विवरण
    .hint = चुने हुए डाउनलोड का विवरण (I)
    .close = विवरण बंद करें
    .resize = विवरण की ऊँचाई (ऊपर, नीचे)
details-files = फ़ाइलें
details-activity = गतिविधि
details-speed = गति
details-about = जानकारी
# A connection of a running download, with its speed.
details-connection = कनेक्शन { $number }
    .left = { $size } बाकी
    .starting = शुरू हो रहा है
details-connections =
    { $count ->
        [one] { $count } कनेक्शन
       *[other] { $count } कनेक्शन
    }
details-file-before = पिछली फ़ाइल
details-file-after = अगली फ़ाइल
details-copy = कॉपी करें
details-copied = कॉपी हुआ
details-not-copied = कॉपी नहीं हो सका। डेस्कटॉप अभी इसकी अनुमति नहीं देता।
details-copy-activity = इस पृष्ठ का सब कुछ कॉपी करें
details-copy-head = उत्तर के हेडर कॉपी करें
details-attempts = कोशिशें
details-no-attempts = अभी तक कोई कोशिश नहीं हुई।
details-answer = सर्वर का उत्तर
details-answered = { $host } का उत्तर: “{ $status }”।
details-redirects =
    { $count ->
        [one] { $count } बार रीडायरेक्ट हुआ:
       *[other] { $count } बार रीडायरेक्ट हुआ:
    }
details-raw = उत्तर के हेडर

attempt-number = कोशिश { $number }
attempt-since = { $time } से
attempt-took = { $time } लगे
attempt-brought = { $amount } आए
attempt-status = सर्वर का उत्तर { $status }
attempt-arrived = पूरा हुआ, { $amount }।
attempt-running = जारी है, { $amount }।
attempt-connecting = कनेक्ट हो रहा है।
attempt-anew-changed = फिर से शुरू: सर्वर पर फ़ाइल बदल गई है। { $amount } छोड़ा गया।
attempt-anew-no-ranges = फिर से शुरू: सर्वर बीच से जारी रखने की सुविधा नहीं देता। { $amount } छोड़ा गया।
attempt-anew-differs = यह फिर से शुरू हुई: सर्वर पहले आ चुके { $amount } से अलग बाइट दे रहा है।
attempt-anew-gone = यह फिर से शुरू हुई: जो आ चुका था ({ $amount }), वह हटाया या मिटाया गया।

speed-current = अभी
speed-mean = औसत
speed-highest = अधिकतम
speed-not-running = नहीं चल रहा
speed-now = अभी
speed-ago = { $minutes } मि॰ पहले
speed-soon = पहले बाइट अभी नहीं आए।
speed-none = गति डाउनलोड के दौरान और उसके कुछ मिनट बाद तक दिखती है।
speed-sentence =
    { $minutes ->
        [one] पिछले मिनट की गति: अभी { $current }, औसत { $mean }, अधिकतम { $highest }।
       *[other] पिछले { $minutes } मिनट की गति: अभी { $current }, औसत { $mean }, अधिकतम { $highest }।
    }
speed-sentence-not-running =
    { $minutes ->
        [one] पिछले मिनट की गति: अभी नहीं चल रहा, औसत { $mean }, अधिकतम { $highest }।
       *[other] पिछले { $minutes } मिनट की गति: अभी नहीं चल रहा, औसत { $mean }, अधिकतम { $highest }।
    }

about-address = पता
about-came-from = अंतिम पता
about-page = यहाँ मिला
about-mirrors = मिरर
about-title = नाम
about-files = फ़ाइलें
about-files-done = { files-of } आ चुकीं
about-file = फ़ाइल का नाम
about-folder = फ़ोल्डर
about-size = आकार
about-bytes = { $amount } ({ $bytes } बाइट)
about-checked = जाँच
about-by-digest = चेकसम मेल खाता है
about-on-resume = आकार मेल खाता है; जारी किया गया डेटा जाँचा गया
about-not-verified = आकार मेल खाता है; कोई चेकसम उपलब्ध नहीं
about-size-unknown = आकार अज्ञात; कोई चेकसम उपलब्ध नहीं
about-missing = जिनकी गारंटी नहीं
about-missing-permissions = यह डिस्क अलग-अलग फ़ाइलों की अनुमतियाँ नहीं रखती: पूरी डिस्क की अनुमतियाँ लागू होती हैं।
about-missing-sync = यह डिस्क नहीं बताती कि फ़ाइल बिजली जाने से कब सुरक्षित है।
about-missing-folder-sync = यह डिस्क नहीं बताती कि फ़ाइल का नाम बिजली जाने से कब सुरक्षित है।
about-missing-exclusive-name = यह डिस्क किसी दूसरे प्रोग्राम को उसी समय वही फ़ाइल नाम लेने से नहीं रोक सकती।
about-missing-at-once = यह डिस्क फ़ाइल का नाम नहीं बदल सकती, इसलिए फ़ाइल को उसके नाम से कॉपी किया गया।
about-checksum = चेकसम
about-expected = अपेक्षित
about-created = जोड़ा गया
about-asked-again = फिर जोड़ा गया
about-finished = पूरा हुआ
about-ended = समाप्त हुआ
about-expires = सूची से हटेगा
about-owner = किसने जोड़ा
about-owner-window = यह विंडो
about-owner-command-line = कमांड लाइन
about-id = पहचान
about-copy-address = पता कॉपी करें
about-copy-name = नाम कॉपी करें
about-copy-folder = फ़ोल्डर कॉपी करें
about-copy-checksum = चेकसम कॉपी करें
about-copy-id = पहचान कॉपी करें
