statistics = Статистика
    .back = Назад к списку
    .reading = { reading }
statistics-in-all = Всего
    .about = Загрузки, ушедшие из списка, тоже учитываются.

statistics-received = получено
statistics-sent = отправлено { $amount }
statistics-arrived =
    { $count ->
        [one] файл получен
        [few] файла получено
        [many] файлов получено
       *[other] файла получено
    }
statistics-added =
    { $count ->
        [one] из { $count } добавленного
        [few] из { $count } добавленных
        [many] из { $count } добавленных
       *[other] из { $count } добавленного
    }
statistics-succeeded = успешно
statistics-nothing-ended = Пока ничего не завершено
statistics-none-failed = Ошибок нет
statistics-failed = с ошибкой: { $count }
statistics-none = –

statistics-days =
    { $count ->
        [one] Последний { $count } день
        [few] Последние { $count } дня
        [many] Последние { $count } дней
       *[other] Последние { $count } дня
    }
    .about = Загрузка относится к тому дню, когда её добавили.
    .choose =
        { $count ->
            [one] Что получено в каждый из последних { $count } дня
            [few] Что получено в каждый из последних { $count } дней
            [many] Что получено в каждый из последних { $count } дней
           *[other] Что получено в каждый из последних { $count } дня
        }
statistics-day = День
statistics-today = Сегодня
statistics-whole = Все эти дни
statistics-nothing = Ничего не добавлено
statistics-nothing-came = Из добавленного за эти дни ничего не получено.
statistics-said = { $day }: { $what }
statistics-column-received = Получено
statistics-column-files = Полученные файлы
statistics-column-failed = С ошибкой

statistics-from = Откуда добавлено
    .window = Это окно
    .command-line = Командная строка
    .feed = Ленты
    .clipboard = Буфер обмена
    .device = Другие устройства
    .browser = Браузеры
    .program = Программы
statistics-empty = Пока нечего считать
    .body = Когда вы добавите загрузку, эта страница покажет, сколько данных получено для загрузок каждого дня. Она также покажет, где добавлены загрузки, например в этом окне или в браузере.
