add = Adicionar
add-hint = Adicionar links (Ctrl+N)
add-title = { empty.action }
add-links = Links
    .hint = Cole links, um por linha
add-folder = Pasta
    .hint = Sua pasta de downloads
add-name = Nome do arquivo
    .hint = Automático
add-set-title = Nome
    .hint = Automático
add-checksum = Soma de verificação
    .hint = sha-256=… (opcional)
add-checksum-trouble = Uma soma de verificação é assim: sha-256= seguido de 64 dígitos e letras de a até f.
add-together = Agrupar
add-one-set = Um grupo
add-one-each = Separados
add-start = Iniciar
add-now = Agora
add-next = Próximo da fila
add-later = Adicionar em pausa
add-submit =
    { $count ->
        [one] Adicionar
        [many] Adicionar { $count } de links
       *[other] Adicionar { $count } links
    }
add-progress = { $added } de { $count } adicionados
add-understood =
    { $count ->
        [one] { $count } link encontrado
        [many] { $count } de links encontrados
       *[other] { $count } links encontrados
    }
add-misunderstood =
    { $count ->
        [one] { $count } linha ignorada
        [many] { $count } de linhas ignoradas
       *[other] { $count } linhas ignoradas
    }
add-none-understood =
    { $count ->
        [one] Nenhum link encontrado
        [many] Nenhum link encontrado
       *[other] Nenhum link encontrado
    }
add-line-number = Linha { $number }
add-link-count =
    { $count ->
        [one] { $count } link
        [many] { $count } de links
       *[other] { $count } links
    }
add-from-to = { $first } a { $last }
add-signs-in = com login
add-and-more = e mais { $count }
add-partly = { add-partly-added } { add-partly-left } { $text }
add-partly-added =
    { $added ->
        [one] { $added } link foi adicionado.
        [many] { $added } de links foram adicionados.
       *[other] { $added } links foram adicionados.
    }
add-partly-left =
    { $count ->
        [one] O que ficou aqui não foi:
        [many] Os { $count } que ficaram aqui não foram:
       *[other] Os { $count } que ficaram aqui não foram:
    }

add-asking = Consultando o servidor…
add-wants-sign-in = É preciso fazer login. Digite seu nome de usuário e sua senha.
add-unsized = Tamanho desconhecido
add-resumes = Pode ser retomado
add-begins-anew = Não pode ser retomado

add-answer-gone = A resposta do servidor expirou. O { -ashore } consultará de novo.
add-is-there = Já está na sua lista
add-is-there-otherwise = Parece um download que você já tem
add-are-all-there = Todos estes links já estão na sua lista
add-are-there =
    { $count ->
        [one] { $count } destes links já está na sua lista
        [many] { $count } destes links já estão na sua lista
       *[other] { $count } destes links já estão na sua lista
    }
add-are-unfinished =
    { $count ->
        [one] { $count } pode ser retomado com este link
        [many] { $count } podem ser retomados com estes links
       *[other] { $count } podem ser retomados com estes links
    }
add-repeat = Duplicados
add-go-on = Retomar o existente
add-go-on-many = Retomar os inacabados
add-skip = Ignorar
add-again = Baixar de novo
add-taken = “{ $name }” já existe. O novo arquivo será numerado.

add-along = Login, cookies e cabeçalhos
add-user = Usuário
add-password = Senha
add-keep = Salvar no chaveiro
add-cookies = Cookies
    .hint = nome=valor; outro=valor, ou as linhas de um cookies.txt
add-headers = Cabeçalhos
    .hint = Nome: valor
add-headers-trouble = A linha { $line } dos cabeçalhos não é válida. Use Nome: valor.

add-list-too-large = Este arquivo é grande demais. Use ashore add -i FILE.

new-link = Trocar link
new-folder = Alterar pasta…
relink = Trocar link…
relink-question = Continuar com outro link?
    .body = O arquivo parcial é mantido se o novo link levar ao mesmo arquivo. Caso contrário, o download recomeça.
    .link = Novo link para o mesmo arquivo
    .submit = Usar este link
    .open = Abrir a página no navegador
    .open-about = Abra a página do link e clique no arquivo lá. O download então continua se a extensão tiver acesso a todos os sites e entregar cada clique.

action-anyway = Baixar mesmo assim
action-free-space = Abrir pasta
action-sign-in = Entrar
sign-in-question = Entrar e tentar de novo?
    .body = Seu nome de usuário e sua senha são enviados só a { $host }.
    .submit = Entrar
