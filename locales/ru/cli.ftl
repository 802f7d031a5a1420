cli-state =
    .pending = предстоит
    .running = идёт
    .waiting = ждёт
    .paused = на паузе
    .done = готово
    .aborted = отменено
    .failed = ошибка

cli-column =
    .id = КОД
    .state = СОСТОЯНИЕ
    .progress = ГОТОВО
    .size = РАЗМЕР
    .title = НАЗВАНИЕ
    .used = ЗАНЯТО
    .most = ИЗ
    .files = ФАЙЛЫ
    .owner = ДЛЯ
    .added = НОВЫХ
    .succeeded = ГОТОВО
    .failed = ОШИБОК
    .retried = ПОВТОРОВ
    .speed = СКОРОСТЬ
    .left = ОСТАЛОСЬ

cli-queued = ждёт своей очереди
cli-everything-paused = всё приостановлено; `ashore resume` продолжит
cli-next-try = { $why } Следующая попытка в { $time }
cli-redirected = перенаправлено на { $url }
cli-under-way = выполняется
cli-milliseconds = { $count } мс
cli-unknown-time = неизвестное время
cli-optional = необязательный
cli-no-file = файл не пришёл
cli-checked =
    .digest = контрольная сумма верна ({ $kind })
    .digest-of-unknown-kind = контрольная сумма верна
    .on-resume = длина верна, сверено при продолжении
    .size-unknown = длина неизвестна, контрольной суммы для сверки нет
    .unverified = длина верна, не проверено: контрольной суммы для сверки нет
    .none = не проверено

cli-list-empty = { nothing-all } Добавьте что-нибудь с помощью `ashore add URL`.
cli-all-paused = Всё приостановлено.
cli-paused = Приостановлено.
cli-all-resumed = Всё продолжается.
cli-resumed = Продолжено.
cli-cancelled = Отменено. Готовые файлы сохранены.
cli-relinked = Ссылка заменена. Загрузка продолжится по новой ссылке и сохранит полученные байты.
cli-ended-already = Эта загрузка уже закончилась; ничего не изменено.
cli-folder-changed = Файлы теперь находятся в { $path }.
cli-nothing-to-retry = В этой загрузке нет ошибок.
cli-retried =
    { $count ->
        [one] Повторяется { $count } файл.
        [few] Повторяются { $count } файла.
        [many] Повторяются { $count } файлов.
       *[other] Повторяются { $count } файла.
    }
cli-removed = Убрано из списка.
cli-first = Эта загрузка следующая.
cli-moved = Перемещено.
cli-changed = Изменено.
cli-nothing-runs = Нет запущенной программы, которая загрузила бы это сейчас: откройте окно или запустите `ashore serve`.
cli-still-paused = Всё приостановлено, поэтому ничего не загружается. `ashore resume` без идентификатора продолжит всё.
cli-watch-more = и ещё { $count }
cli-watch-end = Ctrl-C закрывает этот список. Загрузки продолжаются.

cli-field =
    .id = код
    .own-name = своё имя
    .owner = запросил
    .state = состояние
    .failure = причина
    .folder = папка
    .page = страница
    .created = создано
    .settled = закончено
    .expires = хранится до

cli-added = В списке: { $links }, { $downloads }.
cli-add-moved = Это уже есть в списке и теперь стоит первым; --again добавит ещё раз.
    .some = Некоторые из этих ссылок уже были в списке и теперь стоят первыми; --again добавит их ещё раз.
cli-add-running = Это уже загружается. --again добавит ещё раз.
    .some = Некоторые из этих ссылок уже загружаются. --again добавит их ещё раз.
cli-add-netrc = Файл netrc читает тот { -ashore }, который загружает. Укажите файл в настройках: netrc = "~/.netrc".
cli-add-stopped = Всё из { $list } до строки { $line } есть в списке: { $links }, { $downloads }. Остального нет.
cli-add-continue = Продолжите с этого места: { $command }

