/** GB 32100-2015: the 31 characters of a unified social credit code, without I, O, S, V and Z. */
const alphabet = '0123456789ABCDEFGHJKLMNPQRTUWXY';
const checked = 17;

/** Whether the last of the 18 characters is the check character of the others (GB 32100-2015, section 4.5). */
export function isCreditCode(text: string): boolean {
  if (!/^[0-9A-HJ-NP-RTUWXY]{18}$/.test(text)) return false;
  let sum = 0;
  let weight = 1;
  for (let index = 0; index < checked; index += 1) {
    sum += alphabet.indexOf(text.charAt(index)) * weight;
    weight = (weight * 3) % alphabet.length;
  }
  const check = (alphabet.length - (sum % alphabet.length)) % alphabet.length;
  return alphabet.charAt(check) === text.charAt(checked);
}
