cli-state =
    .pending = बाकी
    .running = चल रहा
    .waiting = प्रतीक्षा में
    .paused = रुका हुआ
    .done = पूरा
    .aborted = रद्द
    .failed = विफल

cli-column =
    .id = पहचान
    .state = स्थिति
    .progress = पूरा
    .size = आकार
    .title = शीर्षक
    .used = उपयोग
    .most = सीमा
    .files = फ़ाइलें
    .owner = किसका
    .added = जोड़ी
    .succeeded = पूरी
    .failed = विफल
    .retried = दोहराई
    .speed = गति
    .left = शेष

cli-queued = अपनी बारी की प्रतीक्षा में
cli-everything-paused = सब कुछ रुका हुआ है; `ashore resume` से जारी होगा
cli-next-try = { $why } अगली कोशिश { $time } पर
cli-redirected = { $url } पर भेजा गया
cli-under-way = चल रहा है
cli-milliseconds = { $count } मि.से.
cli-unknown-time = अज्ञात समय
cli-optional = वैकल्पिक
cli-no-file = कोई फ़ाइल नहीं आई
cli-checked =
    .digest = चेकसम सही ({ $kind })
    .digest-of-unknown-kind = चेकसम सही
    .on-resume = लंबाई सही, जारी करते समय मिलाई गई
    .size-unknown = लंबाई अज्ञात, मिलाने के लिए कोई चेकसम नहीं
    .unverified = लंबाई सही, जाँची नहीं गई: मिलाने के लिए कोई चेकसम नहीं
    .none = जाँची नहीं गई

cli-list-empty = { nothing-all } `ashore add URL` से कुछ जोड़ें।
cli-all-paused = सब कुछ रुका हुआ है।
cli-paused = रोका गया।
cli-all-resumed = सब कुछ जारी है।
cli-resumed = जारी किया गया।
cli-cancelled = रद्द किया गया। पूरी फ़ाइलें रखी गई हैं।
cli-relinked = लिंक बदल दिया गया। डाउनलोड नए लिंक से जारी रहेगा और उसके बाइट रखे जाएँगे।
cli-ended-already = यह डाउनलोड पहले ही समाप्त हो चुका था; कुछ नहीं बदला गया।
cli-folder-changed = फ़ाइलें अब { $path } में हैं।
cli-nothing-to-retry = इस डाउनलोड में कुछ भी विफल नहीं हुआ।
cli-retried =
    { $count ->
        [one] { $count } फ़ाइल के लिए फिर से कोशिश हो रही है।
       *[other] { $count } फ़ाइलों के लिए फिर से कोशिश हो रही है।
    }
cli-removed = सूची से हटाया गया।
cli-first = अगला यही डाउनलोड है।
cli-moved = स्थान बदला गया।
cli-changed = बदला गया।
cli-nothing-runs = अभी कोई प्रोग्राम नहीं चल रहा जो इसे डाउनलोड करे: विंडो या `ashore serve` शुरू करें।
cli-still-paused = सब कुछ रुका हुआ है, इसलिए कोई डाउनलोड नहीं चल रहा। बिना आईडी के `ashore resume` सब कुछ जारी करता है।
cli-watch-more = और { $count }
cli-watch-end = Ctrl-C से यह दृश्य बंद होता है। डाउनलोड जारी रहते हैं।

cli-field =
    .id = पहचान
    .own-name = अपना नाम
    .owner = माँगने वाला
    .state = स्थिति
    .failure = कारण
    .folder = फ़ोल्डर
    .page = पेज
    .created = बनाया गया
    .settled = समाप्त हुआ
    .expires = रहेगा

cli-added = { $links } सूची में हैं, { $downloads } के रूप में।
cli-add-moved = यह सूची में पहले से है और अब सबसे ऊपर है; --again इसे एक बार और जोड़ता है।
    .some = इनमें से कुछ लिंक सूची में पहले से थे और अब सबसे ऊपर हैं; --again उन्हें एक बार और जोड़ता है।
