import type { Span } from './explain.ts';

/**
 * `card` hides a card number, `words` whatever may be one within a text, `lookalikes` what has the form of one. All keep
 * the length.
 */
export type Hide = Record<'card' | 'words' | 'lookalikes', (text: string) => string>;
type Part = Pick<Span, 'name' | 'path' | 'raw' | 'value'> & { part: string };

/** A field of the protocol or of a vendor that holds a card or phone, however deep its value is nested. */
const cardField = /(?:^|[.\]])\w*(?:id_?tag|id_?token|card_?(?:number|no)|phone|mobile)s?(?=$|[.[])/i;
/** Free texts of stations and vendors, which may be JSON of any shape. */
const freeField = /(?:^|[.\]])data(?=$|[.[])/i;
/** Frames without any of this hold no card. */
const suspicious = /id_?tag|id_?token|card_?n|phone|mobile|"data"|\\|^\s*\[\s*4|\b1\d{10}\b|\b[0-9a-f]{16}\b/i;

/** Hides the cards in the parts of a frame; their joined `raw` is the frame that may be shown. */
export function withCardsHidden<Shown extends Part>(parts: readonly Shown[], hide: Hide): Shown[] {
  // The details of an error are free as well.
  const isError = parts.some(isErrorText);
  return parts.map((part) => {
    const { raw, value } = part;
    if (isCard(part)) return { ...part, raw: quoted(raw, value, hide.card), value: hide.card(value ?? raw) };
    const isField = part.part === 'field';
    const masked = isFree(part) || (isError && isField) ? hide.words : isField ? hide.lookalikes : null;
    if (masked === null) return part;
    const hidden = value === null ? null : masked(value);
    if (!raw.includes('\\u')) return { ...part, raw: masked(raw), value: hidden };
    return hidden === value && value !== null ? part : { ...part, raw: quoted(raw, value, masked), value: hidden };
  });
}

/** A quick check for readable frames that need no masking. */
export function namesNoCard(text: string): boolean {
  if (suspicious.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Among others in Authorize, StartTransaction, StopTransaction, RemoteStartTransaction, ReserveNow and SendLocalList. */
function isCard({ part, path }: Part): boolean {
  return part === 'field' && path !== null && cardField.test(path);
}

const isErrorText = ({ name }: Part) => name === 'ocpp.part.errorDescription';

function isFree(part: Part): boolean {
  return part.part === 'surplus' || isErrorText(part) || (part.path !== null && freeField.test(part.path));
}

function quoted(raw: string, value: string | null, hide: Hide['card']): string {
  if (!raw.startsWith('"')) return hide(raw);
  const hidden = JSON.stringify(hide(value ?? ''));
  // Escapes would change the length.
  return hidden.length === raw.length ? hidden : `"${'*'.repeat(raw.length - 2)}"`;
}
