settings = सेटिंग
settings-open = सेटिंग (Ctrl+,)
settings-back = सूची पर लौटें
settings-search = सेटिंग खोजें
settings-nothing = “{ $text }” से जुड़ी कोई सेटिंग नहीं है।
settings-file = सेटिंग इस फ़ाइल में रखी जाती हैं, जिसे हाथ से भी बदला जा सकता है:
settings-reset = { $name }: डिफ़ॉल्ट पर लौटाएँ
settings-percent = %
settings-unit = { $name }: इकाई
    .kib = KiB
    .mib = MiB
    .gib = GiB
    .never = कभी नहीं
settings-unit-seconds =
    { $count ->
        [one] सेकंड
       *[other] सेकंड
    }
settings-unit-minutes =
    { $count ->
        [one] मिनट
       *[other] मिनट
    }
settings-unit-hours =
    { $count ->
        [one] घंटा
       *[other] घंटे
    }
settings-unit-days =
    { $count ->
        [one] दिन
       *[other] दिन
    }
settings-unit-weeks =
    { $count ->
        [one] हफ़्ता
       *[other] हफ़्ते
    }
settings-number-wrong = ऐसी संख्या डालें जिसमें दशमलव के बाद ज़्यादा से ज़्यादा दो अंक हों।
settings-outside = { $least } से { $most } तक का मान डालें।
settings-paint = रंगें
settings-pace-full = पूरी गति
settings-pace-slow = धीमा
settings-pace-off = बंद
settings-rounded = सेटिंग फ़ाइल में आधे घंटे से बारीक समय हैं। रंगने पर वे पूर्णांकित हो जाते हैं।
settings-not-followed = सेटिंग फ़ाइल में समस्या: { $text }
settings-not-followed-more =
    { $count ->
        [one] सेटिंग फ़ाइल में समस्या: { $text } सेटिंग में { $count } समस्या और दिखाई गई है।
       *[other] सेटिंग फ़ाइल में समस्या: { $text } सेटिंग में { $count } समस्याएँ और दिखाई गई हैं।
    }
settings-cell = { $day }, { $from } से { $until }: { $pace }
settings-grid-help = तीर कुंजियाँ चलाती हैं, स्पेस रंगता है, तीरों के साथ Shift आगे रंगता है।

settings-general = सामान्य
settings-folders = फ़ोल्डर
settings-network = नेटवर्क
settings-browsers = ब्राउज़र
settings-schedule = समय-सारणी
settings-notifications = सूचनाएँ
settings-power = बिजली
settings-space = जगह
settings-advanced = उन्नत

setting-language = भाषा
    .about = विंडो, ट्रे और सूचनाओं की।
    .auto = सिस्टम डिफ़ॉल्ट
setting-parallel = एक साथ डाउनलोड
    .about = एक ही समय में डाउनलोड होने वाली फ़ाइलों की संख्या।
setting-parallel-per-host = प्रति सर्वर एक साथ डाउनलोड
    .about = 1 होने पर एक सर्वर की फ़ाइलें ठीक एक के बाद एक आती हैं।
setting-order = कतार का क्रम
    .about = कतार के डाउनलोड किस क्रम में शुरू हों। विंडो, कमांड लाइन और दूसरे प्रोग्राम हमेशा बारी-बारी से चलते हैं।
    .first-come = पहले आओ, पहले पाओ
    .newest-first = नए पहले
setting-forget-finished-after = पूरे हुए डाउनलोड हटाएँ, इतने समय बाद
    .about = इस समय के बाद पूरे हुए डाउनलोड सूची से हट जाते हैं। उनकी फ़ाइलें रहती हैं। “{ settings-unit.never }” होने पर वे सूची में तब तक रहते हैं जब तक आप उन्हें न हटाएँ।
setting-close-to-tray = बंद करने पर भी चलता रहे
    .about = नहीं तो यह बंद हो जाता है, और जो चल रहा था वह अगली बार शुरू होने पर जारी रहता है।
setting-start-at-login = लॉग इन करने पर शुरू हो
    .about = ट्रे में छिपा हुआ, ताकि आपके आते ही डाउनलोड जारी रहें।
