/** The number that stands in for the card in an order of a customer without one. */
export function orderToken(sequence: number): string {
  return `VD${String(sequence).padStart(12, '0')}`;
}

/** The same for a test run, which has no payer. Like any such number it is valid for one order at one station. */
export function testToken(sequence: number): string {
  return `VDTEST${String(sequence).padStart(12, '0')}`;
}

const tokenPattern = /^VD(?:TEST)?\d{12}$/;
const testPattern = /^VDTEST\d{12}$/;

/** Whether a number shown by a station stands for one order, and for no card. */
export function isToken(cardNumber: string): boolean {
  return tokenPattern.test(cardNumber);
}

export function isTestToken(cardNumber: string): boolean {
  return testPattern.test(cardNumber);
}