cli-add-running = यह पहले से चल रहा है। --again इसे एक बार और जोड़ता है।
    .some = इनमें से कुछ लिंक पहले से चल रहे हैं। --again उन्हें एक बार और जोड़ता है।
cli-add-netrc = netrc फ़ाइल वह { -ashore } पढ़ता है जो डाउनलोड करता है। सेटिंग में फ़ाइल बताएँ: netrc = "~/.netrc"।
cli-add-stopped = { $list } में पंक्ति { $line } से पहले का सब कुछ सूची में है: { $links }, { $downloads } के रूप में। बाकी नहीं।
cli-add-continue = वहाँ से इस तरह जारी रखें: { $command }

cli-get-options-unused = इसे दूसरा { -ashore } डाउनलोड कर रहा है और उसी की सेटिंग लागू हैं: --parallel और --connections का कोई असर नहीं।
cli-get-removed = यह डाउनलोड सूची से हटा दिया गया।
cli-get-known = यह सूची में पहले से है और पूरा नहीं है। यह जारी है।
cli-get-others =
    { $count ->
        [one] { $count } और डाउनलोड अभी पूरा नहीं है। `ashore serve` सूची को जारी रखता है।
       *[other] { $count } और डाउनलोड अभी पूरे नहीं हैं। `ashore serve` सूची को जारी रखता है।
    }
cli-get-summary = { $files }, { $size }, { $path } में
cli-get-stopped = रोका गया; जो आ चुका है वह रखा गया है ({ $size })।
    .next = `{ $get }` से जारी रखें, या पृष्ठभूमि में `{ $serve }` से।
cli-get-left = डाउनलोड आपके बिना जारी है।
    .next = `{ $get }` से देखें, `{ $pause }` से रोकें।

cli-serve-ready = { -ashore } तैयार है और { $path } पर काम कर रहा है। Ctrl-C से बंद होगा; सब कुछ रखा जाएगा।
    .short = { -ashore } तैयार है।
cli-serve-remote = दूसरे डिवाइस { $url } खोल सकते हैं
cli-serve-plain = नेटवर्क पर सभी दूसरे डिवाइसों के साथ हुआ आदान-प्रदान पढ़ सकते हैं, क्योंकि इसमें TLS नहीं है। TLS वाली प्रॉक्सी और --public-url का उपयोग करें।
cli-serve-stopped = बंद हुआ; सब कुछ रखा गया है।
cli-healthy = { -ashore } चल रहा है और तैयार है।
    .not = { -ashore } { $place } पर तैयार नहीं है ({ $why })। इसे शुरू करें, या इसका लॉग देखें।
cli-serve-kept = { $id } समय बीतने पर भी सूची में है: { $why }
    .all = समाप्त डाउनलोड अभी सूची में रहेंगे: { $why }

cli-password-of = { $server } पर { $user } का पासवर्ड:
cli-token-for = { $server } का टोकन:
cli-signed-in =
    .system = { $server } में साइन इन हुआ। यह कीचेन में रखा है; `ashore sign-out { $server }` इसे भुला देता है।
    .file = { $server } में साइन इन हुआ। यहाँ कोई कीचेन काम नहीं करती, इसलिए यह ऐसी फ़ाइल में रखा है जिसे केवल आप पढ़ सकते हैं; `ashore sign-out { $server }` इसे भुला देता है।
    .memory = { $server } में साइन इन हुआ, जब तक यह { -ashore } चलता है।
cli-sign-in-of-link = लिंक का नाम और पासवर्ड { $server } के लिए रखा है, सूची में नहीं; `ashore sign-out { $server }` उन्हें भुला देता है।
cli-signed-out = भुला दिया गया।
    .unknown = इस सर्वर के लिए कुछ नहीं रखा था।
cli-no-sign-ins = किसी सर्वर के लिए कुछ नहीं रखा है। `ashore sign-in URL --user NAME` से साइन इन करें।
cli-kept-in =
    .system = कीचेन
    .file = फ़ाइल
    .memory = मेमोरी
cli-cookies-unusable = { $path } की कोई कुकी काम की नहीं है। शायद उनकी अवधि समाप्त हो गई है।

