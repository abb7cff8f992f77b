import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import { identityNumbers } from '@voltdeck/contract/identity-numbers';
import type { IdentityBatch } from '@voltdeck/contract/station-identities';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { TaskWork } from '../../background/running-task.ts';
import { callerOf } from '../../background/task-details.ts';
import type { Trx } from '../../database/transact.ts';
import { NumberTaken } from '../add-stations.ts';
import { lockSite } from '../lock-site.ts';
import { hashStationPassword, newStationPassword } from '../station-password.ts';
import { keepIdentityFile, type MadeIdentity } from './identity-file.ts';
import { registerIdentities, type StockedIdentity } from './register-identities.ts';
import { takenNumbers } from './taken-numbers.ts';

/** Identities per statement: some ten milliseconds. */
const identitiesAtOnce = 500;

/** Rolls everything back. */
class Changed extends Error {}

/**
 * Makes a batch in one transaction that also ends the task: every number is there with the file of their passwords, or
 * none. A restart begins anew.
 */
export const runIdentities: TaskWork<'station-identities'> = async (context, task) => {
  const { userId, language, detail, progress, signal, finishIn } = task;
  const caller = callerOf(detail, userId, language);
  const { batch } = detail;
  try {
    await context.database.db.transaction().execute(async (trx) => {
      const at = context.now();
      const made = madeOf(batch);
      const numbers = made.map(({ number }) => number);
      if ((await takenNumbers(trx, numbers)).count > 0) throw new Changed();
      const site = batch.siteId === undefined ? null : await lockSite(trx, caller, batch.siteId);
      if (site === undefined) throw new Changed();
      for (let from = 0; from < made.length; from += identitiesAtOnce) {
        signal.throwIfAborted();
        const stocked = await addIdentities(trx, batch, made.slice(from, from + identitiesAtOnce), at);
        if (site !== null) {
          await registerIdentities(
            trx,
            caller,
            stocked,
            { siteId: site.id, agentId: batch.agentId ?? site.agentId },
            at,
          );
        }
        progress.doneCount = from + stocked.length;
      }
      signal.throwIfAborted();
      const file = await keepIdentityFile(context, batch, made, { language, at });
      await finishIn(trx, { doneCount: made.length, file });
    });
    return 'finished';
  } catch (error) {
    if (error instanceof Changed || error instanceof NumberTaken) return { failed: 'identity.changed' };
    throw error;
  }
};

function madeOf({ startNumber, count, protocol }: IdentityBatch): MadeIdentity[] {
  const counted = identityNumbers(startNumber, count, protocol);
  if ('fault' in counted) throw new Error(`a stored batch has no numbers: ${counted.fault}`);
  const { hasPassword } = protocolTraits[protocol];
  return Array.from({ length: count }, (_, index) => ({
    number: counted.numbers(index),
    password: hasPassword ? newStationPassword() : null,
  }));
}

/** @throws Changed when somebody else made one of the numbers in the meantime. */
async function addIdentities(
  trx: Trx,
  { batch, protocol, type, equipmentType, connectorCount, maxPowerKw, ...rest }: IdentityBatch,
  made: readonly MadeIdentity[],
  at: Instant,
): Promise<StockedIdentity[]> {
  const hashes = made.map(({ password }) => (password === null ? null : hashStationPassword(password)));
  const { manufacturer = null, equipmentModel = null, agentId = null } = rest;
  const maxPowerW = maxPowerKw * 1000;
  const { rows } = await sql<StockedIdentity>`
    insert into station_identities (number, password_hash, protocol, type, equipment_type, connector_count, max_power_w,
                                    manufacturer, equipment_model, batch, agent_id, created_at)
    select number, hash, ${protocol}, ${type}, ${equipmentType}, ${connectorCount}::integer, ${maxPowerW}::integer,
           ${manufacturer}, ${equipmentModel}, ${batch}, ${agentId}::bigint, ${toIso(at)}::timestamptz
      from unnest(${made.map(({ number }) => number)}::text[], ${hashes}::text[])
             with ordinality as made (number, hash, position)
     order by position
    on conflict (number) do nothing
    returning id, number, protocol, type, equipment_type as "equipmentType", connector_count as "connectorCount",
              max_power_w as "maxPowerW", manufacturer, equipment_model as "equipmentModel",
              password_hash as "passwordHash"`.execute(trx);
  if (rows.length < made.length) throw new Changed();
  return rows;
}
