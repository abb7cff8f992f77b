import type { Connector } from '@voltdeck/contract/connectors';
import { knownPhrase, phrase } from '../../phrases.ts';

/** A fault defined by a protocol; a maker's own code is shown unchanged. */
function wordOf(code: string): string {
  return knownPhrase(`fault-code.${code}`) ?? code;
}

/** A port's fault in words as far as known: "Ground fault · residual current 38 mA". */
export function faultText({ faultCode, faultInfo }: Pick<Connector, 'faultCode' | 'faultInfo'>): string {
  const code = faultCode === null ? '' : wordOf(faultCode);
  const info = (faultInfo ?? '').split(', ').map(wordOf).join(phrase('list.comma'));
  // A bare number says least and comes after the words for its bits.
  const parts = /^0x/.test(code) ? [info, code] : [code, info];
  return parts.filter((part) => part !== '').join(' · ');
}
