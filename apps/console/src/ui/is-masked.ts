/** Whether the server masked this phone or card. */
export function isMasked(text: string): boolean {
  return text.includes('***');
}

/** The digits at the end of a masked number, by which the server still finds it. */
const shownDigits = 4;

/** The text that finds a number or a login name in its list: the last digits of a masked one. */
export function findable(text: string): string {
  return isMasked(text) ? text.slice(-shownDigits) : text;
}
