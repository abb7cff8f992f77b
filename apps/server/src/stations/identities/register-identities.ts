import type { StationForm } from '@voltdeck/contract/stations';
import type { AgentId, Id, SiteId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { DefaultRules } from '../../tariffs/rules-of-station.ts';
import { addStations, type NewStation } from '../add-stations.ts';

/** An identity in stock, as the table has it. */
export type StockedIdentity = {
  id: Id<'station_identity'>;
  number: string;
  protocol: string;
  type: string;
  equipmentType: string;
  connectorCount: number;
  maxPowerW: number;
  manufacturer: string | null;
  equipmentModel: string | null;
  passwordHash: string | null;
};

export type RegisteredAt = { siteId: SiteId; agentId: AgentId | null };

/** Stations per statement: some ten milliseconds. */
const stationsAtOnce = 250;

/**
 * Registers the stations of identities at a site. They are named by their number, have the default rule, and keep the
 * password that the factory got.
 * @throws NumberTaken when a station has one of the numbers.
 */
export async function registerIdentities(
  trx: Trx,
  caller: Caller,
  identities: readonly StockedIdentity[],
  { siteId, agentId }: RegisteredAt,
  at: Instant,
): Promise<void> {
  const defaults = new DefaultRules(trx);
  const rows: NewStation[] = [];
  for (const identity of identities) {
    rows.push({ form: await defaults.complete(formOf(identity, siteId), agentId), agentId, identity });
  }
  for (let from = 0; from < rows.length; from += stationsAtOnce) {
    await addStations(trx, caller, rows.slice(from, from + stationsAtOnce), at);
  }
}

function formOf(identity: StockedIdentity, siteId: SiteId): StationForm {
  const { number, manufacturer, equipmentModel, connectorCount, maxPowerW } = identity;
  return {
    number,
    name: number,
    protocol: identity.protocol as StationForm['protocol'],
    type: identity.type as StationForm['type'],
    equipmentType: identity.equipmentType as StationForm['equipmentType'],
    siteId,
    connectorCount,
    maxPowerKw: maxPowerW / 1000,
    ...(manufacturer === null ? {} : { manufacturer }),
    ...(equipmentModel === null ? {} : { equipmentModel }),
  };
}
