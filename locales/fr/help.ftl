help-headings =
    .usage = Utilisation :
    .commands = Commandes
    .arguments = Arguments
    .options = Options
    .run = Pour cette exécution
    .everywhere = Partout
help-notes =
    .default = [par défaut : { $value }]
    .env = [variable d’environnement : { $name }]
    .values = [valeurs possibles : { $values }]
    .value-list = Valeurs possibles :
    .aliases = [aussi : { $names }]
help-value-names =
    .address = ADRESSE
    .algorithm = ALGORITHME
    .change = CHANGEMENT
    .command = COMMANDE
    .days = JOURS
    .dir = DOSSIER
    .file = FICHIER
    .host = SERVEUR
    .kind = TYPE
    .link = LIEN
    .machine = MACHINE
    .method = MÉTHODE
    .name = NOM
    .number = NUMÉRO
    .options = OPTIONS
    .owner = PROPRIÉTAIRE
    .password = MOT_DE_PASSE
    .path = CHEMIN
    .search = RECHERCHE
    .seconds = SECONDES
    .size = TAILLE
    .source = ORIGINE
    .speed = VITESSE
    .text = TEXTE
    .time = DURÉE
    .title = TITRE
    .user = UTILISATEUR
    .value = VALEUR

help-arguments =
    .names = Noms donnés par `ashore browsers`, comme firefox ; sans nom, tous les navigateurs présents
    .data_dir = Dossier de la liste [par défaut : ashore dans le dossier de données XDG, ~/.local/share/ashore]
    .owner = Agir pour ce propriétaire, comme un programme ou un flux : les téléchargements des autres propriétaires ne sont ni affichés ni modifiés
    .json = Écrire du JSON sur stdout, un objet par ligne
    .quiet = N’écrire que les erreurs
    .verbose = Écrire un journal sur stderr ; à répéter pour plus de détails. RUST_LOG a priorité
    .urls = Liens (http ou https). `get` accepte aussi l’identifiant d’un téléchargement de la liste. Un fichier qui se termine par .meta4 ou .metalink est lu comme avec --metalink. Les crochets et accolades représentent plusieurs liens : page-[001:120].jpg, [a:f], {"{"}one,two{"}"}
    .input = Lire des liens dans un fichier, ou sur stdin avec "-", un par ligne. Les liens peuvent se trouver dans un autre texte, avoir des miroirs après une tabulation, et au-dessous des lignes comme "  out=NAME", comme dans une liste pour aria2. Les lignes vides et celles qui commencent par # ou ; sont ignorées ; une ligne qui n’est pas un lien est signalée et laissée de côté. Les liens du fichier suivent ceux de la ligne de commande. Au-delà de 100 000 liens, ou de 10 Mio de liens, `add` crée plusieurs téléchargements et écrit l’identifiant de chacun dès qu’il est dans la liste ; `get` n’en crée toujours qu’un
    .dir = Dossier où enregistrer les fichiers ; il doit exister [par défaut : le dossier actuel]
    .output = Nom du fichier, pour un seul lien ; un dossier placé devant est relatif à --dir [par défaut : le nom que donne le serveur]
    .title = Titre dans la liste et dans les notifications [par défaut : formé à partir des liens]
    .description = Texte qui décrit le téléchargement, affiché avec son titre
    .icon = Fichier image affiché à côté du titre ; si plusieurs tailles sont données, la plus adaptée est utilisée
    .download_total = Taille maximale de tous les fichiers ensemble, en octets ; si elle est dépassée, le téléchargement échoue
    .source = Origine du téléchargement : command-line, feed, clipboard, device ou program. Seuls les téléchargements que vous lancez vous-même peuvent accéder à votre réseau local
    .deliver = Conserver l’annonce de fin jusqu’à ce qu’un programme du propriétaire la confirme, même si aucun ne s’est encore connecté
    .id = unique_id du téléchargement, au moins ses 4 premiers caractères, ou son nom donné par `--id`
    .headers = En-tête à envoyer avec chaque requête ; peut être donné plusieurs fois. Les en-têtes sont enregistrés dans la liste, sauf Authorization et Cookie, qui sont conservés pour leur serveur comme avec `ashore sign-in`. Avec @FICHIER, les en-têtes sont lus dans FICHIER, un par ligne, pour que la liste des processus ne les montre pas
    .optional = Les liens qui suivent cette option peuvent échouer sans que le téléchargement échoue ; si aucun lien ne la suit, elle vaut pour tous
    .method = GET, HEAD, POST, PUT, PATCH ou DELETE, les quatre derniers avec ou sans --upload-file [par défaut : GET, ou PUT avec --upload-file]
    .upload_file = Fichier à envoyer comme contenu de chaque requête
    .user = Se connecter au serveur des liens avec cet utilisateur ; sans mot de passe, Ashore le demande. Le mot de passe est conservé dans le trousseau du système, pour que le téléchargement puisse reprendre après un redémarrage : voir `ashore sign-in`. Si ni cette option ni --user-file n’est donnée, ASHORE_USER est utilisé pour les liens d’un seul serveur
    .user_file = Comme --user, mais lu à la première ligne d’un fichier, ou de stdin avec "-" ; la liste des processus ne le montre pas
    .netrc = Envoyer les mots de passe de ~/.netrc aux serveurs qui les demandent, tant que cet Ashore fonctionne
    .netrc_file = Comme --netrc, mais avec un autre fichier
    .cookies = Envoyer les cookies d’un fichier cookies.txt (le format de curl et des extensions de navigateur) aux serveurs auxquels ils appartiennent. Ashore en conserve une copie que vous seul pouvez lire
    .user_agent = Agent utilisateur à envoyer à la place de celui d’Ashore
    .referrer = Page où se trouvaient les liens. Les serveurs du site de cette page reçoivent l’adresse complète, les autres seulement le nom du site
    .checksums = Somme de contrôle attendue du fichier, pour un seul lien : sha-256=HEX, ou sha-512, sha-1, md5. Peut être donnée une fois par algorithme
    .mirrors = Autre adresse du même fichier, pour un seul lien ; peut être donnée plusieurs fois, la meilleure d’abord
    .size = Taille du fichier en octets, pour un seul lien ; un fichier d’une autre taille est refusé
    .metalink = Télécharger les fichiers d’un Metalink comme un seul téléchargement, depuis ses miroirs et avec ses sommes de contrôle. Donnez un fichier, ou "-" pour stdin
    .curl = Télécharger le lien d’une commande pour cURL, Wget ou PowerShell, telle que la copient les navigateurs, avec les en-têtes, le nom de fichier et la connexion de la commande. Une commande avec une option qu’Ashore ne connaît pas est refusée, et l’option est nommée. Avec "-", la commande est lue sur stdin
    .literal = Ne pas interpréter les crochets et accolades des liens
    .skip_existing = Passer les fichiers qui sont déjà dans le dossier : un fichier inchangé que la liste a pour le même lien, ou un fichier qui a la taille indiquée par le serveur et n’est pas plus ancien que celui du serveur
    .paused = Ne pas démarrer, mais attendre `ashore resume`
    .ignore_when_paused = Ne rien ajouter si tous les téléchargements sont en pause
    .first = Placer le téléchargement avant tous ceux qui attendent [par défaut : selon le réglage "order"]
    .last = Placer le téléchargement après tous ceux qui attendent
    .now = Démarrer immédiatement : si aucune place n’est libre, le dernier téléchargement en cours cède la sienne et garde chaque octet
    .until = Le lien unique commence une série numérotée : le dernier nombre du lien compte jusqu’à N, et chaque page est téléchargée quand la précédente est complète
    .parts = Le lien unique mène à une liste de liens, un par ligne, comme dans une liste de lecture : ces liens sont téléchargés aussi
    .at_once = Nombre maximal de liens de cette liste à télécharger en même temps, de 1 à 64 ; avec 1, ils sont téléchargés l’un après l’autre, dans l’ordre
    .keep_for = Combien de temps le téléchargement reste dans la liste après que sa fin vous a été notifiée : 90s, 30m, 12h, 7d, 4w [par défaut : le réglage "forget-finished-after"]
    .takes_files = Mettre les fichiers à la corbeille quand le téléchargement est retiré automatiquement de la liste ; les fichiers que vous avez modifiés sont conservés
    .proxy = Proxy pour tous les transferts, par exemple http://host:3128 ou socks5h://host:1080 ; "none" pour aucun. Avec @FICHIER, le proxy est lu à la première ligne de FICHIER, pour que la liste des processus ne le montre pas [par défaut : les réglages, ou http_proxy, https_proxy, all_proxy et no_proxy]
    .ca_certificate = Faire confiance aux certificats de ce fichier PEM, en plus de ceux du système
    .allow_insecure_redirects = Suivre les redirections de HTTPS vers HTTP ; le transfert peut alors être lu et modifié en chemin
    .connect_timeout = Secondes d’attente pour qu’un serveur accepte une connexion [par défaut : 15, ou le réglage]
    .total_timeout = Durée maximale d’un essai pour un fichier, en secondes ; les octets reçus sont conservés [par défaut : aucune limite]
    .ids = unique_id des téléchargements, ou au moins leurs 4 premiers caractères
    .files = Mettre aussi à la corbeille les fichiers téléchargés, sauf ceux qui ont été remplacés ou modifiés après le téléchargement
    .url = Serveur, ou n’importe quel lien vers lui
    .name = Nom de cette machine [par défaut : son nom d’hôte]
    .link = Lien, tel que le serveur ou une autre machine l’a écrit ; sans lui, le lien est lu sur stdin
    .device = Nom ou identifiant de la machine
    .help = Afficher l’aide
    .help-short = Afficher l’aide (détails avec '--help')
    .help-long = Afficher l’aide (résumé avec '-h')
    .version = Afficher la version

