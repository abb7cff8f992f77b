import type { SiteKind, SitePlace, SiteState } from '@voltdeck/charging/states';
import type { PictureSlot, parkingFees } from '@voltdeck/contract/sites';
import type { SitePictureName } from './pictures.ts';

type ParkingFee = (typeof parkingFees)[number];

/** The equipment of one place, before stations are numbered. */
export type SitePlan = {
  name: string;
  /** The prefix of its stations' names. */
  shortName: string;
  /** GB/T 2260 county code. */
  regionCode: string;
  address: string;
  /** WGS-84 degrees. */
  longitude: number;
  latitude: number;
  /** Index into `agents`; null for sites of the platform itself. */
  agent: number | null;
  /** Index into `tariffs`: the price per kWh here. */
  tariff: number;
  /** Shares of all DC stations, AC stations and two-wheel boxes; 0 for none. */
  dc: number;
  ac: number;
  twoWheel: number;
  /** Relative activity; 1 is average. */
  demand: number;
  parking: ParkingFee;
  parkingInfo: string;
  isOpenAllDay: boolean;
  openingHours: string;
  invoiceAvailable: boolean;
  facilities: readonly string[];
  state: SiteState;
  /** The days since its last charge; null where it is not closed, or was before the history. */
  closedDaysAgo: number | null;
  /** For colleagues. */
  remark: string;
  kind: SiteKind;
  place: SitePlace;
  isUnderground: boolean;
  bayCount: number;
  /** Of the transformer; null where the site has no connection of its own. */
  capacityKva: number | null;
  gridAccount: string;
  sitePhone: string;
  directions: string;
  isStaffed: boolean;
  isReservable: boolean;
  isOpened: boolean;
  /** The first is the cover. */
  pictures: readonly { slot: PictureSlot; of: SitePictureName }[];
};

type Row = [
  name: string,
  shortName: string,
  regionCode: string,
  address: string,
  longitude: number,
  latitude: number,
  agent: number | null,
  tariff: number,
  shares: [dc: number, ac: number, twoWheel: number],
  demand: number,
];

/**
 * Districts and roads are real, the businesses are not: every name of a site or operator is invented. House numbers and
 * points are plausible, not surveyed; a test keeps each point inside its city and near its district.
 */
