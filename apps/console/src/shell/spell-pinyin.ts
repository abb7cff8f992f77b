import { match } from 'pinyin-pro';

const hanzi = /\p{Script=Han}/u;

/** Whether these letters spell a Chinese title: "shishidingdan", "ssdd" or "shisdd" for 实时订单. */
export function spellsPinyin(title: string, text: string): boolean {
  const letters = text.toLowerCase().replaceAll(/[\s']/g, '');
  if (!hanzi.test(title) || !/^[a-zü]+$/.test(letters)) return false;
  return match(title, letters, { continuous: true, precision: 'first', lastPrecision: 'start', v: true }) !== null;
}
