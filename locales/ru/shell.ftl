tray-open = Открыть { -ashore }
tray-quit = Выйти
tray-clipboard = Добавить из буфера обмена
tray-shut = Список не удаётся открыть

note-show = Показать
note-details = Сведения
note-sent = отправлено { $amount }
note-done = Готово
note-files-left-out =
    { $count ->
        [one] пропущен { $count } файл
        [few] пропущено { $count } файла
        [many] пропущено { $count } файлов
       *[other] пропущено { $count } файла
    }
note-failed = Загрузить не удалось.
note-files-failed =
    { $count ->
        [one] Не удалось загрузить { $count } файл: { $why }
        [few] Не удалось загрузить { $count } файла: { $why }
        [many] Не удалось загрузить { $count } файлов: { $why }
       *[other] Не удалось загрузить { $count } файла: { $why }
    }
note-many-finished =
    { $count ->
        [one] Готова { $count } загрузка
        [few] Готово { $count } загрузки
        [many] Готово { $count } загрузок
       *[other] Готово { $count } загрузки
    }
note-many-failed =
    { $count ->
        [one] Не удалась { $count } загрузка
        [few] Не удались { $count } загрузки
        [many] Не удалось { $count } загрузок
       *[other] Не удалось { $count } загрузки
    }
note-many-mixed =
    { $count ->
        [one] Готова { $count } загрузка, с ошибкой: { $failed }
        [few] Готово { $count } загрузки, с ошибкой: { $failed }
        [many] Готово { $count } загрузок, с ошибкой: { $failed }
       *[other] Готово { $count } загрузки, с ошибкой: { $failed }
    }
note-and-more = и ещё { $count }
note-all-done = Все загрузки готовы
    .body = Готово: { $count }. Ждать больше нечего.
note-all-ended = Все загрузки завершены
    .body = Готово: { $count }, с ошибкой: { $failed }. Причины указаны в списке.
note-in-tray = { -ashore } работает в фоне
    .body = Загрузки продолжаются. Откройте { -ashore } через значок в панели или завершите его там.
note-group = { -ashore } — { $owner }
note-group-command-line = { -ashore } — командная строка

ask-open = Открыть этот файл?
    .body = { $name } может запустить что-то на этом компьютере. Открывайте его, только если знаете, откуда он.
ask-folder = Выберите папку
ask-file = Выберите файл
ask-save-list = Сохранить список
ask-list = Выбрать сохранённый список
