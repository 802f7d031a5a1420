tray-open = Ouvrir { -ashore }
tray-quit = Quitter
tray-clipboard = Ajouter depuis le presse-papiers
tray-shut = La liste ne peut pas être ouverte

note-show = Afficher
note-details = Détails
note-sent = { $amount } envoyés
note-done = Téléchargement terminé
note-files-left-out =
    { $count ->
        [one] { $count } fichier omis
        [many] { $count } de fichiers omis
       *[other] { $count } fichiers omis
    }
note-failed = Le téléchargement n’a pas pu se faire.
note-files-failed =
    { $count ->
        [one] { $count } fichier a échoué : { $why }
        [many] { $count } de fichiers ont échoué : { $why }
       *[other] { $count } fichiers ont échoué : { $why }
    }
note-many-finished =
    { $count ->
        [one] { $count } téléchargement terminé
        [many] { $count } de téléchargements terminés
       *[other] { $count } téléchargements terminés
    }
note-many-failed =
    { $count ->
        [one] { $count } téléchargement a échoué
        [many] { $count } de téléchargements ont échoué
       *[other] { $count } téléchargements ont échoué
    }
note-many-running =
    { $count ->
        [one] { $count } téléchargement en cours
        [many] { $count } de téléchargements en cours
       *[other] { $count } téléchargements en cours
    }
note-and-more =
    { $count ->
        [one] et { $count } autre
        [many] et { $count } d’autres
       *[other] et { $count } autres
    }
note-all-done = Tous les téléchargements sont terminés
    .body = Terminés : { $count }. Aucun n’est en attente.
note-all-ended = Tous les téléchargements ont pris fin
    .body = Terminés : { $count } ; échoués : { $failed }. La liste dit pourquoi.
note-in-tray = { -ashore } fonctionne en arrière-plan
    .body = Les téléchargements continuent. Ouvrez { -ashore } depuis son icône du panneau, ou quittez-le là.
note-group = { -ashore } - { $owner }
note-group-command-line = { -ashore } - ligne de commande

ask-open = Ouvrir ce fichier ?
    .body = { $name } peut exécuter quelque chose sur cet ordinateur. Ne l’ouvrez que si vous savez d’où il vient.
ask-folder = Choisir un dossier
ask-file = Choisir un fichier
ask-save-list = { list-save }
ask-list = Choisir une liste exportée

ask-server = Garder le serveur de synchronisation sur cette machine ?
    .body = Cette machine conserve alors la liste chiffrée, et vos autres machines peuvent la joindre par le réseau. Les mots de récupération sont affichés ensuite.
    .yes = Le garder ici
ask-set-up = Créer une liste ?
    .body = { -ashore } crée une liste chiffrée sur { $server } et affiche les 24 mots de récupération.
    .yes = Créer
ask-join = Rejoindre la liste ?
    .body = Cette machine envoie sa liste de téléchargements, chiffrée, à { $server }. Toutes les machines de la liste rejointe peuvent la lire. Ne rejoignez qu’une liste qui est à vous.
    .yes = Rejoindre
ask-words = Afficher les mots de récupération ?
    .body = Toute personne qui connaît les 24 mots, l’adresse et le numéro peut lire la liste. Assurez-vous que personne d’autre ne regarde.
    .yes = Afficher
ask-invite = Ajouter une machine ?
    .body = { -ashore } affiche un lien. La machine qui l’ouvre en premier peut lire la liste. Le lien est valable dix minutes.
    .yes = Afficher le lien
ask-devices = Autoriser d’autres appareils à se connecter ?
    .body = Les appareils de votre réseau pourront alors ouvrir cette liste après s’être connectés. Les données circulent sans chiffrement : ne le faites que sur un réseau de confiance.
    .yes = Autoriser
ask-device-link = Connecter un autre appareil ?
    .body = { -ashore } affiche un lien. L’appareil qui l’ouvre en premier peut tout faire avec vos téléchargements. Le lien est valable cinq minutes.
ask-remove-machine = Retirer une machine ?
    .body = { $machine } ne peut rien lire de ce qui est écrit à partir de maintenant. Ses propres téléchargements continuent. La liste reçoit de nouveaux mots de récupération, affichés ensuite.
    .yes = Retirer
ask-trust = Démarrer des téléchargements sans demander ?
    .body = Les téléchargements que { $machine } envoie à cette machine démarrent alors aussitôt.
    .yes = Les démarrer
