# The page in a browser: signing in, the connection, this device, and the folders on the computer with { -ashore }.

remote-sign-in = { -ashore } में साइन इन करें
    .about = टोकन डालें। या { -ashore } वाले कंप्यूटर पर “ashore remote link” चलाएँ, और कोड स्कैन करें या लिंक खोलें।
    .again = इस डिवाइस का सत्र समाप्त हो गया है। पेज पर लिखा गया टेक्स्ट बना रहता है।
    .token = टोकन
    .name = इस डिवाइस का नाम
    .pairing = लिंक से साइन इन हो रहा है…
remote-wait = अगला प्रयास { $time } बाद हो सकता है
remote-connecting = { -ashore } से जुड़ रहा है…
    .again = फिर से जुड़ रहा है…
    .now = अभी जोड़ें
remote-lost = कनेक्शन टूट गया। अगला प्रयास { $time } बाद।

remote-device = यह डिवाइस
    .control = यह डिवाइस इस पेज पर सब कुछ कर सकता है।
    .add = यह डिवाइस डाउनलोड जोड़ सकता है और सूची देख सकता है।
    .read = यह डिवाइस सूची देख सकता है।
    .sign-out = साइन आउट करें
# Firefox on Android
remote-device-name = { $system } पर { $browser }
remote-readable = यह कनेक्शन एन्क्रिप्टेड नहीं है। नेटवर्क पर दूसरे लोग सारा डेटा पढ़ सकते हैं, टोकन भी।
remote-install = ब्राउज़र इस पेज को ऐप के रूप में तभी इंस्टॉल करते हैं जब इसका पता https से शुरू हो।

# The settings about other devices, in the window.
remote-others = दूसरे डिवाइसों से
    .allow = दूसरे डिवाइस को कनेक्ट होने दें
    .about = तब आपका फ़ोन और आपके दूसरे कंप्यूटर यह सूची ब्राउज़र में खोल सकेंगे।
    .plain = डेटा बिना एन्क्रिप्शन के भेजा जाता है, इसलिए इसे केवल भरोसेमंद नेटवर्क में चालू करें।
    .address = पता
    .copy = पता कॉपी करें
    .local = केवल यही कंप्यूटर इस पते तक पहुँच सकता है।
    .link = डिवाइस साइन इन करें
    .scan = यह कोड डिवाइस से स्कैन करें, या उस पर लिंक खोलें।
    .none = कोई डिवाइस साइन इन नहीं है।
    .control = सब कुछ करने की अनुमति है।
    .add = डाउनलोड जोड़ने और सूची देखने की अनुमति है।
    .read = सूची देखने की अनुमति है।
    .metrics = मेट्रिक पढ़ने की अनुमति है।
    .program = प्रोग्राम। { $scope }
    .seen = आख़िरी उपयोग: { $time }
    .added = { $name } साइन इन है।
    .sign-out = साइन आउट करें: { $name }

remote-save = इस डिवाइस पर सहेजें
# The bar at the bottom of a narrow page: list, add, settings.
remote-views = दृश्य

remote-folder-roots = उपलब्ध फ़ोल्डर
    .above = ऊपर का फ़ोल्डर
    .none = इस फ़ोल्डर में कोई और फ़ोल्डर नहीं है।
    .reading = फ़ोल्डर पढ़े जा रहे हैं…
    .submit = यह फ़ोल्डर इस्तेमाल करें

remote-failure-lost = { -ashore } से कनेक्शन टूट गया। जाँचें कि { -ashore } चल रहा है और यह डिवाइस उस तक पहुँच सकता है।
remote-failure-signed-out = इस डिवाइस पर साइन इन नहीं है। फिर से साइन इन करें।
remote-failure-too-large = यह टेक्स्ट एक बार में भेजने के लिए बहुत लंबा है। इसे भागों में बाँटें।
remote-failure-unavailable = यह केवल { -ashore } वाले कंप्यूटर की विंडो में संभव है।
