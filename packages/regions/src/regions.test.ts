import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { provinceOf, provinceShortName, provinces } from './provinces.ts';
import { regionTable as table } from './region-table.ts';
import {
  abroad,
  childrenOf,
  codesWithin,
  isWithin,
  openRegions,
  parentCodeOf,
  pathOf,
  regionByCode,
  regionName,
  regionPathName,
  regionView,
  searchRegions,
  searchResultsMax,
  wholeCode,
} from './regions.ts';

const everyCode = [...table.byCode.keys()];

describe('the data', () => {
  test('the region data has China with its 34 provinces, and Abroad', () => {
    expect(childrenOf(table, null).map((region) => region.code)).toEqual(provinces.map((province) => province.code));
    expect(provinces).toHaveLength(35);
    expect(provinces.at(-1)).toMatchObject({ code: abroad, shortZh: '海外', shortEn: 'Abroad' });
    expect(provinces.filter((province) => province.code < abroad)).toHaveLength(34);
  });

  test('the region data has the townships and districts of Taiwan, Hong Kong and Macao', () => {
    const below = (province: string) =>
      [...table.byCode.values()].filter((each) => isWithin(each.code, province)).length;
    const [taiwan, hongKong, macao] = ['710000', '810000', '820000'].map(below);
    expect([(taiwan ?? 0) > 350, (hongKong ?? 0) >= 18, (macao ?? 0) >= 7]).toEqual([true, true, true]);
  });

  test('the region data gives every region a parent of the level above it', () => {
    const parentLevel = { province: undefined, city: 'province', county: 'city' } as const;
    for (const region of table.byCode.values()) {
      const parent = region.parentCode === null ? undefined : table.byCode.get(region.parentCode)?.level;
      expect([region.code, parent]).toEqual([region.code, parentLevel[region.level]]);
    }
  });

  test('the region data has Chinese names everywhere and no Chinese characters in English names', () => {
    for (const { code, zh, en } of table.byCode.values()) {
      expect([code, /\p{Script=Han}/u.test(en), en.trim() === en && en !== '']).toEqual([code, false, true]);
      expect([code, /\p{Script=Han}/u.test(zh)]).toEqual([code, true]);
    }
  });

  test('the region data never gives two siblings the same name', () => {
    for (const siblings of table.childrenByCode.values()) {
      for (const language of ['zh', 'en'] as const) {
        const names = siblings.map((region) => region[language]);
        expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
      }
    }
  });

  test('the region data places every centre on the globe and every Chinese one in or near China', () => {
    for (const { code, longitude, latitude } of table.byCode.values()) {
      const [west, south, east, north] = code < abroad ? [73, 3, 136, 54] : [-180, -90, 180, 90];
      expect([code, longitude >= west && longitude <= east && latitude >= south && latitude <= north]).toEqual([
        code,
        true,
      ]);
    }
  });

  test.each([
    ['150100', '呼和浩特市', 'Hohhot City'],
    ['650100', '乌鲁木齐市', 'Urumqi City'],
    ['341500', '六安市', "Lu'an City"],
    ['222404', '珲春市', 'Hunchun City'],
    ['340300', '蚌埠市', 'Bengbu City'],
    ['440114', '花都区', 'Huadu District'],
    ['533103', '芒市', 'Mangshi City'],
    ['540000', '西藏自治区', 'Xizang Autonomous Region'],
    ['540400', '林芝市', 'Nyingchi City'],
    ['610000', '陕西省', 'Shaanxi Province'],
    ['130225', '乐亭县', 'Laoting County'],
    ['810105', '中西区', 'Central and Western District'],
    ['710100', '台北市', 'Taipei City'],
    ['984000', '美国', 'United States'],
    ['939200', '日本', 'Japan'],
  ])('%s is %s, %s', (code, zh, en) => {
    const named = searchRegions(table, zh, 'zh-CN').find((region) => region.en === en);
    expect(named?.zh).toBe(zh);
    if (code !== '810105') expect(regionName(table, code, 'en')).toBe(en);
  });

  test('the region data does not list China as a country abroad, and gives each country one row below it', () => {
    const countries = childrenOf(table, abroad);
    expect(countries.length).toBe(245);
    expect(countries.filter(({ zh }) => /中国|香港|澳门|台湾/.test(zh))).toEqual([]);
    for (const country of countries) {
      expect(childrenOf(table, country.code).map(({ zh, en }) => [zh, en])).toEqual([['其它', 'Other']]);
    }
  });

  test('the region data has short province names for labels', () => {
    const short = (code: string) => {
      const province = provinceOf(code);
      return province && [provinceShortName(province, 'zh-CN'), provinceShortName(province, 'en')];
    };
    expect(short('650102')).toEqual(['新疆', 'Xinjiang']);
    expect(short('450000')).toEqual(['广西', 'Guangxi']);
    expect(short('810101')).toEqual(['香港', 'Hong Kong']);
    expect(short('984001')).toEqual(['海外', 'Abroad']);
    expect(short('000000')).toBeNull();
  });
});