const rows: readonly Row[] = [
  ['望京东园充电站', '望京', '110105', '北京市朝阳区望京东园四区12号', 116.4797, 39.9968, 0, 0, [7, 4, 0], 1.3],
  ['上地软件园充电站', '上地', '110108', '北京市海淀区东北旺西路18号院', 116.2846, 40.051, 0, 0, [5, 5, 2], 1.1],
  ['亦庄荣华超级充电站', '亦庄', '110115', '北京市大兴区荣华南路19号', 116.503, 39.783, 0, 0, [9, 0, 0], 1.5],
  ['丰台海鹰路充电站', '海鹰路', '110106', '北京市丰台区海鹰路9号', 116.284, 39.827, 0, 0, [4, 2, 2], 0.9],
  [
    '和平南京路地下充电站',
    '南京路',
    '120101',
    '天津市和平区南京路193号地下二层',
    117.195,
    39.118,
    0,
    0,
    [4, 4, 0],
    0.9,
  ],
  ['张江碧波路充电站', '张江', '310115', '上海市浦东新区碧波路699号', 121.593, 31.204, 1, 1, [6, 6, 2], 1.3],
  ['虹桥申长路超级充电站', '虹桥', '310112', '上海市闵行区申长路995号', 121.315, 31.191, 1, 1, [8, 2, 0], 1.4],
  ['嘉定墨玉南路充电站', '墨玉南路', '310114', '上海市嘉定区墨玉南路1021号', 121.16, 31.289, 1, 1, [5, 2, 3], 0.9],
  [
    '浦电路地下车库充电站',
    '浦电路',
    '310115',
    '上海市浦东新区浦电路461号地下一层',
    121.52,
    31.222,
    1,
    1,
    [2, 6, 0],
    0.8,
  ],
  ['天河体育西路充电站', '体育西', '440106', '广东省广州市天河区体育西路107号', 113.321, 23.133, 2, 2, [6, 4, 0], 1.2],
  ['番禺汉溪大道充电站', '汉溪', '440113', '广东省广州市番禺区汉溪大道东366号', 113.343, 23.006, 2, 2, [6, 2, 3], 1.1],
  ['黄埔科学城充电站', '科学城', '440112', '广东省广州市黄埔区开源大道15号', 113.489, 23.166, 2, 2, [5, 3, 2], 1],
  ['南山科苑路超级充电站', '科苑', '440305', '广东省深圳市南山区科苑路21号', 113.943, 22.54, 5, 2, [9, 3, 0], 1.6],
  [
    '宝安航站四路充电站',
    '航站四路',
    '440306',
    '广东省深圳市宝安区航站四路2006号',
    113.813,
    22.62,
    5,
    2,
    [9, 0, 0],
    1.5,
  ],
  ['龙岗大运充电站', '大运', '440307', '广东省深圳市龙岗区龙翔大道8041号', 114.223, 22.699, 5, 2, [6, 2, 2], 1.1],
  ['龙华民治电动车充电点', '民治', '440309', '广东省深圳市龙华区民治大道391号', 114.035, 22.623, 5, 2, [0, 0, 5], 1.2],
  ['未来科技城充电站', '未科城', '330110', '浙江省杭州市余杭区文一西路1522号', 120.02, 30.281, 1, 1, [7, 5, 2], 1.2],
  ['滨江江南大道充电站', '滨江', '330108', '浙江省杭州市滨江区江南大道3601号', 120.199, 30.2, 1, 1, [5, 3, 0], 1],
  ['古墩路电动车充电点', '古墩路', '330106', '浙江省杭州市西湖区古墩路681号', 120.093, 30.301, 1, 1, [0, 0, 4], 1.1],
  [
    '天府大道超级充电站',
    '天府',
    '510107',
    '四川省成都市武侯区天府大道北段1712号',
    104.063,
    30.571,
    3,
    3,
    [8, 2, 0],
    1.4,
  ],
  ['双流机场路充电站', '双流', '510116', '四川省成都市双流区机场路299号', 103.956, 30.578, 3, 3, [6, 0, 0], 1.2],
  [
    '锦江东大街充电站',
    '东大街',
    '510104',
    '四川省成都市锦江区东大街下东大街段99号',
    104.082,
    30.652,
    3,
    3,
    [3, 4, 2],
    0.9,
  ],
  ['光谷大道充电站', '光谷', '420111', '湖北省武汉市洪山区光谷大道79号', 114.423, 30.48, 4, 3, [6, 3, 2], 1.1],
  ['江汉解放大道充电站', '江汉', '420103', '湖北省武汉市江汉区解放大道699号', 114.262, 30.584, 4, 3, [4, 3, 0], 1],
  ['徐东大街充电站', '徐东', '420106', '湖北省武汉市武昌区徐东大街51号', 114.342, 30.589, 4, 3, [4, 2, 2], 0.9],
  ['高新科技路充电站', '科技路', '610113', '陕西省西安市雁塔区科技路39号', 108.893, 34.233, 3, 3, [5, 3, 2], 1],
  ['凤城八路充电站', '凤城', '610112', '陕西省西安市未央区凤城八路158号', 108.94, 34.343, 3, 3, [4, 0, 1], 0.9],
  ['河西江东中路充电站', '河西', '320105', '江苏省南京市建邺区江东中路315号', 118.726, 32.004, 6, 1, [5, 4, 0], 1],
  [
    '百家湖双龙大道充电站',
    '百家湖',
    '320115',
    '江苏省南京市江宁区双龙大道1698号',
    118.819,
    31.936,
    6,
    1,
    [4, 2, 2],
    0.9,
  ],
  ['东吴北路充电站', '东吴', '320506', '江苏省苏州市吴中区东吴北路68号', 120.626, 31.268, 6, 1, [5, 3, 2], 1],
  ['狮山路充电站', '狮山', '320505', '江苏省苏州市虎丘区狮山路35号', 120.561, 31.299, 6, 1, [4, 3, 0], 0.9],
  ['金开大道充电站', '金开', '500112', '重庆市渝北区金开大道1599号', 106.529, 29.656, 3, 3, [6, 2, 0], 1.1],
  ['南坪西路充电站', '南坪', '500108', '重庆市南岸区南坪西路41号', 106.56, 29.526, 3, 3, [4, 2, 1], 0.9],
  ['麓谷大道充电站', '麓谷', '430104', '湖南省长沙市岳麓区麓谷大道651号', 112.88, 28.22, 4, 3, [5, 2, 2], 1],
  ['万家丽中路充电站', '万家丽', '430111', '湖南省长沙市雨花区万家丽中路二段9号', 113.035, 28.15, 4, 3, [4, 2, 0], 0.9],
  ['辽阳西路充电站', '辽阳西', '370203', '山东省青岛市市北区辽阳西路102号', 120.407, 36.098, 0, 0, [4, 2, 0], 0.8],
  ['长江中路充电站', '长江中路', '370211', '山东省青岛市黄岛区长江中路228号', 120.183, 35.962, 0, 0, [4, 0, 0], 0.8],
  ['彩云南路充电站', '彩云', '530114', '云南省昆明市呈贡区彩云南路6601号', 102.836, 24.874, null, 3, [5, 2, 2], 0.8],
  ['学府路充电站', '学府路', '230103', '黑龙江省哈尔滨市南岗区学府路57号', 126.62, 45.718, 7, 0, [4, 2, 0], 0.7],
  [
    '北京南路充电站',
    '北京南路',
    '650104',
    '新疆维吾尔自治区乌鲁木齐市新市区北京南路441号',
    87.565,
    43.859,
    7,
    3,
    [4, 1, 0],
    0.7,
  ],
  ['滨海大道充电站', '滨海', '460106', '海南省海口市龙华区滨海大道83号', 110.309, 20.029, null, 2, [5, 2, 2], 0.9],
  [
    '江苏东路充电站',
    '江苏东路',
    '540102',
    '西藏自治区拉萨市城关区江苏东路16号',
    91.15,
    29.647,
    null,
    3,
    [3, 1, 0],
    0.5,
  ],
  ['钱江世纪城充电站', '世纪城', '330109', '浙江省杭州市萧山区市心北路857号', 120.25, 30.236, 1, 1, [3, 1, 0], 1],
  ['建国路地下充电站', '建国路', '110105', '北京市朝阳区建国路93号地下三层', 116.475, 39.908, 0, 0, [2, 2, 0], 0.8],
  ['关山大道充电站', '关山', '420111', '湖北省武汉市洪山区关山大道355号', 114.404, 30.502, 4, 3, [0, 0, 0], 0],
];