cli-get-options-unused = Это загружает другой { -ashore }, и действуют его настройки: --parallel и --connections не действуют.
cli-get-removed = Эта загрузка убрана из списка.
cli-get-known = Это уже есть в списке и не готово. Загрузка продолжается.
cli-get-others =
    { $count ->
        [one] Ещё { $count } загрузка не готова. `ashore serve` продолжит список.
        [few] Ещё { $count } загрузки не готовы. `ashore serve` продолжит список.
        [many] Ещё { $count } загрузок не готовы. `ashore serve` продолжит список.
       *[other] Ещё { $count } загрузки не готовы. `ashore serve` продолжит список.
    }
cli-get-summary = { $files }, { $size }, в { $path }
cli-get-stopped = Остановлено; всё полученное сохранено ({ $size }).
    .next = Продолжить можно командой `{ $get }`, в фоне — командой `{ $serve }`.
cli-get-left = Загрузка продолжается без вас.
    .next = Следить за ней: `{ $get }`, остановить её: `{ $pause }`.

cli-serve-ready = { -ashore } готов и работает с { $path }. Ctrl-C остановит его; всё сохранится.
    .short = { -ashore } готов.
cli-serve-remote = Другие устройства могут открыть { $url }
cli-serve-plain = Обмен с другими устройствами может прочитать вся сеть, потому что он идёт без TLS. Используйте прокси с TLS и --public-url.
cli-serve-stopped = Остановлено; всё сохранено.
cli-healthy = { -ashore } работает и готов.
    .not = { -ashore } не готов: { $place } ({ $why }). Запустите его или посмотрите его журнал.
cli-serve-kept = { $id } остаётся в списке, хотя срок истёк: { $why }
    .all = Закончившиеся загрузки пока остаются в списке: { $why }

cli-password-of = Пароль пользователя { $user } на { $server }:
cli-token-for = Токен для { $server }:
cli-signed-in =
    .system = Вход на { $server } выполнен. Он хранится в связке ключей; `ashore sign-out { $server }` его забудет.
    .file = Вход на { $server } выполнен. Связка ключей здесь не работает, поэтому он хранится в файле, который можете читать только вы; `ashore sign-out { $server }` его забудет.
    .memory = Вход на { $server } выполнен, пока работает этот { -ashore }.
cli-sign-in-of-link = Имя и пароль из ссылки хранятся для { $server }, а не в списке; `ashore sign-out { $server }` их забудет.
cli-signed-out = Забыто.
    .unknown = Для этого сервера ничего не хранилось.
cli-no-sign-ins = Ни для одного сервера ничего не хранится. Выполните вход с помощью `ashore sign-in URL --user NAME`.
cli-kept-in =
    .system = связка ключей
    .file = файл
    .memory = память
cli-cookies-unusable = Ни один из cookie в { $path } не подходит. Возможно, их срок истёк.

cli-limit-set =
    .all = Всё вместе ограничено: { $speed }.
    .host = Всё с { $host } ограничено: { $speed }.
    .download = Эта загрузка ограничена: { $speed }.
cli-limit-removed =
    .all = У всего вместе нет своего ограничения.
    .host = У загрузок с { $host } нет своего ограничения.
    .download = У этой загрузки нет своего ограничения.
cli-no-limits = Ограничений нет. `ashore limit 2M` ограничит всё вместе до 2 МиБ в секунду.
cli-limit-of =
    .all = всё
    .host = с { $host }

cli-quota-set = В списке может быть { $amount } ({ $owner }).
cli-quota-removed = Квоты нет ({ $owner }).
cli-no-quotas = Ничего не ограничено, и ничего нет. `ashore quota command-line 10G` задаст квоту.
cli-everybody = все

cli-statistics-empty = Ещё ничего не добавлялось. Добавьте что-нибудь с помощью `ashore add URL`.
cli-statistics =
    .all = всего
    .window = окно
    .command-line = командная строка
    .feed = ленты
    .clipboard = буфер обмена
    .device = другие устройства
    .browser = браузеры
    .program = программы

cli-not-default = не по умолчанию

cli-exported = Сохранено в { $path }: { $downloads }, { $files }.
    .pipe = Сохранено: { $downloads }, { $files }.
