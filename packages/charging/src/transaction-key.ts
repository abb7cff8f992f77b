import { type Instant, shanghaiDateTime } from '@voltdeck/units/instant';

/** How many names the counter distinguishes in one second at one gun port. */
export const transactionKeysPerSecondMax = 10_000;

/**
 * The name of a charge that is named before it begins: station number 14 digits, gun port 2, yyMMddHHmmss in
 * Asia/Shanghai, counter 4 (YKC 1.6, section 2.6 of our notes). Two of one gun port and one second differ as long as
 * their sequence numbers are less than `transactionKeysPerSecondMax` apart.
 * @throws RangeError for a station number that is not 14 digits or a gun port outside 1 to 99.
 */
export function transactionKey(charge: {
  stationNumber: string;
  connectorNumber: number;
  at: Instant;
  /** Zero or more; its last four digits count. */
  sequence: number;
}): string {
  const { stationNumber, connectorNumber, at, sequence } = charge;
  if (!/^\d{14}$/.test(stationNumber)) throw new RangeError(`a station number has 14 digits, got ${stationNumber}`);
  if (!Number.isInteger(connectorNumber) || connectorNumber < 1 || connectorNumber > 99) {
    throw new RangeError(`a gun port has a number from 1 to 99, got ${connectorNumber}`);
  }
  const time = shanghaiDateTime(at).replaceAll(/\D/g, '').slice(2);
  const counter = String(sequence % transactionKeysPerSecondMax).padStart(4, '0');
  return stationNumber + String(connectorNumber).padStart(2, '0') + time + counter;
}

/** The gun port in a name; null for a text that is not such a name. */
export function connectorOfTransactionKey(key: string): number | null {
  if (!/^\d{32}$/.test(key)) return null;
  const connectorNumber = Number(key.slice(14, 16));
  return connectorNumber === 0 ? null : connectorNumber;
}
