details = Détails
    .of = Détails de { $title }
    .hint = Détails du téléchargement sélectionné (I)
    .close = Fermer les détails
    .resize = Hauteur des détails (Haut, Bas)
details-files = Fichiers
details-activity = Activité
details-speed = Vitesse
details-about = Informations
# A connection of a running download, with its speed.
details-connection = Connexion { $number }
    .left = reste { $size }
    .starting = démarrage
details-connections =
    { $count ->
        [one] { $count } connexion
        [many] { $count } de connexions
       *[other] { $count } connexions
    }
details-file-before = Fichier précédent
details-file-after = Fichier suivant
details-copy = Copier
details-copied = Copié
details-not-copied = La copie n’a pas pu se faire. Le bureau ne le permet pas pour le moment.
details-copy-activity = Copier toute cette page
details-copy-head = Copier les en-têtes de réponse
details-attempts = Tentatives
details-no-attempts = Aucune tentative pour le moment.
details-answer = Réponse du serveur
details-answered = { $host } a répondu « { $status } ».
details-redirects =
    { $count ->
        [one] Redirigé { $count } fois :
        [many] Redirigé { $count } de fois :
       *[other] Redirigé { $count } fois :
    }
details-raw = En-têtes de réponse

attempt-number = Tentative { $number }
attempt-since = depuis { $time }
attempt-took = a duré { $time }
attempt-brought = { $amount } reçus
attempt-status = le serveur a répondu { $status }
attempt-arrived = Terminé, { $amount }.
attempt-running = En cours, { $amount }.
attempt-connecting = Connexion en cours.
attempt-anew-changed = Recommencé : le fichier sur le serveur a changé. { $amount } abandonnés.
attempt-anew-no-ranges = Recommencé : le serveur ne permet pas la reprise. { $amount } abandonnés.
attempt-anew-differs = Il a recommencé : le serveur donne d’autres octets que les { $amount } déjà arrivés.
attempt-anew-gone = Il a recommencé : ce qui était arrivé, { $amount }, a été déplacé ou supprimé.

speed-current = Maintenant
speed-mean = Moyenne
speed-highest = Maximum
speed-not-running = à l’arrêt
speed-now = maintenant
speed-ago = il y a { $minutes } min
speed-soon = Les premiers octets ne sont pas encore arrivés.
speed-none = La vitesse s’affiche pendant le téléchargement et quelques minutes après.
speed-sentence =
    { $minutes ->
        [one] Vitesse de la dernière minute : maintenant { $current }, { $mean } en moyenne, { $highest } au plus.
        [many] Vitesse des { $minutes } de dernières minutes : maintenant { $current }, { $mean } en moyenne, { $highest } au plus.
       *[other] Vitesse des { $minutes } dernières minutes : maintenant { $current }, { $mean } en moyenne, { $highest } au plus.
    }
speed-sentence-not-running =
    { $minutes ->
        [one] Vitesse de la dernière minute : à l’arrêt maintenant, { $mean } en moyenne, { $highest } au plus.
        [many] Vitesse des { $minutes } de dernières minutes : à l’arrêt maintenant, { $mean } en moyenne, { $highest } au plus.
       *[other] Vitesse des { $minutes } dernières minutes : à l’arrêt maintenant, { $mean } en moyenne, { $highest } au plus.
    }

about-address = Adresse
about-came-from = Adresse finale
about-page = Trouvé sur
about-mirrors = Miroirs
about-title = Nom
about-files = Fichiers
about-files-done = { files-of } sont là
about-file = Nom du fichier
about-folder = Dossier
about-size = Taille
about-bytes = { $amount } ({ $bytes } octets)
about-checked = Vérification
about-by-digest = La somme de contrôle correspond
about-on-resume = La taille correspond ; données reprises vérifiées
about-not-verified = La taille correspond ; pas de somme de contrôle
about-size-unknown = Taille inconnue ; pas de somme de contrôle
about-missing = Garanties absentes
about-missing-permissions = Ce disque ne gère pas les droits d’accès de chaque fichier : ceux du disque entier s’appliquent.
about-missing-sync = Ce disque n’indique pas quand un fichier est à l’abri d’une coupure de courant.
about-missing-folder-sync = Ce disque n’indique pas quand un nom de fichier est à l’abri d’une coupure de courant.
about-missing-exclusive-name = Ce disque ne peut pas empêcher un autre programme de prendre le même nom de fichier au même moment.
about-missing-at-once = Ce disque ne peut pas renommer un fichier ; il a donc été copié sous son nom.
about-checksum = Somme de contrôle
about-expected = Attendue
about-created = Ajouté
about-asked-again = Ajouté de nouveau
about-finished = Terminé
about-ended = Fini
about-expires = Quittera la liste
about-owner = Ajouté par
about-owner-window = cette fenêtre
about-owner-command-line = la ligne de commande
about-id = Identifiant
about-copy-address = Copier l’adresse
about-copy-name = Copier le nom
about-copy-folder = Copier le dossier
about-copy-checksum = Copier la somme de contrôle
about-copy-id = Copier l’identifiant
