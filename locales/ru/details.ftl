details = Сведения
    .of = Сведения: { $title }
    .hint = Сведения о выбранной загрузке (I)
    .close = Закрыть сведения
    .resize = Высота панели сведений (Вверх, Вниз)
details-files = Файлы
details-activity = История
details-speed = Скорость
details-about = О загрузке
# A connection of a running download, with its speed.
details-connection = Соединение { $number }
    .left = осталось { $size }
    .starting = запускается
details-connections =
    { $count ->
        [one] { $count } соединение
        [few] { $count } соединения
        [many] { $count } соединений
       *[other] { $count } соединения
    }
details-file-before = Предыдущий файл
details-file-after = Следующий файл
details-copy = Копировать
details-copied = Скопировано
details-not-copied = Не удалось скопировать. Рабочий стол сейчас этого не позволяет.
details-copy-activity = Копировать всё на этой странице
details-copy-head = Копировать заголовки ответа
details-attempts = Попытки
details-no-attempts = Попыток ещё не было.
details-answer = Ответ сервера
details-answered = { $host } ответил «{ $status }».
details-redirects =
    { $count ->
        [one] Перенаправлено { $count } раз:
        [few] Перенаправлено { $count } раза:
        [many] Перенаправлено { $count } раз:
       *[other] Перенаправлено { $count } раза:
    }
details-raw = Заголовки ответа

attempt-number = Попытка { $number }
attempt-since = идёт { $time }
attempt-took = заняла { $time }
attempt-brought = получено { $amount }
attempt-status = сервер ответил { $status }
attempt-arrived = Завершено, { $amount }.
attempt-running = Идёт, { $amount }.
attempt-connecting = Подключение.
attempt-anew-changed = Начато заново: файл на сервере изменился. Отброшено: { $amount }.
attempt-anew-no-ranges = Начато заново: сервер не поддерживает докачку. Отброшено: { $amount }.
attempt-anew-differs = Начато заново: сервер отдаёт не те байты, что были получены раньше ({ $amount }).
attempt-anew-gone = Начато заново: полученное ранее ({ $amount }) перемещено или удалено.

speed-current = Сейчас
speed-mean = Средняя
speed-highest = Максимальная
speed-not-running = не идёт
speed-now = сейчас
speed-ago = { $minutes } мин назад
speed-soon = Первые байты ещё не пришли.
speed-none = Скорость показывается во время загрузки и ещё несколько минут после неё.
speed-sentence =
    { $minutes ->
        [1] Скорость за последнюю минуту: сейчас { $current }, в среднем { $mean }, не более { $highest }.
        [one] Скорость за последнюю { $minutes } минуту: сейчас { $current }, в среднем { $mean }, не более { $highest }.
        [few] Скорость за последние { $minutes } минуты: сейчас { $current }, в среднем { $mean }, не более { $highest }.
        [many] Скорость за последние { $minutes } минут: сейчас { $current }, в среднем { $mean }, не более { $highest }.
       *[other] Скорость за последние { $minutes } минуты: сейчас { $current }, в среднем { $mean }, не более { $highest }.
    }
speed-sentence-not-running =
    { $minutes ->
        [1] Скорость за последнюю минуту: сейчас не идёт, в среднем { $mean }, не более { $highest }.
        [one] Скорость за последнюю { $minutes } минуту: сейчас не идёт, в среднем { $mean }, не более { $highest }.
        [few] Скорость за последние { $minutes } минуты: сейчас не идёт, в среднем { $mean }, не более { $highest }.
        [many] Скорость за последние { $minutes } минут: сейчас не идёт, в среднем { $mean }, не более { $highest }.
       *[other] Скорость за последние { $minutes } минуты: сейчас не идёт, в среднем { $mean }, не более { $highest }.
    }

about-address = Адрес
about-came-from = Конечный адрес
about-page = Найдено на
about-mirrors = Зеркала
about-title = Название
about-files = Файлы
about-files-done = готово { files-of }
about-file = Имя файла
about-folder = Папка
about-size = Размер
about-bytes = { $amount } ({ $bytes } байт)
about-checked = Проверка
about-by-digest = Контрольная сумма совпадает
about-on-resume = Размер совпадает; докачанные данные проверены
about-not-verified = Размер совпадает; контрольной суммы нет
about-size-unknown = Размер неизвестен; контрольной суммы нет
about-missing = Нет гарантий
about-missing-permissions = Этот диск не хранит права доступа отдельных файлов: действуют права всего диска.
about-missing-sync = Этот диск не сообщает, когда файл защищён от отключения питания.
about-missing-folder-sync = Этот диск не сообщает, когда имя файла защищено от отключения питания.
about-missing-exclusive-name = Этот диск не может помешать другой программе занять то же имя файла в тот же момент.
about-missing-at-once = Этот диск не умеет переименовывать файлы, поэтому файл был скопирован под своим именем.
about-checksum = Контрольная сумма
about-expected = Ожидалась
about-created = Добавлено
about-asked-again = Добавлено снова
about-finished = Готово
about-ended = Завершено
about-expires = Уйдёт из списка
about-owner = Кем добавлено
about-owner-window = это окно
about-owner-command-line = командная строка
about-id = Идентификатор
about-copy-address = Копировать адрес
about-copy-name = Копировать имя
about-copy-folder = Копировать папку
about-copy-checksum = Копировать контрольную сумму
about-copy-id = Копировать идентификатор
