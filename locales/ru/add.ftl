add = Добавить
add-hint = Добавить загрузки (Ctrl+N)
add-title = Добавить загрузки
add-links = Ссылки
    .hint = https://…  по одной в строке
add-folder = Папка
    .hint = Ваша папка загрузок
add-name = Имя файла
    .hint = По данным сервера
add-set-title = Название
    .hint = По именам файлов
add-checksum = Контрольная сумма
    .hint = sha-256=… (необязательно)
add-checksum-trouble = Контрольная сумма выглядит так: sha-256= и за ним 64 цифры и буквы от a до f.
add-together = Добавить как
add-one-set = Один набор
add-one-each = По отдельности
add-start = Начать
add-now = Сейчас
add-next = Следующим
add-later = Позже (на паузе)
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

add-asking = Запрос к серверу…
add-wants-sign-in = Сервер просит войти. Укажите данные для входа ниже или возьмите ссылку, которая несёт разрешение в себе.
add-unsized = Сервер не сообщает размер
add-resumes = можно продолжить после обрыва
add-begins-anew = после обрыва начнётся заново

add-answer-gone = Срок ответа сервера истёк. При добавлении ссылки { -ashore } снова обратится к серверу.
add-is-there = Эта ссылка уже есть в списке
add-is-there-otherwise = Ссылка на то же место уже есть в списке
add-are-all-there = Все эти ссылки уже есть в списке
add-are-there = { $count } из этих ссылок уже есть в списке
add-are-unfinished =
    { $count ->
        [one] { $count } из них не завершена: она может продолжиться по новой ссылке и сохранить полученное
        [few] { $count } из них не завершены: они могут продолжиться по новым ссылкам и сохранить полученное
        [many] { $count } из них не завершены: они могут продолжиться по новым ссылкам и сохранить полученное
       *[other] { $count } из них не завершены: они могут продолжиться по новым ссылкам и сохранить полученное
    }
add-repeat = Что делать с повторами
add-go-on = Продолжить имеющуюся
add-go-on-many = Продолжить незавершённые
add-skip = Пропустить
add-again = Загрузить снова
add-taken = В папке уже есть что-то с именем { $name }. Оно останется, а к имени этого файла добавится номер.

add-along = Вход, cookie и заголовки
add-user = Имя пользователя
add-password = Пароль
add-keep = Сохранить данные для входа и cookie в связке ключей
add-cookies = Файлы cookie
    .hint = имя=значение; другое=значение, или строки файла cookies.txt
add-headers = Заголовки
    .hint = Имя: значение
add-headers-trouble = Строка { $line } в заголовках — не заголовок. Заголовок выглядит так: Имя: значение.

add-list-too-large = Этот файл слишком велик для списка ссылок. Длинный список можно добавить командой: ashore add -i FILE.

new-link = Новая ссылка
new-folder = Другая папка
relink = Новая ссылка…
relink-question = Продолжить по другой ссылке?
    .body = Частичный файл сохранится. Перед продолжением { -ashore } проверит, что новая ссылка ведёт к тому же файлу.
    .link = Новая ссылка на тот же файл
    .submit = Использовать эту ссылку

action-anyway = Всё же загрузить
action-free-space = Освободить место
action-sign-in = Войти
sign-in-question = Войти и попробовать ещё раз?
    .body = { $host } требует входа. Имя пользователя и пароль отправляются только на этот сервер.
    .submit = Войти