cli-limit-set =
    .all = सब मिलाकर { $speed } तक सीमित है।
    .host = { $host } से सब कुछ { $speed } तक सीमित है।
    .download = यह डाउनलोड { $speed } तक सीमित है।
cli-limit-removed =
    .all = सब मिलाकर अपनी कोई सीमा नहीं है।
    .host = { $host } की अपनी कोई सीमा नहीं है।
    .download = इस डाउनलोड की अपनी कोई सीमा नहीं है।
cli-no-limits = कोई सीमा नहीं है। `ashore limit 2M` सब मिलाकर 2 MiB प्रति सेकंड की सीमा रखता है।
cli-limit-of =
    .all = सब कुछ
    .host = { $host } से

cli-quota-set = सूची में { $owner } के { $amount } हो सकते हैं।
cli-quota-removed = { $owner } के लिए कोई कोटा नहीं है।
cli-no-quotas = कोई सीमा नहीं है, और कुछ है भी नहीं। `ashore quota command-line 10G` कोटा तय करता है।
cli-everybody = सभी

cli-statistics-empty = अब तक कुछ नहीं जोड़ा गया। `ashore add URL` से कुछ जोड़ें।
cli-statistics =
    .all = कुल मिलाकर
    .window = विंडो
    .command-line = कमांड लाइन
    .feed = फ़ीड
    .clipboard = क्लिपबोर्ड
    .device = अन्य डिवाइस
    .browser = ब्राउज़र
    .program = प्रोग्राम

cli-not-default = डिफ़ॉल्ट नहीं

cli-exported = { $path } में सहेजा गया: { $downloads }, { $files }।
    .pipe = सहेजा गया: { $downloads }, { $files }।
cli-imported = लिया गया: { $downloads }, { $files }। जो पूरा नहीं हुआ वह रुका है: `ashore resume` से जारी होगा।
cli-import-skipped = प्रविष्टियाँ जो आयात नहीं हो सकतीं, जैसे टोरेंट और FTP लिंक: { $count }।

cli-find-nothing = { $name } नाम का कोई अधूरा डाउनलोड नहीं है।
cli-match-nothing = इस डाउनलोड की किसी फ़ाइल का यह लिंक नहीं है।
cli-acknowledged = पुष्टि हुई।
    .unknown = इस समाप्ति की पुष्टि बाकी नहीं है; कुछ नहीं बदला गया।
cli-cleared = सूची से हटाए गए: { $owner } के { $count }।
cli-reset = रद्द किए गए: { $owner } के { $count }।
cli-owner-removed = इस स्वामी का माँगा हुआ सब कुछ हटा दिया गया। पूरी फ़ाइलें रहेंगी।
cli-queue-stats = कुल { $total }, सफल { $successes }, विफल { $failures }

cli-doctor =
    .list = सूची
    .holder = उपयोग में
    .copy = प्रति
    .file = फ़ाइल
    .step = चरण
    .gate = शर्त
    .setting = सेटिंग
    .folder = फ़ोल्डर
    .partial = अधूरी
    .orphan = अनाथ
    .repaired = सुधारा गया
    .counter = गणक
cli-doctor-list = { $path } (संस्करण { $version }): { $state }
cli-doctor-sound = ठीक
cli-doctor-nobody = किसी के नहीं
cli-doctor-partial = { $path } ({ $size }, { $id } की)
cli-doctor-orphan = { $path } ({ $size }, { $url } से)
cli-doctor-orphans = अनाथ वह अधूरी फ़ाइल है जो सूची में नहीं है। जब तक आप उसे न हटाएँ वह रहती है; `ashore adopt` उसे जारी रखता है।
cli-doctor-repair = कुछ गणक उन डाउनलोड से मेल नहीं खाते जिन्हें वे गिनते हैं। `ashore doctor --repair` उन्हें फिर से गिनता है।
cli-doctor-contradiction = कुछ रिकॉर्ड परस्पर विरोधी हैं, और कौन-सा सही है यह सिद्ध नहीं हो सकता। फ़ाइलों को उनके स्रोत से मिलाएँ, या डाउनलोड हटाकर फिर से जोड़ें।
cli-doctor-damage = ख़राबी { $moment } को मिली: { $why }।
    .undated = क्षति: { $why }।
