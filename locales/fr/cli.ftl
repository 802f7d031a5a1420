cli-state =
    .pending = à venir
    .running = en cours
    .waiting = en attente
    .paused = en pause
    .done = terminé
    .aborted = annulé
    .failed = échoué

cli-column =
    .id = ID
    .state = ÉTAT
    .progress = FAIT
    .size = TAILLE
    .title = TITRE
    .used = UTILISÉ
    .most = SUR
    .files = FICHIERS
    .owner = POUR
    .added = AJOUTÉS
    .succeeded = FAITS
    .failed = ÉCHOUÉS
    .retried = REPRIS
    .speed = VITESSE
    .left = RESTE

cli-queued = attend son tour
cli-everything-paused = tout est en pause ; `ashore resume` reprend
cli-next-try = { $why } Prochain essai à { $time }
cli-redirected = redirigé vers { $url }
cli-under-way = en cours
cli-milliseconds = { $count } ms
cli-unknown-time = un moment inconnu
cli-optional = facultatif
cli-no-file = aucun fichier n’est arrivé
cli-checked =
    .digest = somme de contrôle correcte ({ $kind })
    .digest-of-unknown-kind = somme de contrôle correcte
    .on-resume = longueur correcte, comparé à la reprise
    .size-unknown = longueur inconnue, aucune somme de contrôle à comparer
    .unverified = longueur correcte, non vérifié : aucune somme de contrôle à comparer
    .none = non vérifié

cli-list-empty = { nothing-all } Ajoutez quelque chose avec `ashore add URL`.
cli-all-paused = Tout est en pause.
cli-paused = En pause.
cli-all-resumed = Tout reprend.
cli-resumed = Repris.
cli-cancelled = Annulé. Les fichiers complets sont conservés.
cli-relinked = Le lien est remplacé. Le téléchargement reprend avec le nouveau lien et garde ses octets.
cli-ended-already = Ce téléchargement était déjà fini ; rien n’a été changé.
cli-folder-changed = Les fichiers sont maintenant dans { $path }.
cli-nothing-to-retry = Rien n’a échoué dans ce téléchargement.
cli-retried =
    { $count ->
        [one] Un fichier est essayé de nouveau.
        [many] { $count } de fichiers sont essayés de nouveau.
       *[other] { $count } fichiers sont essayés de nouveau.
    }
cli-removed = Retiré de la liste.
cli-first = Ce téléchargement est le prochain.
cli-moved = Déplacé.
cli-changed = Modifié.
cli-nothing-runs = Aucun programme en marche ne le télécharge maintenant : ouvrez la fenêtre ou lancez `ashore serve`.
cli-still-paused = Tout est en pause, donc aucun téléchargement n’avance. `ashore resume` sans identifiant reprend tout.
cli-watch-more =
    { $count ->
        [one] et un autre
        [many] et { $count } d’autres
       *[other] et { $count } autres
    }
cli-watch-end = Ctrl-C ferme cette vue. Les téléchargements continuent.

cli-field =
    .id = id
    .own-name = nom propre
    .owner = demandé par
    .state = état
    .failure = raison
    .folder = dossier
    .page = page
    .created = créé
    .settled = fini
    .expires = reste jusqu’à

cli-added = { $links } dans la liste, en { $downloads }.
cli-add-moved = C’est déjà dans la liste, et maintenant en tête ; --again l’ajoute encore une fois.
    .some = Certains de ces liens étaient déjà dans la liste. Ils sont maintenant en tête ; --again les ajoute encore une fois.
cli-add-running = C’est déjà en cours. --again l’ajoute encore une fois.
    .some = Certains de ces liens sont déjà en cours. --again les ajoute encore une fois.
cli-add-netrc = Un fichier netrc est lu par le { -ashore } qui télécharge. Nommez le fichier dans les réglages : netrc = "~/.netrc".
cli-add-stopped = Le contenu de { $list } avant la ligne { $line } est dans la liste : { $links }, en { $downloads }. Pas le reste.
cli-add-continue = Continuez à partir de là avec : { $command }

