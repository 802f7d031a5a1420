tray-open = Abrir o { -ashore }
tray-quit = Sair
tray-clipboard = Adicionar da área de transferência
tray-shut = Não é possível abrir a lista

note-show = Mostrar
note-details = Detalhes
note-sent = { $amount } enviados
note-done = Download concluído
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
note-many-running =
    { $count ->
        [one] { $count } download em andamento
        [many] { $count } de downloads em andamento
       *[other] { $count } downloads em andamento
    }
note-and-more = e mais { $count }
note-all-done = Todos os downloads foram concluídos
    .body =
        { $count ->
            [one] { $count } concluído. Nenhum na fila.
            [many] { $count } concluídos. Nenhum na fila.
           *[other] { $count } concluídos. Nenhum na fila.
        }
note-all-ended = Todos os downloads terminaram
    .body =
        { $count ->
            [one] { $count } concluído, { $failed } com falha. A lista diz por quê.
            [many] { $count } concluídos, { $failed } com falha. A lista diz por quê.
           *[other] { $count } concluídos, { $failed } com falha. A lista diz por quê.
        }
note-in-tray = O { -ashore } está em execução em segundo plano
    .body = Os downloads continuam. Abra o { -ashore } pelo ícone no painel, ou encerre-o por lá.
note-group = { -ashore } - { $owner }
note-group-command-line = { -ashore } - linha de comando

ask-open = Abrir este arquivo?
    .body = { $name } pode executar algo neste computador. Abra somente se souber de onde vem.
ask-folder = Escolher uma pasta
ask-file = Escolher um arquivo
ask-save-list = { list-save }
ask-list = Escolher uma lista exportada

ask-server = Manter o servidor de sincronização nesta máquina?
    .body = Esta máquina passa a guardar a lista criptografada, e suas outras máquinas podem acessá-la pela rede. As palavras de recuperação são mostradas em seguida.
    .yes = Manter aqui
ask-set-up = Criar uma lista?
    .body = O { -ashore } cria uma lista criptografada em { $server } e mostra as 24 palavras de recuperação.
    .yes = Criar
ask-join = Entrar na lista?
    .body = Esta máquina envia sua lista de downloads, criptografada, para { $server }. Todas as máquinas da lista compartilhada podem lê-la. Entre somente em uma lista sua.
    .yes = Entrar
ask-words = Mostrar as palavras de recuperação?
    .body = Quem souber as 24 palavras, o endereço e o número pode ler a lista. Verifique se não há mais ninguém olhando.
    .yes = Mostrar
ask-invite = Adicionar uma máquina?
    .body = O { -ashore } mostra um link. A máquina que o abrir primeiro pode ler a lista. O link vale por dez minutos.
    .yes = Mostrar o link
ask-devices = Permitir que outros dispositivos se conectem?
    .body = Os dispositivos da sua rede poderão então abrir esta lista depois de entrar. Os dados trafegam sem criptografia, então faça isso apenas em uma rede confiável.
    .yes = Permitir
ask-device-link = Conectar outro dispositivo?
    .body = O { -ashore } mostra um link. O dispositivo que o abrir primeiro poderá fazer tudo com seus downloads. O link vale por cinco minutos.
ask-remove-machine = Remover uma máquina?
    .body = { $machine } não consegue ler nada do que for escrito a partir de agora. Os downloads dela mesma continuam. A lista recebe novas palavras de recuperação, mostradas em seguida.
    .yes = Remover
ask-trust = Iniciar downloads sem perguntar?
    .body = Os downloads que { $machine } enviar para esta máquina passam a começar imediatamente.
    .yes = Iniciar
