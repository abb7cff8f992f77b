import { say } from './words.ts';

/** Up to four digits of a price of 1e-5 yuan, at least two. */
export function priceText(priceE5: number): string {
  const text = (priceE5 / 100_000).toFixed(4);
  return text.replace(/0{1,2}$/, '');
}

export const kwh = (energyWh: number): string => say('charge.kwh', { value: (energyWh / 1000).toFixed(2) });

export const kw = (powerW: number): string => say('charge.kw', { value: (powerW / 1000).toFixed(1) });

export function lasted(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  return say('charge.minutes', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}
