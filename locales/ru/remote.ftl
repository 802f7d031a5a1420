# The page in a browser: signing in, the connection, this device, and the folders on the computer with { -ashore }.

remote-sign-in = Вход в { -ashore }
    .about = Введите токен. Или выполните «ashore remote link» на компьютере с { -ashore } и отсканируйте код либо откройте ссылку.
    .again = Сеанс этого устройства завершён. Текст, введённый на странице, сохранён.
    .token = Токен
    .name = Имя этого устройства
    .pairing = Выполняется вход по ссылке…
remote-wait = Следующая попытка возможна через { $time }
remote-connecting = Подключение к { -ashore }…
    .again = Повторное подключение…
    .now = Подключиться сейчас
remote-lost = Соединение потеряно. Следующая попытка через { $time }.

remote-device = Это устройство
    .control = Этому устройству доступно всё на этой странице.
    .add = Этому устройству можно добавлять загрузки и видеть список.
    .read = Этому устройству можно видеть список.
    .sign-out = Выйти
# Firefox on Android
remote-device-name = { $browser } на { $system }
remote-readable = Это соединение не зашифровано. Другие в сети могут прочитать все данные, включая токен.
remote-install = Браузеры устанавливают эту страницу как приложение, только если её адрес начинается с https.

remote-save = Сохранить на это устройство
# The bar at the bottom of a narrow page: list, add, settings.
remote-views = Разделы

remote-folder-roots = Доступные папки
    .above = Папка уровнем выше
    .none = В этой папке нет других папок.
    .reading = Чтение папок…
    .submit = Использовать эту папку

remote-failure-lost = Соединение с { -ashore } потеряно. Проверьте, что { -ashore } работает и доступен с этого устройства.
remote-failure-signed-out = Вход с этого устройства не выполнен. Войдите снова.
remote-failure-too-large = Этот текст слишком длинный, чтобы отправить его целиком. Разделите его на части.
remote-failure-unavailable = Это возможно только в окне на компьютере с { -ashore }.
