statistics = आँकड़े
    .back = सूची पर लौटें
    .reading = { reading }
statistics-in-all = कुल मिलाकर
    .about = जो डाउनलोड सूची से हट चुके हैं वे भी गिने जाते हैं।

statistics-received = प्राप्त
statistics-sent = { $amount } भेजे गए
statistics-arrived =
    { $count ->
        [one] फ़ाइल आई
       *[other] फ़ाइलें आईं
    }
statistics-added =
    { $count ->
        [one] जोड़ी गई { $count } फ़ाइल में से
       *[other] जोड़ी गई { $count } फ़ाइलों में से
    }
statistics-succeeded = सफल
statistics-nothing-ended = अभी तक कुछ समाप्त नहीं हुआ
statistics-none-failed = कोई विफल नहीं
statistics-failed = { $count } विफल
statistics-none = –

statistics-days = पिछले { $count } दिन
    .about = डाउनलोड उस दिन में गिना जाता है जिस दिन उसे जोड़ा गया था।
    .choose = पिछले { $count } दिनों में से हर दिन क्या आया
statistics-day = दिन
statistics-today = आज
statistics-whole = ये सभी दिन
statistics-nothing = कुछ नहीं जोड़ा गया
statistics-nothing-came = इन दिनों में जो जोड़ा गया, उसमें से कुछ नहीं आया।
statistics-said = { $day }: { $what }
statistics-column-received = प्राप्त
statistics-column-files = आई हुई फ़ाइलें
statistics-column-failed = विफल

statistics-from = कहाँ से जोड़ा गया
    .window = यह विंडो
    .command-line = कमांड लाइन
    .feed = फ़ीड
    .clipboard = क्लिपबोर्ड
    .device = अन्य डिवाइस
    .browser = ब्राउज़र
    .program = प्रोग्राम
statistics-empty = अभी गिनने को कुछ नहीं है
    .body = कोई डाउनलोड जोड़ने के बाद यह पृष्ठ दिखाता है कि हर दिन के डाउनलोड के लिए कितना डेटा मिला। यह भी दिखता है कि डाउनलोड कहाँ जोड़े गए, जैसे इस विंडो में या किसी ब्राउज़र में।
