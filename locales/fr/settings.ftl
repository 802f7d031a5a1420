settings = Réglages
settings-open = Réglages (Ctrl+,)
settings-back = Retour à la liste
settings-search = Rechercher un réglage
settings-nothing = Aucun réglage ne concerne « { $text } ».
settings-file = Les réglages sont conservés dans ce fichier, que l’on peut aussi modifier à la main :
settings-reset = { $name } : revenir à la valeur par défaut
settings-percent = %
settings-unit = { $name } : unité
    .kib = Kio
    .mib = Mio
    .gib = Gio
    .never = jamais
settings-unit-seconds =
    { $count ->
        [one] seconde
        [many] secondes
       *[other] secondes
    }
settings-unit-minutes =
    { $count ->
        [one] minute
        [many] minutes
       *[other] minutes
    }
settings-unit-hours =
    { $count ->
        [one] heure
        [many] heures
       *[other] heures
    }
settings-unit-days =
    { $count ->
        [one] jour
        [many] jours
       *[other] jours
    }
settings-unit-weeks =
    { $count ->
        [one] semaine
        [many] semaines
       *[other] semaines
    }
settings-number-wrong = Saisissez un nombre avec deux décimales au plus.
settings-outside = Saisissez une valeur de { $least } à { $most }.
settings-paint = Peindre
settings-pace-full = Pleine vitesse
settings-pace-slow = Lent
settings-pace-off = Arrêt
settings-rounded = Le fichier des réglages contient des heures plus fines que la demi-heure. Peindre les arrondit.
settings-not-followed = Problème dans le fichier des réglages : { $text }
settings-not-followed-more =
    { $count ->
        [one] Problème dans le fichier des réglages : { $text } Les réglages en montrent un autre.
        [many] Problème dans le fichier des réglages : { $text } Les réglages en montrent { $count } d’autres.
       *[other] Problème dans le fichier des réglages : { $text } Les réglages en montrent { $count } autres.
    }
settings-cell = { $day }, de { $from } à { $until } : { $pace }
settings-grid-help = Les flèches déplacent, Espace peint, Maj avec les flèches continue de peindre.

settings-general = Général
settings-folders = Dossiers
settings-network = Réseau
settings-browsers = Navigateurs
settings-schedule = Horaires
settings-notifications = Notifications
settings-power = Énergie
settings-space = Espace
settings-advanced = Avancé

setting-language = Langue
    .about = De la fenêtre, de l’icône du panneau et des notifications.
    .auto = Langue du système
setting-parallel = Téléchargements simultanés
    .about = Nombre de fichiers téléchargés en même temps.
setting-parallel-per-host = Téléchargements simultanés par serveur
    .about = Avec 1, les fichiers d’un serveur viennent strictement l’un après l’autre.
setting-order = Ordre de la file d’attente
    .about = Ordre dans lequel démarrent les téléchargements en attente. La fenêtre, la ligne de commande et les autres programmes alternent toujours.
    .first-come = Par ordre d’arrivée
    .newest-first = Plus récents d’abord
setting-forget-finished-after = Retirer les téléchargements terminés après
    .about = Après ce délai, les téléchargements terminés quittent la liste. Leurs fichiers sont conservés. Avec « { settings-unit.never } », ils restent dans la liste jusqu’à ce que vous les retiriez.
setting-close-to-tray = Continuer après la fermeture
    .about = Sinon, fermer la fenêtre quitte { -ashore }. Les téléchargements en cours reprennent au prochain démarrage.
setting-start-at-login = Démarrer à l’ouverture de session
    .about = Masqué dans le panneau, pour que les téléchargements reprennent dès que vous êtes là.
setting-offer-copied-links = Suggérer les liens copiés
    .about = Lorsque la fenêtre passe au premier plan, et une seule fois chacun. { -ashore } ne lit ce que vous avez copié qu’à ce moment-là, et ne l’envoie nulle part.
setting-folder = Dossier de téléchargement
    .about = Les fichiers y vont, sauf si vous leur choisissez un autre dossier.
    .hint = Le dossier de téléchargement du bureau
