import type { Settled } from '@voltdeck/ledger/settlement';
import type { DividerId } from '@voltdeck/units/id';
import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scopedByDivider } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';

type Who = Pick<Caller, 'agents' | 'customerId' | 'dividerId'>;

/** Whose balance a caller withdraws from: their own divider’s, or that of their own agent, of none below it. */
export function ownParty({ agents, dividerId }: Pick<Who, 'agents' | 'dividerId'>): Settled | null {
  if (dividerId !== null) return { kind: 'divider', id: dividerId };
  if (agents === 'all') return null;
  const [own] = agents;
  return own === undefined ? null : { kind: 'agent', id: own };
}

/**
 * Their own party, or the divider that they name: one of the caller’s own agent or, for the platform, any. Null for the
 * platform’s people without one, and for a divider that is not theirs to act for.
 */
export async function partyFor(
  db: Kysely<Tables>,
  caller: Who,
  dividerId: DividerId | undefined,
): Promise<Settled | null> {
  const own = ownParty(caller);
  if (dividerId === undefined) return own;
  const named = db.selectFrom('dividers').select('dividers.id').where('dividers.id', '=', dividerId);
  const held =
    own?.kind === 'agent'
      ? named.where('dividers.agent_id', '=', own.id)
      : scopedByDivider(named, caller, 'dividers.agent_id', 'dividers.id');
  return (await held.executeTakeFirst()) === undefined ? null : { kind: 'divider', id: dividerId };
}

/** All withdrawals for the platform, a divider's own for itself, and for an agent its own and those of its dividers. */
export function ofOwnParty<O>(
  withdrawals: SelectQueryBuilder<Tables, 'agent_withdrawals', O>,
  caller: Pick<Who, 'agents' | 'dividerId'>,
): SelectQueryBuilder<Tables, 'agent_withdrawals', O> {
  const party = ownParty(caller);
  if (party?.kind === 'divider') return withdrawals.where('agent_withdrawals.divider_id', '=', party.id);
  if (party?.kind === 'agent') return withdrawals.where('agent_withdrawals.holder_id', '=', party.id);
  return caller.agents === 'all' ? withdrawals : withdrawals.where((eb) => eb.lit(false));
}

/** Withdrawals of one party, of none that it holds. */
export function ofParty<O>(
  withdrawals: SelectQueryBuilder<Tables, 'agent_withdrawals', O>,
  { kind, id }: Settled,
): SelectQueryBuilder<Tables, 'agent_withdrawals', O> {
  return withdrawals.where(`agent_withdrawals.${kind}_id`, '=', id as never);
}