help = Gestionnaire de téléchargements
    .long =
        { help }.

        Ashore télécharge des fichiers par HTTP et HTTPS, garde chaque octet malgré les plantages et les coupures de courant, et reprend là où il s’est arrêté.
    .after =
        Exemples :
          ashore get https://example.org/debian.iso     télécharger ici, et attendre
          ashore get -d ~/Music -i links.txt            de nombreux fichiers en un téléchargement
          ashore get --checksum sha-256=9f86... URL     n’accepter que ces octets précis
          ashore serve &                                télécharger en arrière-plan
          id=$(ashore add URL)                          mettre dans la liste, et passer à autre chose
          ashore show $id                               ce qu’il en est advenu
          ashore sign-in https://example.org --user me  pour tout ce qui vient de là
          ashore list --json | jq -r .title             pour les programmes

        Un seul programme à la fois travaille sur la liste : la fenêtre, `ashore serve` ou `ashore get`. Tant que l’un d’eux fonctionne, tout autre `ashore` lui parle ; sinon, il ouvre lui-même la liste un instant. Rien n’est jamais téléchargé deux fois parce que deux programmes fonctionnent.

        Codes de sortie :
          0    tout est fait
          1    une partie a échoué (les fichiers facultatifs ne comptent pas)
          2    les arguments n’ont pas de sens
          3    pas d’accès : la liste ne peut pas être ouverte, ou le programme qui la tient ouverte ne répond pas
          4    refusé : un lien, un dossier ou un identifiant qu’Ashore n’accepte pas
          130  interrompu ; tout est conservé

        Les résultats vont sur stdout, les phrases pour les personnes sur stderr. Avec --json, une commande qui échoue écrit aussi {"{"}"error": {"{"}"code": ..., "text": ...{"}"}{"}"} sur stdout. Si NO_COLOR est définie, il n’y a pas de couleurs.
