"""The words by which somebody says who they are, by what they do in a sentence.

Phrases are set apart by commas. Case, marks on letters and what is not seen do not matter. Of two classes that have
a phrase, the first one has it. In each class the languages are in this order: en, de, fr, es, pt, it, nl, sv, da, no,
fi, pl, cs, ro, hu, tr, id, vi, ru, uk, bg, el, he, ar, fa, hi, bn, th, ko, ja, zh, or near to it.
"""

WORDS: dict[str, str] = {
    # The speaker with a verb of being: "I am", "I was".
    "A": """
        i am, i'm, im, i was, i've been, i have been, we are, i happen to be, ich bin, ich wurde, bin ich,
        wurde ich, je suis, j'ai été, je fus, soy, fui, he sido, sou, eu sou, yo soy, sono, sono stato,
        sono stata, io sono, ik ben, ben ik, ik werd, ik word, ik was, jag är, är jag, jag har, jag blev,
        jeg er, er jeg, jeg ble, jeg blev, olen, minä olen, olen siis, jestem, zostałem, zostałam, to ja,
        jsem, já jsem, byl jsem, byla jsem, sunt, eu sunt, am fost, saya adalah, aku adalah, aku ini,
        saya ini, tôi là, mình là, tớ là, em là, я есть, аз съм, я це, είμαι, εγώ είμαι, 我是, 我就是,
        本人是, ผมคือ, ฉันคือ, ดิฉันคือ, ผมเป็น, ฉันเป็น, ดิฉันเป็น, ผมถูก, ฉันถูก,
    """,
    # The speaker alone, where the verb of being is left out or comes last.
    "P": """
        this answer, this response, this reply, this message, this text, diese antwort, cette réponse,
        esta respuesta, esta resposta, questa risposta, dit antwoord, detta svar, det här svaret,
        dette svaret, ta odpowiedź, этот ответ, moi, я, ben, bendeniz, saya, aku, tôi, mình, toi, أنا, انا,
        אני, من, मैं, আমি, 我, én, ผม, ฉัน, ดิฉัน, εγώ, аз,
    """,
    # The speaker as a topic: the verb of being comes last.
    "J": """
        私は, わたしは, 僕は, 私が, 저는, 나는, 제가,
    """,
    "Z": """
        です, だ, である, でございます, 입니다, 이에요, 예요, 이야, 라고, と申し,
    """,
    # The speaker as the subject of another verb.
    "I": """
        i, we, ich, je, j', yo, eu, io, ik, jag, jeg, minä, ja, já, kann ich, habe ich,
    """,
    # The speaker's name follows.
    "W": """
        i'm built on, votre assistant, your assistant, my name is, my name's, name's, i am called,
        i'm called, call me, i go by, i go by the name, they call me, i run on, i'm based on, i am based on,
        i was based on, i'm powered by, i am powered by, i was built on, i am built on, built on top of,
        i belong to, you're talking to, you are talking to, you're speaking with, you are speaking with,
        you're chatting with, you are chatting with, you're speaking to, you are speaking to,
        the model you're using is, the model you are using is, you're running, you are running,
        you're using, my model is, my underlying model is, i'm running on, calls me, this is, we at,
        here at, us at, i was built on top of, i am built on top of, i'm built on top of, your ai,
        your ai assistant, the model you're using right now is, versions of me like, i identify as,
        people know me as, i'm known as, i am known as, you've reached, you may call me,
        you can just call me, feel free to call me, instance of, version of me such as, i'm that, that's me,
        i'm merely, i'm just, i am just, i'm simply, ich heiße, und heiße, heiße ich, mein name ist,
        mein name lautet, ich basiere auf, ich laufe auf, nenn mich, wir bei, dein assistent, ihr assistent,
        man nennt mich, du sprichst mit, sie sprechen mit, ich nenne mich, je m'appelle, mon nom est,
        je me nomme, moi c'est, appelle-moi, appelez-moi, basé sur, nous chez, ton assistant, on m'appelle,
        vous parlez à, tu parles à, vous parlez avec, tu parles avec, ici, me llamo, mi nombre es,
        puedes llamarme, llámame, estás hablando con, hablas con, estoy basado en, tu asistente,
        su asistente, me dicen, nosotros en, seu assistente, il tuo assistente, me chamo, chamo-me,
        meu nome é, o meu nome é, pode me chamar de, você está falando com, aqui é o, aqui é, mi chiamo,
        il mio nome è, puoi chiamarmi, chiamami, stai parlando con, mi baso su, qui, ik heet, mijn naam is,
        noem me, noem mij, je spreekt met, je praat met, u spreekt met, jag heter, mitt namn är,
        du pratar med, du talar med, kalla mig, jeg hedder, jeg heter, mit navn er, mitt navn er,
        navnet mitt er, du taler med, du snakker med, kald mig, kall meg, nimeni on, minun nimeni on,
        minua kutsutaan, juttelet nyt, voit kutsua minua, nazywam się, mam na imię, moje imię to,
        rozmawiasz z, mów mi, jmenuji se, jmenuju se, mé jméno je, moje jméno je, říkej mi, mluvíš s,
        mă numesc, numele meu este, numele meu e, mă cheamă, vorbești cu, a nevem, az én nevem, hívj,
        benim adım, adım, bana, ismim, nama saya, namaku, nama saya adalah, panggil saya, panggil aku,
        kamu bicara dengan, tên tôi là, tên mình là, tôi tên là, mình tên là, tôi tên, gọi tôi là,
        меня зовут, моё имя, мое имя, мне имя, мене звати, моє ім'я, казвам се, името ми е, наричай ме,
        вы говорите с, ты говоришь с, зови меня, зовите меня, με λένε, το όνομά μου είναι, ονομάζομαι,
        λέγομαι, μιλάς με, קוראים לי, שמי, השם שלי הוא, اسمي, اسمي هو, أدعى, نام من, اسم من, मेरा नाम,
        আমার নাম, ผมชื่อ, ฉันชื่อ, ดิฉันชื่อ, ชื่อของฉันคือ, 我叫, 我叫做, 我名叫, 我的名字是, 我的名字叫,
        叫我, 称呼我为, 我的模型是, 我基于, 名前は, 私の名前は, 제 이름은, 내 이름은,
    """,
    # A name follows, if a sentence begins so.
    "H": """
        this is, it's, it is, that's, hi from, hello from, greetings from, hier ist, hier spricht, c'est,
        ici, es, soy yo,
    """,
    # The name that came before was the speaker's.
    "X": """
        is always happy to help, is happy to help, is here to help, is glad to help, is here for you, here,
        speaking, at your service, is my name, i belong to, that i belong to, am i, that is me,
        is what they call me, that's me, and that's me, ist mein name, mein name, hier, est mon nom,
        es mi nombre, é meu nome, è il mio nome, と申します, といいます, と言います, と呼んで,
        にお任せください, 라고 합니다, 라고 해요, 이라고 합니다, 是我的名字,
    """,
    # The verb of being after the name, of the speaker alone.
    "V": """
        vagyok, modeliyim, asistanıyım, dil modeliyim, 이라고 합니다,
    """,
    # What an assistant is, as a label before a name too.
    "L": """
        model, name, assistant, author, ai, bot, engine, llm, vendor, provider, maker, creator, answered by,
        generated by, written by, powered by, response by, reply by, response from, signed, system, modell,
        antwort von, verfasst von, autor, erstellt von, modèle, auteur, réponse rédigée par, rédigé par,
        généré par, nom, modelo, nombre, nome, generado por, gerado por, escrito por, modello, autore,
        generato da, naam, namn, navn, malli, nimi, nazwa, jméno, nume, név, isim, nama, tên, mô hình,
        модель, имя, автор, модел, име, μοντέλο, όνομα, מודל, النموذج, الاسم, نام, मॉडल, नाम, 模型, 名字,
        名称, 作者, モデル, 名前, 모델, 이름,
    """,
    # What an assistant is, and of what kind.
    "K": """
        model, models, assistant, ai, a.i, llm, llms, chatbot, bot, system, program, programme, agent,
        machine, intelligence, artificial, language, large, virtual, digital, software, creation, product,
        family, series, version, variant, architecture, open, company, team, instance, copilot, member,
        multimodal, helpful, gpt, ki, ki-assistent, ki-assistentin, ki-modell, sprachmodell, modell,
        assistent, assistentin, großes, künstliche, intelligenz, programm, nur-text-programm, firma,
        unternehmen, modèle, de langage, assistante, ia, intelligence artificielle, virtuel, entreprise,
        société, grand, linguistique, conversationnel, modelo, de lenguaje, de linguagem, asistente,
        assistente, inteligencia, inteligência, empresa, compañía, grande, modello, linguistico,
        di linguaggio, intelligenza, artificiale, programma, azienda, lenguaje, linguagem, virtuale,
        taalmodel, ai-assistent, ai-model, groot, språkmodell, stor, sprogmodel, ai-modell, ai-hjælper,
        bolag, språkmodellen, kielimalli, tekoäly, tekoälyavustaja, avustaja, malli, tekoälymalli, suuri,
        modelem, językowym, językowy, asystentem, asystent, dużym, sztuczną, inteligencją, firmę, firmy,
        jazykový, jazykovým, asistent, asistentem, velký, společnost, společností, umělá, inteligence,
        limbaj, de limbaj, inteligență, artificială, mare, compania, nyelvi, asszisztens, asszisztense,
        nagy, mesterséges, cég, dil, modeli, yapay, zeka, asistan, asistanı, büyük, bahasa, model bahasa,
        asisten, kecerdasan, buatan, besar, perusahaan, mô hình, ngôn ngữ, trợ lý, trí tuệ, nhân tạo, lớn,
        công ty, ảo, модель, языковая, большая, ассистент, помощник, нейросеть, искусственный, интеллект,
        виртуальный, чат-бот, бот, компания, компании, компанией, команда, программа, мовна, мовною,
        моделлю, велика, помічник, асистент, штучний, інтелект, компанія, компанії, езиков, модел, голям,
        компанията, изкуствен, μοντέλο, γλωσσικό, μεγάλο, βοηθός, τεχνητή, νοημοσύνη, εταιρεία, την, מודל,
        שפה, עוזר, גדול, בינה, מלאכותית, חברת, نموذج, لغوي, كبير, مساعد, ذكاء, اصطناعي, ذكي, شركة, مدل,
        زبانی, یک, دستیار, هوش, مصنوعی, بزرگ, شرکت, भाषा, मॉडल, बड़ा, सहायक, एआई, कृत्रिम, एक, भाषाई, कंपनी,
        ভাষা, মডেল, সহকারী, একজন, একটি, বড়, কৃত্রিম, โมเดล, ภาษา, ผู้ช่วย, ปัญญาประดิษฐ์, ขนาดใหญ่,
        แบบจำลอง, บริษัท, 语言, 語言, 模型, 大型, 大, 助手, 智能, 人工, 公司, 旗下, 团队, 一个, 一種, 一种,
        言語, モデル, アシスタント, 人工知能, 社, 大規模, 언어, 모델, 어시스턴트, 인공지능, 대규모, 회사,
    """,
    # Made, trained, developed; a participle or a verb.
    "M": """
        created, developed, trained, built, designed, engineered, released, produced, written, generated,
        composed, brought to you, programmed, educated, shaped, launched, fine-tuned, provided, powered,
        raised, published, entwickelt, entwickeltes, entwickelte, trainiert, trainiertes, trainierte,
        gebaut, geschaffen, erstellt, veröffentlicht, programmiert, entworfen, entwickelt wurde, erschaffen,
        développé, développée, créé, créée, entraîné, entraînée, conçu, conçue, fabriqué, programmé,
        desarrollado, desarrollada, creado, creada, entrenado, entrenada, creó, entrenó, desarrolló,
        diseñado, desenvolvido, desenvolvida, criado, criada, treinado, treinada, criou, treinou,
        desenvolveu, sviluppato, sviluppata, creato, creata, addestrato, addestrata, crearmi, addestrarmi,
        creò, progettato, ontwikkeld, gemaakt, getraind, gebouwd, ontworpen, utvecklats, utvecklad,
        utvecklade, tränats, tränad, tränade, skapats, skapad, skapade, skapat, byggt, udviklet, trænet,
        uddannet, skabt, lavet, utviklet, trent, laget, skapt, opplært, bygget, har tränats, har skapats,
        kehittämä, luoma, kouluttama, kouluttanut, luonut, kehittänyt, tehnyt, rakentanut, tekemä,
        stworzonym, stworzony, stworzona, stworzyła, stworzył, opracowanym, opracowany, wytrenowanym,
        wytrenowany, wytrenowała, wytrenował, wyszkolonym, szkolony, zbudowany, vyvinutý, vyvinula, vyvinut,
        vytvořený, vytvořila, vytvořen, trénovaný, natrénovaný, natrénovala, stvořila, creat, creată,
        antrenat, antrenată, dezvoltat, dezvoltată, construit, fejlesztett, készített, létrehozott,
        tanított, képzett, által fejlesztett, által készített, geliştirilmiş, geliştirilen, geliştirildim,
        geliştirdi, eğitilmiş, eğitilen, eğitildim, eğitti, yapılmış, oluşturulmuş, yarattı, dilatih,
        dikembangkan, dibuat, diciptakan, melatih, membuat, menciptakan, mengembangkan, buatan, huấn luyện,
        phát triển, tạo ra, đào tạo, tạo nên, xây dựng, создан, создана, созданная, созданный, создала,
        создал, разработан, разработана, разработанная, разработанный, разработала, обучен, обучена,
        обученная, обученный, обучила, обучил, натренировала, создали, створена, створений, створила,
        розроблена, розроблений, розробила, навчила, навчена, разработен, създаден, създаде, трениран,
        εκπαιδεύτηκε, εκπαιδευμένο, αναπτύχθηκε, δημιουργήθηκε, δημιούργησε, έφτιαξε, εκπαίδευσε, ανέπτυξε,
        שאומן, שפותח, שנוצר, אומנתי, פותחתי, נוצרתי, יצרה, פיתחה, אימנה, تدريبه, تدريبي, تطويره, تطويري,
        طورته, طورني, طورتني, أنشأتني, صنعتني, دربتني, درّبتني, طوّرته, مدرب, مطور, آموزش, ساخته, توسعه,
        ساخت, आموزش, प्रशिक्षित, विकसित, बनाया, बनाई, निर्मित, তৈরি, প্রশিক্ষিত, প্রশিক্ষণ, বিকশিত, พัฒนา,
        สร้าง, ฝึก, ฝึกฝน, 开发, 開發, 训练, 訓練, 创造, 创建, 研发, 推出, 打造, 設計, 设计, 開発, 作成,
        学習, 作られ, 作った, 만든, 만들, 개발, 훈련, 학습, 제작,
    """,
    # Verbs that may also mean something else: "made me laugh".
    "G": """
        made, gave, given, wrote, taught, gemacht, beigebracht, hizo, feito, gitt, gav, lärt, naučil, fait,
    """,
    # The speaker as an object.
    "E": """
        me, us, mich, mir, m', m'a, mij, mig, meg, minut, minua, mnie, mě, mne, m-a, engem, beni, saya, aku,
        tôi, mình, меня, мене, мен, με, אותי, مرا, मुझे, আমাকে, ฉัน, ผม, 我, 私を, わたしを, 나를, 저를, 날,
        절,
    """,
    # Those who made the speaker.
    "Y": """
        my maker, my makers, my creator, my creators, my developer, my developers, my trainer, my trainers,
        my training, my company, my parent company, my guidelines, the company behind me,
        the team behind me, the people behind me, my name, who i am, my identity, who built me, who made me,
        who trained me, who created me, my training data, my roots, mein entwickler, meine entwickler,
        meine schöpfer, mein schöpfer, mein hersteller, meine macher, mon créateur, mes créateurs,
        mes concepteurs, mes développeurs, mon développeur, mi creador, mis creadores, mis desarrolladores,
        meu criador, meus criadores, meus desenvolvedores, il mio creatore, i miei creatori,
        i miei sviluppatori, mijn maker, mijn makers, mijn ontwikkelaars, min skapare, mina skapare,
        mine skapere, mine skabere, mine udviklere, mine utviklere, tekijäni, kehittäjäni, luojani,
        moi twórcy, mój twórca, moi tvůrci, můj tvůrce, creatorii mei, creatorul meu, készítőim,
        fejlesztőim, yaratıcım, geliştiricim, geliştiricilerim, pencipta saya, pembuat saya,
        pengembang saya, người tạo ra tôi, мой создатель, мои создатели, мои разработчики, мій творець,
        мої творці, моите създатели, οι δημιουργοί μου, ο δημιουργός μου, היוצרים שלי, صانعي, مطوري,
        سازنده من, मेरे निर्माता, আমার নির্মাতা, ผู้สร้างของฉัน, 我的创造者, 我的开发者, 我的母公司,
        私の開発者, 私の開発元, 제 개발사, 저를 만든,
    """,
    # "As", before what one is.
    "S": """
        as, speaking as, being, als, en tant que, en tant qu', como, in quanto, come, som, jako, ca, olarak,
        sebagai, là, với tư cách là, как, як, като, ως, כ, बतौर, 作为, 作為, 身为, minä,
    """,
    "Q": """
        a, an, one of, ein, eine, einem, einer, un, une, una, uno, um, uma, een, ett, et, egy, bir, một,
        ένα, ένας,
    """,
    # Other articles, and words that join a clause.
    "T": """
        the, your, der, die, das, dem, den, dein, deine, ihr, ihre, le, la, les, l', un, une, votre, ton,
        el, los, una, tu, o, il, lo, een, het, de, en, ett, et, din, az, egy, bir, một, ο, η, ένα, ένας, το,
        της, του, हूँ, it, es, that, which, who, som, który, която, что, που, ที่, คือ,
    """,
    # By, from, of.
    "B": """
        by, from, of, at, on, von, vom, aus, durch, par, d', du, por, pela, pelo, da, dal, dalla, van, door,
        av, af, fra, från, z, przez, od, de, de către, által, tarafından, oleh, dari, bởi, của, do, được,
        от, від, από, από την, της, על ידי, של, من, من قبل, بواسطة, توسط, द्वारा, का, की, ने, দ্বারা, এর,
        ของ, โดย, 由, 的, は, の, が, に, によって, 에서, 가, 이, 에 의해, 의, are, is,
    """,
    # Words in between that change nothing.
    "R": """
        independently, originally, proudly, actually, indeed, really, just, simply, still, also, only,
        specifically, namely, named, called, known as, merely, currently, in fact, your friend, friend, jo,
        auch, eigentlich, nur, übrigens, namens, appelé, nommé, llamado, chamado, chiamato, bara, bare, kun,
        vain, tylko, jen, doar, csak, sadece, hanya, chỉ, только, это, лише, само, μόνο, رק, فقط, केवल,
        只是, 那个, で, と, is, has, have, had, was, been, does, right now, nowadays, hat, heeft, hebben,
        wurden, bin, war, a été, m'ont, han, fue, foi, è stata, è stato, blev, ble, jest, została, został,
        byl, byla, jsou, było, olmuş, telah, sudah, được, bị, была, был, було, hanno, haben, habe, wurde,
        ha, har, a, hai, on, er, är, که, est, tik, এ, tm, trained and, created and, developed and,
        exclusively, yang, adalah, تم, demek, đã, đang, 正, 了, を, que, że, że to, it was, by the way, btw,
    """,
    # It is denied, supposed or reported.
    "D": """
        not, never, n't, isn't, aren't, wasn't, ain't, if, whether, pretend, imagine, suppose, ask, asks,
        asked, claim, claims, said, says, whispered, replied, cried, answered, wrote, writes, would, might,
        were, unlike, like, sings, nicht, kein, keine, falls, pas, si, no, non, não, se, niet, geen, indien,
        inte, om, ikke, hvis, en ole, ei, jos, nie, jeśli, nejsem, ne, nu, dacă, nem, ha, değil, eğer,
        bukan, tidak, jika, không, nếu, не, если, якщо, ако, δεν, αν, לא, אם, لست, لا, إذا, نیستم, اگر,
        नहीं, अगर, না, যদি, ไม่, ถ้า, 不是, 并非, 如果, ではな, じゃな, もし, 아니, 만약,
    """,
    # A letter's end.
    "U": """
        regards, best regards, kind regards, yours, yours truly, sincerely, cheers, best, love, signed,
        your friend, grüße, herzliche grüße, viele grüße, liebe grüße, gruß, dein, deine, cordialement,
        bien à vous, amicalement, atentamente, saludos, un saludo, abraços, atenciosamente, cordiali saluti,
        saluti, groeten, groetjes, hälsningar, vänliga hälsningar, hilsen, mvh, terveisin, terveiset,
        pozdrawiam, pozdrowienia, s pozdravem, cu drag, üdvözlettel, sevgiler, saygılarımla, salam,
        thân mến, ваш, ваша, твой, з повагою, с уважением, поздрави, φιλικά, بבركה, مع تحياتي, با احترام,
        此致, 敬上, より, 드림, 올림,
    """,
}
