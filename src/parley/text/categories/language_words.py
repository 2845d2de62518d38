"""Short words and letters by which languages in Latin script are distinguished."""

from collections.abc import Mapping

WORDS: Mapping[str, frozenset[str]] = {
    code: frozenset(words.split())
    for code, words in {
        "en": """simplify compose baby plan build convert short story about city inside learn names work works tips
            does explain who which prime number planet movie movies book books day today year people what's
            let's who's it's solve recommend best way good last some get calculate write fix change keep more
            play hello hey thanks the of and to in is are was were be been for with that this these those it its
            as at by from on or an what how why when where whose can could should would will do did have has had
            my your our their his her me you we they i i'm i've don't doesn't isn't can't not no if then than
            there into please give make create list tell describe show find help summarize translate compare
            using need want like between any each all one two three a""",
        "de": """löse gleichung finde fasse ersten zusammen sätzen wörtern gut gute beste besten hallo danke guten
            der die das und ist nicht ein eine einen einem einer eines ich du er sie es wir ihr mein meine
            meinen meiner mit auf für von vom zu zum zur im den dem des dass wie was wer warum wann wo welche
            welcher welches sind war wird werden wurde kann können soll sollte muss bitte schreib schreibe
            erkläre erklär gib mir mich nenne erstelle übersetze auch aber oder wenn als bei nach über durch
            unter zwischen gegen ohne um nur noch sich haben hat habe bin kein keine einfach gibt mach aus an
            man alle mehr zwei drei""",
        "fr": """calcule d'un d'une rayon quand construite construit font fois combien moins résous aux l'équation
            meilleur meilleure phrases mots bonjour merci salut le la les un une des du de et est en que qui
            quoi dans pour pas sur avec ce cette ces il elle nous vous je tu mon ma mes ton ta tes son sa ses
            notre votre leur au par plus ne se sont était être avoir fait comment pourquoi où quel quelle quels
            quelles écris écrire explique expliquer donne donnez traduis résume décris peux peut pouvez dois
            faut si mais ou donc sans sous entre c'est qu'est moi j'ai liste fais rédige crée trouve deux trois
            tout tous""",
        "es": """puedo cómo responde solo sólo planeta lista mide cuánto perímetro cm por mejor frases palabras hola
            gracias buenos el la los las un una unos unas de del y es en que qué para con no se su sus mi mis tu
            tus al lo le como cuál cuáles cuándo dónde quién porque más pero o si este esta estos estas son ser
            está están hay escribe escribir explica explícame dame haz hazme crea traduce resume describe
            calcula puedes puede tengo me nos yo muy sin sobre entre cada cuántos cuántas dos tres también hacer""",
        "it": """migliore parole ciao grazie buongiorno il lo la gli le un una uno di del della dei delle degli dello
            e è in che per con non si su come cosa perché quando dove quale quali chi sono essere ha ho hai mi
            ti ci mio mia tuo sua al alla ai nel nella dal dalla scrivi scrivere spiega spiegami dammi fammi
            crea traduci riassumi descrivi calcola puoi può questo questa questi più ma o se tra fra senza anche
            due tre ogni i""",
        "pt": """melhor palavras olá obrigado obrigada o a os as um uma uns umas de do da dos das e é em no na nos
            nas que para por com não se seu sua seus suas meu minha como qual quais quando onde quem porque mais
            mas ou ao à pelo pela este esta isso são ser está estão há escreva escrever explique me faça crie
            traduza resuma descreva calcule você eu nós ele ela pode posso preciso sem sobre entre cada dois
            três também muito quanto quantos""",
        "nl": """hallo bedankt goedemorgen de het een en is van in op te dat die niet voor met zijn aan er als ook
            maar om bij dan naar hoe wat waarom wanneer waar welke wie ik je jij u we wij mijn jouw hun kan
            kunnen moet schrijf leg uit geef maak vertaal beschrijf deze dit over door tussen zonder worden
            wordt heeft heb hebben geen nog mij twee drie of tot""",
        "sv": """skriv om dikt hur lagar recept hej tack och att det är en ett som på av för med den till inte har
            jag du vi ni mig dig min din vad varför när var vilken vilka kan ska skulle från eller men så
            förklara ge gör översätt beskriv sammanfatta mellan utan också bara finns många två tre i de hade""",
        "da": """laver opskrift efter blive hovedstaden hej tak og at det er en et som på af for med den til ikke om
            har jeg du vi mig dig min din hvordan hvad hvorfor hvornår hvor hvilken hvilke kan skal skulle fra
            eller men så skriv forklar giv lav oversæt beskriv mellem uden også kun findes mange to tre i de
            blev været""",
        "no": """lager hvordan vafler lage oppskrift etter bli hovedstaden hei takk og at det er en et som på av for
            med den til ikke om har jeg du vi meg deg min din hva hvorfor når hvor hvilken hvilke kan skal
            skulle fra eller men så skriv forklar gi lag oversett beskriv mellom uten også bare finnes mange to
            tre i de ble vært""",
        "fi": """hei kiitos moi ja on ei se että en oli mutta myös kun niin mitä miten miksi milloin missä mikä mitkä
            kuka minun sinun hän me te he tai jos kuin ovat olla voi voiko pitää kirjoita selitä anna tee kerro
            käännä kuvaile tämä tämän nämä ilman kanssa ennen jälkeen kaksi kolme minulle kuinka monta lista""",
        "pl": """opowiedz mi smoku bajkę cześć dziękuję dzień i w na z się nie do to jest że o jak co dla od po za
            czy ale lub oraz przez są być był była ja ty on mój moja moje twój mnie jaki jaka jakie jakich
            dlaczego kiedy gdzie kto który która które napisz wyjaśnij podaj stwórz przetłumacz opisz wymień
            proszę może można bez między tym tego dwa trzy ile""",
        "cs": """ahoj děkuji dobrý a v na je se že to s z do o i k pro jak co ale nebo jsou být byl byla jsem jsi ten
            ta mi mě můj moje proč kdy kde kdo který která které jaký jaká jaké napiš vysvětli dej vytvoř přelož
            popiš uveď prosím může bez mezi tento tato dva tři kolik není podle když""",
        "ro": """cerul capitala bună mulțumesc salut și si în la de pe cu că este sunt un o nu ce cum pentru din mai
            sau dar dacă care al ale lui ei eu tu noi mi îmi mă meu mea când unde cine cât câte scrie explică dă
            fă creează tradu descrie rezumă fără între acest această aceste fi fost doi trei prin despre""",
        "hu": """szia köszönöm helló a az és hogy nem is egy van volt ez azt meg csak de mint már még ha mi mit miért
            mikor hol hogyan ki melyik milyen én te ő nekem írj írd magyarázd adj készíts fordítsd sorold kérlek
            lehet kell vagy között nélkül minden két három szerint""",
        "tr": """şehri şehir nedir kaç merhaba teşekkürler selam ve bir bu da de için ile ne nasıl neden niçin mi mı
            mu mü çok daha en var yok ben sen o biz bana benim senin hangi kim nerede zaman olan olarak gibi
            kadar ama veya yaz açıkla ver oluştur çevir anlat özetle arasındaki arasında göre her iki üç misin
            mısın değil şu""",
        "id": """ibu kota berapa jumlah halo terima kasih selamat yang dan di ke dari untuk dengan ini itu adalah
            tidak pada dalam apa bagaimana mengapa kapan dimana siapa saya kamu anda kami kita atau jika karena
            akan bisa dapat tentang tulis tuliskan jelaskan buat buatlah berikan terjemahkan sebutkan lebih
            antara tanpa sebuah seorang dua tiga cara ada""",
        "vi": """xin chào cảm ơn và là của có không cho một những các được trong với để này đó như thế nào tại sao
            khi ở đâu ai tôi bạn chúng ta hãy viết giải thích dịch liệt kê mô tả về hoặc nhưng nếu từ đến bằng
            rất nhiều hai ba gì""",
    }.items()
}
"""Words that are frequent in what people ask, lower case."""

LETTERS: Mapping[str, str] = {
    "de": "ß",
    "es": "ñ¿¡",
    "pt": "ãõ",
    "fr": "œêùëï",
    "it": "ìò",
    "pl": "łżźśćńę",
    "cs": "řěů",
    "ro": "țșăţ",
    "hu": "őű",
    "tr": "ığş",
    "vi": "ơưđạảấầẩẫậắằẳẵặẹẻẽếềểễệịỉĩọỏốồổỗộớờởỡợụủũứừửữựỳỵỷỹ",
    "da": "æø",
    "no": "æø",
    "sv": "å",
}
"""Letters that hardly any other language of these has."""
