extension-name = { -ashore } : gestionnaire de téléchargements
extension-description = Confie les téléchargements du navigateur à { -ashore }. Le navigateur garde chaque téléchargement jusqu’à ce que { -ashore } ait le fichier.

extension-menu =
    .link = Télécharger le lien avec { -ashore }
    .image = Télécharger l’image avec { -ashore }
    .media = Télécharger le fichier multimédia avec { -ashore }
    .selection = Télécharger les liens de la sélection avec { -ashore }…
    .page = Télécharger tous les liens avec { -ashore }…

extension-state =
    .running = Connecté
    .idle = Connecté. { -ashore } démarre au prochain téléchargement.
    .missing = { -ashore } est introuvable
    .missing-cure = Installez { -ashore } et connectez ce navigateur dans ses réglages. D’ici là, tous les téléchargements restent dans le navigateur.

extension-pair = Associer ce navigateur
    .why = Si ce navigateur provient de Flatpak ou de snap, saisissez le code que { -ashore } affiche dans ses réglages, sous « { settings-browsers } ».
    .code = Code de { -ashore }
    .wrong = Un code a huit lettres et chiffres. Saisissez-le de nouveau.
    .absent = { -ashore } ne répond pas. Activez « { setting-browser-channel } » dans ses réglages et créez un nouveau code.
    .closed = Ce navigateur est associé à { -ashore }, mais { -ashore } ne répond pas. Démarrez { -ashore }.

extension-site = Laisser les téléchargements de ce site au navigateur
extension-site-refused = { -ashore } n’a pas pu prendre les deux derniers téléchargements de { $site }. Ils restent dans le navigateur jusqu’au { $date }.
extension-site-again = Utiliser de nouveau { -ashore }
extension-bypass = Maintenez Alt en cliquant sur un lien pour laisser son téléchargement au navigateur.
extension-bypass-access = La touche Alt fonctionne dès que l’accès à tous les sites est autorisé.

extension-kept = Laissé au navigateur : { $name }
extension-why =
    .type = Les pages, les scripts et les styles restent dans le navigateur.
    .ending = Les fichiers avec cette extension restent dans le navigateur.
    .small = Le fichier est plus petit que la limite des réglages.
    .method = La page a envoyé un formulaire, et les formulaires ne sont pas répétés.
    .encoded = Le serveur compresse ce fichier, sa taille ne peut donc pas être comparée.
    .danger = Le navigateur signale un risque pour ce fichier. Vous y décidez de le conserver ou non.
    .scheme = La page a créé ce fichier elle-même.
    .extension = Une autre extension a lancé ce téléchargement.
    .menu-only = Les téléchargements ne sont confiés que depuis le menu.
    .bypass = La touche Alt était enfoncée.
    .site = Les téléchargements de ce site sont laissés au navigateur.
    .site-refused = { -ashore } n’a pas pu prendre les deux derniers téléchargements de ce site.
    .no-access = Sans accès à tous les sites, ce fichier ne peut pas être comparé.
    .no-head = Le navigateur n’a pas signalé la réponse du serveur ; ce fichier ne peut donc pas être comparé.
    .too-many = Plus de 10 téléchargements de ce site, ou 30 en tout, ont démarré en une minute sans clic.
    .received = Le navigateur avait déjà reçu le fichier entier avant la réponse de { -ashore }.
    .host = { -ashore } est introuvable. Installez-le et connectez ce navigateur dans ses réglages.
    .failed = La connexion à { -ashore } s’est terminée sans réponse.
    .silent = { -ashore } n’a pas répondu à temps.
    .no-links = Cette page ne contient aucun lien lisible.
    .links-left-out = La page contient trop de liens pour un seul message, les derniers ont donc été omis.
    .unknown = { -ashore } n’a donné aucune raison. Mettez à jour { -ashore } et cette extension.

extension-all-links = Ajouter tous les liens…
extension-media = Médias de cette page
extension-media-stream = Liste d’un flux
extension-media-add = Ajouter { $name }
extension-added = Ajouté

extension-mode =
    .automatic-hint = Les fichiers sur lesquels vous cliquez vont à { -ashore }, s’il reçoit le même fichier.
    .menu-hint = Faites un clic droit sur un lien et choisissez { -ashore }. Tout le reste demeure dans le navigateur.
extension-least =
    .hint = En Mio. Les fichiers plus petits restent dans le navigateur, car il les télécharge en un instant.
extension-sites =
    .remove = Utiliser de nouveau { -ashore } pour { $site }
    .add = Ajouter un site, par exemple example.com
    .trouble = Ce n’est pas le nom d’un site.
extension-access = Accès à tous les sites
    .given = Autorisé. { -ashore } reçoit les fichiers des sites où vous êtes connecté.
    .missing = Non autorisé. { -ashore } ne peut pas recevoir les fichiers des sites où vous êtes connecté.
    .allow = Autoriser l’accès
    .revoke = Retirer l’accès
extension-connection = Connexion
    .version = { -ashore } { $version }

extension-welcome = Les téléchargements vont maintenant à { -ashore }
    .body = Cliquez sur un lien comme d’habitude. Le navigateur garde son téléchargement jusqu’à ce que { -ashore } ait le même fichier, aucun téléchargement n’est donc perdu.
extension-welcome-access = Autoriser l’accès à tous les sites ?
    .why = { -ashore } télécharge alors avec vos cookies, pour que les sites où vous êtes connecté lui envoient le même fichier qu’au navigateur.
    .what = L’extension lit l’en-tête de chaque réponse et les cookies d’un téléchargement, et reconnaît les clics avec la touche Alt. Elle ne lit aucune page, et n’envoie de données qu’à { -ashore } sur cet ordinateur.
    .without = Sans accès, les téléchargements ne sont confiés que depuis le menu.
    .given = L’accès est autorisé. Tout est prêt.
    .refused = Vous pourrez autoriser l’accès plus tard dans les réglages de cette extension.
