"""Tell texts of China, Japan and Korea, with characters of two bytes, by the usual ones of each.

Nearly any bytes are some characters of each of these encodings. Read in the right one, three of
four are among its most usual hundreds (with those of names, places, trades and money); in another
one at most a third.
"""

import re

LEAST_USUAL = 0.4
"""At least such a share of the characters are usual ones, in lists of rare names too."""

LEAST_USUAL_OF_RARE = 0.25
"""So many, where the bytes are not letters of any language either."""

MOST_USUAL = 0.65
"""So many, where the bytes are usual letters of some other language."""

BY_CHANCE = 0.5  # of the usual characters, that a few letters of others make
MAX_BROKEN = 0.01  # of the characters, as bytes that fit to no other

_SIGNS = "、。，：；（）「」《》"
_KANA = "\u3041-\u3096\u30a1-\u30fc"
_KANJI = (
    "日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方"
    "四定今回新場金員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八"
    "六約主題下首意法不来作性的要用制治度務強気小七成期公野協取都和統以機平総加山思家話世受区領多"
    "県続進正安設保改数記院女初北午指権心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝"
    "面委告軍文反元重近千考判認画海参売利組知案道信策集在件団別物側任引使求所次水半品論計死官増係"
    "感特情投示変打男基私各始島直両朝価式確村提運終果西勢台広容必応電歳住争談能無再位置企真流格有"
    "口過局少放税検町常校料状工建語営空職証土与急止送供可役構木割聞身費付施切由説転食比難防補車優"
    "夫研収断井何南石足違消境神番規術護展態導備宅害配副算佐藤鈴橋伊渡辺林吉々松斎清崎森池阿岡谷遠"
    "青坂斉福太浦竹丸沢久郎美恵彦雄介花香奈裕智陽翔健洋丁号株限額込納請積店館駅街港宮城葉埼玉静愛"
    "阪兵庫字士郡横浜失敗印像効映司形音農武医師救津刷更致楽写択也存了読険白値里富準象宿丈鉱銀標量"
    "命夏等築除修管綾監曲削占訳療授寿督察測航御拓春樹零翻輸列古蔵充助馬環聡縮芝圧依布酒照昭飾王視"
    "織緑君並我孫戸換荒練稲瑞穂項完追鶴黒房覧色壊個接翼佳浩複処操門競試含英既適単篤封戻端義賀細鹿"
    "児未許型範囲油味茶肉魚麦豆糖塩卵牛豚鳥菜紙鉛筆机椅箱袋瓶缶鉄鋼銅板糸服靴帽傘薬液剤粉輪軸弁灯"
    "赤黄"
)
_HANGUL = (
    "이다는에가을의고하지로기은한도사시리를대서인자스어나아그일해정부수있전제니구주원트오습문유성"
    "영파식용프우드진김군안공회천동현디라음분상없타보화호치바경및비합소투조크산메패키데양면개남준"
    "민관작운광역레마입중박션터미류설할만력강업재않코르표선버환테최옵모장예거목행실루세종포단램계"
    "젝윤발더명신특된으요록림순별람증당길브홍위련되북무형카알와접씨백글근번변출름블웨철응연악청너"
    "태야탕페항숙금암배통템압반내생과롬값훈차축매학려티적히노추충했못초희래복택토옥었평쓰베석함른"
    "체품잘처말열술년월억층읍임권황송손허심곽"
)
_SIMPLIFIED = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过"
    "发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本"
    "前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很"
    "最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度"
    "门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活更别打女变四神总何电数"
    "安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指许统区保至队形社便空决治展马科司"
    "五基眼书非则听白却界达光放强即像难且权思王完设式色路记南品住告类求据程北边死张该交规万取格望"
    "术领共确传师观清今切院让识候带导争运李刘陈杨赵黄周吴徐孙胡朱林郭罗梁宋郑谢韩唐冯董萧曹袁邓沈"
    "曾彭吕苏卢蒋蔡贾丁魏薛叶余潘杜戴夏钟汪田姜范石姚谭廖邹熊陆郝孔崔康毛邱秦江史顾侯邵孟龙雷钱汤"
    "黎易武贺伟芳娜秀英敏静丽磊洋勇艳杰娟涛超兰霞刚桂红华志玉梅波鹏辉宇婷雪琳晨欣慧俊峰春燕萍荣省"
    "县镇乡村街号楼室层元巷京津庆广深圳州杭汉湖河浙福徽川云贵陕甘青辽吉黑蒙古疆藏宁香港澳台湾岛限"
    "责股份集团技息网络贸投银货客户商型备注职费额单价角百千亿六七八九零编称库存收支税票付款订购买"
    "卖店厂车房租语档座项图字选软载模片频服标音失效盘序器码败板未输错符视媒包版尔拉录淑亚维误列桌"
    "乐密示域配您享照影置凤源值持归印克珍创布写象访容参显丹阿析改索组引尼请节巴览驱卡助准择证签换"
    "消飞需翻译址护匹阳查油米茶酒肉鱼麦豆糖盐蛋牛猪鸡菜纸笔箱袋瓶罐铁钢铜线鞋帽伞药液剂粉轮轴阀泵"
    "灯具绿蓝螺丝钉袜杯椅"
)
_TRADITIONAL = (
    "的一是不了在人有我他這個們中來上大和國地到以說時要就出會可也你對生能而子那得於下自之年過發後"
    "作用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但"
    "因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並"
    "物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常"
    "先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活更別打女變四神總何電數安少報"
    "才結反受目太量再感建務做接必場件計管期市直德資命山金指許統區保至隊形社便空決治展馬科司五基眼"
    "書非則聽白卻界達光放強即像難且權思王完設式色路記南品住告類求據程北邊死張該交規萬取格望術領共"
    "確傳師觀清今切院讓識候帶導爭運李劉陳楊趙黃周吳徐孫胡朱林郭羅梁宋鄭謝韓唐馮董蕭曹袁鄧沈曾彭呂"
    "蘇盧蔣蔡賈丁魏薛葉餘潘杜戴夏鍾汪田姜範石姚譚廖鄒熊陸郝孔崔康毛邱秦江史顧侯邵孟龍雷錢湯黎易武"
    "賀偉芳娜秀英敏靜麗磊洋勇豔傑娟濤超蘭霞剛桂紅華志玉梅波鵬輝宇婷雪琳晨欣慧俊春燕萍榮省縣鎮鄉村"
    "街號樓室層元巷京津慶廣深圳州杭漢湖河浙福徽川雲貴陝甘青遼吉黑蒙古疆藏寧香港澳臺灣島限責股份集"
    "團技息網絡貿投銀貨客戶商型備註職費額單價角百千億六七八九零編稱庫存收支稅票付款訂購買賣店廠車"
    "房租語檔訊案片影字選台服載音項標模圖碼符料軟碟列錯輸示竹段器誤效版失拉專亞敗樂為享您助板桌套"
    "斗組連密封域永印未淑伺宏爾顯雄視證值阿寫引蘆復源裝克含嘉錄讀草里輔找除鍵需驗玲試描屯卑尼隆譯"
    "巴壓豐縮析油米茶酒肉魚麥豆糖鹽蛋牛豬雞菜紙筆箱袋瓶罐鐵鋼銅布線鞋帽傘藥液劑粉輪軸閥泵燈具綠藍"
    "螺絲釘襪杯椅"
)