cli-get-options-unused = Un autre { -ashore } télécharge ceci, et ses réglages s’appliquent : --parallel et --connections n’ont aucun effet.
cli-get-removed = Ce téléchargement a été retiré de la liste.
cli-get-known = C’est déjà dans la liste, et pas terminé. Le téléchargement reprend.
cli-get-others =
    { $count ->
        [one] Un autre téléchargement n’est pas encore terminé. `ashore serve` continue la liste.
        [many] { $count } d’autres téléchargements ne sont pas encore terminés. `ashore serve` continue la liste.
       *[other] { $count } autres téléchargements ne sont pas encore terminés. `ashore serve` continue la liste.
    }
cli-get-summary = { $files }, { $size }, dans { $path }
cli-get-stopped = Arrêté ; tout ce qui est arrivé est conservé ({ $size }).
    .next = Continuez avec `{ $get }`, ou en arrière-plan avec `{ $serve }`.
cli-get-left = Le téléchargement continue sans vous.
    .next = Suivez-le avec `{ $get }`, arrêtez-le avec `{ $pause }`.

cli-serve-ready = { -ashore } est prêt et travaille sur { $path }. Ctrl-C l’arrête ; tout est conservé.
    .short = { -ashore } est prêt.
cli-serve-remote = Les autres appareils peuvent ouvrir { $url }
cli-serve-plain = Tout le réseau peut lire les échanges avec les autres appareils, car ils n’ont pas de TLS. Utilisez un proxy avec TLS et --public-url.
cli-serve-stopped = Arrêté ; tout est conservé.
cli-healthy = { -ashore } fonctionne et est prêt.
    .not = { -ashore } n’est pas prêt à { $place } ({ $why }). Démarrez-le, ou consultez son journal.
cli-serve-kept = { $id } reste dans la liste bien que son temps soit passé : { $why }
    .all = Les téléchargements finis restent pour l’instant dans la liste : { $why }

cli-password-of = Mot de passe de { $user } sur { $server } :
cli-token-for = Jeton pour { $server } :
cli-signed-in =
    .system = Connecté à { $server }. Le trousseau conserve l’identification ; `ashore sign-out { $server }` l’oublie.
    .file = Connecté à { $server }. Aucun trousseau ne fonctionne ici, elle est donc conservée dans un fichier que vous seul pouvez lire ; `ashore sign-out { $server }` l’oublie.
    .memory = Connecté à { $server } tant que ce { -ashore } fonctionne.
cli-sign-in-of-link = Le nom et le mot de passe du lien sont conservés pour { $server }, et non dans la liste ; `ashore sign-out { $server }` les oublie.
cli-signed-out = Oublié.
    .unknown = Rien n’était conservé pour ce serveur.
cli-no-sign-ins = Rien n’est conservé pour aucun serveur. Connectez-vous avec `ashore sign-in URL --user NAME`.
cli-kept-in =
    .system = trousseau
    .file = fichier
    .memory = mémoire
cli-cookies-unusable = Aucun des cookies de { $path } n’est utilisable. Ils ont peut-être expiré.

cli-limit-set =
    .all = L’ensemble est limité à { $speed }.
    .host = Tout ce qui vient de { $host } est limité à { $speed }.
    .download = Ce téléchargement est limité à { $speed }.
cli-limit-removed =
    .all = L’ensemble n’a pas de limite propre.
    .host = Ce qui vient de { $host } n’a pas de limite propre.
    .download = Ce téléchargement n’a pas de limite propre.
cli-no-limits = Rien n’est limité. `ashore limit 2M` limite l’ensemble à 2 Mio par seconde.
cli-limit-of =
    .all = tout
    .host = de { $host }

cli-quota-set = La liste peut contenir { $amount } de { $owner }.
cli-quota-removed = Il n’y a pas de quota pour { $owner }.
cli-no-quotas = Rien n’est limité, et il n’y a rien. `ashore quota command-line 10G` fixe un quota.
cli-everybody = tous

cli-statistics-empty = Rien n’a jamais été ajouté. Ajoutez quelque chose avec `ashore add URL`.
cli-statistics =
    .all = au total
    .window = fenêtre
    .command-line = ligne de commande
    .feed = flux
    .clipboard = presse-papiers
    .device = autres appareils
    .browser = navigateurs
    .program = programmes

cli-not-default = pas la valeur par défaut

cli-exported = Enregistré dans { $path } : { $downloads }, { $files }.
    .pipe = Enregistré : { $downloads }, { $files }.
