statistics = Estadísticas
    .back = Volver a la lista
    .reading = { reading }
statistics-in-all = En total
    .about = También se cuentan las descargas que han salido de la lista.

statistics-received = recibidos
statistics-sent = { $amount } enviados
statistics-arrived =
    { $count ->
        [one] archivo llegado
        [many] de archivos llegados
       *[other] archivos llegados
    }
statistics-added =
    { $count ->
        [one] de 1 añadido
        [many] de { $count } añadidos
       *[other] de { $count } añadidos
    }
statistics-succeeded = con éxito
statistics-nothing-ended = Todavía no ha acabado nada
statistics-none-failed = Ninguno con error
statistics-failed = { $count } con error
statistics-none = –

statistics-days = Los últimos { $count } días
    .about = Una descarga cuenta para el día en que se añadió.
    .choose = Lo que llegó en cada uno de los últimos { $count } días
statistics-day = Día
statistics-today = Hoy
statistics-whole = Todos estos días
statistics-nothing = No se añadió nada
statistics-nothing-came = De lo que se añadió en estos días no ha llegado nada.
statistics-said = { $day }: { $what }
statistics-column-received = Recibido
statistics-column-files = Archivos llegados
statistics-column-failed = Con error

statistics-from = Añadidas desde
    .window = Esta ventana
    .command-line = La línea de órdenes
    .feed = Canales
    .clipboard = El portapapeles
    .device = Otros dispositivos
    .browser = Navegadores
    .program = Programas
statistics-empty = Todavía no hay nada que contar
    .body = Cuando añada una descarga, esta página mostrará cuántos datos se recibieron para las descargas de cada día. También mostrará dónde se añadieron las descargas, por ejemplo en esta ventana o en un navegador.
