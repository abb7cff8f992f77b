/** Number plates of mainland China (GA 36-2018): what an operator types, tidied, and whether it can be one. */

const provinces = '京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼';
/** Letters and digits of a plate: without I and O. */
const sign = '[A-HJ-NP-Z0-9]';
const office = '[A-HJ-NP-Z]';

const forms: readonly RegExp[] = [
  /** Seven characters; the last may name a trailer, a learner, police, or a car that crosses to Hong Kong or Macao. */
  new RegExp(`^[${provinces}]${office}${sign}{4}[A-HJ-NP-Z0-9挂学警港澳领]$`),
  /** Eight: new energy, small ones with the letter first and large ones with it last. */
  new RegExp(`^[${provinces}]${office}[A-HJK]${sign}\\d{4}$`),
  new RegExp(`^[${provinces}]${office}\\d{5}[A-HJK]$`),
  /** Embassies, and consulates by their old form. */
  /^使\d{6}$/,
  new RegExp(`^[${provinces}]${office}\\d{4}使$`),
];

/** In capitals and half-width, without the dot and the spaces that are written between the parts. */
export function tidyPlate(typed: string): string {
  return typed
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s·•・.-]/g, '');
}

export function isPlate(plate: string): boolean {
  return forms.some((form) => form.test(plate));
}