help-get = Télécharger, et attendre que le téléchargement soit complet
    .long =
        { help-get }

        Si aucun Ashore ne fonctionne, `get` télécharge lui-même, et d’autres programmes peuvent suivre le téléchargement. Sinon, `get` remet les liens à l’Ashore qui fonctionne et suit le téléchargement. Ctrl-C garde chaque octet ; `ashore get ID`, ou la même commande encore une fois, reprend.

        À la fin, stdout contient une ligne par fichier, et stderr une phrase par fichier qui a échoué. Avec --json, stdout contient chaque événement de ce téléchargement dès qu’il se produit et, en dernière ligne, l’objet qu’écrit `ashore show ID --json`.
    .id = Votre propre nom pour le téléchargement, que toutes les autres commandes acceptent à la place de l’identifiant. Un seul téléchargement actif peut porter un nom donné
    .connections = Nombre maximal de connexions par fichier, de 1 à 64 [par défaut : 8, ou le réglage]
    .parallel = Nombre maximal de fichiers en même temps, de 1 à 64, au total et par serveur [par défaut : 4 et 2, ou les réglages]
    .after =
        Exemples :
          ashore get URL -o debian.iso             jamais par-dessus un fichier : "debian (1).iso"
          ashore get URL1 URL2 --optional URL3     terminé quand les deux premiers sont là
          ashore get -i - {"<"} links.txt              un lien par ligne
          ashore get debian.meta4                  ce que décrit un Metalink
          ashore get URL --mirror URL2             le même fichier depuis l’un ou l’autre
          ashore get URL URL.sha256                vérifié avec le fichier de sommes voisin
          ashore get -i links.txt --parallel 16    seize fichiers à la fois
          ashore get --upload-file a.pdf URL       envoyer un fichier, et garder la réponse
          ashore get 1b9d6bcd                      reprendre un téléchargement de la liste
