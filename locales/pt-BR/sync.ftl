sync = Sincronização
    .about = Uma só lista em todas as suas máquinas, criptografada e sem conta.
    .open = Abrir
sync-is-off = A sincronização está desativada
sync-is-on = A sincronização está ativada

sync-begin = Como você quer começar?
sync-way-server = Manter o servidor nesta máquina
    .about = Cria uma nova lista. As outras máquinas chegam a esta pela sua rede, por isso escolha uma que fique ligada com frequência.
    .submit = Iniciar e criar
sync-way-link = Usar um link
    .about = Entra na lista de outra máquina ou cria uma nova lista em um servidor.
    .submit = Continuar
sync-way-words = Recuperar com 24 palavras
    .about = Para uma lista que nenhuma máquina tem mais. Você precisa do endereço, do número e das palavras que anotou.
    .submit = Recuperar
sync-step = Passo { $step } de { $count }
sync-go-back = Voltar
sync-name = Nome desta máquina
    .hint = Por exemplo, Notebook
    .about = Suas outras máquinas mostram este nome.
sync-link = Link
    .joins = Este link entra na lista de outra máquina.
    .joins-list =
        { $past ->
            [one] Entrar na lista de { $machine } ({ n-downloads }, { $past } anterior)?
            [many] Entrar na lista de { $machine } ({ n-downloads }, { $past } anteriores)?
           *[other] Entrar na lista de { $machine } ({ n-downloads }, { $past } anteriores)?
        }
    .sets-up = Este link cria uma nova lista em um servidor.
    .join = Entrar na lista
    .set-up = Criar a lista
sync-address = Endereço do servidor
sync-number = Número
sync-working = Contatando o servidor…
sync-joined = Esta máquina entrou na lista. Os downloads dela aparecem nas suas outras máquinas.

sync-write-down = A sincronização está ativada. Anote estas 24 palavras, o endereço e o número. Sem eles, nada pode ser recuperado.
sync-write-down-new = { $machine } não consegue ler nada novo. Anote as novas palavras.
sync-words = Palavras de recuperação
    .count = { $count } de 24 palavras
    .show = Mostrar as 24 palavras
    .explained = Quem tiver estas palavras, o endereço e o número pode ler a lista. Guarde-os em um lugar seguro.
    .written = Já anotei

sync-state = Esta máquina
sync-last = Última sincronização
    .never = Ainda não
sync-reading = Lendo { $received } de { $total }
    .title = Primeira sincronização
sync-clock =
    .ahead = O relógio desta máquina está { $time } adiantado. A sincronização usa o relógio do servidor. Acerte o relógio desta máquina.
    .behind = O relógio desta máquina está { $time } atrasado. A sincronização usa o relógio do servidor. Acerte o relógio desta máquina.
sync-server = Servidor
sync-fingerprint = Impressão digital da chave
    .about = É a mesma em todas as máquinas desta lista. Compare-a se tiver dúvida de que uma máquina entrou na lista certa.
sync-now = Sincronizar agora
    .running = Sincronizando…
sync-done = Recebido: { $received }. Enviado: { $sent }.
sync-done-nothing = Tudo estava em dia.
sync-restored = O servidor tinha perdido uma parte da lista. Ela foi enviada de novo desta máquina.
sync-restoration =
    { $count ->
        [one] O servidor voltou ao estado de { $day }. { $count } entrada que ele tinha perdido foi restaurada daqui.
        [many] O servidor voltou ao estado de { $day }. { $count } de entradas que ele tinha perdido foram restauradas daqui.
       *[other] O servidor voltou ao estado de { $day }. { $count } entradas que ele tinha perdido foram restauradas daqui.
    }
    .emptied =
        { $count ->
            [one] O servidor tinha perdido a lista. { $count } entrada foi restaurada daqui.
            [many] O servidor tinha perdido a lista. { $count } de entradas foram restauradas daqui.
           *[other] O servidor tinha perdido a lista. { $count } entradas foram restauradas daqui.
        }
sync-since =
    .time = desde as { $when }
    .weekday = desde { $when }
    .day = desde { $when }