setting-folder-video = Vidéos
    .about = Un dossier dans le dossier de téléchargement, créé quand il le faut, ou le chemin complet d’un dossier ailleurs.
setting-folder-audio = Musique et voix
    .about = Un dossier dans le dossier de téléchargement, créé quand il le faut, ou le chemin complet d’un dossier ailleurs.
setting-folder-pictures = Images
    .about = Un dossier dans le dossier de téléchargement, créé quand il le faut, ou le chemin complet d’un dossier ailleurs.
setting-folder-documents = Documents
    .about = Un dossier dans le dossier de téléchargement, créé quand il le faut, ou le chemin complet d’un dossier ailleurs.
setting-folder-archives = Archives
    .about = Un dossier dans le dossier de téléchargement, créé quand il le faut, ou le chemin complet d’un dossier ailleurs.
setting-folder-programs = Programmes et images disque
    .about = Un dossier dans le dossier de téléchargement, créé quand il le faut, ou le chemin complet d’un dossier ailleurs.
setting-folder-kind-hint = Dans le dossier de téléchargement lui-même
setting-connections = Connexions par fichier
    .about = Au plus autant, et seulement là où plusieurs vont plus vite.
setting-offline = Hors connexion
    .about = Attendre ne coûte rien. Continuez si vos serveurs sont chez vous, ou si le bureau ne connaît pas votre réseau.
    .wait = Attendre
    .go = Continuer
setting-metered = Sur les connexions limitées
    .about = Sur le réseau d’un téléphone, par exemple.
    .wait = Attendre un autre réseau
    .go = Continuer
setting-proxy = Proxy
    .about = Pour tout, par exemple http://host:3128 ou socks5h://host:1080 ; « none » pour aucun.
    .hint = Ce que dit l’environnement du bureau
setting-no-proxy = Contourner le proxy pour
    .about = Noms et réseaux joints directement, séparés par des virgules.
    .hint = Ce que dit l’environnement du bureau
setting-proxy-loopback = Proxy pour cette machine
    .about = Utiliser le proxy aussi pour les serveurs de cette machine.
setting-local-for-programs = Autoriser les programmes à utiliser le réseau local
    .about = Permet aux programmes, aux flux et à d’autres appareils de faire télécharger { -ashore } depuis cette machine et les réseaux qui l’entourent : routeurs, serveurs de la maison. Ce que vous ajoutez vous-même peut toujours en venir.
setting-cookies = Cookies
    .about = Renvoyer les cookies aux serveurs qui les ont posés, jusqu’à la fin d’{ -ashore }.
setting-browser-hand-over = Confier les téléchargements
    .about = L’extension d’un navigateur confie chaque clic sur un fichier, si { -ashore } reçoit le même fichier. Seules les entrées qu’elle ajoute aux menus du navigateur fonctionnent dans tous les cas.
    .automatic = Automatiquement
    .menu = Seulement depuis le menu
setting-browser-least-size = Plus petit fichier
    .about = Les fichiers plus petits restent dans le navigateur.
setting-browser-sites = Sites laissés au navigateur
    .about = Séparés par des espaces, par exemple example.org. Un site comprend ses sous-domaines.
    .none = Aucun site
setting-browser-endings = Extensions laissées au navigateur
    .about = Séparées par des espaces, par exemple : html js css
setting-browser-bypass-key = Touche de contournement
    .about = Un clic avec Alt laisse le téléchargement au navigateur.
setting-browser-starts-ashore = Autoriser un navigateur à démarrer { -ashore }
    .about = Si cette option est désactivée, tous les téléchargements restent dans le navigateur tant que { -ashore } est fermé.
setting-browser-channel = Autoriser les navigateurs associés à se connecter
    .about = Les navigateurs de Flatpak et de snap ne peuvent pas démarrer { -ashore }. Ils se connectent par un port que seul cet ordinateur peut atteindre.
setting-hours = Heures
    .about = Choisissez une vitesse et peignez avec. Ce que vous laissez va à pleine vitesse.
setting-slow-speed = Vitesse aux heures lentes
    .about = Limite pour tous les téléchargements ensemble.