setting-offer-copied-links = कॉपी किए गए लिंक सुझाएँ
    .about = जब विंडो सामने आए, और हर लिंक के लिए एक बार। { -ashore } आपका कॉपी किया हुआ तभी पढ़ता है, और कहीं नहीं भेजता।
setting-folder = डाउनलोड फ़ोल्डर
    .about = फ़ाइलें यहाँ जाती हैं, जब तक आप उनके लिए दूसरा फ़ोल्डर न चुनें।
    .hint = डेस्कटॉप का डाउनलोड फ़ोल्डर
setting-folder-video = वीडियो
    .about = डाउनलोड फ़ोल्डर के भीतर का एक फ़ोल्डर, जो ज़रूरत पड़ने पर बनता है, या कहीं और के फ़ोल्डर का पूरा पथ।
setting-folder-audio = संगीत और बोली
    .about = डाउनलोड फ़ोल्डर के भीतर का एक फ़ोल्डर, जो ज़रूरत पड़ने पर बनता है, या कहीं और के फ़ोल्डर का पूरा पथ।
setting-folder-pictures = चित्र
    .about = डाउनलोड फ़ोल्डर के भीतर का एक फ़ोल्डर, जो ज़रूरत पड़ने पर बनता है, या कहीं और के फ़ोल्डर का पूरा पथ।
setting-folder-documents = दस्तावेज़
    .about = डाउनलोड फ़ोल्डर के भीतर का एक फ़ोल्डर, जो ज़रूरत पड़ने पर बनता है, या कहीं और के फ़ोल्डर का पूरा पथ।
setting-folder-archives = संग्रह
    .about = डाउनलोड फ़ोल्डर के भीतर का एक फ़ोल्डर, जो ज़रूरत पड़ने पर बनता है, या कहीं और के फ़ोल्डर का पूरा पथ।
setting-folder-programs = प्रोग्राम और डिस्क इमेज
    .about = डाउनलोड फ़ोल्डर के भीतर का एक फ़ोल्डर, जो ज़रूरत पड़ने पर बनता है, या कहीं और के फ़ोल्डर का पूरा पथ।
setting-folder-kind-hint = सीधे डाउनलोड फ़ोल्डर में
setting-connections = प्रति फ़ाइल कनेक्शन
    .about = अधिकतम इतने, और केवल वहाँ जहाँ एक से अधिक तेज़ हों।
setting-offline = ऑफ़लाइन होने पर
    .about = प्रतीक्षा में कुछ खर्च नहीं होता। यदि आपके सर्वर घर में हैं या डेस्कटॉप आपका नेटवर्क नहीं जानता, तो जारी रखें।
    .wait = प्रतीक्षा करें
    .go = जारी रखें
setting-metered = मीटर वाले नेटवर्क पर
    .about = जैसे फ़ोन के नेटवर्क पर।
    .wait = दूसरे नेटवर्क की प्रतीक्षा करें
    .go = जारी रखें
setting-proxy = प्रॉक्सी
    .about = सब कुछ के लिए, जैसे http://host:3128 या socks5h://host:1080; “none” यानी कोई प्रॉक्सी नहीं।
    .hint = जो डेस्कटॉप का परिवेश कहे
setting-no-proxy = इनके लिए प्रॉक्सी का उपयोग न करें
    .about = नाम और नेटवर्क जिन तक सीधे पहुँचा जाता है, अल्पविराम से अलग।
    .hint = जो डेस्कटॉप का परिवेश कहे
setting-proxy-loopback = इस मशीन के लिए प्रॉक्सी
    .about = इस मशीन के सर्वरों के लिए भी प्रॉक्सी का उपयोग करें।
setting-local-for-programs = प्रोग्रामों को स्थानीय नेटवर्क उपयोग करने दें
    .about = प्रोग्रामों, फ़ीड और दूसरे डिवाइसों को { -ashore } से इस मशीन और उसके आसपास के नेटवर्क से डाउनलोड कराने देता है: राउटर, घर के सर्वर। जो आप ख़ुद जोड़ते हैं, वह हमेशा वहाँ से आ सकता है।
setting-cookies = कुकी
    .about = { -ashore } के बंद होने तक कुकी उन्हीं सर्वरों को लौटाएँ जिन्होंने दी थीं।