sync-silent = O servidor de sincronização não responde { $since }.
    .continues = { sync-silent } Aqui tudo continua.
    .waiting =
        { sync-silent } { $count ->
            [one] Aqui tudo continua; { $count } alteração aguarda.
            [many] Aqui tudo continua; { $count } de alterações aguardam.
           *[other] Aqui tudo continua; { $count } alterações aguardam.
        }
sync-space = O servidor está cheio ({ $used } de { $total }).
    .waiting =
        { $count ->
            [one] O servidor está cheio ({ $used } de { $total }); { $count } alteração aguarda.
            [many] O servidor está cheio ({ $used } de { $total }); { $count } de alterações aguardam.
           *[other] O servidor está cheio ({ $used } de { $total }); { $count } alterações aguardam.
        }
sync-arrived = Outra máquina enviou “{ $title }”.
sync-waiting =
    { $count ->
        [one] { $count } alteração aguarda o envio.
        [many] { $count } de alterações aguardam o envio.
       *[other] { $count } alterações aguardam o envio.
    }
sync-shared = O que é compartilhado
sync-column =
    .what = Tipo
    .here = Aqui
    .there = No servidor
    .waiting = Aguardando
    .held = Não lido
sync-collection =
    .clients = Máquinas
    .downloads = Downloads
    .parts = Listas longas de links
    .history = Downloads anteriores
    .settings = Configurações
    .sends = Downloads a caminho
sync-held = Um registro não é lido se foi alterado no servidor, vem de um { -ashore } mais novo ou tem um valor que esta máquina recusa. Esses registros ficam no servidor como estão.
sync-newer-machine = { $machine } tem um { -ashore } mais novo. O que foi escrito em um formato novo espera até que esta máquina seja atualizada; o resto continua.
clear-history = Limpar o histórico antigo…
clear-history-question = Esquecer os downloads anteriores em todas as máquinas?
    .about = Suas máquinas deixam de avisar que um link já foi baixado. Nenhum download e nenhum arquivo é removido.
    .choice = Downloads anteriores a esquecer
    .month = Com mais de 30 dias
    .year = Com mais de um ano
    .all = Todos
    .submit = Esquecer
    .done = Os downloads anteriores foram esquecidos aqui. As outras máquinas fazem o mesmo na próxima sincronização.
sync-off = Desativar a sincronização…
sync-off-question = Desativar a sincronização nesta máquina?
    .body = Os downloads e arquivos desta máquina ficam. Os downloads das outras máquinas somem desta janela.
    .submit = Desativar
    .server = O servidor desta máquina continua em execução para as outras. Pare-o nesta tela se nenhuma máquina precisar dele.

own-server = Esta máquina mantém o servidor
    .address = Endereço
    .runs = O servidor está em execução.
    .stopped = O servidor não está em execução.
    .asleep = Enquanto esta máquina está suspensa ou desligada, as outras guardam suas alterações e as enviam mais tarde.
    .firewall = Se outra máquina não conseguir acessá-lo, permita conexões TCP de entrada na porta { $port } no firewall desta máquina.
    .start = Iniciar
    .stop = Parar…
own-server-question = Parar o servidor?
    .body = Suas máquinas não podem sincronizar até que o servidor volte a funcionar. Nada é apagado.
    .submit = Parar

machines = Máquinas
    .own = esta máquina
    .seen = Vista pela última vez: { $when }
    .trust = Iniciar os downloads dela sem perguntar
    .trust-of = Iniciar os downloads de { $machine } sem perguntar
    .add = Adicionar uma máquina…
    .remove = Remover…
    .remove-of = Remover { $machine }
machines-unseen = Não se sabe quando foi vista pela última vez
machines-rename = Renomear esta máquina
    .open = Renomear…
    .submit = Renomear
machines-invite = Adicionar uma máquina
    .about = Na outra máquina, abra Sincronização, escolha “{ sync-way-link }” e digite este link.
    .link = Link
    .code = Código QR do link
    .copy = Copiar link
    .until = O link funciona uma vez, até { $time }.
    .late = O link é antigo demais. Crie um novo.
    .again = Novo link

