search = खोजें
search-hint = डाउनलोड खोजें (Ctrl+F)
search-clear = खोज मिटाएँ
filters = दिखाएँ
filters-wide = साइडबार दिखाएँ
filter-all = सभी
filter-running = चल रहे
filter-waiting = कतार में
filter-paused = रोके गए
filter-done = पूरे
filter-failed = विफल
filter-cancelled = रद्द किए गए
kinds = फ़ाइलों के प्रकार
kind-video = वीडियो
kind-music = ऑडियो
kind-picture = चित्र
kind-document = दस्तावेज़
kind-archive = संग्रह
kind-program = प्रोग्राम
kind-other = अन्य
sort-by = क्रम
sorted-by = क्रम: { $name }
    .reversed = क्रम: { $name }, उल्टा
sort-newest = नए पहले
sort-name = नाम
sort-size = आकार
sort-progress = प्रगति
sort-speed = { details-speed }
sort-left = बाकी समय
sort-reverse = क्रम उलटें
column-added = { about-created }
column-left = { sort-left }
columns = स्तंभ
in-turn = कतार का क्रम
dense = सघन पंक्तियाँ
chosen = { $count } चुने हुए
downloads = डाउनलोड
reading = लोड हो रहा है…
reading-file = { reading }
read-again = फिर कोशिश करें
list-failed = सूची पढ़ी नहीं जा सकी
more = और
close = बंद करें
cancel = रद्द करें
choose = चुनें…

totals-slow-hours = धीमे घंटे

row-sending = भेजा जा रहा है: { $part }
row-connecting = कनेक्ट हो रहा है
row-stalled = कोई डेटा नहीं
row-failed-files = { $count } विफल
row-failed-files-because = { row-failed-files }: { $why }
row-paused-with-everything = रुका हुआ (सब रुका हुआ)
row-paused-at-percent = { percent } पर रुका हुआ
row-paused-at = { $amount } पर रुका हुआ
row-not-started = अभी शुरू नहीं हुआ
row-waits-because = कतार में: { $why }
row-waits-slots = कतार में: एक साथ { n-files }
row-waits-server = कतार में: { $host } से एक साथ { $count }
row-tries = फिर कोशिश हो रही है
row-tries-because = फिर कोशिश हो रही है: { $why }
row-tries-in = { $time } में फिर कोशिश
row-tries-in-because = { $time } में फिर कोशिश: { $why }
row-done = पूरा { $moment }
row-verified = जाँचा हुआ
row-size-unknown = आकार अज्ञात
row-cancelled = रद्द
row-awaits-link = ब्राउज़र में फ़ाइल पर क्लिक करें। क्लिक से यह डाउनलोड जारी रहेगा।
row-awaits-link-other = ब्राउज़र में क्लिक किसी दूसरी फ़ाइल ({ $name }) पर था, जो एक अलग डाउनलोड है।
row-sign-in-again = सर्वर यह डाउनलोड मना करता है। ब्राउज़र में फिर साइन इन करें, और वहाँ लिंक पर क्लिक करें।
row-cancelled-at = रद्द { $moment }
row-files-kept = { files-of } रखी गईं
row-kept = { $amount } रखा गया
row-all-failed =
    { $count ->
        [one] { $count } फ़ाइल विफल: { $why }
       *[other] सभी { $count } फ़ाइलें विफल: { $why }
    }
row-some-failed = { files-of } विफल: { $why }

retry-failed = विफल फिर आज़माएँ
try-now = अभी कोशिश करें
start-now = अभी शुरू करें
remove = हटाएँ
to-the-top = सबसे ऊपर ले जाएँ
to-the-end = सबसे नीचे ले जाएँ
copy-link = लिंक कॉपी करें
copy-links = लिंक कॉपी करें
copy-command = cURL के रूप में कॉपी करें
cancel-asking = डाउनलोड रद्द करें…
remove-from-list = सूची से हटाएँ
remove-from-list-asking = सूची से हटाएँ…
remove-with-files-asking = फ़ाइलें मिटाएँ…
rename = सूची में नाम बदलें…
rename-field = सूची में नाम
files-show = फ़ाइलें दिखाएँ
files-hide = फ़ाइलें छिपाएँ
drag = क्रम बदलने के लिए खींचें (Alt+ऊपर, Alt+नीचे)
progress-of = { $title } की प्रगति
action-on = { $action }: { $title }

