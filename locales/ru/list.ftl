search = Поиск
search-hint = Поиск загрузок (Ctrl+F)
search-clear = Очистить поиск
filters = Показать
filters-wide = Показать боковую панель
filter-all = Все
filter-running = Активные
filter-waiting = В очереди
filter-paused = Приостановленные
filter-done = Готовые
filter-failed = С ошибками
filter-cancelled = Отменённые
kinds = Типы файлов
kind-video = Видео
kind-music = Аудио
kind-picture = Изображения
kind-document = Документы
kind-archive = Архивы
kind-program = Программы
kind-other = Прочее
sort-by = Сортировка
sorted-by = Сортировка: { $name }
    .reversed = Сортировка: { $name }, в обратном порядке
sort-newest = Сначала новые
sort-name = Имя
sort-size = Размер
sort-progress = Ход загрузки
sort-speed = { details-speed }
sort-left = Оставшееся время
sort-reverse = Обратный порядок
column-added = { about-created }
column-left = Осталось
columns = Столбцы
in-turn = Порядок очереди
dense = Компактные строки
chosen = Выбрано: { $count }
downloads = Загрузки
reading = Загрузка…
reading-file = { reading }
read-again = Повторить
list-failed = Не удалось прочитать список
more = Ещё
close = Закрыть
cancel = Отмена
choose = Выбрать…

totals-slow-hours = медленные часы

row-sending = Отправка: { $part }
row-connecting = Подключение
row-stalled = нет данных
row-failed-files = с ошибкой: { $count }
row-failed-files-because = { row-failed-files }: { $why }
row-paused-with-everything = На паузе (всё на паузе)
row-paused-at-percent = Приостановлено на { percent }
row-paused-at = Приостановлено на { $amount }
row-not-started = ещё не начато
row-waits-because = В очереди: { $why }
row-waits-slots = В очереди: одновременно { n-files }
row-waits-server = В очереди: одновременно { $count } с { $host }
row-tries = Повторная попытка
row-tries-because = Повторная попытка: { $why }
row-tries-in = Повтор через { $time }
row-tries-in-because = Повтор через { $time }: { $why }
row-done = Готово { $moment }
row-verified = проверено
row-size-unknown = размер неизвестен
row-cancelled = Отменено
row-awaits-link = Щёлкните файл в браузере. Щелчок продолжит эту загрузку.
row-awaits-link-other = Щелчок в браузере относился к другому файлу ({ $name }), и это отдельная загрузка.
row-sign-in-again = Сервер отклоняет эту загрузку. Войдите в браузере снова и щёлкните ссылку там.
row-cancelled-at = Отменено { $moment }
row-files-kept = сохранено { files-of }
row-kept = сохранено { $amount }
row-all-failed =
    { $count ->
        [one] Не удалось загрузить { $count } файл: { $why }
        [few] Не удалось загрузить все { $count } файла: { $why }
        [many] Не удалось загрузить все { $count } файлов: { $why }
       *[other] Не удалось загрузить все { $count } файла: { $why }
    }
row-some-failed = Не удалось загрузить { files-of }: { $why }

retry-failed = Повторить
try-now = Повторить сейчас
start-now = Начать сейчас
remove = Убрать
to-the-top = Переместить в начало
to-the-end = Переместить в конец
copy-link = Копировать ссылку
copy-links = Копировать ссылки
copy-command = Копировать как cURL
cancel-asking = Отменить загрузку…
remove-from-list = Убрать из списка
remove-from-list-asking = Убрать из списка…
remove-with-files-asking = Удалить файлы…
rename = Переименовать в списке…
rename-field = Название в списке
files-show = Показать файлы
files-hide = Скрыть файлы
drag = Перетащите, чтобы изменить порядок (Alt+Вверх, Alt+Вниз)
progress-of = Ход загрузки: { $title }
action-on = { $action }: { $title }

many-pause = Приостановить { n-downloads-object }
many-resume = Продолжить { n-downloads-object }
many-start = Начать { n-downloads-object } сейчас
many-top = Переместить { n-downloads-object } в начало
many-end = Переместить { n-downloads-object } в конец
many-retry = Повторить { n-downloads-object }
many-copy =
    { $count ->
        [one] Копировать ссылки { $count } загрузки
        [few] Копировать ссылки { $count } загрузок
        [many] Копировать ссылки { $count } загрузок
       *[other] Копировать ссылки { $count } загрузки
    }
