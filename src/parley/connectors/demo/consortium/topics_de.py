"""Rules of thumb in German, written by hand."""

from parley.connectors.demo.consortium.topic import Topic

GERMAN: tuple[Topic, ...] = (
    Topic(
        "Umzug von Systemen",
        r"webseiten?|websites?|server|hoster?|hosting|migr\w+|datenbank\w*|cloud|backups?|domains?|software",
        (
            "Einigt euch zuerst darauf, was am Tag der Umstellung weiterlaufen muss: Diese Liste entscheidet jeden späteren Streit.",
            "Macht ein Verzeichnis von allem, was am alten Ort hängt, etwa Mail, Zertifikate und geplante Aufgaben, bevor etwas umzieht.",
            "Zieht noch diese Woche einen kleinen, unwichtigen Teil um: Das zeigt mehr als eine weitere Planungsrunde.",
            "Benennt eine Person, die die Umstellung anhalten darf: Geteilte Verantwortung trägt nachts niemand.",
            "Macht eine volle Sicherung und spielt sie einmal auf einem anderen Rechner zurück: Eine nie erprobte Sicherung ist nur eine Hoffnung.",
            "Lasst den alten Ort eine Weile neben dem neuen laufen: Dann bleibt der Rückweg ein kleiner Schritt.",
        ),
    ),
    Topic(
        "Schlaf und Erholung",
        r"schlaf\w*|müde|stress\w*|erhol\w+|aufwachen|einschlafen",
        (
            "Sag, was bei Tag besser werden soll, nicht wie viele Stunden es braucht: Dafür sind die Nächte da.",
            "Leg zuerst die Zeit des Aufstehens fest, und lass die des Zubettgehens folgen: Der Morgen stellt die Uhr.",
            "Leg ab heute Bildschirm und Kaffee früher weg: Beides ist leicht zu versuchen und leicht zu lassen.",
            "Klär mit denen, die das Zimmer teilen, was dich weckt: Licht, Lärm und Wärme sind am billigsten zu ändern.",
            "Geh zum Arzt, wenn es Wochen dauert: Hinter schlechten Nächten kann etwas stecken, das keine Gewohnheit heilt.",
            "Schreib Abende und Nächte kurz auf: Nach zwei Wochen zeigt sich, welche Gewohnheit den Schlaf kostet.",
        ),
    ),
    Topic(
        "Gesundheit und Training",
        r"marathon|laufen|sport|training|trainieren|abnehmen|ernährung|gesund\w*|fit",
        (
            "Setz dir ein Ziel, das sich in einigen Wochen messen lässt: Sonst sieht jeder schlechte Tag wie ein Scheitern aus.",
            "Bau zuerst eine stetige Grundlage auf und steigere in kleinen Schritten: Die meisten Verletzungen kommen vom Zuviel auf einmal.",
            "Fang mit einer Einheit an, die zu kurz zum Ausfallenlassen ist: Regelmäßig schlägt heldenhaft.",
            "Mach es mit jemandem zusammen oder nenne jemandem Tag und Stunde: Gesellschaft hält mehr Pläne am Leben als der Wille.",
            "Hör bei Schmerzen auf und frag vor einem harten Anfang einen Arzt: Über deinen Körper weiß ich nichts.",
            "Führ ein kurzes Tagebuch darüber, was du getan hast und wie es war: Nach einigen Wochen zeigt es, was wirklich hilft.",
        ),
    ),
    Topic(
        "Teams",
        r"teams?|besprechung\w*|meetings?|projekt\w*|homeoffice|büro|kolleg\w+|firmen?|unternehmen|chef\w*|mitarbeiter\w*|vier-tage-woche|kunden?",
        (
            "Einigt euch darauf, wie ein gutes Ergebnis aussieht, bevor ihr über Mittel redet: Die Hälfte der Meinungsverschiedenheiten endet dort.",
            "Schreibt auf, wer entscheidet, wer gefragt und wer unterrichtet wird: Dann arbeitet in dieser Reihenfolge.",
            "Schneidet den ersten Schritt so klein, dass er in eine Woche passt: Ein kleines Ergebnis überzeugt mehr als ein Plan.",
            "Fragt die Menschen, die es tragen müssen, bevor es entschieden ist: Sie kennen das Hindernis, das im Plan fehlt.",
            "Legt vorher fest, bei welchem Zeichen ihr aufhört: Hinterher findet jeder einen Grund zum Weitermachen.",
            "Schaut nach einem Monat gemeinsam zurück und ändert eine Sache: Teams werden durch kleine Korrekturen besser.",
        ),
    ),
    Topic(
        "Lernen",
        r"lern\w*|studi\w*|prüfung\w*|kurse?|üben|sprachen?|klavier|gitarre|schule|vokabeln|spanisch|englisch|französisch",
        (
            "Sag, was du in drei Monaten können willst: Daraus folgt, welche Hälfte des Stoffs wegbleiben darf.",
            "Geh die Grundlagen der Reihe nach durch, bevor die Kniffe kommen: Lücken unten werden später teuer.",
            "Fang heute mit einer Viertelstunde am Tag an: Die Gewohnheit zählt mehr als der Plan.",
            "Such dir jemanden, der mitlernt oder dich verbessert: Allein werden Fehler zu Gewohnheiten.",
            "Prüf dich ohne nachzusehen: Wiederlesen fühlt sich wie Wissen an und ist keines.",
            "Erklär jedes Stück laut in eigenen Worten: Wo du stockst, da lies als Nächstes nach.",
        ),
    ),
    Topic(
        "eine Entscheidung",
        r"",
        (
            "Schreib auf, was für jede Seite wahr sein müsste: Oft lässt sich nur eines davon nachprüfen.",
            "Vergleich der Reihe nach, was Versuch, Scheitern und Rückweg kosten.",
            "Probier die Seite, die sich in einer Woche probieren lässt: Das Gelernte entscheidet besser als langes Nachdenken.",
            "Frag die, die mit dem Ergebnis leben müssen: Sie sehen Kosten, die man beim Entscheiden übersieht.",
            "Achte auf das, was sich nicht rückgängig machen lässt, und warte damit: Eine späte Entscheidung ist teuer, eine endgültige teurer.",
            "Frag je jemanden von beiden Seiten, was er wieder täte: Zwei ehrliche Geschichten schlagen zehn Meinungen.",
        ),
        general=True,
    ),
    Topic(
        "ein Vorgehen",
        r"",
        (
            "Sag, woran du merkst, dass es fertig ist: Ein sichtbares Ziel hält die Arbeit kurz.",
            "Teil es in den ersten, den gefährlichen und den letzten Schritt und plane diese drei.",
            "Erledige heute das kleinste nützliche Stück: Es zeigt, was der Plan vergessen hat.",
            "Such jemanden, der es schon gemacht hat, und frag nach dem einen, was er anders machen würde.",
            "Probier den gefährlichsten Teil früh und im Kleinen: Die späte Überraschung ist die teure.",
            "Notiere nach jedem Schritt, was geklappt hat: Beim zweiten Mal zahlt es sich aus.",
        ),
        general=True,
    ),
    Topic(
        "eine Erklärung",
        r"",
        (
            "Eine gute Erklärung zu {subject} sagt, was dazugehört, was nicht, und gibt ein Beispiel.",
            "Geh vom Sichtbaren zur Ursache und dann zur Ausnahme: So lässt sich das meiste verstehen.",
            "Ein gutes Nachschlagewerk zuerst erspart einen Abend voller verstreuter Seiten.",
            "Frag jemanden, der täglich damit umgeht, was Anfänger falsch verstehen.",
            "Prüf jeden Namen, jedes Datum und jede Zahl an einer zweiten Quelle: Ich habe hier keine eigene.",
            "Erklär es laut jemand anderem: Wo du stockst, da schlag nach.",
        ),
        general=True,
    ),
    Topic(
        "eine offene Frage",
        r"",
        (
            "Klär zuerst, was die tragenden Wörter heißen sollen: {subject} lässt sich verschieden verstehen.",
            "Trenn, was bekannt, was angenommen und was gewünscht ist, und geh es in dieser Reihenfolge durch.",
            "Such die eine Tatsache, die die Antwort ändern würde: Sie kommt vor allem anderen.",
            "Frag, wen die Antwort angeht: Vielleicht ist dort etwas anderes gemeint.",
            "Such das beste Argument gegen den ersten Einfall: Was es übersteht, ist brauchbar.",
            "Nimm ein einziges Beispiel und verfolg es bis zum Ende: Allgemeine Antworten verbergen, wo sie versagen.",
        ),
        general=True,
    ),
)
"""The topics in the order in which they are looked for; the general ones come last."""
