tray-open = { -ashore } खोलें
tray-quit = बंद करें
tray-clipboard = क्लिपबोर्ड से जोड़ें
tray-shut = सूची नहीं खुल रही

note-show = दिखाएँ
note-details = विवरण
note-sent = { $amount } भेजे गए
note-done = पूरा
note-files-left-out =
    { $count ->
        [one] { $count } फ़ाइल छोड़ी गई
       *[other] { $count } फ़ाइलें छोड़ी गईं
    }
note-failed = डाउनलोड नहीं हो सका।
note-files-failed =
    { $count ->
        [one] { $count } फ़ाइल विफल: { $why }
       *[other] { $count } फ़ाइलें विफल: { $why }
    }
note-many-finished =
    { $count ->
        [one] { $count } डाउनलोड पूरा हुआ
       *[other] { $count } डाउनलोड पूरे हुए
    }
note-many-failed =
    { $count ->
        [one] { $count } डाउनलोड विफल हुआ
       *[other] { $count } डाउनलोड विफल हुए
    }
note-many-mixed =
    { $count ->
        [one] { $count } डाउनलोड पूरा हुआ, { $failed } विफल
       *[other] { $count } डाउनलोड पूरे हुए, { $failed } विफल
    }
note-and-more = और { $count } अन्य
note-all-done = सभी डाउनलोड पूरे हुए
    .body = { $count } पूरे हुए। अब किसी की प्रतीक्षा नहीं है।
note-all-ended = सभी डाउनलोड समाप्त हुए
    .body = पूरे: { $count }, विफल: { $failed }। कारण सूची में है।
note-in-tray = { -ashore } पृष्ठभूमि में चल रहा है
    .body = डाउनलोड चलते रहेंगे। पैनल में इसके आइकन से { -ashore } खोलें, या वहीं बंद करें।
note-group = { -ashore } - { $owner }
note-group-command-line = { -ashore } - कमांड लाइन

ask-open = यह फ़ाइल खोलें?
    .body = { $name } इस कंप्यूटर पर कुछ चला सकती है। तभी खोलें जब आप जानते हों कि यह कहाँ से आई है।
ask-folder = फ़ोल्डर चुनें
ask-file = फ़ाइल चुनें
ask-save-list = सूची सहेजें
ask-list = सहेजी हुई सूची चुनें
