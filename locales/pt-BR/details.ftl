details = Detalhes
    .of = Detalhes de { $title }
    .hint = Detalhes do download selecionado (I)
    .close = Fechar os detalhes
    .resize = Altura dos detalhes (Acima, Abaixo)
details-files = Arquivos
details-activity = Atividade
details-speed = Velocidade
details-about = Informações
# A connection of a running download, with its speed.
details-connection = Conexão { $number }
    .left = faltam { $size }
    .starting = iniciando
details-connections =
    { $count ->
        [one] { $count } conexão
        [many] { $count } de conexões
       *[other] { $count } conexões
    }
details-file-before = Arquivo anterior
details-file-after = Próximo arquivo
details-copy = Copiar
details-copied = Copiado
details-not-copied = Não foi possível copiar. O ambiente não permite isso no momento.
details-copy-activity = Copiar tudo desta página
details-copy-head = Copiar os cabeçalhos da resposta
details-attempts = Tentativas
details-no-attempts = Nada foi tentado ainda.
details-answer = Resposta do servidor
details-answered = { $host } respondeu “{ $status }”.
details-redirects =
    { $count ->
        [one] Redirecionado { $count } vez:
        [many] Redirecionado { $count } de vezes:
       *[other] Redirecionado { $count } vezes:
    }
details-raw = Cabeçalhos da resposta

attempt-number = Tentativa { $number }
attempt-since = há { $time }
attempt-took = levou { $time }
attempt-brought = chegaram { $amount }
attempt-status = o servidor respondeu { $status }
attempt-arrived = Concluído, { $amount }.
attempt-running = Em andamento, { $amount }.
attempt-connecting = Conectando.
attempt-anew-changed = Reiniciado: o arquivo no servidor mudou. { $amount } descartados.
attempt-anew-no-ranges = Reiniciado: o servidor não permite retomar. { $amount } descartados.
attempt-anew-differs = Começou de novo: o servidor dá outros bytes que não os { $amount } que já tinham chegado.
attempt-anew-gone = Começou de novo: o que tinha chegado, { $amount }, foi movido ou excluído.

speed-current = Agora
speed-mean = Média
speed-highest = Máxima
speed-not-running = parado
speed-now = agora
speed-ago = há { $minutes } min
speed-soon = Os primeiros bytes ainda não chegaram.
speed-none = A velocidade aparece durante o download e por alguns minutos depois.
speed-sentence =
    { $minutes ->
        [one] Velocidade do último minuto: agora { $current }, em média { $mean }, no máximo { $highest }.
        [many] Velocidade dos últimos { $minutes } de minutos: agora { $current }, em média { $mean }, no máximo { $highest }.
       *[other] Velocidade dos últimos { $minutes } minutos: agora { $current }, em média { $mean }, no máximo { $highest }.
    }
speed-sentence-not-running =
    { $minutes ->
        [one] Velocidade do último minuto: parado agora, em média { $mean }, no máximo { $highest }.
        [many] Velocidade dos últimos { $minutes } de minutos: parado agora, em média { $mean }, no máximo { $highest }.
       *[other] Velocidade dos últimos { $minutes } minutos: parado agora, em média { $mean }, no máximo { $highest }.
    }

about-address = Endereço
about-came-from = Endereço final
about-page = Encontrado em
about-mirrors = Espelhos
about-title = Nome
about-files = Arquivos
about-files-done = { files-of } já chegaram
about-file = Nome do arquivo
about-folder = Pasta
about-size = Tamanho
about-bytes = { $amount } ({ $bytes } bytes)
about-checked = Verificação
about-by-digest = A soma de verificação confere
about-on-resume = O tamanho confere; dados retomados verificados
about-not-verified = O tamanho confere; sem soma de verificação
about-size-unknown = Tamanho desconhecido; sem soma de verificação
about-missing = Garantias ausentes
about-missing-permissions = Este disco não guarda permissões de cada arquivo: valem as do disco inteiro.
about-missing-sync = Este disco não informa quando um arquivo está a salvo de uma queda de energia.
about-missing-folder-sync = Este disco não informa quando um nome de arquivo está a salvo de uma queda de energia.
about-missing-exclusive-name = Este disco não impede que outro programa use o mesmo nome de arquivo no mesmo momento.
about-missing-at-once = Este disco não renomeia arquivos; por isso o arquivo foi copiado para o seu nome.
about-checksum = Soma de verificação
about-expected = Esperada
about-created = Adicionado
about-asked-again = Adicionado de novo
about-finished = Concluído
about-ended = Encerrado
about-expires = Sairá da lista
about-owner = Adicionado por
about-owner-window = esta janela
about-owner-command-line = linha de comando
about-id = Identificador
about-copy-address = Copiar endereço
about-copy-name = Copiar nome
about-copy-folder = Copiar pasta
about-copy-checksum = Copiar soma de verificação
about-copy-id = Copiar identificador
