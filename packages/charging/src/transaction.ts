/**
 * How a station identifies a charge: by the number that answers its start (OCPP), or by a text that both sides know
 * before it begins (YKC 交易流水号, 32 digits). Texts are opaque: leading zeros count.
 */
export type TransactionReference = number | string;

/** The name of a charge that the station had none for. */
export function isNamed(transaction: TransactionReference): boolean {
  return typeof transaction === 'number' ? transaction > 0 : /[^0]/.test(transaction);
}