setting-notifications = { settings-notifications }
    .about = Avec la progression, un téléchargement qui dure plus de 10 secondes a une notification. À partir de 3 téléchargements de ce type, une seule notification les montre tous.
    .calm = Progression après 10 secondes, et résultat
    .all = Progression de chaque téléchargement, et résultat
    .ended = Résultat seulement
    .none = Rien
setting-quiet-while-focused = Silence tant que la fenêtre est active
    .about = Rien n’est notifié tant que cette fenêtre a le focus, puisqu’elle montre la même chose.
setting-quiet-hours = Heures de silence
    .about = Chaque jour, par exemple 22:00-07:00. Ce qui a fini entre-temps est notifié une fois qu’elles sont passées.
    .hint = Aucune
setting-all-done = Prévenir quand tous les téléchargements sont terminés
    .about = Affiche une notification quand le dernier de plusieurs téléchargements a fini et qu’aucun n’est en attente.
setting-battery-below = Sur batterie, arrêter en dessous de
    .about = Rien n’est téléchargé avec moins de charge. Avec 0, tant qu’il en reste.
setting-in-use = Pendant que cet ordinateur est utilisé
    .about = Attendre que cet ordinateur n’ait pas été utilisé depuis un moment, ou continuer pendant son utilisation.
    .wait = Attendre
    .go = Continuer
setting-keep-awake = Empêcher la veille pendant les téléchargements
    .about = Tant que des téléchargements sont en cours, cette machine ne se met pas en veille d’elle-même. L’écran peut s’éteindre.
setting-free-space-floor = Espace libre minimal
    .about = Aucun téléchargement ne commence dans un dossier qui a moins d’espace libre.
setting-attempts = Tentatives
    .about = Nombre de tentatives pour un fichier avant qu’{ -ashore } y renonce.
setting-retry-after-seconds = Attente avant la deuxième tentative
    .about = Double à chaque tentative suivante, jusqu’à six heures.
setting-stall-seconds = Délai sans données
    .about = Sans un seul octet pendant ce temps, elle est abandonnée et retentée.
setting-connect-timeout-seconds = Délai de connexion
    .about = Le temps qu’un serveur peut prendre pour accepter une nouvelle connexion.
setting-total-timeout-seconds = Délai total
    .about = Limite de temps pour une tentative. Le fichier partiel est conservé à la fin du délai. Avec 0, il n’y a pas de limite.
setting-checkpoint-seconds = Enregistrer la progression toutes les
    .about = Une coupure de courant ne coûte pas plus que cela.
setting-http2 = HTTP/2
    .about = De nombreux petits fichiers d’un serveur partagent une connexion si le serveur prend en charge HTTP/2.
setting-insecure-redirects = Redirections vers des liens non sécurisés
    .about = Les suivre de https vers http. N’importe qui sur le chemin peut alors lire et modifier ce qui vient.
setting-ca-certificate = Certificats supplémentaires
    .about = Un fichier PEM d’autorités à reconnaître en plus de celles du système.
    .hint = Aucun
setting-user-agent = Agent utilisateur
    .about = Le nom sous lequel { -ashore } se présente aux serveurs.
    .hint = { -ashore } et sa version
setting-referrer = Page d’origine
    .about = Adresse d’une page web. { -ashore } l’envoie aux serveurs comme la page où un lien a été trouvé. Un lien qui a sa propre page la garde.
    .hint = Aucune
setting-netrc = Fichier netrc
    .about = Ses mots de passe sont donnés aux serveurs qui en demandent un.
    .hint = Aucun
setting-keychain = Mots de passe et jetons
    .about = Où ils sont conservés. Vous seul pouvez lire le fichier.
    .auto = Dans le trousseau du système, sinon dans un fichier
    .system = Dans le trousseau du système seulement
    .file = Dans un fichier
    .none = Jusqu’à la fin d’{ -ashore }

settings-lacking-notifications = Ce bureau n’affiche pas de notifications pour le moment. La liste dit tout ce qu’elles diraient.
settings-lacking-tray = Ce bureau n’a pas de panneau pour les icônes pour le moment : une fenêtre que l’on ferme est réduite à la place.