help-add = Ajouter des liens à la liste sans attendre les téléchargements
    .long =
        { help-add }

        N’écrit que l’unique_id ; avec --json, l’enregistrement. Les liens sont téléchargés par la fenêtre, par `ashore serve` ou par le prochain Ashore qui fonctionne.
    .id = { help-get.id }
    .again = Ajouter le téléchargement même si un téléchargement identique et inachevé est dans la liste. Sans cette option, celui qui existe passe en tête
    .to = Envoyer le téléchargement à cette machine de la liste partagée au lieu de l’ajouter ici ; voir `ashore sync devices`
help-serve = Télécharger sans fenêtre, jusqu’à Ctrl-C ou SIGTERM
    .long =
        { help-serve }

        Écrit une ligne quand Ashore est prêt. Avec --json : {"{"}"ready": true, "data_dir": ..., "socket": ...{"}"}.
    .remote = Servir la page aux autres appareils, sans --listen seulement sur le port 6800 de cette machine
    .listen = Adresse où servir la page, comme 0.0.0.0:6800, ou unix: et le chemin d’un socket ; à répéter pour plusieurs
    .allow_host = Autre nom par lequel les navigateurs peuvent s’adresser à cette machine, comme nas.local ; à répéter pour plusieurs
    .allow_origin = Origine d’une page ou d’une extension qui peut envoyer des requêtes, outre la page d’Ashore ; à répéter pour plusieurs
    .trusted_proxy = Adresse ou réseau d’un proxy dont X-Forwarded-For indique l’adresse d’un client ; à répéter pour plusieurs
    .public_url = Adresse de la page derrière un proxy, pour les liens ; avec https://, seules les pages chargées avec TLS peuvent se connecter
    .base_path = Chemin de la page, si ce n’est pas le chemin de --public-url
    .root = Dossier que les autres appareils peuvent choisir, outre les dossiers de téléchargement des réglages ; à répéter pour plusieurs
    .aria2 = Téléchargements accessibles aux programmes conçus pour aria2. Un programme a besoin d’un jeton de `ashore remote token --name`
    .aria2-off = Aucun téléchargement : l’interface est fermée
    .aria2-own = Téléchargements que ces programmes ont ajoutés
    .aria2-all = Tous les téléchargements ; ceux des autres peuvent être lus, mis en pause et repris, mais pas retirés
    .aria2_may_stop = Permettre aux programmes conçus pour aria2 d’arrêter Ashore avec l’appel `shutdown`
help-list = Afficher la liste, les plus récents d’abord
    .search = N’afficher que les téléchargements dont le titre, les liens ou les noms de fichiers contiennent ce texte
    .active = N’afficher que les téléchargements qui ne sont pas encore terminés : en cours, en attente ou en pause
    .settled = N’afficher que les téléchargements terminés
    .failed = N’afficher que les téléchargements dont un fichier a échoué définitivement ; `ashore retry` réessaie le fichier
    .limit = Afficher au plus N téléchargements
help-watch = Afficher les téléchargements actifs avec leur vitesse, jusqu’à Ctrl-C. Avec --json, afficher l’enregistrement avec sa vitesse à chaque changement
help-show = Afficher tous les détails d’un téléchargement
    .id = unique_id du téléchargement, ou au moins ses 4 premiers caractères
    .attempts = Sous chaque fichier, donner chaque essai pour le télécharger : début, durée, octets reçus, et la raison pour laquelle il a pris fin. Avec --json, chaque enregistrement a ces essais sous `tries`
help-open = Ouvrir un fichier téléchargé avec son programme par défaut, ou le dossier d’un téléchargement de plusieurs fichiers
    .folder = Ouvrir le dossier au lieu du fichier
help-pause = Mettre des téléchargements en pause et garder chaque octet
    .ids = unique_id des téléchargements, ou au moins leurs 4 premiers caractères [par défaut : tous]
help-resume = Reprendre des téléchargements en pause
    .ids = { help-pause.ids }
help-cancel = Annuler définitivement des téléchargements, et garder les fichiers complets
help-retry = Réessayer les fichiers qui ont échoué, et commencer immédiatement les essais prévus
    .dir = Dossier pour les fichiers qui ne sont pas encore complets, si celui du téléchargement n’est plus utilisable
