/** Whether the server masked this phone, card, plate or VIN. */
export function isMasked(text: string): boolean {
  return text.includes('***');
}

/** Whether a record's field of this name is a phone, card, plate or VIN that the server masked, so that it cannot be sent back. */
export function isMaskedField(name: string, value: unknown): boolean {
  return (
    /(phone|number|plate|vin)$/i.test(name) && typeof value === 'string' && /^[\p{L}\d]*\*{3,}[\p{L}\d]*$/u.test(value)
  );
}

/** The digits at the end of a masked number, by which the server still finds it. */
const shownDigits = 4;

/** The text that finds a number or a login name in its list: the last digits of a masked one. */
export function findable(text: string): string {
  return isMasked(text) ? text.slice(-shownDigits) : text;
}