conflicts = Conflitos
    .about = Duas máquinas alteraram a mesma coisa ao mesmo tempo, e só uma alteração pode valer. A outra é guardada por 30 dias.
    .yours = O seu, “{ $losing }”, perdeu para “{ $winning }”.
    .theirs = “{ $losing }” de { $machine } perdeu para “{ $winning }”.
    .removed = { $machine } alterou o download enquanto outra máquina o removia. Ele está removido.
    .removed-by = { $machine } alterou o download enquanto { $remover } o removia. Ele está removido.
    .removed-yours = Esta máquina alterou o download enquanto { $remover } o removia. Ele está removido.
    .removed-here = { $machine } alterou o download enquanto esta máquina o removia. Ele está removido.
    .kept = A lista compartilhada não tinha mais este download, mas esta máquina ainda o tinha. O download fica nos dois lugares.
    .request = Os links de { $machine } perderam para outros links.
    .take-value = Usar “{ $value }”
    .keep-value = Manter “{ $value }”
    .take-links = Usar os links de { $machine }
    .keep-links = Manter os outros links
    .fetch = Baixar aqui
    .keep-removed = Deixar removido
    .remove = Remover
    .keep-download = Manter
    .action-on = { $action }: { $title }
conflict-field =
    .title = Nome
    .requested = Pausar ou retomar
    .home = Máquina
    .request = Links
    .removed = Remoção
    .choice = Configuração
conflict-value =
    .run = retomar
    .paused = pausar
    .removed = remover
    .default = o padrão
    .on = ativado
    .off = desativado

others = Outras máquinas
    .short = Outras máquinas
    .empty = As outras máquinas não têm downloads
    .empty-about = Os downloads que você adiciona nelas aparecem aqui. Você pode pausá-los lá ou baixá-los aqui.
    .running = { $machine } está baixando
    .paused = Em pausa em { $machine }
    .queued = Na fila em { $machine }
    .done = Concluído em { $machine }
    .failed = Falhou em { $machine }: { $why }
    .failed-plain = Falhou em { $machine }
    .incomplete = Aqui só aparece na lista, porque tem links demais
others-requested =
    .run = Retomada solicitada
    .paused = Pausa solicitada
    .removed = Remoção solicitada
others-action =
    .pause = Pausar lá
    .resume = Retomar lá
    .fetch = Baixar aqui também
    .move = Trazer para cá
    .remove = Remover lá…
others-more = Mostrar mais { $count }
others-remove-question = Remover de { $machine }?
    .body = { $machine } o remove da própria lista na próxima sincronização. Os arquivos já completos lá ficam.
    .submit = Remover lá
others-fetched = Esta máquina também baixa “{ $title }”.
others-moved = Esta máquina continua “{ $title }”. { $machine } o pausa.

send-to = Enviar para…
    .many = Enviar { n-downloads-object } para…
    .question = Enviar para outra máquina
    .about = A outra máquina baixa por conta própria. Nada muda aqui. Logins e cookies não são enviados.
    .sent = “{ $title }” foi enviado para { $machine }.
    .sent-many = Enviado para { $machine }: { n-downloads-object }.
    .alone = A outra máquina baixa por conta própria, na pasta dela. Logins e cookies não são enviados.
    .on = Baixar em
    .here = Esta máquina
    .gone = { $machine } não está mais na lista. Escolha outra máquina.
sends = Enviado a outras máquinas
    .missed = Não recebido nesta máquina
sends-state =
    .waiting = { $machine } ainda não o buscou
    .delivered = Entregue a { $machine }
    .refused = { $machine } não o aceitou
    .expired = { $machine } não foi ligada por 30 dias; isto não foi entregue.
    .missed = Enviado por { $machine } enquanto esta máquina ficou desligada por 30 dias. Pode ser enviado de novo de lá.
sent-by = Enviado por { $machine }
    .start = Iniciar
    .always = Sempre iniciar os downloads que { $machine } envia
add-past = { $machine } baixou isto em { $day }.
    .title = { $machine } baixou “{ $title }” em { $day }.