many-cancel = Отменить { n-downloads-object }…
many-remove = Убрать { n-downloads-object }
many-remove-asking = Убрать { n-downloads-object }…
many-remove-files-asking = Удалить файлы: { n-downloads-object }…

empty = Вставьте ссылку, чтобы начать
    .body = Скопируйте адрес файла и нажмите Ctrl+V в любом месте этого окна. Можно вставить сразу много ссылок: по одной в строке.
    .action = Добавить ссылки
    .after = Это окно можно закрыть. Загрузки продолжатся в фоне.
    .drop = Ссылки и файлы со ссылками можно также перетащить в это окно.
    .browsers = Подключите браузер в настройках, и { -ashore } будет получать его загрузки.
drop-here = Перетащите сюда ссылки или файлы со ссылками
nothing-found = Ничего не найдено
    .search = Здесь нет загрузок, содержащих «{ $text }».
    .kind = Здесь нет ничего типа «{ $kind }».
    .all-kinds = Показать все типы
nothing-all = Список пуст.
nothing-running = Активных загрузок нет.
nothing-waiting = Очередь пуста.
nothing-paused = Приостановленных загрузок нет.
nothing-done = Готовых загрузок нет.
nothing-failed = Загрузок с ошибками нет.
nothing-cancelled = Отменённых загрузок нет.

remove-question =
    { $count ->
        [1] Убрать из списка?
        [one] Убрать { n-downloads-object } из списка?
        [few] Убрать { n-downloads-object } из списка?
        [many] Убрать { n-downloads-object } из списка?
       *[other] Убрать { n-downloads-object } из списка?
    }
    .keeps = Загруженные файлы останутся на месте.
    .files = Переместить в корзину и файлы
    .deletes =
        { $count ->
            [1] Загрузка также будет убрана из списка.
            [one] Загрузки также будут убраны из списка.
            [few] Загрузки также будут убраны из списка.
            [many] Загрузки также будут убраны из списка.
           *[other] Загрузки также будут убраны из списка.
        }
    .submit =
        { $count ->
            [1] Убрать
            [one] Убрать { n-downloads-object }
            [few] Убрать { n-downloads-object }
            [many] Убрать { n-downloads-object }
           *[other] Убрать { n-downloads-object }
        }
    .title-files = Переместить файлы в корзину?
    .submit-files = Убрать, файлы в корзину
remove-loses-all =
    { $count ->
        [1] Частичные данные этой загрузки будут удалены.
        [one] Частичные данные этих загрузок будут удалены.
        [few] Частичные данные этих загрузок будут удалены.
        [many] Частичные данные этих загрузок будут удалены.
       *[other] Частичные данные этих загрузок будут удалены.
    }
remove-loses-some =
    { $count ->
        [one] { $count } из них не завершена. Её частичные данные будут удалены.
        [few] { $count } из них не завершены. Их частичные данные будут удалены.
        [many] { $count } из них не завершены. Их частичные данные будут удалены.
       *[other] { $count } из них не завершены. Их частичные данные будут удалены.
    }
cancel-question =
    { $count ->
        [1] Отменить эту загрузку?
        [one] Отменить { n-downloads-object }?
        [few] Отменить { n-downloads-object }?
        [many] Отменить { n-downloads-object }?
       *[other] Отменить { n-downloads-object }?
    }
    .body =
        { $count ->
            [1] Её частичные файлы будут удалены. Готовые файлы останутся.
            [one] Их частичные файлы будут удалены. Готовые файлы останутся.
            [few] Их частичные файлы будут удалены. Готовые файлы останутся.
            [many] Их частичные файлы будут удалены. Готовые файлы останутся.
           *[other] Их частичные файлы будут удалены. Готовые файлы останутся.
        }
    .submit =
        { $count ->
            [1] Отменить загрузку
            [one] Отменить { n-downloads-object }
            [few] Отменить { n-downloads-object }
            [many] Отменить { n-downloads-object }
           *[other] Отменить { n-downloads-object }
        }
    .keep = Продолжить загрузку

notices = Сообщения
notice-dismiss = Скрыть
notice-copied =
    { $count ->
        [1] Ссылка скопирована.
        [one] Скопирована { $count } ссылка.
        [few] Скопировано { $count } ссылки.
        [many] Скопировано { $count } ссылок.
       *[other] Скопировано { $count } ссылки.
    }
notice-command-copied = Скопировано как cURL.
    .without = Скопировано как cURL без этих заголовков, потому что они могут быть секретными: { $headers }
