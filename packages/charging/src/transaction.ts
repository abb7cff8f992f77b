/**
 * How a station names a charge: by the number that we answer its start with (OCPP), or by a text that both sides know
 * it by before it begins (YKC 交易流水号, 32 digits). Texts are opaque: leading zeros count.
 */
export type TransactionReference = number | string;

/** What a charge's name is when the station had none for it. */
export function isNamed(transaction: TransactionReference): boolean {
  return typeof transaction === 'number' ? transaction > 0 : /[^0]/.test(transaction);
}
