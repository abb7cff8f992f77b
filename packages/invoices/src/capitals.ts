import type { Fen } from '@voltdeck/units/money';

const digits = '零壹贰叁肆伍陆柒捌玖';
const places = ['', '拾', '佰', '仟'];
const myriads = ['', '万', '亿', '万亿'];

/**
 * An amount in Chinese capitals as invoices have it: ¥1,204.50 is 壹仟贰佰零肆圆伍角整. A red letter's amount begins with
 * （负数）.
 * @throws RangeError from ten quadrillion yuan on, which no safe number of fen reaches.
 */
export function inCapitals(amountFen: Fen): string {
  const absolute = Math.abs(amountFen);
  const yuan = Math.floor(absolute / 100);
  const [jiao, rest] = [Math.floor(absolute / 10) % 10, absolute % 10];
  const whole = yuan === 0 ? '' : `${wholeInCapitals(yuan)}圆`;
  return `${amountFen < 0 ? '（负数）' : ''}${whole}${partInCapitals(jiao, rest, whole !== '')}`;
}

function partInCapitals(jiao: number, rest: number, hasWhole: boolean): string {
  if (jiao === 0 && rest === 0) return hasWhole ? '整' : '零圆整';
  if (rest === 0) return `${digits[jiao]}角整`;
  if (jiao === 0) return `${hasWhole ? '零' : ''}${digits[rest]}分`;
  return `${digits[jiao]}角${digits[rest]}分`;
}

function wholeInCapitals(yuan: number): string {
  let text = '';
  let isZeroDue = false;
  for (let power = String(yuan).length - 1; power >= 0; power -= 1) {
    const digit = Math.floor(yuan / 10 ** power) % 10;
    if (digit === 0) {
      isZeroDue = text !== '';
    } else {
      text += `${isZeroDue ? '零' : ''}${digits[digit]}${places[power % 4]}`;
      isZeroDue = false;
    }
    // A group of four that is all zeros has no name.
    if (power % 4 === 0 && Math.floor(yuan / 10 ** power) % 10_000 !== 0) text += myriads[power / 4] ?? '';
  }
  return text;
}
