add = Adicionar
add-hint = Adicionar downloads (Ctrl+N)
add-title = Adicionar downloads
add-links = Links
    .hint = https://…  um por linha
add-folder = Pasta
    .hint = Sua pasta de downloads
add-name = Nome do arquivo
    .hint = Dado pelo servidor
add-set-title = Título
    .hint = Tirado dos arquivos
add-checksum = Soma de verificação
    .hint = sha-256=… (opcional)
add-checksum-trouble = Uma soma de verificação é assim: sha-256= seguido de 64 dígitos e letras de a até f.
add-together = Adicionar como
add-one-set = Um grupo
add-one-each = Separados
add-start = Iniciar
add-now = Agora
add-next = A seguir
add-later = Depois (em pausa)
add-submit =
    { $count ->
        [one] Adicionar
        [many] Adicionar { $count } de links
       *[other] Adicionar { $count } links
    }
add-progress = { $added } de { $count } adicionados
add-understood =
    { $count ->
        [one] { $count } link entendido
        [many] { $count } de links entendidos
       *[other] { $count } links entendidos
    }
add-misunderstood =
    { $count ->
        [one] { $count } linha não
        [many] { $count } de linhas não
       *[other] { $count } linhas não
    }
add-none-understood =
    { $count ->
        [one] Esta linha não é um link
        [many] Nenhuma destas linhas é um link
       *[other] Nenhuma destas linhas é um link
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
add-wants-sign-in = O servidor pede login. Preencha-o abaixo ou use um link que traga a própria permissão.
add-unsized = O servidor não informa o tamanho
add-resumes = pode continuar após uma interrupção
add-begins-anew = recomeça do zero após uma interrupção

add-answer-gone = A resposta do servidor expirou. O { -ashore } consultará o servidor de novo ao adicionar o link.
add-is-there = Este link já está na lista
add-is-there-otherwise = Um link para o mesmo lugar já está na lista
add-are-all-there = Todos estes links já estão na lista
add-are-there =
    { $count ->
        [one] { $count } destes links já está na lista
        [many] { $count } destes links já estão na lista
       *[other] { $count } destes links já estão na lista
    }
add-are-unfinished =
    { $count ->
        [one] { $count } deles não terminou e pode ser retomado com este link
        [many] { $count } deles não terminaram e podem ser retomados com estes links
       *[other] { $count } deles não terminaram e podem ser retomados com estes links
    }
add-repeat = O que fazer com os repetidos
add-go-on = Continuar o que já existe
add-go-on-many = Continuar os inacabados
add-skip = Deixar de fora
add-again = Baixar de novo
add-taken = A pasta já tem algo chamado { $name }. O que está lá fica, e este arquivo recebe um número depois do nome.

add-along = Login, cookies e cabeçalhos
add-user = Usuário
add-password = Senha
add-keep = Guardar o login e os cookies no chaveiro
add-cookies = Cookies
    .hint = nome=valor; outro=valor, ou as linhas de um cookies.txt
add-headers = Cabeçalhos
    .hint = Nome: valor
add-headers-trouble = A linha { $line } dos cabeçalhos não é um cabeçalho. Um cabeçalho é assim: Nome: valor.

add-list-too-large = Este arquivo é grande demais para ser uma lista de links. Uma lista longa pode ser adicionada com: ashore add -i FILE.

new-link = Novo link
new-folder = Outra pasta
relink = Novo link…
relink-question = Continuar com outro link?
    .body = O { -ashore } compara o arquivo parcial com o arquivo do novo link. Se eles forem diferentes, o download recomeça.
    .link = Novo link para o mesmo arquivo
    .submit = Usar este link
    .open = Abrir a página no navegador
    .open-about = Abra a página do link e clique no arquivo lá. O download então continua se a extensão tiver acesso a todos os sites e entregar cada clique.

action-anyway = Baixar mesmo assim
action-free-space = Liberar espaço
action-sign-in = Entrar
sign-in-question = Entrar e tentar de novo?
    .body = { $host } exige login. Seu nome de usuário e sua senha são enviados só a este servidor.
    .submit = Entrar
