import type { ApiError } from '@voltdeck/contract/errors';
import type { Group, createGroup as route } from '@voltdeck/contract/groups';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { agentOfNewRecord } from '../caller/scope.ts';
import { takenNumbers } from '../cards/card-numbers.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { columnsOfForm, sitesOfForm, writeSites } from './group-columns.ts';
import { findGroup } from './queries.ts';

/**
 * Adds a group. Its card number is nobody else’s, of a group or of a card, however a station shows that one; `madeUp` where
 * none is given.
 */
export async function createGroup(
  trx: Trx,
  caller: Caller,
  { agentId: askedAgentId, cardNumber, ...form }: BodyOf<typeof route>,
  at: Instant,
  madeUp: string,
): Promise<Result<Group, ApiError>> {
  const agentId = agentOfNewRecord(caller, askedAgentId ?? undefined);
  if (agentId === undefined) {
    if (askedAgentId === undefined || askedAgentId === null) return failed({ code: 'access.denied' });
    return failed({ code: 'request.invalid', fields: [{ path: 'agentId', code: 'unknown_reference' }] });
  }
  if (agentId !== null && !(await isAgent(trx, agentId))) {
    return failed({ code: 'request.invalid', fields: [{ path: 'agentId', code: 'unknown_reference' }] });
  }
  const sites = await sitesOfForm(trx, caller, form);
  if (!sites.ok) return sites;
  const number = cardNumber ?? madeUp;
  // Cards that are issued meanwhile wait, so that the number is free until the commit.
  await sql`lock table cards in share row exclusive mode`.execute(trx);
  const isTaken = (await takenNumbers(trx, [number])).size > 0;
  const created = isTaken
    ? undefined
    : await trx
        .insertInto('groups')
        .values({
          ...columnsOfForm(form),
          name: form.name,
          contact: form.contact,
          contact_phone: form.contactPhone,
          card_number: number,
          agent_id: agentId,
          user_id: caller.userId,
          created_at: at,
        })
        .onConflict((conflict) => conflict.column('card_number').doNothing())
        .returning('id')
        .executeTakeFirst();
  if (created === undefined) return failed({ code: 'card.number_taken', params: { number } });
  await writeSites(trx, created.id, sites.value);
  await audit(trx, caller, at, {
    action: 'group.create',
    recordKind: 'group',
    recordId: created.id,
    after: { ...form, cardNumber: number, agentId },
  });
  return found(await findGroup(trx, caller, created.id));
}

async function isAgent(trx: Trx, id: NonNullable<ReturnType<typeof agentOfNewRecord>>): Promise<boolean> {
  return (await trx.selectFrom('agents').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}
