/** A mask keeps the length of the number, so that columns keep their width. */
const star = '*';

/** The last digits that a mask leaves visible, and the shortest number that keeps so many. */
export const endingDigits = { shown: 4, lengthMin: 11 } as const;

const phonePattern = /^\d{11}$/;
const plateLengthMin = 7;

/** 138****5678. */
export function maskPhone(text: string): string {
  return phonePattern.test(text) ? hideMiddle(text, 3, 4) : maskCard(text);
}

/** Shows the first and last four of sixteen characters, and at most half of a shorter number. */
export function maskCard(text: string): string {
  const kept = Math.min(endingDigits.shown, Math.floor(text.length / 4));
  return hideMiddle(text, kept, kept);
}

/** c***@example.com, in any text: the first of what stands before the @, and where it goes. */
export function maskEmails(text: string): string {
  return text.replaceAll(/[^\s@<>,;"]+(?=@[^\s@<>,;"]+)/g, (local) => hideMiddle(local, local.length > 1 ? 1 : 0, 0));
}

/** 浙A***45: the office that issued it, and its end. */
export function maskPlate(text: string): string {
  return text.length >= plateLengthMin ? hideMiddle(text, 2, 2) : maskCard(text);
}

/** Masks a login name that is a phone. */
export function maskName(text: string): string {
  return phonePattern.test(text) ? maskPhone(text) : text;
}

/** Masks words of four or more characters that contain a digit. */
export function maskWords(text: string): string {
  return text.replaceAll(/[0-9A-Za-z]{4,}/g, (word) => (/\d/.test(word) ? maskCard(word) : word));
}

/** Masks what looks like a phone or a printed card number within an unknown text. */
export function maskLookalikes(text: string): string {
  return text.replaceAll(/(?<![0-9A-Za-z])(?:1\d{10}|[0-9A-F]{16})(?![0-9A-Za-z])/gi, maskPhone);
}

function hideMiddle(text: string, first: number, last: number): string {
  const hidden = Math.max(0, text.length - first - last);
  return text.slice(0, first) + star.repeat(hidden) + text.slice(text.length - last);
}
