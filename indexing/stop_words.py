"""Words without a meaning of their own, for each language that has a stemmer.

Articles, pronouns, prepositions, conjunctions and auxiliaries only: a word that may be the matter
of a question is in no list. Single letters and the like are what an apostrophe leaves.
"""

_WORDS = {
    "arabic": """
        أن أنا أنت أنتم أو أي أين إذا إلا إلى إن إنه الا التي الذي الذين الى اللاتي اللتان اللذان
        ان انا انت او اي اين بعد بعض بل بين تلك تكون ثم حتى حين حيث خلال ذلك عن عند عندما على فى في
        فإن فان قد قبل كان كانت كل كما كيف لا لدى لقد لكن لم لماذا لن له لها لهم ليس ليست ما ماذا
        مع من منذ منه منها نحن هؤلاء هذا هذه هل هم هن هنا هناك هو هي و وأن وإن وفي ولا وما ومن وهو
        وهي يكون
    """,
    "armenian": """
        այդ այլ այն այս դու դուք եմ են ենք ես եք է էի էին էինք էիր էիք էր ըստ թ ի ին իսկ իր կամ
        համար հետ հետո մենք մեջ մի ն նա նաև նրա նրանք որ որը որոնք որպես ու ում պիտի վրա և եւ ինչ
        ով երբ որտեղ ինչպես չէ
    """,
    "basque": """
        al anitz arabera asko baina bat batean batek bati batzuk bera beraiek berau berauek bere
        berori beroriek da dago dira ditu du dute edo egin ere eta eurak ez gainera gu gutxi guzti
        haiei haiek haietan hainbeste hala han handik hango hara hari hark hartan hau hauei hauek
        hauetan hemen hemendik hemengo hi hona honek honela honetan honi hor hori horiei horiek
        horietan horko horra horrek horrela horretan horri hortik hura izan ni noiz nola non nondik
        nongo nor nora ze zein zen zenbait zenbat zer zergatik ziren zituen zu zuek zuen zuten
    """,
    "catalan": """
        a al algun alguna algunes alguns als altra altre altres amb aquell aquella aquelles aquells
        aquest aquesta aquestes aquests això allò cada com d de del dels des doncs durant e el ell
        ella elles ells els em en ens entre era eren es esta estan està estava et ets fins fou ha
        han havia he hem heu hi ho i io jo l la les li ls m me mentre meu meva meves meus molt ne
        ni no nosaltres o on pel pels per perquè però poc qual quals quan que quin quina qui què s
        sa se sense ser serà ses seu seus seva seves si sobre sóc són sota t també te tot tota
        totes tots tu un una unes uns us va van vosaltres és
    """,
    "czech": """
        a aby aj ale ani ano asi až be bez bude budeme budete budou budu by byl byla byli bylo byly
        bych být co což či dle do ho i já jak jako je jeho jej její jejich jen jenž ještě ji jim
        jich již jsem jsi jsme jsou jste k kam kde kdo kdy když ke která které kterou který kteří
        ku má mají mě mezi mi mít mne mnou mu my na nad nám námi nás náš naše ne nebo nebyl není
        než nic o od ona oni ono pak po pod podle pokud pro proč proto před přes při s se si svá
        své svůj svým ta tak také tam te tedy ten tento této ti tím to toho tohoto tom tomu tu tuto
        ty tyto u už v vám vámi vás váš vaše ve však vy z za zda ze že
    """,
    "danish": """
        ad af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din
        dine disse dit dog du efter eller en end er et for fra ham han hans har havde have hende
        hendes her hos hun hvad hvem hver hvilke hvilken hvilket hvis hvor hvordan hvornår i ikke
        ind ingen intet jeg jer jeres jo kan kunne man mange med meget men mig min mine mit mod må
        ned nogen noget nogle nu når og også om op os over på selv sig sin sine sit skal skulle som
        sådan thi til ud under var ved vi vil ville vor være været
    """,
    "dutch": """
        aan al alles als altijd andere ben bij d daar dan dat de der deze die dit doch door dus een
        en er ge geen had heb hebben heeft hem het hier hij hoe hun ik in indien is ja je jij jou
        jouw jullie kan kon kunnen maar me meer men met mij mijn moet moeten na naar niet nog nu of
        om omdat ons onze ook op over s t te tegen toch toen tot u uit uw van veel voor waar waarom
        wanneer want waren was wat we welk welke werd wezen wie wij wil worden wordt zal ze zelf
        zich zij zijn zo zonder zou zullen
    """,
    "english": """
        a about also am an and any are as at be been being but by can could d did do does doing for
        from had has have having he her hers him his how i if in into is it its ll m me my of on or
        our ours re s shall she should so such t than that the their theirs them then there these
        they this those to too ve very was we were what when where which while who whom whose why
        will with would you your yours
    """,
    "esperanto": """
        al ankaŭ antaŭ apud aŭ ĉar ĉe ĉi ĉio ĉiu ĉiuj ĉu da de dum el en estas esti estis estos eĉ
        ĝi ĝia ĝin ĝis ili ilia ilin inter ja je jes kaj ke kia kial kiam kie kiel kio kiom kiu
        kiuj kun kvankam la laŭ li lia lin malgraŭ mi mia min ne nek ni nia nin nu nur ol oni per
        plej pli plu por post preskaŭ pri pro se sed sen ses si sia sin sub super sur ŝi ŝia ŝin
        tia tial tiam tie tiel tio tion tiom tiu tiuj tra trans tre tro tuj vi via vin
    """,
    "estonian": """
        aga ehk ei et ette ega enam ent era ju ka kas keda kelle kes kogu kui kuid kuidas kuhu kus
        kuna kõik ma me meie mida mil mille millal mina minu mis miks mitte mu mõni need neid nende
        nii nad nemad ning nüüd on oli olid olla ole oled oleme olen või oma pole pärast sa see
        seda selle selles sellest siin siis sina sinu sest ta tal te teda teie tema temal tuleb üks
        üle vaid veel välja
    """,
    "finnish": """
        ei eikä eivät emme en ette että ehkä he heidän heidät heille heissä heistä heitä hän
        hänelle hänen hänessä hänestä hänet häntä itse ja jos joka jolla jolle joko jonka jossa
        josta jota jotka jotta joita joissa joista joille kanssa keitä ketkä ketä koska kuin kuinka
        kuka kun ken kenen me meidän meidät meille mihin mikä miksi mille milloin millä minkä
        minulle minun minut minä missä mistä mitkä mitä mukaan mutta muut myös ne niiden niille
        niin niissä niistä niitä noin nuo nyt näiden nämä näitä ole olemme olen olet olette oli
        olimme olin olisi olisivat olit olivat olla on ollut ovat poikki se sekä sen siihen siinä
        siitä sille sillä sinun sinut sinä sitä tai te teidän teidät teille tuo tähän tällä tämä
        tämän tässä tästä tätä vaan vai vaikka
    """,
    "french": """
        a afin ai aie ainsi alors après as au aucun aucune aura auront aussi autre autres aux
        avaient avait avant avec avez avions avoir avons ayant c car ce ceci cela celle celles
        celui ces cet cette ceux chaque ci comme comment d dans de depuis des donc dont du elle
        elles en encore entre es est et étaient était étant été êtes être eu eux fut il ils j je
        jusqu l la là le lequel les lesquelles lesquels leur leurs lors lorsque lui m ma mais me
        même mes moi mon n ne ni nos notre nous on ont ou où par parce pas pendant peu peut peuvent
        plus pour pourquoi puis puisque qu quand que quel quelle quelles quels qui quoi s sa sans
        se selon sera serait seront ses si soi soit sommes son sont sous suis sur t ta te tes toi
        ton tous tout toute toutes très tu un une vos votre vous y à ça
    """,
    "german": """
        aber alle allem allen aller alles als also am an ander andere anderem anderen anderer
        anderes auch auf aus bei beim bin bis bist da dabei dadurch dafür damit dann daran darauf
        daraus darf darin darüber das dass dasselbe davon dazu dein deine deinem deinen deiner dem
        den denn denen der deren des dessen desto dich die dies diese diesem diesen dieser dieses
        dir doch dort du durch ein eine einem einen einer eines er es etwa etwas euch euer eure für
        gegen habe haben hat hatte hatten hattest hier hin hinter ich ihm ihn ihnen ihr ihre ihrem
        ihren ihrer ihres im in indem ins ist ja je jede jedem jeden jeder jedes jene jenem jenen
        jener jenes jetzt kann kein keine keinem keinen keiner können könnte machen man manche
        manchem mein meine meinem meinen meiner mich mir mit muss müssen musste nach nicht nichts
        noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seines selbst sich sie sind
        so solche solchem solchen solcher soll sollen sollte sondern sonst soweit sowie über um und
        uns unser unsere unserem unseren unter viel vom von vor wann war waren warum was weil
        welche welchem welchen welcher welches wenn wer werde werden wessen wie wieder will wir
        wird wirst wo wohl wollen wollte worden wurde wurden während würde würden zu zum zur zwar
        zwischen
    """,
    "greek": """
        αλλά αν αντί από απο αυτά αυτές αυτή αυτό αυτοί αυτός αυτού αυτούς αυτών αφού γι για δε δεν
        δια εάν εγώ εδώ εκεί εκείνη εκείνο εκείνος εμείς εν ενώ ένα έναν ένας επί έχει έχετε έχουμε
        έχουν εσείς εσύ η ή ήταν θα ίσως κάθε και κατά κι λοιπόν μα με μέσα μετά μέχρι μεταξύ μη
        μην μια μία μου μας να ναι ο οι όμως όπου όπως όσο όταν ότι ούτε όχι παρά πιο ποια ποιο
        ποιος πολύ πότε που πού πριν προς πρέπει πώς πως σαν σας σε σου στα στη στην στης στις στο
        στον στους στων σύμφωνα τα τη την της τι τις το τον του τους των τότε υπό ως ώστε είναι
        είμαι είσαι είστε είχε είχαν
    """,
    "hindi": """
        अगर अपना अपनी अपने अब आदि आप इन इनका इनके इस इसका इसकी इसके इसमें इसी इसे उन उनका उनकी उनके
        उनको उस उसका उसकी उसके उसे एक एवं ऐसा ऐसे और कब कभी कर करता करते करना करने कहाँ का कि किन
        किस किसी किसे की कुछ के को कोई कौन क्या क्यों गई गए गया जब जहाँ जा जिन जिस जिसे जैसे जो तक
        तब तरह तुम तो था थी थे द्वारा न नहीं ना ने पर फिर बहुत भी मगर मुझे में मेरा मेरी मेरे मैं
        यदि यह यहाँ या ये रहा रही रहे लिए लेकिन व वह वहाँ वे वो सकता सकते सभी साथ से हम हमारा ही
        हुआ हुई हुए है हैं हो होता होती होते होना होने हूँ
    """,
    "hungarian": """
        a abban ahhoz ahogy ahol aki akik akkor alatt által általában amely amelyek amelyet amikor
        ami amit arra át az azok azon azonban azt aztán azzal be bár benne csak de e ebben egy
        egyes egyik el ellen előtt én és ennek erre ez ezek ezen ezt ezzel fel ha hanem hiszen hogy
        hogyan illetve ilyen ill is itt így jó ki kell kellett között közül le legyen lehet lesz
        lett ma maga meg mert mely melyek mi miatt mielőtt miért mikor milyen mind minden mindig
        mint mit mivel most még már más nagyon ne nekem neki nem nincs ő ők őket olyan össze ott
        pedig rá s saját se sem semmi sok ször számára szerint szét ti te tehát teljes több tovább
        úgy után utána vagy vagyok valaki való van vannak vele vissza viszont volna volt voltak
    """,
    "indonesian": """
        ada adalah agar akan aku anda antara apa apabila apakah atas atau bagaimana bagi bahwa
        banyak beberapa belum bila bisa boleh bukan dalam dan dapat dari daripada dengan di dia
        dimana hal hanya harus hingga ia ini itu itulah jadi jangan jika juga kalau kami kamu kapan
        karena ke kemudian kepada ketika kita lagi lain lalu lebih maka maupun mengapa mereka
        merupakan namun nya oleh pada para pernah saat saja sambil sampai sangat saya se seperti
        sebagai sebelum sebuah secara sedang sehingga sejak sekarang selain selama semua serta
        sesudah setelah setiap siapa sudah supaya tanpa telah tentang terhadap tersebut tetapi
        tidak untuk yaitu yakni yang
    """,
    "irish": """
        a ach ag agus an aon ar arna as atá ba bhí bheadh bhfuil b cad cé céard chuig chun conas cá
        d dá de den do don dó dúinn eile é ea gach gan go gur i iad idir in ina inár is í le leis
        léi lena m mar mé mo muid má n na nach ní níl níor nó nuair nár o ó os roimh sa san sé seo
        sí sibh sin siad sinn sna tá tar thar tú trí um uaidh
    """,
    "italian": """
        a abbia abbiamo ad agli ai al alla alle allo altra altre altri altro anche ancora avere
        aveva avevano avrà c che chi ci ciò coi col come con contro cosa così cui d da dagli dai
        dal dalla dalle dallo degli dei del dell della delle dello dentro di dopo dove due durante
        e è ed era erano essa esse essere essi esso fa fino fra fu furono gli ha hai hanno ho i il
        in io l la le lei li lo loro lui m ma me mentre mi mia mie miei mio ne né negli nei nel
        nell nella nelle nello noi non nostra nostre nostri nostro o ogni ove per perché però più
        poi prima può qual quale quali quando quanta quanto quella quelle quelli quello questa
        queste questi questo qui quindi s sarà saranno se secondo sei senza si sia siamo siano
        siete sono sopra sotto sta stata state stati stato su sua sue sugli sui sul sull sulla
        sulle sullo suo suoi t ti tra tu tua tue tuo tuoi tutta tutte tutti tutto un una uno v vi
        voi vostra vostro
    """,
    "lithuanian": """
        aš apie ar arba be bei bet bus buvo būti dar dėl esu esame esi iki ir iš į ja jai jam jame
        jau jei jeigu ji jie jiems jį jo joje jog jos jų juo juos kad kada kai kaip kas kiek
        kiekvienas ko kodėl kol kur kurie kurio kuri kuris kurios kuriuos kurių ligi man mane mano
        mes mums mūsų ne nei nes net nėra nors nuo o pagal pas per po prie prieš pro sau savo su ta
        tai taip taigi tame tam tapo tas tau tave tavo tarp te ten tie tik to todėl toks tu tuo
        turi tų už vis visi visų yra jūs jūsų jums šis ši šio šie šios šiuo šių
    """,
    "nepali": """
        अनि अब अरु अर्को आदि आफू आफ्नो आफ्नै आज उनले उनी उनीहरू उनको उस उसको उसले ऊ एक एउटा औं कति
        कसरी कसले कहाँ कहिले का कि किन कुन कुनै के को गरी गरे गरेको गर्न गर्ने गरेका छ छन् छन छु
        छौं जब जस जसको जसले जस्तो जहाँ जुन जो तथा तपाईं तर ता ती तिनी तिमी त्यो त्यस थियो थिए थिइन्
        द्वारा न नै ने नि पछि पनि प्रति बाट बारे बीच भए भएको भएका भन्दा भन्ने भने भयो म मा मात्र
        मेरो यति यदि यस यसको यसरी यसले यी यो र रहेको रूपमा लाई लागि ले वा संग सँग सबै सम्म सो हामी
        हाम्रो हुन हुने हुन् हुन्छ हो होइन
    """,
    "norwegian": """
        alle alt at av ble bli blir både da de deg dei deim deira den denne der dere deres det
        dette di din disse ditt du dykk eg ei ein eit eller en enn er et etter for fordi fra før ha
        hadde han hans har hennes henne her hjå ho hos hun hva hvem hver hvilke hvilken hvis hvor
        hvordan hvorfor i ikke ikkje ingen inn inni ja jeg kan kom korleis kunne kva kvar kven man
        mange me med medan meg meget men mi min mine mitt mot mykje må nå når no noe noen nok nokon
        og også om opp oss over på samme seg selv si sia sidan siden sin sine sitt skal skulle slik
        so som somme somt så til um upp ut uten var vart vere ved vi vil ville vort vår være vært å
    """,
    "persian": """
        از است اگر اما ام ان آن آنان آنها آنچه ای این اینکه با باید بر برای بسیار بعد بعضی بود
        بودند بوده به بی بین پس پیش تا تحت تر ترین تو چرا چگونه چنین چه چون چیست چند خواهد خود در
        دیگر را روی زیر سپس شان شد شده شما شود شوند طی کرد کرده کردن که کند کنند کنید کجا کدام کس
        کسی ما مانند مثل مگر من می نه نیز نیست هر هم همان همه همچنین همین هنوز هیچ ها های و وی ولی
        هست هستند یا یک نمی
    """,
    "polish": """
        a aby albo ale ani aż bardzo bez bo bowiem by być był była było były będzie będą chce choć
        ci ciebie co czy czyli dla dlaczego dlatego do gdy gdyż gdzie go i ich ile im inne inny iż
        ja jak jako je jeden jednak jego jej jemu jest jestem jeszcze jeśli jeżeli już każda każdy
        kiedy kim kto która które którego której który których którym którzy lecz lub ma mają mi
        mnie moja może mogą mój mu my na nad nam nami nas nasz nasza nic nich nie niego niej nią
        nim nimi niż no o od on ona one oni ono oraz po pod podczas ponieważ poza przed przede
        przez przy są się sobie swoje swój ta tak taka takie także tam te tego tej ten też to tobie
        tu tych tylko tym w wam was wasz we według wiele więc wszystko wy z za zawsze ze że żeby
    """,
    "portuguese": """
        a à ainda algo alguém algum alguma algumas alguns ao aos apenas após aquela aquelas aquele
        aqueles aquilo as às assim até cada com como contra d da das de dela delas dele deles
        depois desde dessa dessas desse desses desta destas deste destes deve do dos durante e é
        ela elas ele eles em enquanto entre era eram essa essas esse esses esta está estamos estão
        estar estas estava estavam este esteja estes estou eu foi for foram fosse há havia houve
        isso isto já lhe lhes lo mais mas me mesmo meu meus minha minhas muito muitos na não nas
        nem nenhum nessa nesse nesta neste no nos nós nossa nossas nosso nossos num numa o onde os
        ou outra outras outro outros para pela pelas pelo pelos per perante pode podem pois por
        porque portanto qual quais qualquer quando quanto que quem se seja sejam sem ser será serão
        seu seus si sido sob sobre sua suas só são também tal te tem têm tendo ter teu teus tinha
        tinham toda todas todo todos tu tua tuas tudo um uma umas uns você vocês vos
    """,
    "romanian": """
        a abia acea aceasta această aceea acei aceia acel acela acele acelea acest acesta aceste
        acestea acestei acestor acestui acești ai aici al ale alt alta alte altele altul am ar are
        aș așa asta asupra atât atunci au avea aveau avem având ba ca că când care căruia cărora
        căror cât câte câți ce cea cei ceea cel cele celor ci cine cu cui cum da dacă dar de deci
        deși despre din dintr dintre doar după ea ei el ele era erau este eu fi fie fiecare fiind
        fost fără i iar ii îi îl îmi în înainte încă între într își împotriva la le li lor lui m
        mai mă me mea mele mei meu mi mult n ne nici nicio niște noastre nostru noștri noi nu o or
        ori pe pentru peste prin printr până s sa sale sau să său se sunt spre sub sunteți suntem
        și ta tale tău te toate tot toți tu un una unde unei unele unii unor unui va vă vei veți
        voi vom vor vostru
    """,
    "russian": """
        а без более бы был была были было быть в вам вами вас весь во вот все всё всего всей всем
        всех вы где да для до его ее её ей ему если есть еще ещё же за здесь и из или им ими их к
        как какая какие какой каких ко когда который которая которое которые которого которой
        которых котором кто ли либо между меня мне мной может можно мой моя мы на над надо нам нами
        нас наш наша наши не него нее неё ней нет ни них но ну о об однако он она они оно от по под
        после потому почему при про с сам себя себе свой свою своей своего своих со та так также
        такой такие там те тебя тебе тем то тобой того тоже той только том тому тот ту ты у уже
        хотя чего чей чем через что чтобы эта эти этим этих это этого этой этом этот эту я
    """,
    "serbian": """
        а ако али баш без би била били било бити биће био бих више вам вас ваш ваша ви већ воља где
        да дакле до док за зар зато зашто и из између или им их иако ја је јер један једна једно
        јесам јесте још к ка кад када како као кога која које којег којем којих којој којима који
        коју ко кроз ли ме међу мене мени ми мој моја моје може на над нам нама нас наш наша не
        нека неки него није нису ни нити но њега њему њен њих њихов о од ово овај ова ове ових он
        она оне они оно оној па по под пре преко према при сам само са се себе себи си смо сте су
        сва сви све свој своје свих та тада тај так тако такође те теби ти то тога той тог том томе
        ту у уз чак што шта ће ћемо ћете ћу a ako ali baš bez bi bila bili bilo biti biće bio bih
        više vam vas vaš vaša vi već gde gdje da dakle do dok za zar zato zašto i iz između ili im
        ih iako ja je jer jedan jedna jedno jesam jeste još k ka kad kada kako kao koga koja koje
        kojeg kojem kojih kojoj kojima koji koju ko kroz li me među mene meni mi moj moja moje može
        na nad nam nama nas naš naša ne neka neki nego nije nisu ni niti no njega njemu njen njih
        njihov o od ovo ovaj ova ove ovih on ona one oni ono pa po pod pre prije preko prema pri
        sam samo sa se sebe sebi si smo ste su sva svi sve svoj svoje svih ta tada taj tako također
        takođe te tebi ti to toga tog tom tome tu u uz čak što šta će ćemo ćete ću tko
    """,
    "sesotho": """
        a ba bana bane bona boo e ea eo be empa ena fela ha hae hape ho hobane hore ka kaofela ke
        kapa kgotsa khotsa ko la le lena leo li lia me mme mona mohla mong moo na nna ne o oa oo
        pele ra re ro rona sa se sena seo tla tsa tse tsena tseo wa wena ya yena yeo
    """,
    "spanish": """
        a al algo alguna algunas alguno algunos ante antes aquel aquella aquellas aquello aquellos
        aquí así aún aunque cada como con contra cual cuales cualquier cuando cuál cuáles cuándo
        cuánto cómo d de del desde después donde durante dónde e el él ella ellas ello ellos en
        entre era eran es esa esas ese eso esos esta está estaba estaban estado estamos están estar
        estas este esto estos estoy fue fuera fueron fui ha había habían haber hacia han has hasta
        hay he hemos i la las le les lo los más me mediante mi mí mía mientras mis misma mismo
        mucho muchos muy nada ni no nos nosotros nuestra nuestras nuestro nuestros o os otra otras
        otro otros para pero poco por porque pues puede pueden que qué quien quién quienes se sea
        sean según ser será serán si sí sido sin sino so sobre solo sólo son soy su sus suya suyo
        también tan tanto te tener tenía ti tiene tienen toda todas todo todos tras tu tú tus u un
        una unas uno unos usted ustedes vosotros y ya yo
    """,
    "swedish": """
        alla allt annan är även att av bara blev bli blir både då de dem den denna dens dess dessa
        det detta dig din dina ditt dock du där därför efter eftersom ej eller en enligt er era ert
        ett från för före ha hade han hans har hellre henne hennes hon honom hos hur här i icke
        inga ingen inom inte jag ju kan kunde man med mellan men mer mig min mina mitt mot mycket
        måste ni nu någon något några när och också om oss på samma sedan sig sin sina sitt själv
        ska skall skulle som sådan sådana så till under upp ut utan vad var vara varför varit varje
        vars vart vem vi vid vilka vilken vilket vill åt över
    """,
    "tamil": """
        அது அந்த அவர் அவர்கள் அவள் அவன் அவை அல்லது ஆகிய ஆகும் ஆனால் இந்த இது இதன் இதில் இதை இங்கு
        இருந்து இருந்தது இல்லை இவர் இவை உள்ள உள்ளது எந்த எப்படி எப்போது என என்பது என்ற என்று என்ன
        எனினும் ஏன் ஒரு ஒவ்வொரு கொண்டு தன் தான் நாங்கள் நான் நீ நீங்கள் பல பற்றி பிறகு போன்ற
        மற்றும் மிகவும் மீது மூலம் மேலும் யார் வரை வேண்டும்
    """,
    "turkish": """
        acaba ama ancak aslında ayrıca az bana bazı belki ben benden beni benim bile bir biraz
        birçok biz bize bizi bizim bu buna bundan bunlar bunları bunların bunu bunun burada böyle
        çok çünkü da daha de defa değil diye dolayı eğer en gibi göre hangi hem henüz hep hepsi her
        hiç için ile ise işte iken itibaren kadar karşın kendi kendine kendini kez ki kim kime kimi
        mı mi mu mü nasıl ne neden nerede nereye niçin o olan olarak oldu olduğu olduğunu olması
        olmak olsa olup olur on ona ondan onlar onlara onları onların onu onun oysa pek rağmen
        sadece sanki sen senin siz sizi sizin sonra şayet şey şu şöyle tarafından tüm üzere var ve
        veya ya yani yine yok zaten
    """,
    "yiddish": """
        אָבער אבער אויב אויך אויף אויס אויסער אום און אונדז אונדזער אונטער אז אַז איבער איך אים אין
        איז אירע איר אַלע אלע אָן אן אַן אַ א ביז ביי בײַ בין ביסט דאָ דאס דאָס דאך דאָך דו די דיר
        דיך דער דעם דורך האבן האָבן האט האָט הייסט ווי וואס וואָס ווען ווער ווייל וועט ווערט וועלן
        ווו זאל זאָל זיי זיין זײַן זיינען זענען זי זיך זייער ייִ יעדער מיט מיר מען מיך מיין נאך
        נאָך ניט נישט נאר נאָר נו עס ער פאַר פאר פֿאַר פון פֿון צו צום צוויי קיין קען קענען שוין
    """,
}

STOP_WORDS = {language: frozenset(words.split()) for language, words in _WORDS.items()}

COMMON_WORDS = frozenset(word for words in STOP_WORDS.values() for word in words if len(word) >= 3)
"""Of any language; a quarter of the words of a text are such."""