setting-browser-hand-over = डाउनलोड सौंपना
    .about = अगर { -ashore } को वही फ़ाइल मिलती है, तो ब्राउज़र का एक्सटेंशन फ़ाइल पर हर क्लिक सौंपता है। केवल वे प्रविष्टियाँ हर हाल में काम करती हैं, जो वह ब्राउज़र के मेनू में जोड़ता है।
    .automatic = अपने-आप
    .menu = केवल मेनू से
setting-browser-least-size = सबसे छोटी फ़ाइल
    .about = इससे छोटी फ़ाइलें ब्राउज़र में रहती हैं।
setting-browser-sites = ब्राउज़र पर छोड़ी गई साइटें
    .about = स्पेस से अलग, जैसे example.org। साइट में उसके सबडोमेन शामिल हैं।
    .none = कोई साइट नहीं
setting-browser-endings = ब्राउज़र पर छोड़े गए फ़ाइल एक्सटेंशन
    .about = स्पेस से अलग, जैसे: html js css
setting-browser-bypass-key = बाइपास कुंजी
    .about = Alt के साथ क्लिक करने पर डाउनलोड ब्राउज़र में रहता है।
setting-browser-starts-ashore = ब्राउज़र को { -ashore } शुरू करने दें
    .about = यह बंद हो, तो { -ashore } के बंद रहने तक सभी डाउनलोड ब्राउज़र में रहते हैं।
setting-browser-channel = पेयर किए गए ब्राउज़रों को जुड़ने दें
    .about = Flatpak और snap के ब्राउज़र { -ashore } शुरू नहीं कर सकते। वे ऐसे पोर्ट से जुड़ते हैं जिस तक केवल यह कंप्यूटर पहुँचता है।
setting-hours = घंटे
    .about = एक गति चुनें और उससे रंगें। जो वैसा ही छोड़ेंगे वह पूरी गति से चलेगा।
setting-slow-speed = धीमे घंटों में गति
    .about = सभी डाउनलोड के लिए मिलाकर सीमा।
setting-notifications = { settings-notifications }
    .about = प्रगति के साथ, 10 सेकंड से ज़्यादा चलने वाले डाउनलोड की एक सूचना होती है। ऐसे 3 या ज़्यादा डाउनलोड हों, तो एक ही सूचना सभी को दिखाती है।
    .calm = 10 सेकंड बाद प्रगति, और परिणाम
    .all = हर डाउनलोड की प्रगति, और परिणाम
    .ended = केवल परिणाम
    .none = कुछ नहीं
setting-quiet-while-focused = विंडो सक्रिय होने पर सूचना न दें
    .about = जब तक यह विंडो सक्रिय है, कोई सूचना नहीं दी जाती, क्योंकि वही सब इसमें दिखता है।
setting-quiet-hours = शांत घंटे
    .about = हर दिन, जैसे 22:00-07:00। इस बीच जो समाप्त हुआ वह इनके बीतने पर बताया जाता है।
    .hint = कोई नहीं
setting-all-done = सभी डाउनलोड पूरे होने पर बताएँ
    .about = जब कई डाउनलोड में से आख़िरी समाप्त हो और कतार में कोई न हो, तब एक सूचना दिखाता है।
setting-battery-below = बैटरी पर, इससे नीचे रुकें
    .about = इससे कम चार्ज पर कुछ डाउनलोड नहीं होता। 0 होने पर, जब तक कुछ भी चार्ज हो।
setting-in-use = जब यह कंप्यूटर उपयोग में हो
    .about = तब तक प्रतीक्षा करें जब तक यह कंप्यूटर कुछ देर उपयोग में न रहे, या उपयोग के दौरान जारी रखें।
    .wait = प्रतीक्षा करें
    .go = जारी रखें
setting-keep-awake = डाउनलोड के दौरान स्लीप रोकें
    .about = जब तक डाउनलोड चल रहे हों, यह कंप्यूटर अपने आप स्लीप में नहीं जाता। स्क्रीन बंद हो सकती है।
setting-free-space-floor = न्यूनतम खाली जगह
    .about = जिस फ़ोल्डर में इससे कम खाली जगह हो, वहाँ कोई डाउनलोड शुरू नहीं होता।