help-remove = Retirer des téléchargements de la liste ; ceux qui sont actifs sont d’abord annulés
help-first = Placer des téléchargements en tête de la file
help-move = Déplacer des téléchargements dans la file
    .before = Placer juste avant ce téléchargement
    .last = Placer après tous les autres téléchargements
help-move-to = Déplacer les fichiers des téléchargements dans un autre dossier ; les téléchargements en cours y continuent
    .dir = Dossier pour les fichiers qui ne sont pas encore complets
help-relink = Remplacer le lien d’un fichier qui n’est pas complet, et garder ses octets
    .url = Nouveau lien vers le même fichier
    .file = Numéro du fichier, comme l’affiche `ashore show` ; nécessaire seulement si plusieurs fichiers ne sont pas complets
help-change = Changer la présentation d’un téléchargement : titre, description et icône
    .title = Nouveau titre
    .description = Nouvelle description
    .icon = Nouveau fichier image, affiché à côté du titre ; si plusieurs tailles sont données, la plus adaptée est utilisée
help-match = Trouver quel fichier d’un téléchargement a un lien donné
    .long =
        { help-match }

        Écrit le numéro du fichier, son état et le lien ; avec --json, l’enregistrement. N’écrit rien si aucun fichier du téléchargement n’a ce lien.
    .url = Lien à chercher
    .all = Écrire tous les fichiers correspondants au lieu du premier seulement
    .ignore_search = Ne pas tenir compte du point d’interrogation et de ce qui suit en comparant les liens
    .ignore_method = Trouver les requêtes de toutes les méthodes
    .method = Méthode de la requête [par défaut : GET]
help-ids = Donner les noms que `--id` a donnés à vos téléchargements actifs ou, avec --owner, à ceux de ce propriétaire
help-find = Écrire l’identifiant du téléchargement actif qui porte ce nom de `--id`
    .name = Nom que `--id` a donné au téléchargement
help-owed = Donner les téléchargements terminés dont la fin n’est pas encore confirmée
    .long =
        { help-owed }

        Avec --owner, donne les téléchargements de ce propriétaire ; sinon, ceux dont la fin ne vous a pas été notifiée. Écrit unique_id, numéro de l’annonce de fin et titre ; avec --json, l’enregistrement.
help-acknowledge = Confirmer la fin d’un téléchargement d’un propriétaire, pour qu’elle ne soit plus annoncée
    .event_number = Numéro de l’annonce de fin : `event_number` [par défaut : la dernière]
help-clear = Retirer tous les téléchargements ajoutés depuis la ligne de commande ou, avec --owner, tous ceux de ce propriétaire
    .long =
        { help-clear }

        Les téléchargements actifs sont d’abord annulés. Les fichiers complets sont conservés, sauf si --files est donnée.
help-reset = Annuler tous les téléchargements actifs ajoutés depuis la ligne de commande ou, avec --owner, tous ceux de ce propriétaire
    .long =
        { help-reset }

        Les téléchargements restent dans la liste, et les fichiers complets sont conservés.
help-queue-stats = Compter tous les fichiers jamais demandés, réussis ou échoués, pour tous les propriétaires ou, avec --owner, pour un seul
help-remove-owner = Retirer un propriétaire et tous ses téléchargements
    .long =
        { help-remove-owner }

        Ses téléchargements sont arrêtés, et leur fin n’est pas annoncée. Les fichiers complets sont conservés.
    .name = Nom du propriétaire
help-limit = Limiter la vitesse des transferts
    .long =
        { help-limit }

        Une limite vaut immédiatement, aussi pour les transferts en cours, et demeure jusqu’à ce qu’elle soit levée. Si plusieurs limites valent pour un transfert, la plus basse compte ; les téléchargements qui partagent une limite en reçoivent des parts égales. Sans vitesse, les limites actuelles sont affichées.
    .speed = Octets par seconde, de 1K à 10G (K, M et G sont des puissances de 1 024 ; kB, MB et GB, de 1 000) ; "none" ou 0 lève la limite
    .host = Limiter les échanges avec ce serveur : téléchargements depuis lui ou à travers lui, et envois vers lui. Donnez son nom comme dans un lien. Les sous-domaines sont d’autres serveurs
    .id = Limiter les fichiers d’un téléchargement : son unique_id, ou au moins ses 4 premiers caractères
    .after =
        Exemples :
          ashore limit 2M                          tout ensemble, 2 Mio par seconde
          ashore limit 500K --host example.org     ce qui vient de là
          ashore limit 1M --id 1b9d6bcd            un téléchargement
          ashore limit none                        tout de nouveau aussi vite que possible
          ashore limit                             ce qui est limité