notice-again-without = «{ $title }» загружается снова без этих заголовков, потому что они могут быть секретными: { $headers }
notice-not-copied = Ссылки не удалось скопировать. Рабочий стол сейчас этого не позволяет.
notice-not-for-all =
    { $count ->
        [one] Это не сделано для { $refused } из { $count } загрузки: { $text }
        [few] Это не сделано для { $refused } из { $count } загрузок: { $text }
        [many] Это не сделано для { $refused } из { $count } загрузок: { $text }
       *[other] Это не сделано для { $refused } из { $count } загрузки: { $text }
    }
notice-offered =
    { $count ->
        [1] Вы скопировали ссылку. Добавить её?
        [one] Вы скопировали { $count } ссылку. Добавить?
        [few] Вы скопировали { $count } ссылки. Добавить?
        [many] Вы скопировали { $count } ссылок. Добавить?
       *[other] Вы скопировали { $count } ссылки. Добавить?
    }
notice-removed =
    { $count ->
        [1] Убрано из списка: { $title }
        [one] Из списка убрана { $count } загрузка.
        [few] Из списка убрано { $count } загрузки.
        [many] Из списка убрано { $count } загрузок.
       *[other] Из списка убрано { $count } загрузки.
    }
notice-files-go = Через несколько секунд файлы попадут в корзину.
notice-undo = Вернуть
notice-undo-hint = Отменить (Ctrl+Z)
notice-back =
    { $count ->
        [1] Восстановлено: «{ $title }»
        [one] Восстановлена { $count } загрузка
        [few] Восстановлены { $count } загрузки
        [many] Восстановлено { $count } загрузок
       *[other] Восстановлено { $count } загрузки
    }
notice-are-next =
    { $count ->
        [one] Следующей будет { $count } загрузка.
        [few] Следующими будут { $count } загрузки.
        [many] Следующими будут { $count } загрузок.
       *[other] Следующими будут { $count } загрузки.
    }
notice-are-last =
    { $count ->
        [one] Перемещена в конец { $count } загрузка
        [few] Перемещены в конец { $count } загрузки
        [many] Перемещено в конец { $count } загрузок
       *[other] Перемещено в конец { $count } загрузки
    }
notice-is-next = Следующим будет «{ $title }».
notice-is-last = Перемещено в конец: «{ $title }»
notice-is-number = «{ $title }» — номер { $number } из { $count }.
notice-was-waiting = «{ $title }» уже есть в списке и будет следующим.
notice-was-running = «{ $title }» уже загружается.

keys = Сочетания клавиш
keys-hint = Сочетания клавиш (F1)
keys-choosing = Выбор
keys-doing = Выбранные загрузки
keys-queue = Порядок очереди
keys-anywhere = Везде
keys-go = Перемещаться по списку
keys-choose-more = Выбрать больше, или щёлкнуть с Shift
keys-choose-everything = Выбрать всё
keys-choose-one = Назад к одной
keys-open = Открыть файл или показать файлы группы
keys-files = Показать или скрыть файлы группы
keys-details = Сведения о загрузке
keys-pause = Приостановить или продолжить
keys-copy = Копировать ссылки
keys-rename = Переименовать в списке
keys-remove = Убрать из списка
keys-remove-files = Удалить файлы
keys-menu = Открыть меню со всеми действиями
keys-move = На одно место вверх или вниз
keys-move-far = Переместить в начало или в конец
keys-paste = Добавить ссылки из буфера обмена
keys-add = { empty.action }
keys-search = Поиск
keys-undo = Вернуть последнее убранное
keys-settings = Открыть настройки или вернуться к списку
keys-keys = Этот обзор
keys-close = Закрыть окно; загрузки продолжатся
keys-quit = Выйти из { -ashore }

key-ctrl = Ctrl
key-alt = Alt
key-shift = Shift
key-space = Пробел
key-up = Вверх
key-down = Вниз
key-left = Влево
key-right = Вправо
key-page-up = Page Up
key-page-down = Page Down
key-home = Home
key-end = End
key-enter = Enter
key-escape = Esc
key-delete = Del
key-menu = Меню

afterwards-is = { afterwards }: { $then }
limit-is = Ограничение скорости: { $limit }
limit-other = Другое…
limit-asking = { limit }…
limit-field = Ограничение
    .hint = { limit.none }
    .wrong = Введите число или оставьте поле пустым.
    .submit = Задать

limit-unit = Единица измерения
