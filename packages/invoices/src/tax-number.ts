const codeCharacters = '0123456789ABCDEFGHJKLMNPQRTUWXY';

/** GB 32100-2015: the last character of a unified social credit code checks the others, by powers of 3 modulo 31. */
export function isCreditCode(code: string): boolean {
  if (!/^[0-9A-HJ-NPQRTUWXY]{2}\d{6}[0-9A-HJ-NPQRTUWXY]{10}$/.test(code)) return false;
  let sum = 0;
  let weight = 1;
  for (const character of code.slice(0, -1)) {
    sum += codeCharacters.indexOf(character) * weight;
    weight = (weight * 3) % 31;
  }
  return codeCharacters[(31 - (sum % 31)) % 31] === code.at(-1);
}

/**
 * A buyer's or seller's tax number: a credit code, or one of the older numbers of 15 and 20 characters, which have no
 * check digit.
 */
export function isTaxNumber(text: string): boolean {
  return text.length === 18 ? isCreditCode(text) : /^(?:[0-9A-Z]{15}|[0-9A-Z]{20})$/.test(text);
}