setting-attempts = कोशिशें
    .about = { -ashore } के छोड़ने से पहले किसी फ़ाइल की इतनी कोशिशें होती हैं।
setting-retry-after-seconds = दूसरी कोशिश से पहले प्रतीक्षा
    .about = हर अगली के साथ दोगुनी, छह घंटे तक।
setting-stall-seconds = डेटा न आने की समय-सीमा
    .about = इतनी देर एक भी बाइट न आए तो उसे छोड़कर फिर कोशिश होती है।
setting-connect-timeout-seconds = कनेक्शन की समय-सीमा
    .about = नए कनेक्शन को स्वीकारने में सर्वर इतना समय ले सकता है।
setting-total-timeout-seconds = कुल समय-सीमा
    .about = एक कोशिश की समय-सीमा। समय पूरा होने पर अधूरी फ़ाइल रखी जाती है। 0 होने पर कोई सीमा नहीं है।
setting-checkpoint-seconds = प्रगति सहेजें हर
    .about = बिजली जाने पर इससे अधिक नहीं खोता।
setting-http2 = HTTP/2
    .about = यदि सर्वर HTTP/2 समझता है, तो उसकी कई छोटी फ़ाइलें एक कनेक्शन साझा करती हैं।
setting-insecure-redirects = असुरक्षित लिंक की ओर रीडायरेक्ट
    .about = https से http पर भी जाएँ। तब रास्ते में कोई भी आने वाली सामग्री पढ़ और बदल सकता है।
setting-ca-certificate = अतिरिक्त प्रमाणपत्र
    .about = उन प्राधिकरणों की PEM फ़ाइल जिन पर सिस्टम के अलावा भरोसा हो।
    .hint = कोई नहीं
setting-user-agent = यूज़र एजेंट
    .about = { -ashore } सर्वरों को अपना यह नाम बताता है।
    .hint = { -ashore } और उसका संस्करण
setting-referrer = रेफ़रर
    .about = किसी वेब पृष्ठ का पता। { -ashore } इसे सर्वरों को उस पृष्ठ के रूप में भेजता है जहाँ लिंक मिला। जिस लिंक का अपना पृष्ठ हो, वह उसे रखता है।
    .hint = कोई नहीं
setting-netrc = netrc फ़ाइल
    .about = इसके पासवर्ड उन सर्वरों को दिए जाते हैं जो माँगते हैं।
    .hint = कोई नहीं
setting-keychain = पासवर्ड और टोकन
    .about = वे कहाँ रखे जाते हैं। फ़ाइल केवल आप पढ़ सकते हैं।
    .auto = सिस्टम की कीचेन में, नहीं तो फ़ाइल में
    .system = केवल सिस्टम की कीचेन में
    .file = फ़ाइल में
    .none = { -ashore } के बंद होने तक

settings-lacking-notifications = यह डेस्कटॉप अभी सूचनाएँ नहीं दिखाता। उनमें जो होता वह सब सूची में मिलता है।
settings-lacking-tray = इस डेस्कटॉप में अभी ट्रे नहीं है: बंद करने पर विंडो इसके बजाय मिनिमाइज़ होती है।

appearance = दिखावट
appearance-theme = थीम
    .about = इस पेज के रंग। यह चुनाव इसी डिवाइस पर लागू होता है।
    .light = हल्की
    .dark = गहरी
appearance-density = पंक्ति की ऊँचाई
    .about = सघन पंक्तियाँ ज़्यादा डाउनलोड दिखाती हैं, हर एक में पाठ की एक पंक्ति।
    .comfortable = आरामदायक
    .compact = सघन

list = आपकी सूची
list-save = सूची निर्यात करें
    .about = सभी डाउनलोड के लिंक, नाम, फ़ोल्डर और परिणाम एक फ़ाइल में सहेजता है। फ़ाइल में पासवर्ड, कुकी या टोकन नहीं होते, और डाउनलोड की गई फ़ाइलें भी नहीं।
    .choose = फ़ाइल में सहेजें…
list-take-in = सूची आयात करें
    .about = { -ashore } द्वारा यहाँ या किसी दूसरे कंप्यूटर पर सहेजी गई सूची के डाउनलोड जोड़ता है। अधूरे डाउनलोड रुके हुए जोड़े जाते हैं। जो डाउनलोड सूची में पहले से हैं वे नहीं बदलते।
    .choose = फ़ाइल चुनें…
