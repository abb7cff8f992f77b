import { language } from '../language.ts';

const formats = new Map<string, Intl.NumberFormat>();

function grouped(decimals: number): Intl.NumberFormat {
  const key = String(decimals);
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  formats.set(key, made);
  return made;
}

/** Shown for missing values; zero is shown as a figure. */
export const nothingText = '—';

/** "1,234.56" from fen. */
export function yuanText(amountFen: number): string {
  return grouped(2).format(amountFen / 100);
}

/** "¥1,234.56" from fen. */
export function moneyText(amountFen: number): string {
  return amountFen < 0 ? `-¥${yuanText(-amountFen)}` : `¥${yuanText(amountFen)}`;
}

/** "12.34" kWh from Wh, without the unit. */
export function energyText(energyWh: number, decimals = 2): string {
  return grouped(decimals).format(energyWh / 1000);
}

/** "60.0" kW from W, without the unit. */
export function powerText(powerW: number): string {
  return grouped(1).format(powerW / 1000);
}

/** "36.5" with one decimal. */
export function tenthText(value: number): string {
  return grouped(1).format(value);
}

/** "1.20000" -> "1.2" yuan per kWh from 1e-5 yuan, two decimals at least. */
export function priceText(priceE5: number): string {
  const exact = (priceE5 / 100_000).toFixed(5).replace(/0{1,3}$/, '');
  return exact;
}

/** "12.5%", with as many decimals as the percentage has, or with so many. */
export function percentText(percent: number, decimals?: number): string {
  return `${decimals === undefined ? percent : percent.toFixed(decimals)}%`;
}

/** "98.3%": a part of a whole; a dash where there is nothing to be a part of. */
export function shareText(part: number, whole: number): string {
  return whole === 0 ? nothingText : percentText((100 * part) / whole, 1);
}

/** "12.5%" from hundredths of a percent. */
export function rateText(rateE4: number): string {
  return percentText(rateE4 / 100);
}

/** "12,345" */
export function countText(count: number): string {
  return grouped(0).format(count);
}

const sizeUnits = ['B', 'KB', 'MB', 'GB'] as const;
const sizeStep = 1024;

/** "812 B", "1.5 KB", "12 MB": three digits are enough. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= sizeStep && unit < sizeUnits.length - 1) {
    value /= sizeStep;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits).replace(/\.0$/, '')} ${sizeUnits[unit]}`;
}

const secondMs = 1000;

/** Nobody reads the minutes of longer ones. */
const clockHoursMax = 1_000;
const wholeHours = new Intl.NumberFormat(language, {
  style: 'unit',
  unit: 'hour',
  unitDisplay: 'long',
  maximumFractionDigits: 0,
});

/** "123,457 hours"; null for what is short enough for minutes. */
export function longDurationText(ms: number): string | null {
  const hours = ms / (3_600 * secondMs);
  return hours < clockHoursMax ? null : wholeHours.format(hours);
}

/** "1:02:13" from milliseconds: hours, minutes and seconds, unambiguous to every reader; whole hours if they are many. */
export function durationText(ms: number): string {
  const long = longDurationText(ms);
  if (long !== null) return long;
  const seconds = Math.max(0, Math.floor(ms / secondMs));
  const two = (part: number) => String(part).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