cli-imported = Repris : { $downloads }, { $files }. Ce qui n’est pas terminé est en pause : `ashore resume` le continue.
cli-import-skipped = Entrées qui ne peuvent pas être importées, comme les torrents et les liens FTP : { $count }.

cli-find-nothing = Aucun téléchargement inachevé ne s’appelle { $name }.
cli-match-nothing = Aucun fichier de ce téléchargement n’a ce lien.
cli-acknowledged = Confirmé.
    .unknown = Cette annonce de fin n’est pas due ; rien n’a été changé.
cli-cleared = Retiré de la liste : { $count } de { $owner }.
cli-reset = Annulé : { $count } de { $owner }.
cli-owner-removed = Supprimé, avec tout ce que ce propriétaire avait demandé. Les fichiers complets restent.
cli-queue-stats = total { $total }, réussis { $successes }, échoués { $failures }

cli-doctor =
    .list = liste
    .holder = tenue par
    .copy = copie
    .file = fichier
    .step = étape
    .gate = condition
    .setting = réglage
    .folder = dossier
    .partial = partiel
    .orphan = orphelin
    .repaired = réparé
    .counter = compteur
cli-doctor-list = { $path } (version { $version }) : { $state }
cli-doctor-sound = en ordre
cli-doctor-nobody = personne
cli-doctor-partial = { $path } ({ $size }, de { $id })
cli-doctor-orphan = { $path } ({ $size }, de { $url })
cli-doctor-orphans = Un orphelin est un fichier partiel inconnu de la liste. Il est conservé jusqu’à ce que vous le supprimiez ; `ashore adopt` le reprend.
cli-doctor-repair = Certains compteurs ne correspondent pas aux téléchargements qu’ils comptent. `ashore doctor --repair` les recalcule.
cli-doctor-contradiction = Certains enregistrements se contredisent, et aucun ne peut être prouvé juste. Comparez les fichiers avec leur source, ou retirez les téléchargements et ajoutez-les de nouveau.
cli-doctor-damage = Le dommage a été constaté le { $moment } : { $why }.
    .undated = Les dégâts : { $why }.
cli-adopt-nothing = Il n’y a aucun fichier partiel sans téléchargement qui puisse être repris.

cli-gate =
    .bootstrap = 1er démarrage
    .paused = pause
    .asleep = veille
    .hours = horaires
    .offline = réseau
    .captive-portal = accès réseau
    .metered = coût du réseau
    .battery = batterie
    .in-use = utilisation
    .disk = espace libre
    .folder = dossier
    .quota = quota
cli-gate-state =
    .open = ouverte
    .closed = fermée
    .unknown = inconnue

cli-step =
    .data-folder = dossier de données
    .ledger = liste
    .defaults = valeurs initiales
    .download-folder = dossier de téléchargement
    .keychain = trousseau
    .notifications = notifications
cli-step-state =
    .done = fait
    .not-available = indisponible ici ({ $why })
    .failed = échoué, nouvel essai prévu ({ $why })
    .due = prévu au prochain démarrage

cli-miscount =
    .counters = { $name } : les compteurs ne sont pas ceux de ses fichiers
    .lanes = { $name } : la file n’est pas celle de ses fichiers, il peut donc attendre sans raison
    .usage = { $name } : les octets et fichiers comptés pour son quota ne sont pas ceux de ses téléchargements
    .name = { $name } : l’occupation de son nom ne correspond pas à son état
    .unsettled = { $name } : il ne reste rien à faire, et il n’est pas fini
    .digest = { $name } : un fichier complet a une autre somme de contrôle que celle de son fichier de sommes
    .response = { $name } : un fichier est complet sans enregistrement, ou l’inverse

cli-sync-on = La synchronisation est activée. Cette machine est « { $name } », et le serveur est { $address }.
cli-sync-key = Empreinte de la clé, la même sur toutes vos machines : { $fingerprint }
cli-sync-conflicts =
    { $count ->
        [one] { $count } changement a cédé devant celui d’une autre machine. Voyez `ashore sync conflicts`.
        [many] { $count } de changements ont cédé devant ceux d’une autre machine. Voyez `ashore sync conflicts`.
       *[other] { $count } changements ont cédé devant ceux d’une autre machine. Voyez `ashore sync conflicts`.
    }