cli-adopt-nothing = बिना डाउनलोड की ऐसी कोई अधूरी फ़ाइल नहीं है जिसे जारी रखा जा सके।

cli-gate =
    .bootstrap = पहली शुरुआत
    .paused = विराम
    .asleep = स्लीप
    .hours = समय
    .offline = नेटवर्क
    .captive-portal = नेटवर्क साइन-इन
    .metered = नेटवर्क का ख़र्च
    .battery = बैटरी
    .in-use = उपयोग
    .disk = जगह
    .folder = फ़ोल्डर
    .quota = कोटा
cli-gate-state =
    .open = खुली
    .closed = बंद
    .unknown = अज्ञात

cli-step =
    .data-folder = डेटा फ़ोल्डर
    .ledger = सूची
    .defaults = डिफ़ॉल्ट मान
    .download-folder = डाउनलोड फ़ोल्डर
    .keychain = कीचेन
    .notifications = सूचनाएँ
cli-step-state =
    .done = पूरा
    .not-available = यहाँ उपलब्ध नहीं ({ $why })
    .failed = विफल, फिर कोशिश होगी ({ $why })
    .due = अगली शुरुआत पर होगा

cli-miscount =
    .counters = { $name }: गणक इसकी फ़ाइलों से मेल नहीं खाते
    .lanes = { $name }: कतार इसकी फ़ाइलों से मेल नहीं खाती, इसलिए यह बिना कारण प्रतीक्षा कर सकता है
    .usage = { $name }: कोटे में गिने गए बाइट और फ़ाइलें इसके डाउनलोड की नहीं हैं
    .name = { $name }: नाम का आरक्षण स्थिति से मेल नहीं खाता
    .unsettled = { $name }: करने को कुछ नहीं बचा, फिर भी यह समाप्त नहीं है
    .digest = { $name }: एक पूरी फ़ाइल का चेकसम उसकी चेकसम फ़ाइल से अलग है
    .response = { $name }: एक फ़ाइल पूरी है पर उसका रिकॉर्ड नहीं, या इसका उलटा

cli-sync-on = सिंक चालू है। यह कंप्यूटर “{ $name }” है, और सर्वर { $address } है।
cli-sync-key = कुंजी का फ़िंगरप्रिंट, जो आपके सभी कंप्यूटरों पर एक ही है: { $fingerprint }
cli-sync-conflicts =
    { $count ->
        [one] { $count } बदलाव की जगह दूसरे कंप्यूटर का बदलाव रखा गया। `ashore sync conflicts` से देखें।
       *[other] { $count } बदलावों की जगह दूसरे कंप्यूटर के बदलाव रखे गए। `ashore sync conflicts` से देखें।
    }
cli-sync-column =
    .collection = संग्रह
    .records = यहाँ
    .waiting = प्रतीक्षा में
    .held = नहीं पढ़े
    .machine = कंप्यूटर
    .seen = पिछली बार दिखा
cli-sync-words = ये 24 शब्द, पता और संख्या लिख लें। इनके बिना सूची वापस नहीं मिल सकती।
cli-sync-place = पता: { $address }
cli-sync-user = संख्या: { $uid }
cli-sync-set-up = सूची बन गई है। `ashore sync invite` से वह लिंक लें जिससे अगला कंप्यूटर शामिल होगा।
cli-sync-joined = यह कंप्यूटर सूची में शामिल हो गया है।
cli-sync-invite = यह कमांड दस मिनट के भीतर दूसरे कंप्यूटर पर चलाएँ। लिंक एक बार काम करता है।
cli-sync-done = मिले: { $received }। भेजे गए: { $sent }।
cli-sync-restored = सर्वर से सूची का एक हिस्सा खो गया था। वह इस कंप्यूटर से फिर भेजा गया।
cli-sync-arrived = दूसरे कंप्यूटर ने भेजा: { $title }
cli-sync-left = इस कंप्यूटर पर सिंक बंद है। इसके डाउनलोड और फ़ाइलें रहेंगी।
cli-sync-removed = अब से जो लिखा जाएगा, उसमें से { $machine } कुछ नहीं पढ़ सकता। ये सूची के नए शब्द हैं।
cli-sync-own = यह कंप्यूटर
cli-sync-no-conflicts = कोई टकराव नहीं है।
cli-sync-conflict = { $number }  { $title }: { $sentence }
cli-sync-resolved = हो गया। दूसरे कंप्यूटरों को यह बदलाव अगले सिंक में मिलेगा।
cli-sync-dropped = जो बदलाव रखा गया था, वही रहेगा।
cli-sync-trust =
    .starts = { $machine } के भेजे डाउनलोड अब बिना पूछे शुरू होंगे।
    .waits = { $machine } के भेजे डाउनलोड अब आपके शुरू करने तक रुके रहेंगे।
