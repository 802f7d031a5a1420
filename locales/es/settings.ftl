settings = Ajustes
settings-open = Ajustes (Ctrl+,)
settings-back = Volver a la lista
settings-search = Buscar ajustes
settings-nothing = Ningún ajuste tiene que ver con «{ $text }».
settings-file = Los ajustes se guardan en este archivo, que también se puede cambiar a mano:
settings-reset = { $name }: volver al valor predeterminado
settings-percent = %
settings-unit = { $name }: unidad
    .kib = KiB
    .mib = MiB
    .gib = GiB
    .never = nunca
settings-unit-seconds =
    { $count ->
        [one] segundo
        [many] segundos
       *[other] segundos
    }
settings-unit-minutes =
    { $count ->
        [one] minuto
        [many] minutos
       *[other] minutos
    }
settings-unit-hours =
    { $count ->
        [one] hora
        [many] horas
       *[other] horas
    }
settings-unit-days =
    { $count ->
        [one] día
        [many] días
       *[other] días
    }
settings-unit-weeks =
    { $count ->
        [one] semana
        [many] semanas
       *[other] semanas
    }
settings-number-wrong = Escriba un número con dos decimales como máximo.
settings-outside = Escriba un valor de { $least } a { $most }.
settings-paint = Pintar
settings-pace-full = Velocidad máxima
settings-pace-slow = Lento
settings-pace-off = Parado
settings-rounded = El archivo de ajustes tiene horas más finas que medias horas. Al pintar se redondean.
settings-not-followed = Problema en el archivo de ajustes: { $text }
settings-not-followed-more =
    { $count ->
        [one] Problema en el archivo de ajustes: { $text } Ajustes muestra uno más.
        [many] Problema en el archivo de ajustes: { $text } Ajustes muestra { $count } más.
       *[other] Problema en el archivo de ajustes: { $text } Ajustes muestra { $count } más.
    }
settings-cell = { $day }, de { $from } a { $until }: { $pace }
settings-grid-help = Las flechas mueven, Espacio pinta, Mayús con flechas sigue pintando.

settings-general = General
settings-folders = Carpetas
settings-network = Red
settings-browsers = Navegadores
settings-schedule = Horario
settings-notifications = Notificaciones
settings-power = Energía
settings-space = Espacio
settings-advanced = Avanzado

setting-language = Idioma
    .about = De la ventana, la bandeja y las notificaciones.
    .auto = Predeterminado del sistema
setting-parallel = Descargas simultáneas
    .about = Número de archivos que se descargan al mismo tiempo.
setting-parallel-per-host = Descargas simultáneas por servidor
    .about = Con 1, los archivos de un servidor llegan estrictamente uno tras otro.
setting-order = Orden de la cola
    .about = Orden en que comienzan las descargas en cola. La ventana, la línea de órdenes y los demás programas siempre se turnan.
    .first-come = Por orden de llegada
    .newest-first = Más recientes primero
setting-forget-finished-after = Quitar las descargas terminadas después de
    .about = Pasado este tiempo, las descargas terminadas salen de la lista. Sus archivos se conservan. Con «{ settings-unit.never }» permanecen en la lista hasta que las quite.
setting-close-to-tray = Seguir en ejecución al cerrar
    .about = Si no, cerrar la ventana termina { -ashore }. Las descargas en curso continúan en el próximo inicio.
setting-start-at-login = Iniciar al abrir sesión
    .about = Oculto en la bandeja, para que las descargas continúen en cuanto usted esté.
setting-offer-copied-links = Sugerir enlaces copiados
    .about = Cuando la ventana pasa al frente, y cada uno una sola vez. Solo entonces { -ashore } lee lo que usted ha copiado, y no lo envía a ninguna parte.
setting-folder = Carpeta de descargas
    .about = Los archivos van aquí si no elige otra carpeta para ellos.
    .hint = La carpeta de descargas del escritorio