help-sign-in = Conserver un mot de passe ou un jeton pour un serveur, et l’envoyer avec chaque requête à ce serveur
    .long =
        { help-sign-in }

        Le mot de passe ou le jeton est demandé, ou lu à la première ligne de stdin. Il est conservé par le trousseau du système ou, si aucun trousseau ne fonctionne, dans un fichier que vous seul pouvez lire. Un mot de passe ne sert que pour le schéma, le serveur et le port du lien, et n’est jamais envoyé ailleurs. Sans lien, affiche les serveurs dont la connexion est conservée, et où elle l’est.
    .user = Nom d’utilisateur pour la connexion
    .token = Se connecter avec un jeton porteur, comme en délivrent de nombreux services
help-sign-out = Supprimer le mot de passe ou le jeton conservé d’un serveur
help-quota = Limiter la part de la liste que peut occuper un propriétaire ou un type de fichier
    .long =
        { help-quota }

        Chaque téléchargement de la liste compte, complet ou non ; retirer un téléchargement libère sa part. Un téléchargement sans place dans son quota attend en gardant chaque octet, et reprend de lui-même quand il y a de la place. Sans quantité, l’usage et les limites sont affichés.
    .quota_owner = Propriétaire : "window", "command-line" ou le nom d’un programme ; "all" pour tous ensemble
    .size = Nombre maximal d’octets (K, M et G sont des puissances de 1 024 ; kB, MB et GB, de 1 000) ; "none" lève le quota, y compris celui des fichiers
    .files = Nombre maximal de fichiers
    .category = Ne compter que les fichiers de ce type : video, music, picture, document, archive, program ou other
    .after =
        Exemples :
          ashore quota                             combien il y a, et de qui
          ashore quota my-program 10G              ce qu’a demandé ce programme, 10 Gio en tout
          ashore quota my-program --files 1000     et pas plus de mille fichiers
          ashore quota all 50G --category video    les films, qui que ce soit qui les demande
          ashore quota my-program none             autant qu’il y en a
help-statistics = Compter tous les téléchargements jamais ajoutés : complets, échoués, et leurs octets
    .long =
        { help-statistics }

        Les fichiers et leurs tailles sont comptés par origine, au total, et par jour d’ajout. Un fichier qui n’est ni complet ni échoué est encore dans la liste, a été annulé ou a été retiré. Retirer un téléchargement ne change aucun des nombres.
    .days = Nombre de jours à donner séparément
help-settings = Afficher les réglages, ou en changer un
    .long =
        { help-settings }

        Un changement vaut immédiatement, et est enregistré dans `ashore.toml`, dans le dossier de données ; ce fichier peut aussi être modifié à la main.
    .name = Nom du réglage ; sans nom, tous les réglages sont affichés
    .value = Nouvelle valeur, comme dans le fichier des réglages mais sans guillemets ; un réglage d’horaires accepte autant de lignes que vous voulez
    .default = Remettre le réglage à sa valeur par défaut
    .after =
        Exemples :
          ashore settings                          chaque réglage et sa valeur
          ashore settings hours                    à quoi il sert
          ashore settings parallel 8               huit fichiers à la fois, désormais
          ashore settings hours 'mon-fri 08:00-18:00 slow' 'sat 00:00-24:00 off'
          ashore settings parallel --default       comme il est si rien n’est indiqué
help-events = Écrire chaque événement de l’Ashore qui fonctionne, un objet JSON par ligne
help-doctor = Vérifier la liste, ses copies et les fichiers partiels
    .long =
        { help-doctor }

        Si la liste est endommagée à l’ouverture, elle est mise de côté et sa copie la plus récente est restaurée ; `doctor` en indique le résultat. Les compteurs qui ne correspondent pas aux téléchargements qu’ils comptent sont signalés, et recalculés avec --repair. Rien d’autre n’est changé. Le code de sortie est 1 si la liste est endommagée ou incohérente.
    .repair = Recalculer les compteurs qui ne correspondent pas aux téléchargements qu’ils comptent
help-adopt = Ajouter à la liste des fichiers partiels sans téléchargement, et les reprendre
    .long =
        { help-adopt }

        `ashore doctor` donne ces fichiers. Écrit l’unique_id de chaque nouveau téléchargement ; avec --json, l’enregistrement. Sans arguments, tous les fichiers partiels qui peuvent être repris sont ajoutés.
    .partials = Chemins de fichiers partiels, ou les huit chiffres de leurs noms