list-saved = सूची { $path } में सहेजी गई। इसमें डाउनलोड: { $count }।
list-saved-without-headers = फ़ाइलें जिनके हेडर छोड़ दिए गए, क्योंकि वे गुप्त हो सकते हैं: { $count }।
list-taken-in = सूची आयात की गई। नए डाउनलोड: { $count }। अधूरे डाउनलोड रुके हैं।
list-taken-in-nothing = फ़ाइल में कोई नया डाउनलोड नहीं है।
list-taken-in-known = डाउनलोड जो सूची में पहले से थे: { $count }।
list-taken-in-elsewhere = डाउनलोड जो सामान्य फ़ोल्डर में जाएँगे, क्योंकि उनका अपना यहाँ काम में नहीं आ सकता: { $count }।
list-taken-in-without-headers = फ़ाइलें जिनके हेडर इसमें नहीं हैं, क्योंकि वे गुप्त हो सकते हैं: { $count }। जहाँ किसी सर्वर को वे चाहिए, वहाँ साइन इन करें।

# The browsers, and their connection with { -ashore }.
browsers-connected = जुड़ा है
    .package = { -ashore } के पैकेज से जुड़ा है
    .none = जुड़ा नहीं है
browsers-empty = कोई ब्राउज़र नहीं मिला। कोई ब्राउज़र एक बार शुरू करें, और फिर कोशिश करें।
browsers-extension = जुड़ा हुआ ब्राउज़र अपना एक्सटेंशन इंस्टॉल होते ही डाउनलोड सौंपने लगता है।
browsers-connect = जोड़ें
    .label = { $browser } जोड़ें
browsers-disconnect = अलग करें
    .label = { $browser } अलग करें
browsers-check = फिर से जाँचें
browsers-pair = ब्राउज़र पेयर करें
browsers-paired = पेयर किया हुआ
    .remove = { $browser } हटाएँ
    .added = { $browser } पेयर हो गया है।
browsers-code = यह कोड एक्सटेंशन के पॉपअप में डालें:
    .rest = { $time } तक मान्य

synonyms-parallel = एक साथ, समानांतर
synonyms-connections = थ्रेड, सेगमेंट, हिस्से
synonyms-startup = स्टार्टअप, ऑटोस्टार्ट, अपने आप शुरू
synonyms-clipboard = क्लिपबोर्ड, कॉपी, पेस्ट
synonyms-category = श्रेणी, श्रेणियाँ, फ़ाइल प्रकार
synonyms-tray = मिनिमाइज़, बैकग्राउंड, ट्रे
synonyms-metered = मोबाइल डेटा, सेल्युलर, हॉटस्पॉट, रोमिंग
synonyms-quiet = परेशान न करें, मौन, म्यूट
synonyms-speed = बैंडविड्थ, सीमा, गति
synonyms-backup = बैकअप, पुनर्स्थापित, निर्यात
synonyms-remote = फ़ोन, मोबाइल, टैबलेट, रिमोट, QR कोड, ब्राउज़र, वेब, aria2
synonyms-appearance = डार्क मोड, रात, रंग, घनत्व, पंक्तियाँ
synonyms-folder = स्थान, डायरेक्टरी, पथ, गंतव्य, यहाँ सहेजें
synonyms-cleanup = इतिहास, साफ़ करें, मिटाएँ
synonyms-notify = अलर्ट, पॉप-अप, संदेश
synonyms-sleep = स्टैंडबाय, सस्पेंड, हाइबरनेट, स्लीप, स्क्रीनसेवर
synonyms-space = डिस्क, स्टोरेज, भंडारण
synonyms-retries = फिर कोशिश, दोहराएँ, फिर जुड़ें
synonyms-schedule = शेड्यूलर, समय-सारणी, टाइमर
synonyms-certificate = SSL, TLS, HTTPS, प्रमाणपत्र
synonyms-browser = एक्सटेंशन, ऐड-ऑन, एकीकरण, Chrome, Firefox, Edge
synonyms-proxy = SOCKS, VPN, टनल
synonyms-password = लॉगिन, खाता, क्रेडेंशियल, गुप्त
