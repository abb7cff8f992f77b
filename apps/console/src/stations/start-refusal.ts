import { canStartCharge } from '@voltdeck/charging/abilities';
import type { Connector } from '@voltdeck/contract/connectors';
import { phrase } from '../phrases.ts';

/** Why no charge can be started at a port now; undefined if one can. */
export function startRefusal(port: Connector): string | undefined {
  const { stationEnabled: enabled, stationOnline: online, siteState } = port;
  const ability = canStartCharge({ enabled, online, siteState }, port);
  return ability.allowed ? undefined : phrase(`error.${ability.because}`);
}