many-pause = { n-downloads-object } रोकें
many-resume = { n-downloads-object } फिर शुरू करें
many-start = { n-downloads-object } अभी शुरू करें
many-top = { n-downloads-object } सबसे ऊपर ले जाएँ
many-end = { n-downloads-object } सबसे नीचे ले जाएँ
many-retry = { n-downloads-object } फिर आज़माएँ
many-copy = { n-downloads } के लिंक कॉपी करें
many-cancel = { n-downloads-object } रद्द करें…
many-remove = { n-downloads-object } हटाएँ
many-remove-asking = { n-downloads-object } हटाएँ…
many-remove-files-asking = { n-downloads-object } की फ़ाइलें मिटाएँ…

empty = शुरू करने के लिए लिंक चिपकाएँ
    .body = किसी फ़ाइल का पता कॉपी करें और इस विंडो में कहीं भी Ctrl+V दबाएँ। एक साथ कई लिंक भी चलेंगे: हर पंक्ति में एक।
    .action = लिंक जोड़ें
    .after = आप यह विंडो बंद कर सकते हैं। डाउनलोड पृष्ठभूमि में चलते रहते हैं।
    .drop = आप लिंक, या लिंक वाली फ़ाइलें, इस विंडो में भी छोड़ सकते हैं।
    .browsers = सेटिंग में अपना ब्राउज़र जोड़ें, फिर { -ashore } को उसके डाउनलोड मिलेंगे।
drop-here = लिंक, या लिंक वाली फ़ाइलें यहाँ छोड़ें
nothing-found = कुछ नहीं मिला
    .search = यहाँ किसी डाउनलोड में “{ $text }” नहीं है।
    .kind = यहाँ “{ $kind }” प्रकार का कुछ नहीं है।
    .all-kinds = सभी प्रकार दिखाएँ
nothing-all = सूची खाली है।
nothing-running = कोई डाउनलोड नहीं चल रहा।
nothing-waiting = कतार खाली है।
nothing-paused = कोई डाउनलोड रुका हुआ नहीं है।
nothing-done = कोई डाउनलोड पूरा नहीं हुआ।
nothing-failed = कोई डाउनलोड विफल नहीं हुआ।
nothing-cancelled = कोई डाउनलोड रद्द नहीं किया गया।

remove-question =
    { $count ->
        [one] सूची से हटाएँ?
       *[other] { n-downloads-object } सूची से हटाएँ?
    }
    .keeps = डाउनलोड की गई फ़ाइलें जहाँ हैं वहीं रहेंगी।
    .files = फ़ाइलें भी रद्दी में डालें
    .deletes =
        { $count ->
            [one] डाउनलोड सूची से भी हटेगा।
           *[other] डाउनलोड सूची से भी हटेंगे।
        }
    .submit =
        { $count ->
            [one] हटाएँ
           *[other] { n-downloads-object } हटाएँ
        }
    .title-files = फ़ाइलें रद्दी में डालें?
    .submit-files = हटाएँ और फ़ाइलें रद्दी में डालें
remove-loses-all =
    { $count ->
        [one] इस डाउनलोड का अधूरा डेटा मिटा दिया जाएगा।
       *[other] इन डाउनलोड का अधूरा डेटा मिटा दिया जाएगा।
    }
remove-loses-some =
    { $count ->
        [one] इनमें से { $count } पूरा नहीं हुआ है। उसका अधूरा डेटा मिटा दिया जाएगा।
       *[other] इनमें से { $count } पूरे नहीं हुए हैं। उनका अधूरा डेटा मिटा दिया जाएगा।
    }
cancel-question =
    { $count ->
        [one] यह डाउनलोड रद्द करें?
       *[other] { n-downloads-object } रद्द करें?
    }
    .body =
        { $count ->
            [one] इसकी अधूरी फ़ाइलें मिटा दी जाएँगी। पूरी फ़ाइलें रहेंगी।
           *[other] इनकी अधूरी फ़ाइलें मिटा दी जाएँगी। पूरी फ़ाइलें रहेंगी।
        }
    .submit =
        { $count ->
            [one] डाउनलोड रद्द करें
           *[other] { n-downloads-object } रद्द करें
        }
    .keep = डाउनलोड जारी रखें

notices = संदेश
notice-dismiss = हटाएँ
notice-copied =
    { $count ->
        [one] लिंक कॉपी हुआ।
       *[other] { $count } लिंक कॉपी हुए।
    }
