statistics = Estatísticas
    .back = Voltar à lista
    .reading = { reading }
statistics-in-all = No total
    .about = Os downloads que saíram da lista também são contados.

statistics-received = recebidos
statistics-sent = { $amount } enviados
statistics-arrived =
    { $count ->
        [one] arquivo chegou
        [many] arquivos chegaram
       *[other] arquivos chegaram
    }
statistics-added =
    { $count ->
        [one] de { $count } adicionado
        [many] de { $count } adicionados
       *[other] de { $count } adicionados
    }
statistics-succeeded = com êxito
statistics-nothing-ended = Nada terminou ainda
statistics-none-failed = Nenhum falhou
statistics-failed = { $count } com falha
statistics-none = –

statistics-days =
    { $count ->
        [one] O último dia
        [many] Os últimos { $count } de dias
       *[other] Os últimos { $count } dias
    }
    .about = Um download conta no dia em que foi adicionado.
    .choose =
        { $count ->
            [one] O que chegou no último dia
            [many] O que chegou em cada um dos últimos { $count } de dias
           *[other] O que chegou em cada um dos últimos { $count } dias
        }
statistics-day = Dia
statistics-today = Hoje
statistics-whole = Todos estes dias
statistics-nothing = Nada foi adicionado
statistics-nothing-came = Do que foi adicionado nestes dias, nada chegou.
statistics-said = { $day }: { $what }
statistics-column-received = Recebido
statistics-column-files = Arquivos que chegaram
statistics-column-failed = Com falha

statistics-from = Adicionados por
    .window = Esta janela
    .command-line = Linha de comando
    .feed = Feeds
    .clipboard = Área de transferência
    .device = Outros dispositivos
    .browser = Navegadores
    .program = Programas
statistics-empty = Ainda não há nada para contar
    .body = Depois que você adicionar um download, esta página mostrará quantos dados foram recebidos para os downloads de cada dia. Ela também mostrará onde os downloads foram adicionados, por exemplo nesta janela ou em um navegador.