help-export = Exporter la liste dans un fichier, sans secrets
    .long =
        { help-export }

        Le fichier contient les liens, les noms, les dossiers, les sommes de contrôle, le résultat de chaque fichier et comment il a été vérifié, les limites et les quotas : un objet JSON par ligne, comme le décrit docs/export.md. Les mots de passe, les cookies, les jetons et les fichiers téléchargés eux-mêmes n’en font pas partie.
    .file = Fichier à écrire ; "-" pour stdout
    .force = Remplacer un fichier existant
    .to = Nom du programme qui reçoit le fichier à la place d’Ashore ; aria2 reçoit un fichier de session avec les téléchargements incomplets
help-import = Importer une liste exportée
    .long =
        { help-import }

        Les téléchargements inachevés sont importés en pause : rien ne démarre de soi-même. Les téléchargements déjà dans la liste ne sont pas changés. Un fichier incomplet, ou dont une ligne n’est pas valide, est refusé, et rien n’en est importé.
    .file = Fichier écrit par `ashore export` ; "-" pour stdin
    .from = Nom du programme qui a écrit le fichier à la place d’Ashore ; ses téléchargements sont importés en pause et gardent leurs GID
    .unchecked = Importer le fichier même s’il a été modifié après l’export
help-sync = Partager une liste chiffrée de téléchargements entre vos machines ; sans commande, afficher l’état de la synchronisation
    .long =
        { help-sync }

        Un serveur de synchronisation conserve la liste (voir `ashore sync-server --help`) ; il n’apprend que des tailles et des heures. Chaque téléchargement est fait par une machine, les autres le voient et peuvent le diriger. Les fichiers ne sont jamais transférés.
    .after =
        Exemples :
          ashore-sync-server invite                écrit un lien de configuration, sur le serveur
          ashore sync setup LINK                   crée la liste, et écrit ses 24 mots
          ashore sync invite                       écrit un lien pour la machine suivante
          ashore sync join LINK                    sur cette machine
          ashore sync others                       téléchargements des autres machines
          ashore sync ask 6b3f pause               met l’un d’eux en pause là-bas
          ashore add URL --to Laptop               télécharge un lien sur une autre machine
help-sync-status = Afficher si la synchronisation est activée, ce qui attend, et pourquoi la dernière a échoué
help-sync-now = Synchroniser maintenant
help-sync-setup = Créer une liste sur un serveur, et écrire ses 24 mots de récupération
help-sync-join = Rejoindre la liste d’une autre machine
help-sync-recover = Rejoindre une liste avec ses mots de récupération, par exemple après la perte de toutes les machines
    .long =
        { help-sync-recover }

        Les mots sont lus sur le terminal, ou sur stdin, pour qu’aucune liste des processus ne les montre.
    .address = Adresse du serveur, telle qu’elle a été écrite avec les mots : HOST:PORT#EMPREINTE
    .uid = Numéro écrit avec les mots
help-sync-invite = Écrire un lien avec lequel une machine peut rejoindre la liste, une fois, dans les dix minutes
help-sync-devices = Donner les machines de la liste
help-sync-remove = Retirer une machine de la liste, et écrire les nouveaux mots de récupération
    .long =
        { help-sync-remove }

        La machine ne peut rien lire de ce qui est écrit à partir de là. Ce qu’elle a déjà lu, elle le garde.
help-sync-trust = Laisser une machine démarrer ici des téléchargements sans demander
    .not = Demander de nouveau avant que des téléchargements de cette machine démarrent
help-sync-words = Écrire les mots de récupération de la liste
help-sync-conflicts = Donner les changements qui ont perdu face à ceux d’une autre machine, ou en régler un
    .number = Numéro du conflit à régler
    .take = Utiliser l’autre valeur à la place de la valeur actuelle
    .drop = Garder la valeur actuelle
help-sync-others = Donner les téléchargements des autres machines
help-sync-ask = Demander à une autre machine un changement de son téléchargement, ou reprendre le téléchargement ici
    .id = Identifiant du téléchargement, tel que l’écrit `ashore sync others`, ou ses premiers caractères
    .change = Le changement
    .change-pause = Le mettre en pause là-bas
    .change-resume = Le reprendre là-bas
    .change-remove = Le retirer de la liste là-bas ; ses fichiers restent
    .change-move-here = Le faire sur cette machine à la place
    .change-fetch-here = Le faire aussi sur cette machine
