import rules from './english-name-rules.json' with { type: 'json' };

const peoplesZh = Object.keys(rules.ethnic).sort((one, other) => other.length - one.length);
const peoplesEn = [...new Set(Object.values(rules.ethnic))].join('|');

const peopleAndKindEn = new RegExp(
  `( (${peoplesEn})(, | and |(?= )))* ?(${peoplesEn})? Autonomous (Prefecture|County|Banner)$`,
);
const kindEn = / (City|Prefecture|League|District|County|Banner|Township|New Area|Forestry District)$/;

/** A city's or county's name as a map label: 恩施土家族苗族自治州 is 恩施, 杭州市 is 杭州; 西城区 stays. */
export function shortNameZh(zh: string): string {
  const kind = /自治州$|自治县$|地区$|盟$|市$/.exec(zh)?.[0] ?? '';
  let stem = zh.slice(0, zh.length - kind.length);
  if (stem.length < 2) return zh;
  while (kind.startsWith('自治')) {
    const people = peoplesZh.find((name) => stem.endsWith(name) && stem.length - name.length >= 2);
    if (people === undefined) break;
    stem = stem.slice(0, -people.length);
  }
  return stem;
}

/** The same in English: Enshi Tujia and Miao Autonomous Prefecture is Enshi, Xicheng District is Xicheng. */
export function shortNameEn(en: string): string {
  const stem = en
    .replace(/ \(.*\)$/, '')
    .replace(peopleAndKindEn, '')
    .replace(kindEn, '')
    .trim();
  return stem === '' ? en : stem;
}
