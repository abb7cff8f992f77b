import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { Connector } from '@voltdeck/contract/connectors';

/** Not every protocol has a command that unlocks a gun. */
export function offersUnlock({ stationProtocol }: Pick<Connector, 'stationProtocol'>): boolean {
  return protocolTraits[stationProtocol].commands.includes('unlock-connector');
}
