import type { Span } from './explain.ts';

type Part = Pick<Span, 'path' | 'raw' | 'value'> & { part: string };

/** Fewer surplus bytes cannot hold a card; they are usually padding. */
const surplusBytesMin = 4;

/**
 * Hides the cards and VINs in the parts of a frame; their joined `raw` is the frame that may be shown, and `hide` masks decoded
 * values. The checksum is hidden too, since it would reveal two hidden bytes.
 */
export function withCardsHidden<Shown extends Part>(parts: readonly Shown[], hide: (text: string) => string): Shown[] {
  if (!parts.some(isHidden)) return [...parts];
  return parts.map((part) => {
    if (isHidden(part)) {
      return { ...part, raw: stars(part.raw), value: part.value === null ? null : hide(part.value) };
    }
    return part.part === 'checksum' ? { ...part, raw: stars(part.raw) } : part;
  });
}

const stars = (raw: string) => '*'.repeat(raw.length);

/** Card numbers, the account, card or vehicle that starts a charge, and unreadable bytes. */
function isHidden({ part, path, raw }: Part): boolean {
  if (part === 'surplus') return raw.length >= 2 * surplusBytesMin;
  return path !== null && /(?:^|\.)(?:\w*CardNo|account|vin)$/.test(path);
}