def _usual(characters: str) -> re.Pattern[str]:
    # Bytes of Western letters make characters too, but with ASCII letters beside them.
    return re.compile(f"(?<![A-Za-z])[{characters}{_SIGNS}](?![A-Za-z])")


# But for what stands in texts of each: dashes, dots, lines, boxes, wide letters and figures.
_WIDE = re.compile(
    "[^\x00-\x7f\u2010-\u2027\u2500-\u27bf\u3000-\u301f\uff00-\uff5e]|[、。「」《》，：；（）]"
)
_USUAL = {
    "cp932": _usual(_KANA + _KANJI),
    "euc_jp": _usual(_KANA + _KANJI),
    "cp949": _usual(_HANGUL),
    "gb18030": _usual(_SIMPLIFIED),
    "big5": _usual(_TRADITIONAL),
}


def best_east_asian(content: bytes) -> tuple[str, float]:
    """Return the encoding of East Asia in which most characters are usual, and their share."""
    shares = {encoding: _usual_share(content, encoding) for encoding in _USUAL}
    best = max(shares, key=lambda encoding: shares[encoding])
    return best, shares[best]


def _usual_share(content: bytes, encoding: str) -> float:
    # The last character may be cut in two.
    text = content.decode(encoding, "replace").removesuffix("\ufffd")
    wide = len(_WIDE.findall(text))
    if text.count("\ufffd") > MAX_BROKEN * wide:
        return 0.0
    return max(0.0, len(_USUAL[encoding].findall(text)) - BY_CHANCE) / max(1, wide)