cli-imported = Взято: { $downloads }, { $files }. Незавершённое на паузе: `ashore resume` его продолжит.
cli-import-skipped = Записей, которые нельзя импортировать, например торрентов и ссылок FTP: { $count }.

cli-find-nothing = Незаконченной загрузки с именем { $name } нет.
cli-match-nothing = Ни у одного файла этой загрузки нет такой ссылки.
cli-acknowledged = Подтверждено.
    .unknown = Это завершение не ждёт подтверждения; ничего не изменено.
cli-cleared = Убрано из списка: { $count } ({ $owner }).
cli-reset = Отменено: { $count } ({ $owner }).
cli-owner-removed = Удалено вместе со всем, что запросил этот владелец. Готовые файлы остаются.
cli-queue-stats = всего { $total }, успешно { $successes }, с ошибкой { $failures }

cli-doctor =
    .list = список
    .holder = занят
    .copy = копия
    .file = файл
    .step = шаг
    .gate = условие
    .setting = настройка
    .folder = папка
    .partial = частичный
    .orphan = ничей
    .repaired = исправлено
    .counter = счётчик
cli-doctor-list = { $path } (версия { $version }): { $state }
cli-doctor-sound = в порядке
cli-doctor-nobody = никем
cli-doctor-partial = { $path } ({ $size }, от { $id })
cli-doctor-orphan = { $path } ({ $size }, с { $url })
cli-doctor-orphans = Ничей файл — это частичный файл, которого нет в списке. Он хранится, пока вы его не удалите; `ashore adopt` продолжит его.
cli-doctor-repair = Некоторые счётчики расходятся с загрузками, которые они считают. `ashore doctor --repair` пересчитает их.
cli-doctor-contradiction = Некоторые записи противоречат друг другу, и какая из них верна, установить нельзя. Сравните файлы с их источником или уберите загрузки и добавьте их снова.
cli-doctor-damage = Повреждение обнаружено { $moment }: { $why }.
    .undated = Повреждение: { $why }.
cli-adopt-nothing = Частичных файлов без загрузки, которые можно продолжить, нет.

cli-gate =
    .bootstrap = первый запуск
    .paused = пауза
    .asleep = сон
    .hours = часы
    .offline = сеть
    .captive-portal = вход в сеть
    .metered = цена сети
    .battery = батарея
    .in-use = работа
    .disk = место на диске
    .folder = папка
    .quota = квота
cli-gate-state =
    .open = открыто
    .closed = закрыто
    .unknown = неизвестно

cli-step =
    .data-folder = папка данных
    .ledger = список
    .defaults = начальные значения
    .download-folder = папка загрузок
    .keychain = связка ключей
    .notifications = уведомления
cli-step-state =
    .done = выполнено
    .not-available = здесь недоступно ({ $why })
    .failed = не удалось, будет повторено ({ $why })
    .due = предстоит при следующем запуске

cli-miscount =
    .counters = { $name }: счётчики не соответствуют файлам
    .lanes = { $name }: очередь не соответствует файлам, поэтому загрузка может ждать без причины
    .usage = { $name }: байты и файлы, учтённые в квоте, не соответствуют загрузкам
    .name = { $name }: занятость имени не соответствует состоянию
    .unsettled = { $name }: делать больше нечего, но загрузка не закончена
    .digest = { $name }: у готового файла не та контрольная сумма, что в файле контрольных сумм
    .response = { $name }: файл готов, а записи о нём нет, или наоборот

cli-sync-on = Синхронизация включена. Этот компьютер — «{ $name }», сервер — { $address }.
cli-sync-key = Отпечаток ключа, одинаковый на всех ваших компьютерах: { $fingerprint }
cli-sync-conflicts =
    { $count ->
        [one] { $count } изменение уступило изменению другого компьютера. Смотрите `ashore sync conflicts`.
        [few] { $count } изменения уступили изменениям другого компьютера. Смотрите `ashore sync conflicts`.
        [many] { $count } изменений уступили изменениям другого компьютера. Смотрите `ashore sync conflicts`.
       *[other] { $count } изменения уступили изменениям другого компьютера. Смотрите `ashore sync conflicts`.
    }
