tray-open = Abrir o { -ashore }
tray-quit = Sair
tray-clipboard = Adicionar da área de transferência
tray-shut = Não é possível abrir a lista

note-show = Mostrar
note-details = Detalhes
note-sent = { $amount } enviados
note-done = Concluído
note-files-left-out =
    { $count ->
        [one] { $count } arquivo deixado de fora
        [many] { $count } de arquivos deixados de fora
       *[other] { $count } arquivos deixados de fora
    }
note-failed = Não foi possível baixar.
note-files-failed =
    { $count ->
        [one] { $count } arquivo falhou: { $why }
        [many] { $count } de arquivos falharam: { $why }
       *[other] { $count } arquivos falharam: { $why }
    }
note-many-finished =
    { $count ->
        [one] { $count } download concluído
        [many] { $count } de downloads concluídos
       *[other] { $count } downloads concluídos
    }
note-many-failed =
    { $count ->
        [one] { $count } download falhou
        [many] { $count } de downloads falharam
       *[other] { $count } downloads falharam
    }
note-many-mixed =
    { $count ->
        [one] { $count } download concluído, { $failed } com falha
        [many] { $count } de downloads concluídos, { $failed } com falha
       *[other] { $count } downloads concluídos, { $failed } com falha
    }
note-and-more = e mais { $count }
note-all-done = Todos os downloads estão concluídos
    .body =
        { $count ->
            [one] { $count } concluído. Não há mais nada a esperar.
            [many] { $count } concluídos. Não há mais nada a esperar.
           *[other] { $count } concluídos. Não há mais nada a esperar.
        }
note-all-ended = Todos os downloads terminaram
    .body =
        { $count ->
            [one] { $count } concluído, { $failed } com falha. A lista diz por quê.
            [many] { $count } concluídos, { $failed } com falha. A lista diz por quê.
           *[other] { $count } concluídos, { $failed } com falha. A lista diz por quê.
        }
note-in-tray = O { -ashore } continua em segundo plano
    .body = Os downloads continuam. Abra o { -ashore } pelo ícone no painel, ou encerre-o por lá.
note-group = { -ashore } - { $owner }
note-group-command-line = { -ashore } - linha de comando

ask-open = Abrir este arquivo?
    .body = { $name } pode executar algo neste computador. Abra somente se souber de onde vem.
ask-folder = Escolher uma pasta
ask-file = Escolher um arquivo
ask-save-list = Salvar a lista
ask-list = Escolher uma lista salva