notice-command-copied = cURL के रूप में कॉपी किया गया।
    .without = cURL के रूप में कॉपी किया गया, इन हेडर के बिना, क्योंकि वे गुप्त हो सकते हैं: { $headers }
notice-again-without = “{ $title }” दोबारा डाउनलोड हो रहा है, इन हेडर के बिना, क्योंकि वे गुप्त हो सकते हैं: { $headers }
notice-not-copied = लिंक कॉपी नहीं हो सके। डेस्कटॉप अभी इसकी अनुमति नहीं देता।
notice-not-for-all = { n-downloads } में से { $refused } के लिए यह नहीं हुआ: { $text }
notice-offered =
    { $count ->
        [one] आपने एक लिंक कॉपी किया। इसे जोड़ें?
       *[other] आपने { $count } लिंक कॉपी किए। इन्हें जोड़ें?
    }
notice-removed =
    { $count ->
        [one] सूची से हटाया गया: { $title }
       *[other] { $count } डाउनलोड सूची से हटाए गए।
    }
notice-files-go = कुछ सेकंड में फ़ाइलें रद्दी में जाएँगी।
notice-undo = वापस लें
notice-undo-hint = पूर्ववत करें (Ctrl+Z)
notice-back =
    { $count ->
        [one] “{ $title }” वापस लाया गया
       *[other] { $count } डाउनलोड वापस लाए गए
    }
notice-are-next =
    { $count ->
        [one] { $count } डाउनलोड अगला है।
       *[other] { $count } डाउनलोड अगले हैं।
    }
notice-are-last =
    { $count ->
        [one] { $count } डाउनलोड सबसे नीचे ले जाया गया
       *[other] { $count } डाउनलोड सबसे नीचे ले जाए गए
    }
notice-is-next = “{ $title }” अगला है।
notice-is-last = “{ $title }” सबसे नीचे ले जाया गया
notice-is-number = “{ $title }” का क्रम { $count } में से { $number } है।
notice-was-waiting = “{ $title }” पहले से सूची में था। अब यह अगला है।
notice-was-running = “{ $title }” पहले से चल रहा है।

keys = कीबोर्ड शॉर्टकट
keys-hint = कीबोर्ड शॉर्टकट (F1)
keys-choosing = चुनना
keys-doing = चुने हुए डाउनलोड
keys-queue = कतार का क्रम
keys-anywhere = कहीं भी
keys-go = सूची में चलें
keys-choose-more = और चुनें, या Shift के साथ क्लिक करें
keys-choose-everything = सब कुछ चुनें
keys-choose-one = एक पर लौटें
keys-open = फ़ाइल खोलें, या समूह की फ़ाइलें दिखाएँ
keys-files = समूह की फ़ाइलें दिखाएँ या छिपाएँ
keys-details = डाउनलोड का विवरण
keys-pause = रोकें या फिर शुरू करें
keys-copy = लिंक कॉपी करें
keys-rename = सूची में नाम बदलें
keys-remove = सूची से हटाएँ
keys-remove-files = फ़ाइलें मिटाएँ
keys-menu = सभी क्रियाओं का मेनू खोलें
keys-move = एक स्थान ऊपर या नीचे
keys-move-far = सबसे ऊपर या सबसे नीचे ले जाएँ
keys-paste = क्लिपबोर्ड के लिंक जोड़ें
keys-add = { empty.action }
keys-search = खोजें
keys-undo = पिछला हटाना वापस लें
keys-settings = सेटिंग खोलें, या सूची पर लौटें
keys-keys = यह अवलोकन
keys-close = विंडो बंद करें; डाउनलोड जारी रहेंगे
keys-quit = { -ashore } से बाहर निकलें

key-ctrl = Ctrl
key-alt = Alt
key-shift = Shift
key-space = स्पेस
key-up = ऊपर
key-down = नीचे
key-left = बाएँ
key-right = दाएँ
key-page-up = Page Up
key-page-down = Page Down
key-home = Home
key-end = End
key-enter = Enter
key-escape = Esc
key-delete = Del
key-menu = मेन्यू

afterwards-is = { afterwards }: { $then }
limit-is = गति सीमा: { $limit }
limit-other = अन्य…
limit-asking = { limit }…
limit-field = सीमा
    .hint = { limit.none }
    .wrong = कोई संख्या डालें, या फ़ील्ड खाली छोड़ें।
    .submit = सीमा तय करें

limit-unit = इकाई
