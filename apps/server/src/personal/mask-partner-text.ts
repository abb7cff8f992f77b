import { maskCard, maskLookalikes, maskPhone, maskPlate } from './mask-text.ts';

/** Fields of T/CEC 102 and of what provinces added to it that lead to a person, with any spelling of upper case. */
const maskOfField: Readonly<Record<string, (text: string) => string>> = {
  phone: maskPhone,
  phonenum: maskPhone,
  plateno: maskPlate,
  platenum: maskPlate,
  licenseplate: maskPlate,
  vin: maskCard,
  username: maskCard,
  qrcode: maskCard,
};

const field = /"([A-Za-z]{1,32})"(\s*:\s*)"((?:[^"\\]|\\.)*)("?)/g;

/**
 * Masks people in the text of an exchange with a partner. It need not be JSON: it may be cut, or say what was wrong on the
 * way.
 */
export function maskPartnerText(text: string): string {
  const named = text.replaceAll(field, (whole, name: string, colon: string, value: string, end: string) => {
    const mask = maskOfField[name.toLowerCase()];
    return mask === undefined ? whole : `"${name}"${colon}"${mask(value)}${end}`;
  });
  return maskLookalikes(named);
}
