import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import { auditMany } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { stationColumns } from '../station-columns.ts';
import { hashStationPassword, newStationPassword } from '../station-password.ts';
import type { GoodRow } from './check-rows.ts';
import type { InstallerRow } from './installer-file.ts';

/** Somebody else registered one of the numbers in the meantime. */
export class NumberTaken extends Error {}

/**
 * Adds checked stations with their gun ports, as `createStation` adds one: in a few statements for all of them.
 * @throws NumberTaken when a number is no longer free.
 */
export async function addStations(
  trx: Trx,
  caller: Caller,
  rows: readonly GoodRow[],
  at: Instant,
): Promise<InstallerRow[]> {
  const made = rows.map(({ form, agentId, siteName, identity }) => {
    const { hasPassword } = protocolTraits[form.protocol];
    const isMade = hasPassword && (form.password !== undefined || identity?.passwordHash == null);
    const password = isMade ? (form.password ?? newStationPassword()) : null;
    const hash = password === null ? (identity?.passwordHash ?? null) : hashStationPassword(password);
    return { form, agentId, siteName, identity, password, hash };
  });
  const created = await trx
    .insertInto('stations')
    .values(
      made.map(({ form, agentId, hash }) => ({
        ...stationColumns(form),
        protocol: form.protocol,
        agent_id: agentId,
        free: form.free ?? false,
        password_hash: hash,
        created_at: at,
      })),
    )
    .onConflict((conflict) => conflict.column('number').doNothing())
    .returning(['id', 'number'])
    .execute();
  if (created.length < made.length) throw new NumberTaken();
  const idOf = new Map<string, StationId>(created.map(({ id, number }) => [number, id]));
  const added = made.flatMap((one) => {
    const id = idOf.get(one.form.number);
    return id === undefined ? [] : [{ ...one, id }];
  });
  await sql`
    insert into connectors (station_id, number, name)
    select station_id, number, number::text
      from unnest(${added.map(({ id }) => id)}::bigint[], ${added.map(({ form }) => form.connectorCount)}::integer[])
             as made (station_id, count)
      cross join lateral generate_series(1, count) as number`.execute(trx);
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
  return added.map(({ form, siteName, password }) => ({
    number: form.number,
    name: form.name,
    siteName,
    connectorCount: form.connectorCount,
    password,
  }));
}