setting-folder-video = Vídeos
    .about = Una carpeta dentro de la de descargas, creada cuando hace falta, o la ruta completa de una en otro lugar.
setting-folder-audio = Música y voz
    .about = Una carpeta dentro de la de descargas, creada cuando hace falta, o la ruta completa de una en otro lugar.
setting-folder-pictures = Imágenes
    .about = Una carpeta dentro de la de descargas, creada cuando hace falta, o la ruta completa de una en otro lugar.
setting-folder-documents = Documentos
    .about = Una carpeta dentro de la de descargas, creada cuando hace falta, o la ruta completa de una en otro lugar.
setting-folder-archives = Comprimidos
    .about = Una carpeta dentro de la de descargas, creada cuando hace falta, o la ruta completa de una en otro lugar.
setting-folder-programs = Programas e imágenes de disco
    .about = Una carpeta dentro de la de descargas, creada cuando hace falta, o la ruta completa de una en otro lugar.
setting-folder-kind-hint = En la propia carpeta de descargas
setting-connections = Conexiones por archivo
    .about = Como mucho tantas, y solo donde más de una lo hace más rápido.
setting-offline = Sin conexión
    .about = Esperar no cuesta nada. Continúe si sus servidores están en casa o si el escritorio no conoce su red.
    .wait = Esperar
    .go = Continuar
setting-metered = En redes de uso medido
    .about = Por ejemplo, en la red de un teléfono.
    .wait = Esperar otra red
    .go = Continuar
setting-proxy = Proxy
    .about = Para todo, como http://host:3128 o socks5h://host:1080; «none» para ninguno.
    .hint = Lo que dice el entorno del escritorio
setting-no-proxy = No usar proxy para
    .about = Nombres y redes a los que se llega directamente, separados por comas.
    .hint = Lo que dice el entorno del escritorio
setting-proxy-loopback = Proxy para este equipo
    .about = Usar el proxy también para servidores de este equipo.
setting-local-for-programs = Permitir a los programas usar la red local
    .about = Permite que programas, fuentes y otros dispositivos hagan que { -ashore } descargue de este equipo y de las redes que lo rodean: routers, servidores de la casa. Lo que añada usted mismo siempre puede venir de allí.
setting-cookies = Cookies
    .about = Devolver las cookies a los servidores que las pusieron, hasta que { -ashore } termine.
setting-browser-hand-over = Entregar las descargas
    .about = La extensión de un navegador entrega cada clic en un archivo, si { -ashore } recibe el mismo archivo. Solo las entradas que añade a los menús del navegador funcionan en todos los casos.
    .automatic = Automáticamente
    .menu = Solo desde el menú
setting-browser-least-size = Archivo más pequeño
    .about = Los archivos más pequeños se quedan en el navegador.
setting-browser-sites = Sitios que se dejan al navegador
    .about = Separados por espacios, por ejemplo example.org. Un sitio incluye sus subdominios.
    .none = Ningún sitio
setting-browser-endings = Extensiones que se dejan al navegador
    .about = Separadas por espacios, por ejemplo: html js css
setting-browser-bypass-key = Tecla para omitir
    .about = Un clic con Alt deja la descarga al navegador.
setting-browser-starts-ashore = Permitir que un navegador inicie { -ashore }
    .about = Si está desactivado, todas las descargas quedan en el navegador mientras { -ashore } está cerrado.
setting-browser-channel = Permitir que se conecten los navegadores vinculados
    .about = Los navegadores de Flatpak y snap no pueden iniciar { -ashore }. Se conectan por un puerto al que solo llega este equipo.
setting-hours = Horas
    .about = Elija una velocidad y pinte con ella. Lo que deje como está va a velocidad máxima.
setting-slow-speed = Velocidad en horas lentas
    .about = Límite para todas las descargas en conjunto.
