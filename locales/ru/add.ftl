add = Добавить
add-hint = Добавить загрузки (Ctrl+N)
add-title = Добавить загрузки
add-links = Ссылки
    .hint = https://…  по одной в строке
add-folder = Папка
    .hint = Ваша папка загрузок
add-name = Название
    .hint = По имени файла
    .hint-set = По именам файлов
add-checksum = Контрольная сумма
    .hint = sha-256=… (необязательно)
add-checksum-trouble = Контрольная сумма выглядит так: sha-256= и за ним 64 цифры и буквы от a до f.
add-together = Добавить как
add-one-set = Один набор
add-one-each = По отдельности
add-start = Начать
add-now = Сейчас
add-later = Позже
add-submit =
    { $count ->
        [1] Добавить
        [one] Добавить { $count } ссылку
        [few] Добавить { $count } ссылки
        [many] Добавить { $count } ссылок
       *[other] Добавить { $count } ссылки
    }
add-understood =
    { $count ->
        [one] Распознана { $count } ссылка
        [few] Распознано { $count } ссылки
        [many] Распознано { $count } ссылок
       *[other] Распознано { $count } ссылки
    }
add-misunderstood =
    { $count ->
        [one] { $count } строка — нет
        [few] { $count } строки — нет
        [many] { $count } строк — нет
       *[other] { $count } строки — нет
    }
add-none-understood =
    { $count ->
        [1] Эта строка — не ссылка
        [one] Ни одна из этих строк не ссылка
        [few] Ни одна из этих строк не ссылка
        [many] Ни одна из этих строк не ссылка
       *[other] Ни одна из этих строк не ссылка
    }
add-line-number = Строка { $number }
add-link-count =
    { $count ->
        [one] { $count } ссылка
        [few] { $count } ссылки
        [many] { $count } ссылок
       *[other] { $count } ссылки
    }
add-from-to = от { $first } до { $last }
add-signs-in = со входом
add-and-more = и ещё { $count }
add-partly = { add-partly-added } { add-partly-left } { $text }
add-partly-added =
    { $added ->
        [one] Добавлена { $added } ссылка.
        [few] Добавлено { $added } ссылки.
        [many] Добавлено { $added } ссылок.
       *[other] Добавлено { $added } ссылки.
    }
add-partly-left =
    { $count ->
        [1] Оставшаяся здесь не добавлена:
        [one] Оставшиеся здесь { $count } не добавлены:
        [few] Оставшиеся здесь { $count } не добавлены:
        [many] Оставшиеся здесь { $count } не добавлены:
       *[other] Оставшиеся здесь { $count } не добавлены:
    }