const parkingInfos = [
  '充电车辆前2小时免停车费，之后5元/小时',
  '凭充电订单减免1.5小时停车费',
  '地面停车位，进出免费',
  '请停入绿色标线车位，充满后30分钟内驶离',
  '由B2层入口进入，停车费按园区标准收取',
] as const;
/** Codes of the built-in facilities, and of some that the parameter adds at the first start. */
const facilitySets: readonly (readonly string[])[] = [
  ['toilet', 'store'],
  ['wifi', 'toilet'],
  ['store', 'car_wash', 'toilet', 'lounge', 'canopy'],
  ['vending'],
  ['wifi', 'store', 'toilet', 'restaurant'],
];

/** Where a site stands, by the words of its name and address. */
function placeOf(name: string, address: string): SitePlan['place'] {
  if (/机场|航站/.test(name)) return 'transport_hub';
  if (/软件园|科技城|科学城|光谷|麓谷/.test(name)) return 'industrial_park';
  if (/地下/.test(address)) return 'car_park';
  if (/电动车/.test(name)) return 'residential';
  if (/超级/.test(name)) return 'enterprise';
  return /大道|大街|中路/.test(name) ? 'roadside' : 'office';
}

/** A few sites are not in normal use; closed ones had their last charge so many days ago. */
const states: Readonly<Record<string, Pick<SitePlan, 'state' | 'closedDaysAgo' | 'remark'>>> = {
  江苏东路: { state: 'maintenance', closedDaysAgo: null, remark: '变压器年检，检修期间单枪限功率 60 kW' },
  世纪城: { state: 'building', closedDaysAgo: null, remark: '设备已到货，等待电力公司验收送电' },
  建国路: { state: 'closed_for_business', closedDaysAgo: 17, remark: '物业地库改造，预计下季度恢复' },
  关山: { state: 'closed_offline', closedDaysAgo: null, remark: '场地租约到期，设备已拆除' },
};
const inUse = { state: 'normal', closedDaysAgo: null, remark: '' } as const;
/** Kinds other than public. */
const kinds: Readonly<Record<string, SitePlan['kind']>> = {
  双流: 'taxi',
  航站四路: 'taxi',
  辽阳西: 'bus',
  长江中路: 'logistics',
};