setting-notifications = { settings-notifications }
    .about = Con el progreso, una descarga que dura más de 10 segundos tiene una notificación. A partir de 3 descargas así, una sola notificación las muestra todas.
    .calm = Progreso a los 10 segundos y resultado
    .all = Progreso de cada descarga y resultado
    .ended = Solo el resultado
    .none = Nada
setting-quiet-while-focused = Silenciar mientras la ventana está activa
    .about = No se avisa de nada mientras esta ventana tiene el foco, porque muestra lo mismo.
setting-quiet-hours = Horas de silencio
    .about = Cada día, como 22:00-07:00. De lo que acabó entretanto se avisa cuando terminan.
    .hint = Ninguna
setting-all-done = Avisar cuando se completen todas las descargas
    .about = Muestra una notificación cuando acaba la última de varias descargas y no queda ninguna en cola.
setting-battery-below = Con batería, parar por debajo de
    .about = No se descarga nada con menos carga. Con 0, mientras quede alguna.
setting-in-use = Mientras se usa este equipo
    .about = Esperar hasta que este equipo lleve un rato sin usarse, o continuar mientras se usa.
    .wait = Esperar
    .go = Continuar
setting-keep-awake = Evitar la suspensión durante las descargas
    .about = Mientras hay descargas en marcha, este equipo no se suspende por sí solo. La pantalla puede apagarse.
setting-free-space-floor = Espacio libre mínimo
    .about = Ninguna descarga empieza en una carpeta con menos espacio libre que este.
setting-attempts = Intentos
    .about = Cuántas veces se intenta un archivo antes de que { -ashore } lo deje.
setting-retry-after-seconds = Espera antes del segundo intento
    .about = Se duplica con cada uno más, hasta seis horas.
setting-stall-seconds = Tiempo de espera sin datos
    .about = Si no llega ni un byte en este tiempo, se abandona y se intenta de nuevo.
setting-connect-timeout-seconds = Tiempo de espera de conexión
    .about = Lo que puede tardar un servidor en aceptar una conexión nueva.
setting-total-timeout-seconds = Tiempo de espera total
    .about = Límite de tiempo para un intento. Al acabar el tiempo, el archivo parcial se conserva. Con 0 no hay límite.
setting-checkpoint-seconds = Guardar el progreso cada
    .about = Un corte de luz no cuesta más que esto.
setting-http2 = HTTP/2
    .about = Muchos archivos pequeños de un servidor comparten una conexión si el servidor admite HTTP/2.
setting-insecure-redirects = Redirecciones a enlaces no seguros
    .about = Seguirlas de https a http. Cualquiera en el camino puede entonces leer y cambiar lo que llega.
setting-ca-certificate = Certificados adicionales
    .about = Un archivo PEM con autoridades en las que confiar además de las del sistema.
    .hint = Ninguno
setting-user-agent = Agente de usuario
    .about = Cómo se presenta { -ashore } a los servidores.
    .hint = { -ashore } y su versión
setting-referrer = Página de procedencia
    .about = Dirección de una página web. { -ashore } la envía a los servidores como la página donde se encontró el enlace. Un enlace con su propia página la conserva.
    .hint = Ninguna
setting-netrc = Archivo netrc
    .about = Sus contraseñas se dan a los servidores que piden una.
    .hint = Ninguno
setting-keychain = Contraseñas y tokens
    .about = Dónde se guardan. El archivo solo lo puede leer usted.
    .auto = En el llavero del sistema; si no, en un archivo
    .system = Solo en el llavero del sistema
    .file = En un archivo
    .none = Hasta que { -ashore } termine

settings-lacking-notifications = Este escritorio no muestra notificaciones en este momento. La lista dice todo lo que ellas dirían.
settings-lacking-tray = Este escritorio no tiene bandeja en este momento: una ventana que se cierra se minimiza en su lugar.

appearance = Apariencia
appearance-theme = Tema
    .about = Colores de esta página. La elección se aplica a este dispositivo.
    .light = Claro
    .dark = Oscuro
