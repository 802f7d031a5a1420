details = विवरण
    .of = { $title } का विवरण
    .hint = चुने हुए डाउनलोड का विवरण (I)
    .close = विवरण बंद करें
    .resize = विवरण की ऊँचाई (ऊपर, नीचे)
details-files = फ़ाइलें
details-activity = गतिविधि
details-speed = गति
details-about = जानकारी
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
details-copy-head = उत्तर का हेडर कॉपी करें
details-attempts = कोशिशें
details-no-attempts = अभी तक कोई कोशिश नहीं हुई।
details-answer = सर्वर का उत्तर
details-answered = { $host } का उत्तर: “{ $status }”।
details-redirects =
    { $count ->
        [one] इसने { -ashore } को दूसरे पते पर भेजा:
       *[other] इसने { -ashore } को { $count } बार आगे भेजा:
    }
details-raw = उत्तर का हेडर, जैसा आया

attempt-number = कोशिश { $number }
attempt-since = { $time } से
attempt-took = { $time } लगे
attempt-brought = { $amount } आए
attempt-status = सर्वर का उत्तर { $status }
attempt-arrived = पूरा आ गया: { $amount }।
attempt-running = चल रहा है: अब तक { $amount }।
attempt-connecting = चल रहा है: कनेक्ट हो रहा है।
attempt-anew-changed = यह फिर से शुरू हुई: सर्वर पर अब दूसरी फ़ाइल है। पहले { $amount } आ चुके थे।
attempt-anew-no-ranges = यह फिर से शुरू हुई: सर्वर फ़ाइल के बीच से आगे नहीं देता। पहले { $amount } आ चुके थे।
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
about-title = शीर्षक
about-files = फ़ाइलें
about-files-done = { files-of } आ चुकीं
about-file = फ़ाइल का नाम
about-folder = फ़ोल्डर
about-size = आकार
about-bytes = { $amount } ({ $bytes } बाइट)
about-checked = जाँच
about-by-digest = चेकसम सही है।
about-on-resume = आकार सही है, और जारी किए गए डेटा की जाँच की गई।
about-not-verified = सत्यापित नहीं: लंबाई सही है, और तुलना के लिए कोई चेकसम नहीं था।
about-size-unknown = जाँचा नहीं गया: सर्वर ने आकार नहीं बताया, और तुलना के लिए कोई चेकसम नहीं था।
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