cli-sync-no-others = दूसरे कंप्यूटरों पर कोई डाउनलोड नहीं है।
cli-sync-sent = { $machine } को भेजा गया।
cli-sync-secret = शब्द या लिंक (दिखाया नहीं जाता):
cli-sync-no-sends = इस कंप्यूटर ने कोई डाउनलोड नहीं भेजा है।
cli-sync-send =
    .waiting = { $title }: { $machine } ने इसे अभी तक नहीं लिया है।
    .delivered = { $title }: { $machine } तक पहुँच गया।
    .refused = { $title }: { $machine } ने इसे स्वीकार नहीं किया।
    .expired = { $title }: { $machine } 30 दिन तक चालू नहीं था; यह नहीं पहुँचा।
    .missed = { $title }: { $machine } ने इसे भेजा, पर यह कंप्यूटर 30 दिन तक बंद था। इसे वहाँ से फिर भेजा जा सकता है।

# Browsers in `ashore browsers`.
cli-browser =
    .connected = जुड़ा है ({ $program })
    .not-connected = जुड़ा नहीं है
    .none = इंस्टॉल नहीं है
    .foreign = { $path } किसी और प्रोग्राम ने लिखी है
cli-browsers-connected = { $browser } जुड़ गया है। ब्राउज़र में एक्सटेंशन भी इंस्टॉल करें।
cli-browsers-unchanged = { $browser } पहले से जुड़ा था।
cli-browsers-disconnected = { $browser } अलग कर दिया गया है।
cli-browsers-nothing = { $browser } का कोई कनेक्शन नहीं है जिसे हटाया जा सके।
cli-browsers-of-package = { $browser } अब भी सिस्टम के एक पैकेज से जुड़ा है, जिसने { $path } इंस्टॉल किया है। इसे अलग करने के लिए, ब्राउज़र से एक्सटेंशन हटाएँ।
cli-browsers-none = { browsers-empty }
cli-browsers-well = { $browser }: कनेक्शन काम करता है, और { -ashore } चल रहा है।
cli-browsers-well-idle = { $browser }: कनेक्शन काम करता है। ब्राउज़र को ज़रूरत होने पर { -ashore } शुरू होता है।
cli-browsers-paired = पेयर किया हुआ
cli-browsers-code = यह कोड पाँच मिनट के भीतर एक्सटेंशन के पॉपअप में डालें: { $code }
cli-browsers-unpaired = { $browser } अब पेयर नहीं है।
cli-remote-link = पाँच मिनट के भीतर दूसरे डिवाइस पर यह लिंक खोलें: { $url }
cli-remote-local = केवल यह कंप्यूटर लिंक खोल सकता है। दूसरे डिवाइसों से पहुँचने के लिए `ashore serve` को --listen के साथ शुरू करें।
cli-remote-none = कोई डिवाइस या प्रोग्राम साइन इन नहीं है।
cli-remote-device = डिवाइस
cli-remote-program = प्रोग्राम
cli-remote-signed-out = { $name } साइन आउट है।
cli-remote-renewed = सभी डिवाइस साइन आउट हैं।
cli-explains = `{ $command }` आर्ग्युमेंट समझाता है।