describe('look-ups', () => {
  test('a path runs from the province down to the region', () => {
    expect(pathOf(table, '330106').map((region) => region.zh)).toEqual(['浙江省', '杭州市', '西湖区']);
    expect(pathOf(table, '469001').map((region) => region.code)).toEqual(['460000', '469000', '469001']);
    expect(pathOf(table, '984001').map((region) => region.code)).toEqual(['900000', '984000', '984001']);
    expect(pathOf(table, '1')).toEqual([]);
  });

  test('a path in words reads as an address does', () => {
    expect(regionPathName(table, '330106', 'zh-CN')).toBe('浙江省杭州市西湖区');
    expect(regionPathName(table, '330106', 'en')).toBe('Xihu District, Hangzhou City, Zhejiang Province');
    expect(regionPathName(table, '110105', 'zh-CN')).toBe('北京市朝阳区');
    expect(regionPathName(table, '777777', 'en')).toBeNull();
  });

  test('an unknown code gives null and has no children', () => {
    expect(regionByCode(table, '999999')).toBeNull();
    expect(regionName(table, '999999', 'zh-CN')).toBeNull();
    expect(regionView(table, '999999')).toBeNull();
    expect(childrenOf(table, '999999')).toEqual([]);
  });

  test('a region is within exactly the regions of its path', () => {
    const anyCode = fc.constantFrom(...everyCode);
    fc.assert(
      fc.property(anyCode, anyCode, (code, other) => {
        const inPath = pathOf(table, code).some((region) => region.code === other);
        expect(isWithin(code, other)).toBe(inPath);
      }),
      { numRuns: 3000 },
    );
    for (const code of everyCode) {
      for (const region of pathOf(table, code)) expect(isWithin(code, region.code)).toBe(true);
    }
  });

  test('the codes within a region are those of its descendants', () => {
    for (const top of ['110000', '330100', '469000', '900000', '984000', '330106']) {
      const { from, to } = codesWithin(top);
      const inRange = everyCode.filter((code) => code >= from && code <= to);
      const descendants = everyCode.filter((code) => pathOf(table, code).some((region) => region.code === top));
      expect(inRange.sort()).toEqual(descendants.sort());
    }
  });

  test('the leading digits of a region have the codes of the whole region, abroad too', () => {
    for (const [given, whole] of [
      ['33', '330000'],
      ['3301', '330100'],
      ['90', '900000'],
      ['9840', '984000'],
      ['330106', '330106'],
    ] as const) {
      expect(wholeCode(given)).toBe(whole);
      expect(codesWithin(given), given).toEqual(codesWithin(whole));
    }
  });

  test('a parent code is one level up', () => {
    expect(['330106', '330100', '330000', '984001', '984000', '900000'].map(parentCodeOf)).toEqual([
      '330100',
      '330000',
      null,
      '984000',
      '900000',
      null,
    ]);
  });

  test('a map zooms in further for smaller regions, and shows the parent if the centre is the parent’s', () => {
    expect(regionView(table, '330000')?.zoom).toBe(6.5);
    expect(regionView(table, '330100')?.zoom).toBe(9);
    expect(regionView(table, '330106')?.zoom).toBe(11);
    expect(regionView(table, abroad)?.zoom).toBe(2);
    expect(regionView(table, '984001')).toEqual(regionView(table, '984000'));
    const standIn = [...table.byCode.values()].find((region) => {
      const parent = region.parentCode === null ? null : regionByCode(table, region.parentCode);
      return region.level === 'county' && parent?.longitude === region.longitude && parent.latitude === region.latitude;
    });
    expect(standIn && regionView(table, standIn.code)?.zoom).toBeLessThan(11);
  });

  test('malformed rows throw', () => {
    expect(() => openRegions([[110_000, '北京市', 'Beijing', 116]])).toThrow('malformed');
    expect(() => openRegions([[110_100, '北京市', 'Beijing', 116, 39]])).toThrow('no parent');
    const row = [110_000, '北京市', 'Beijing', 116, 39];
    expect(() => openRegions([row, row])).toThrow('twice');
  });
});

describe('search', () => {
  test.each([
    ['西湖', '330106'],
    ['hangzhou', '330100'],
    ['Lu’an', '341500'],
    ['luan', '341500'],
    ['LVSHUNKOU', null],
    ['lushunkou', '210212'],
    ['Lüshunkou', '210212'],
    ['tibet', '540000'],
    ['xi an', '610100'],
    ['3301', '330100'],
    ['美国', '984000'],
  ])('%s finds %s', (text, code) => {
    const codes = searchRegions(table, text, 'zh-CN').map((region) => region.code);
    if (code === null) expect(codes).toEqual([]);
    else expect(codes).toContain(code);
  });

  test('a province ranks before a county with a similar name, a full match before a partial one', () => {
    expect(
      searchRegions(table, '吉林', 'zh-CN')
        .map((region) => region.code)
        .slice(0, 2),
    ).toEqual(['220000', '220200']);
    expect(searchRegions(table, 'chaoyang district', 'en')[0]?.en).toBe('Chaoyang District');
  });

  test('an empty search finds nothing, and results are limited', () => {
    expect(searchRegions(table, '  ', 'en')).toEqual([]);
    expect(searchRegions(table, "'", 'en').length).toBeLessThanOrEqual(20);
    expect(searchRegions(table, 'a', 'en', 1000)).toHaveLength(searchResultsMax);
  });

  test('every region is found by its own Chinese name', () => {
    fc.assert(
      fc.property(fc.constantFrom(...everyCode.filter((code) => code < abroad)), (code) => {
        const region = regionByCode(table, code);
        const found = searchRegions(table, region?.zh ?? '', 'zh-CN', searchResultsMax);
        expect(found.some(({ zh }) => zh === region?.zh)).toBe(true);
      }),
    );
  });
});
