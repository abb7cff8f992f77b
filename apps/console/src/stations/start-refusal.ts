import { canStartCharge } from '@voltdeck/charging/abilities';
import type { Connector } from '@voltdeck/contract/stations';
import { phrase } from '../phrases.ts';

/** Why a charge cannot be begun at a port now, in words; undefined when it can. */
export function startRefusal(port: Connector): string | undefined {
  const ability = canStartCharge({ enabled: port.stationEnabled, online: port.stationOnline }, port);
  return ability.allowed ? undefined : phrase(`error.${ability.because}`);
}