cli-sync-column =
    .collection = НАБОР
    .records = ЗДЕСЬ
    .waiting = ОЖИДАЮТ
    .held = НЕ ПРОЧИТАНО
    .machine = КОМПЬЮТЕР
    .seen = БЫЛ В СЕТИ
cli-sync-words = Запишите эти 24 слова, адрес и номер. Без них список восстановить нельзя.
cli-sync-place = Адрес: { $address }
cli-sync-user = Номер: { $uid }
cli-sync-set-up = Список создан. Выполните `ashore sync invite`, чтобы получить ссылку, по которой присоединится следующий компьютер.
cli-sync-joined = Этот компьютер присоединился к списку.
cli-sync-invite = Выполните эту команду на другом компьютере в течение десяти минут. Ссылка действует один раз.
cli-sync-done = Получено: { $received }. Отправлено: { $sent }.
cli-sync-restored = Сервер потерял часть списка. Она снова отправлена с этого компьютера.
cli-sync-arrived = Прислано с другого компьютера: { $title }
cli-sync-left = Синхронизация на этом компьютере выключена. Его загрузки и файлы остаются.
cli-sync-removed = { $machine } не сможет прочитать ничего из записанного с этого момента. Вот новые слова списка.
cli-sync-own = этот компьютер
cli-sync-no-conflicts = Конфликтов нет.
cli-sync-conflict = { $number }  { $title }: { $sentence }
cli-sync-resolved = Готово. Другие компьютеры получат изменение при следующей синхронизации.
cli-sync-dropped = Изменение, которое взяло верх, остаётся.
cli-sync-trust =
    .starts = Загрузки, которые отправляет { $machine }, теперь начинаются без вопроса.
    .waits = Загрузки, которые отправляет { $machine }, теперь ждут, пока вы их не запустите.
cli-sync-no-others = На других компьютерах загрузок нет.
cli-sync-sent = Отправлено: { $machine }.
cli-sync-secret = Слова или ссылка (не отображаются):
cli-sync-no-sends = Этот компьютер не отправлял загрузок.
cli-sync-send =
    .waiting = { $title }: { $machine } ещё не забрал её.
    .delivered = { $title }: доставлено на { $machine }.
    .refused = { $title }: { $machine } не принял её.
    .expired = { $title }: { $machine } не включался 30 дней; это не доставлено.
    .missed = { $title }: компьютер { $machine } отправил её, но этот компьютер был выключен 30 дней. Её можно отправить оттуда ещё раз.

# Browsers in `ashore browsers`.
cli-browser =
    .connected = подключён ({ $program })
    .not-connected = не подключён
    .none = не установлен
    .foreign = { $path } записала другая программа
cli-browsers-connected = { $browser } подключён. Установите в браузере и расширение.
cli-browsers-unchanged = { $browser } уже был подключён.
cli-browsers-disconnected = { $browser } отключён.
cli-browsers-nothing = У { $browser } нет подключения, которое можно удалить.
cli-browsers-of-package = { $browser } по-прежнему подключён пакетом системы, который установил { $path }. Чтобы отключить его, удалите расширение из браузера.
cli-browsers-none = { browsers-empty }
cli-browsers-well = { $browser }: подключение работает, { -ashore } запущен.
cli-browsers-well-idle = { $browser }: подключение работает. { -ashore } запускается, когда он нужен браузеру.
cli-browsers-paired = связан
cli-browsers-code = Введите этот код во всплывающем окне расширения в течение пяти минут: { $code }
cli-browsers-unpaired = { $browser } больше не связан.
cli-remote-link = Откройте эту ссылку на другом устройстве в течение пяти минут: { $url }
cli-remote-local = Открыть ссылку можно только на этом компьютере. Запустите `ashore serve` с --listen, чтобы она работала на других устройствах.
cli-remote-none = Нет вошедших устройств или программ.
cli-remote-device = устройство
cli-remote-program = программа
cli-remote-signed-out = Сеанс «{ $name }» завершён.
cli-remote-renewed = Сеансы всех устройств завершены.
cli-explains = `{ $command }` объясняет аргументы.
