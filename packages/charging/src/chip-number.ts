/** Shorter chip numbers are padded with leading zero bytes to eight (YKC 1.6, section 2.7 of our notes). */
export function withoutPadding(cardNumber: string): string {
  return /^[0-9A-F]{16}$/.test(cardNumber) ? cardNumber.replace(/^(?:00)+(?=.)/, '') : cardNumber;
}

/** Every form in which stations show one chip: as it is, and as eight bytes. */
export function spellingsOf(cardNumber: string): readonly string[] {
  const unpadded = withoutPadding(cardNumber);
  const isBytes = /^(?:[0-9A-F]{2}){1,7}$/.test(unpadded);
  return [...new Set([cardNumber, unpadded, isBytes ? unpadded.padStart(16, '0') : unpadded])];
}