const chargedParking: readonly ParkingFee[] = ['charged', 'reduced', 'limited'];

export const sitePlans: readonly SitePlan[] = rows.map((row, index): SitePlan => {
  const [name, shortName, regionCode, address, longitude, latitude, agent, tariff, [dc, ac, twoWheel], demand] = row;
  const isIndoor = /地下/.test(address);
  const isFree = dc === 0 || index % 3 === 2;
  const parking = isFree ? 'free' : (chargedParking[index % chargedParking.length] ?? 'charged');
  const hasOwnGrid = dc >= 5;
  return {
    name,
    shortName,
    regionCode,
    address,
    longitude,
    latitude,
    agent,
    tariff,
    dc,
    ac,
    twoWheel,
    demand,
    parking,
    parkingInfo: isIndoor
      ? parkingInfos[4]
      : isFree
        ? (parkingInfos[index % 2 === 0 ? 2 : 3] ?? '')
        : (parkingInfos[index % 2] ?? ''),
    isOpenAllDay: !isIndoor,
    openingHours: isIndoor ? '周一至周日 06:00-24:00' : '周一至周日 00:00-24:00',
    invoiceAvailable: dc > 0,
    facilities: dc === 0 ? [] : (facilitySets[index % facilitySets.length] ?? []),
    ...(states[shortName] ?? inUse),
    kind: kinds[shortName] ?? 'public',
    place: placeOf(name, address),
    isUnderground: isIndoor,
    bayCount: (dc + ac) * 12 + twoWheel * 20,
    capacityKva: hasOwnGrid ? 400 * dc : null,
    gridAccount: hasOwnGrid ? `${regionCode}${String(10_007 * (index + 1)).padStart(7, '0')}` : '',
    sitePhone: dc === 0 ? '' : `400-${String(601 + index).padStart(3, '0')}-${String(7_001 + 13 * index).slice(0, 4)}`,
    directions: isIndoor ? '由地库入口下行，跟随绿色充电标识' : '由主路右转进入，场内右侧',
    isStaffed: dc >= 8,
    isReservable: dc >= 6 && index % 2 === 0,
    isOpened: dc >= 6,
    pictures:
      dc === 0 || states[shortName]?.state === 'building'
        ? []
        : [
            { slot: 'entrance', of: isIndoor ? 'garage' : 'entrance' },
            ...(index % 2 === 0 ? [{ slot: 'sign', of: 'sign' } as const] : []),
            ...(isIndoor || index % 3 === 0 ? [] : [{ slot: 'panorama', of: 'panorama' } as const]),
            { slot: 'charger', of: 'charger' },
          ],
  };
});