appearance = Apparence
appearance-theme = Thème
    .about = Couleurs de cette page. Le choix s’applique à cet appareil.
    .light = Clair
    .dark = Sombre
appearance-density = Hauteur des lignes
    .about = Les lignes compactes montrent plus de téléchargements, avec une seule ligne de texte chacun.
    .comfortable = Confortable
    .compact = Compacte

list = Votre liste
list-save = Exporter la liste
    .about = Enregistre dans un fichier les liens, les noms, les dossiers et les résultats de tous les téléchargements. Ce fichier ne contient ni mots de passe, ni cookies, ni jetons, ni les fichiers téléchargés.
    .choose = Enregistrer dans un fichier…
list-take-in = Importer une liste
    .about = Ajoute les téléchargements d’une liste qu’{ -ashore } a enregistrée, ici ou sur un autre ordinateur. Les téléchargements inachevés sont ajoutés en pause. Ceux qui sont déjà dans la liste ne changent pas.
    .choose = Choisir un fichier…
list-saved = La liste est enregistrée dans { $path }. Téléchargements qu’elle contient : { $count }.
list-saved-without-headers = Fichiers dont les en-têtes ont été omis parce qu’ils peuvent être secrets : { $count }.
list-taken-in = La liste a été importée. Nouveaux téléchargements : { $count }. Les inachevés sont en pause.
list-taken-in-nothing = Le fichier ne contient aucun nouveau téléchargement.
list-taken-in-known = Téléchargements qui étaient déjà dans la liste : { $count }.
list-taken-in-elsewhere = Téléchargements qui vont dans le dossier habituel, parce que le leur n’est pas utilisable ici : { $count }.
list-taken-in-without-headers = Fichiers dont les en-têtes n’y figurent pas parce qu’ils peuvent être secrets : { $count }. Là où ils manquent à un serveur, connectez-vous.

# The browsers, and their connection with { -ashore }.
browsers-connected = Connecté
    .package = Connecté par le paquet de { -ashore }
    .none = Non connecté
browsers-empty = Aucun navigateur n’a été trouvé. Démarrez une fois un navigateur et réessayez.
browsers-extension = Un navigateur connecté confie ses téléchargements dès que son extension est installée.
browsers-connect = Connecter
    .label = Connecter { $browser }
browsers-disconnect = Déconnecter
    .label = Déconnecter { $browser }
browsers-check = Vérifier de nouveau
browsers-pair = Associer un navigateur
browsers-paired = Associé
    .remove = Retirer { $browser }
    .added = { $browser } est associé.
browsers-code = Saisissez ce code dans la fenêtre de l’extension :
    .rest = Valable pendant { $time }

synonyms-parallel = simultané, parallèle, en même temps
synonyms-connections = threads, segments, parties, morceaux
synonyms-startup = démarrage automatique, lancement, ouverture de session
synonyms-clipboard = presse-papiers, copier, coller, surveiller
synonyms-category = catégorie, catégories, types de fichiers
synonyms-tray = minimiser, réduire, arrière-plan, zone de notification
synonyms-metered = mobile, cellulaire, forfait, itinérance
synonyms-quiet = ne pas déranger, silencieux, muet
synonyms-speed = bande passante, limite, limiter, débit
synonyms-backup = sauvegarde, restaurer, exporter
synonyms-remote = téléphone, mobile, tablette, à distance, code QR, navigateur, web, aria2
synonyms-appearance = mode sombre, nuit, couleur, densité, lignes
synonyms-folder = emplacement, répertoire, chemin, destination, enregistrer sous
synonyms-cleanup = historique, vider, effacer, nettoyer
synonyms-notify = alertes, fenêtres contextuelles, messages
synonyms-sleep = veille, suspension, hibernation, économiseur d’écran
synonyms-space = disque, stockage, réserve
synonyms-retries = réessayer, nouvel essai, répéter, reconnecter
synonyms-schedule = planificateur, emploi du temps, programmation, minuterie
synonyms-certificate = SSL, TLS, HTTPS, autorité
synonyms-browser = extension, module, intégration, Chrome, Firefox, Edge
synonyms-proxy = SOCKS, VPN, tunnel
synonyms-password = identifiants, connexion, compte, secrets