cli-sync-column =
    .collection = COLLECTION
    .records = ICI
    .waiting = EN ATTENTE
    .held = NON LU
    .machine = MACHINE
    .seen = VUE
cli-sync-words = Notez ces 24 mots, l’adresse et le numéro. Sans eux, la liste ne peut pas être récupérée.
cli-sync-place = Adresse : { $address }
cli-sync-user = Numéro : { $uid }
cli-sync-set-up = La liste est créée. Lancez `ashore sync invite` pour obtenir un lien avec lequel la prochaine machine la rejoint.
cli-sync-joined = Cette machine a rejoint la liste.
cli-sync-invite = Lancez cette commande sur l’autre machine dans les dix minutes. Le lien sert une seule fois.
cli-sync-done = Reçu : { $received }. Envoyé : { $sent }.
cli-sync-restored = Le serveur avait perdu une partie de la liste. Elle a été renvoyée depuis cette machine.
cli-sync-arrived = Une autre machine a envoyé : { $title }
cli-sync-left = La synchronisation est désactivée sur cette machine. Ses téléchargements et ses fichiers restent.
cli-sync-removed = { $machine } ne peut rien lire de ce qui est écrit à partir de maintenant. Voici les nouveaux mots de la liste.
cli-sync-own = cette machine
cli-sync-no-conflicts = Il n’y a pas de conflits.
cli-sync-conflict = { $number }  { $title } : { $sentence }
cli-sync-resolved = Fait. Les autres machines reçoivent le changement à la prochaine synchronisation.
cli-sync-dropped = La modification qui l’a emporté est conservée.
cli-sync-trust =
    .starts = Les téléchargements que { $machine } envoie démarrent désormais sans question.
    .waits = Les téléchargements que { $machine } envoie attendent désormais que vous les démarriez.
cli-sync-no-others = Les autres machines n’ont pas de téléchargements.
cli-sync-sent = Envoyé à { $machine }.
cli-sync-secret = Mots ou lien (non affichés) :
cli-sync-no-sends = Cette machine n’a envoyé aucun téléchargement.
cli-sync-send =
    .waiting = { $title } : { $machine } ne l’a pas encore récupéré.
    .delivered = { $title } : remis à { $machine }.
    .refused = { $title } : { $machine } ne l’a pas accepté.
    .expired = { $title } : { $machine } n’a pas été allumée pendant 30 jours ; il n’a pas été remis.
    .missed = { $title } : { $machine } l’a envoyé, mais cette machine est restée éteinte pendant 30 jours. Il peut être renvoyé de là-bas.

# Browsers in `ashore browsers`.
cli-browser =
    .connected = connecté ({ $program })
    .not-connected = non connecté
    .none = non installé
    .foreign = un autre programme a écrit { $path }
cli-browsers-connected = { $browser } est connecté. Installez aussi l’extension dans le navigateur.
cli-browsers-unchanged = { $browser } était déjà connecté.
cli-browsers-disconnected = { $browser } est déconnecté.
cli-browsers-nothing = { $browser } n’a aucune connexion à supprimer.
cli-browsers-of-package = { $browser } reste connecté par un paquet du système, qui a installé { $path }. Pour le déconnecter, supprimez l’extension du navigateur.
cli-browsers-none = { browsers-empty }
cli-browsers-well = { $browser } : la connexion fonctionne et { -ashore } est en marche.
cli-browsers-well-idle = { $browser } : la connexion fonctionne. { -ashore } démarre quand le navigateur en a besoin.
cli-browsers-paired = associé
cli-browsers-code = Saisissez ce code dans la fenêtre de l’extension dans les cinq minutes : { $code }
cli-browsers-unpaired = { $browser } n’est plus associé.
cli-remote-link = Ouvrez ce lien sur l’autre appareil dans les cinq minutes : { $url }
cli-remote-local = Seule cette machine peut ouvrir le lien. Démarrez `ashore serve` avec --listen pour l’atteindre depuis d’autres appareils.
cli-remote-none = Aucun appareil ou programme n’est connecté.
cli-remote-device = appareil
cli-remote-program = programme
cli-remote-signed-out = { $name } est déconnecté.
cli-remote-renewed = Tous les appareils sont déconnectés.
cli-explains = `{ $command }` explique les arguments.
