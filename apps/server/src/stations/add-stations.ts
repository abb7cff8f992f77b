import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { StationForm } from '@voltdeck/contract/stations';
import type { AgentId, StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import { auditMany } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { stationColumns } from './station-columns.ts';
import { hashStationPassword, newStationPassword } from './station-password.ts';
import type { StockedNumber } from './stocked-number.ts';

/** A checked station that may be registered. */
export type NewStation = {
  form: StationForm;
  agentId: AgentId | null;
  /** The factory's number and password, where it was made for one. */
  identity: StockedNumber | null;
};

/** The password is null where the protocol has none, or the factory has it already. */
export type AddedStation<New extends NewStation> = New & { id: StationId; password: string | null };

/** Somebody else registered one of the numbers in the meantime. */
export class NumberTaken extends Error {}

/**
 * Registers checked stations with their gun ports, in a few statements for all of them. A station that was made for a
 * factory keeps the password that the factory got, unless another is given.
 * @throws NumberTaken when a number is no longer free.
 */
export async function addStations<New extends NewStation>(
  trx: Trx,
  caller: Caller,
  stations: readonly New[],
  at: Instant,
): Promise<AddedStation<New>[]> {
  const made = stations.map((station) => {
    const password = newPasswordOf(station);
    const hash = password === null ? (station.identity?.passwordHash ?? null) : hashStationPassword(password);
    return { station, password, hash };
  });
  const created = await trx
    .insertInto('stations')
    .values(
      made.map(({ station: { form, agentId }, hash }) => ({
        ...stationColumns(form),
        protocol: form.protocol,
        agent_id: agentId,
        password_hash: hash,
        created_at: at,
      })),
    )
    .onConflict((conflict) => conflict.column('number').doNothing())
    .returning(['id', 'number'])
    .execute();
  if (created.length < made.length) throw new NumberTaken();
  const idOf = new Map<string, StationId>(created.map(({ id, number }) => [number, id]));
  const added = made.flatMap(({ station, password }) => {
    const id = idOf.get(station.form.number);
    return id === undefined ? [] : [{ ...station, id, password }];
  });
  await sql`
    insert into connectors (station_id, number, name)
    select station_id, number, number::text
      from unnest(${added.map(({ id }) => id)}::bigint[], ${added.map(({ form }) => form.connectorCount)}::integer[])
             as made (station_id, count)
      cross join lateral generate_series(1, count) as number`.execute(trx);
  // They are registered now, so they leave the list of unknown stations.
  await sql`
    delete from unknown_stations
     using unnest(${added.map(({ form }) => form.number)}::text[], ${added.map(({ form }) => form.protocol)}::text[])
             as made (number, protocol)
     where unknown_stations.number = made.number and unknown_stations.protocol = made.protocol`.execute(trx);
  const installed = added.flatMap(({ id, identity }) => (identity === null ? [] : [{ id, identityId: identity.id }]));
  await sql`
    update station_identities set station_id = made.station_id
      from unnest(${installed.map(({ identityId }) => identityId)}::bigint[], ${installed.map(({ id }) => id)}::bigint[])
             as made (id, station_id)
     where station_identities.id = made.id`.execute(trx);
  const entries = added.map(({ id, form: { password: _, ...after } }) => ({
    action: 'station.create',
    recordKind: 'station',
    recordId: id,
    after,
  }));
  await auditMany(trx, caller, at, entries);
  return added;
}

function newPasswordOf({ form: { protocol, password }, identity }: NewStation): string | null {
  if (!protocolTraits[protocol].hasPassword) return null;
  return password ?? (identity?.passwordHash == null ? newStationPassword() : null);
}
