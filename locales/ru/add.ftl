add = Добавить
add-hint = Добавить ссылки (Ctrl+N)
add-title = { empty.action }
add-links = Ссылки
    .hint = Вставьте ссылки, по одной в строке
add-folder = Папка
    .hint = Ваша папка загрузок
add-name = Имя файла
    .hint = Автоматически
add-set-title = Название
    .hint = Автоматически
add-checksum = Контрольная сумма
    .hint = sha-256=… (необязательно)
add-checksum-trouble = Контрольная сумма выглядит так: sha-256= и за ним 64 цифры и буквы от a до f.
add-together = Группировка
add-one-set = Одна группа
add-one-each = По отдельности
add-start = Начать
add-now = Сейчас
add-next = Следующим в очереди
add-later = Добавить на паузе
add-submit =
    { $count ->
        [1] Добавить
        [one] Добавить { $count } ссылку
        [few] Добавить { $count } ссылки
        [many] Добавить { $count } ссылок
       *[other] Добавить { $count } ссылки
    }
add-progress = Добавлено: { $added } из { $count }
add-understood =
    { $count ->
        [one] Найдена { $count } ссылка
        [few] Найдено { $count } ссылки
        [many] Найдено { $count } ссылок
       *[other] Найдено { $count } ссылки
    }
add-misunderstood =
    { $count ->
        [one] Пропущена { $count } строка
        [few] Пропущено { $count } строки
        [many] Пропущено { $count } строк
       *[other] Пропущено { $count } строки
    }
add-none-understood =
    { $count ->
        [one] Ссылок не найдено
        [few] Ссылок не найдено
        [many] Ссылок не найдено
       *[other] Ссылок не найдено
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

add-asking = Запрос к серверу…
add-wants-sign-in = Требуется вход. Введите имя пользователя и пароль.
add-unsized = Размер неизвестен
add-resumes = Докачка поддерживается
add-begins-anew = Докачка не поддерживается

add-answer-gone = Срок ответа сервера истёк. { -ashore } обратится к нему снова.
add-is-there = Уже есть в вашем списке
add-is-there-otherwise = Похоже на загрузку, которая у вас уже есть
add-are-all-there = Все эти ссылки уже есть в вашем списке
add-are-there = { $count } из этих ссылок уже есть в вашем списке
add-are-unfinished =
    { $count ->
        [one] { $count } можно продолжить по этой ссылке
        [few] { $count } можно продолжить по этим ссылкам
        [many] { $count } можно продолжить по этим ссылкам
       *[other] { $count } можно продолжить по этим ссылкам
    }
add-repeat = Повторы
add-go-on = Продолжить имеющуюся
add-go-on-many = Продолжить незавершённые
add-skip = Пропустить
add-again = Загрузить снова
add-taken = «{ $name }» уже существует. К имени нового файла добавится номер.

add-along = Вход, cookie и заголовки
add-user = Имя пользователя
add-password = Пароль
add-keep = Сохранить в связке ключей
add-cookies = Файлы cookie
    .hint = имя=значение; другое=значение, или строки файла cookies.txt
add-headers = Заголовки
    .hint = Имя: значение
add-headers-trouble = Строка { $line } заголовков неверна. Пишите так: Имя: значение.

add-list-too-large = Этот файл слишком велик. Используйте ashore add -i FILE.

new-link = Заменить ссылку
new-folder = Сменить папку…
relink = Заменить ссылку…
relink-question = Продолжить по другой ссылке?
    .body = Частичный файл сохранится, если новая ссылка ведёт на тот же файл. Иначе загрузка начнётся заново.
    .link = Новая ссылка на тот же файл
    .submit = Использовать эту ссылку
    .open = Открыть страницу в браузере
    .open-about = Откройте страницу ссылки и щёлкните файл там. После этого загрузка продолжится, если расширение имеет доступ ко всем сайтам и передаёт каждый щелчок.

action-anyway = Всё же загрузить
action-free-space = Открыть папку
action-sign-in = Войти
sign-in-question = Войти и попробовать ещё раз?
    .body = Имя пользователя и пароль отправляются только на { $host }.
    .submit = Войти
