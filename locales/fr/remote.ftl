# The page in a browser: signing in, the connection, this device, and the folders on the computer with { -ashore }.

remote-sign-in = Se connecter à { -ashore }
    .about = Saisissez le jeton. Ou exécutez « ashore remote link » sur l’ordinateur où se trouve { -ashore }, puis scannez le code ou ouvrez le lien.
    .again = La session de cet appareil est terminée. Le texte saisi sur la page est conservé.
    .token = Jeton
    .name = Nom de cet appareil
    .pairing = Connexion avec le lien…
remote-wait = Prochaine tentative possible dans { $time }
remote-connecting = Connexion à { -ashore }…
    .again = Nouvelle connexion…
    .now = Se connecter maintenant
remote-lost = Connexion perdue. Prochaine tentative dans { $time }.

remote-device = Cet appareil
    .control = Cet appareil peut tout faire sur cette page.
    .add = Cet appareil peut ajouter des téléchargements et voir la liste.
    .read = Cet appareil peut voir la liste.
    .sign-out = Se déconnecter
# Firefox on Android
remote-device-name = { $browser } sur { $system }
remote-readable = Cette connexion n’est pas chiffrée. D’autres personnes sur le réseau peuvent lire toutes les données, y compris le jeton.
remote-install = Les navigateurs n’installent cette page comme application que si son adresse commence par https.

# The settings about other devices, in the window.
remote-others = Depuis d’autres appareils
    .allow = Autoriser d’autres appareils à se connecter
    .about = Votre téléphone et vos autres ordinateurs pourront alors ouvrir cette liste dans un navigateur.
    .plain = Les données circulent sans chiffrement : n’activez ceci que sur un réseau de confiance.
    .address = Adresse
    .copy = Copier l’adresse
    .local = Seul cet ordinateur peut joindre cette adresse.
    .link = Connecter un appareil
    .scan = Scannez ce code avec l’appareil, ou ouvrez-y le lien.
    .none = Aucun appareil n’est connecté.
    .control = Peut tout faire.
    .add = Peut ajouter des téléchargements et voir la liste.
    .read = Peut voir la liste.
    .metrics = Peut lire les mesures.
    .program = Programme. { $scope }
    .seen = Dernière utilisation : { $time }
    .added = { $name } est connecté.
    .sign-out = Se déconnecter : { $name }

remote-save = Enregistrer sur cet appareil
# The bar at the bottom of a narrow page: list, add, settings.
remote-views = Vues

remote-folder-roots = Dossiers disponibles
    .above = Dossier parent
    .none = Ce dossier ne contient pas d’autres dossiers.
    .reading = Lecture des dossiers…
    .submit = Utiliser ce dossier

remote-failure-lost = La connexion à { -ashore } a été perdue. Vérifiez que { -ashore } fonctionne et que cet appareil peut l’atteindre.
remote-failure-signed-out = Cet appareil n’est pas connecté. Connectez-vous à nouveau.
remote-failure-too-large = Ce texte est trop long pour être envoyé en une fois. Divisez-le en plusieurs parties.
remote-failure-unavailable = Cela n’est possible que dans la fenêtre sur l’ordinateur où se trouve { -ashore }.