appearance-density = Altura de las filas
    .about = Las filas compactas muestran más descargas, cada una con una línea de texto.
    .comfortable = Cómoda
    .compact = Compacta

list = Su lista
list-save = Exportar lista
    .about = Guarda en un archivo los enlaces, nombres, carpetas y resultados de todas las descargas. El archivo no contiene contraseñas, cookies ni tokens, ni los archivos descargados.
    .choose = Guardar en un archivo…
list-take-in = Importar lista
    .about = Añade las descargas de una lista que { -ashore } guardó, aquí o en otro equipo. Las descargas sin terminar se añaden en pausa. Las que ya están en la lista no cambian.
    .choose = Elegir un archivo…
list-saved = La lista está guardada en { $path }. Descargas en ella: { $count }.
list-saved-without-headers = Archivos cuyas cabeceras se omitieron porque pueden ser secretas: { $count }.
list-taken-in = La lista se ha importado. Descargas nuevas: { $count }. Las que no han terminado están en pausa.
list-taken-in-nothing = El archivo no contiene descargas nuevas.
list-taken-in-known = Descargas que ya estaban en la lista: { $count }.
list-taken-in-elsewhere = Descargas que van a la carpeta habitual porque la suya no se puede usar aquí: { $count }.
list-taken-in-without-headers = Archivos cuyas cabeceras no están en ella porque pueden ser secretas: { $count }. Donde un servidor las eche en falta, inicie sesión.

# The browsers, and their connection with { -ashore }.
browsers-connected = Conectado
    .package = Conectado por el paquete de { -ashore }
    .none = No conectado
browsers-empty = No se encontró ningún navegador. Inicie un navegador una vez e inténtelo de nuevo.
browsers-extension = Un navegador conectado entrega sus descargas en cuanto su extensión está instalada.
browsers-connect = Conectar
    .label = Conectar { $browser }
browsers-disconnect = Desconectar
    .label = Desconectar { $browser }
browsers-check = Comprobar de nuevo
browsers-pair = Vincular un navegador
browsers-paired = Vinculado
    .remove = Quitar { $browser }
    .added = { $browser } está vinculado.
browsers-code = Introduzca este código en la ventana emergente de la extensión:
    .rest = Válido durante { $time }

synonyms-parallel = simultáneas, paralelo, a la vez
synonyms-connections = hilos, segmentos, partes, dividir
synonyms-startup = inicio automático, arranque, autoarranque
synonyms-clipboard = portapapeles, copiar, pegar, vigilar
synonyms-category = categoría, categorías, tipos de archivo
synonyms-tray = minimizar, segundo plano, ocultar, bandeja
synonyms-metered = móvil, datos móviles, celular, itinerancia
synonyms-quiet = no molestar, silencio, silenciar
synonyms-speed = ancho de banda, límite, limitar
synonyms-backup = copia de seguridad, respaldo, restaurar, exportar
synonyms-remote = teléfono, móvil, tableta, remoto, código QR, navegador, web, aria2
synonyms-appearance = modo oscuro, noche, color, densidad, filas
synonyms-folder = ubicación, directorio, ruta, destino, guardar en
synonyms-cleanup = historial, vaciar, borrar, limpiar
synonyms-notify = alertas, avisos, ventanas emergentes, mensajes
synonyms-sleep = suspensión, hibernar, reposo, salvapantallas
synonyms-space = disco, almacenamiento, reserva
synonyms-retries = reintentar, reintentos, repetir, reconectar
synonyms-schedule = programador, horario, planificador, temporizador
synonyms-certificate = SSL, TLS, HTTPS, autoridad
synonyms-browser = extensión, complemento, integración, Chrome, Firefox, Edge
synonyms-proxy = SOCKS, VPN, túnel
synonyms-password = credenciales, inicio de sesión, cuenta, secretos