help-sync-send = Envoyer un téléchargement de cette machine à une autre
    .id = { help-show.id }
help-sync-sends = Donner les téléchargements que cette machine a envoyés à d’autres, s’ils ont été remis, et ceux que cette machine a manqués
help-sync-rename = Donner à cette machine un autre nom, que les autres machines affichent
    .name = Nouveau nom
help-sync-clear-history = Oublier les téléchargements passés, sur toutes les machines et sur le serveur, par exemple pour y libérer de la place
    .keep = Conserver les téléchargements passés des JOURS derniers jours ; 0 les oublie tous
help-sync-leave = Désactiver la synchronisation sur cette machine ; les téléchargements et les fichiers restent
help-browsers = Connecter des navigateurs, pour que leur extension confie des téléchargements à Ashore ; sans commande, donner les navigateurs
    .after =
        Exemples :
          ashore browsers                          les navigateurs, et lesquels sont connectés
          ashore browsers connect                  les connecte tous
          ashore browsers connect firefox          connecte Firefox
          ashore browsers disconnect firefox       déconnecte Firefox
          ashore browsers doctor                   teste chaque connexion
          ashore browsers pair                     affiche un code qui associe un navigateur
help-browsers-list = Donner les navigateurs, et s’ils sont connectés
help-browsers-connect = Permettre à l’extension d’un navigateur de confier des téléchargements à Ashore
    .long =
        { help-browsers-connect }

        Écrit un petit fichier dans le dossier du navigateur. Un fichier qu’un autre programme y a écrit n’est jamais modifié. L’extension elle-même s’installe dans le navigateur.
help-browsers-disconnect = Supprimer le fichier que `connect` a écrit
help-browsers-doctor = Tester la connexion de chaque navigateur connecté comme le navigateur l’utiliserait
    .long =
        { help-browsers-doctor }

        Le code de sortie est 1 si une connexion ne fonctionne pas.
help-browsers-pair = Afficher un code qui associe un navigateur de Flatpak ou de snap
    .long =
        { help-browsers-pair }

        Un tel navigateur ne peut pas démarrer de programme. Activez d’abord le réglage browser-channel. Le code se saisit dans la fenêtre de l’extension et vaut une fois, pendant cinq minutes.
help-browsers-unpair = Retirer des navigateurs associés
    .names = Noms de navigateurs associés selon `ashore browsers`
help-remote = Connecter et déconnecter d’autres appareils et programmes ; sans commande, les énumérer
    .after =
        Exemples :
          ashore remote                                   les appareils et programmes connectés
          ashore remote link                              un lien et un code QR pour un appareil
          ashore remote token                             le jeton pour se connecter
          ashore remote token --name sonarr --scope add   un jeton pour un programme
          ashore remote sign-out Phone                    déconnecte un appareil
help-remote-link = Écrire un lien qui connecte un appareil
    .long =
        { help-remote-link }

        Le lien fonctionne une fois, pendant cinq minutes. Dans un terminal, il s’affiche aussi en code QR. `ashore serve --remote` doit tourner.
    .scope = Autorisation de l’appareil : tout, ajouter et lire, ou seulement lire
help-remote-token = Écrire le jeton avec lequel un appareil se connecte
    .long =
        { help-remote-token }

        Avec --name, émet un jeton pour un programme et l’écrit cette seule fois.
    .name = Nom d’un programme qui reçoit son propre jeton
    .scope = Autorisation du programme : tout, ajouter et lire, seulement lire, ou seulement les métriques
    .renew = Remplacer le jeton et déconnecter tous les appareils
help-remote-list = Énumérer les appareils et programmes connectés
help-remote-sign-out = Déconnecter des appareils ou des programmes
    .names = Noms selon `ashore remote list`
help-healthy = Vérifier qu’Ashore fonctionne et est prêt
    .long =
        { help-healthy }

        Destiné aux conteneurs et aux scripts. Le code de sortie est 0 si Ashore est prêt, sinon 1.
    .url = Interroger le serveur pour les autres appareils à cette adresse, comme http://127.0.0.1:6800, au lieu du socket
help-sync-server = Exécuter le serveur de synchronisation, un programme à part ; voir `ashore sync-server --help`
    .arguments = Commande et options du serveur de synchronisation
help-help = Afficher cette aide ou celle des commandes données
    .subcommand = Afficher l’aide de ces commandes
