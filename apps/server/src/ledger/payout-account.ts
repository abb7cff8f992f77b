import type { PayoutForm } from '@voltdeck/contract/agents';
import type { Settled } from '@voltdeck/ledger/settlement';
import type { UserId } from '@voltdeck/units/id';
import { dayMs, type Instant, instant } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { readParameter } from '../database/parameter.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { agentWithdrawalParameters } from './withdrawal-terms.ts';

/** A payout account as agents and dividers have it; `null` everywhere without one. */
export type Payout = {
  payout_kind: 'private' | 'corporate' | null;
  payout_holder: string | null;
  payout_bank: string | null;
  payout_branch: string | null;
  payout_bank_code: string | null;
  payout_number: string | null;
};

export const payoutColumns = [
  'payout_kind',
  'payout_holder',
  'payout_bank',
  'payout_branch',
  'payout_bank_code',
  'payout_number',
] as const satisfies readonly (keyof Payout)[];

export const noPayout: Payout = {
  payout_kind: null,
  payout_holder: null,
  payout_bank: null,
  payout_branch: null,
  payout_bank_code: null,
  payout_number: null,
};

/** The account that a form leaves: omitted fields stay, and a kind of `null` removes it whole. */
export function payoutAfter(form: PayoutForm, kept: Payout): Payout {
  const kind = form.payoutKind === undefined ? kept.payout_kind : form.payoutKind;
  if (kind === null) return noPayout;
  const after = <Value>(asked: Value | undefined, present: Value) => (asked === undefined ? present : asked);
  return {
    payout_kind: kind,
    payout_holder: after(form.payoutHolder, kept.payout_holder),
    payout_bank: after(form.payoutBank, kept.payout_bank),
    payout_branch: after(form.payoutBranch, kept.payout_branch),
    payout_bank_code: after(form.payoutBankCode, kept.payout_bank_code),
    payout_number: after(form.payoutNumber, kept.payout_number),
  };
}

/** The fields that a payout account lacks: transfers to a company need its branch and bank code. */
export function lackedOf(payout: Payout): string[] {
  if (payout.payout_kind === null) return [];
  const needed = {
    payoutHolder: payout.payout_holder,
    payoutBank: payout.payout_bank,
    payoutNumber: payout.payout_number,
    ...(payout.payout_kind === 'corporate'
      ? { payoutBranch: payout.payout_branch, payoutBankCode: payout.payout_bank_code }
      : {}),
  };
  return Object.entries(needed).flatMap(([path, value]) => (value === null ? [path] : []));
}

function isSame(one: Payout, other: Payout): boolean {
  return payoutColumns.every((column) => one[column] === other[column]);
}

/**
 * Whether a caller above an agent or a divider may leave this account: whoever shares its income sets a first one, and
 * one that is set is the platform’s or its own to change.
 */
export function mayChangeFor({ agents }: Pick<Caller, 'agents'>, before: Payout, after: Payout): boolean {
  return agents === 'all' || before.payout_kind === null || isSame(before, after);
}

/** Keeps who changed an account, and which; nothing where it stays as it was. */
export async function noteAccountChange(
  trx: Trx,
  { kind, id }: Settled,
  { before, after }: { before: Payout; after: Payout },
  userId: UserId,
  at: Instant,
): Promise<void> {
  if (isSame(before, after)) return;
  await trx
    .insertInto('payout_account_changes')
    .values({
      agent_id: kind === 'agent' ? id : null,
      divider_id: kind === 'divider' ? id : null,
      holder_before: before.payout_holder,
      bank_before: before.payout_bank,
      number_before: before.payout_number,
      holder: after.payout_holder,
      bank: after.payout_bank,
      number: after.payout_number,
      changed_by: userId,
      changed_at: at,
    })
    .execute();
}

/** The latest change that led to an account of a party, by its number. */
export async function findAccountChange(db: Kysely<Tables>, { kind, id }: Settled, number: string) {
  return db
    .selectFrom('payout_account_changes as changes')
    .innerJoin('users', 'users.id', 'changes.changed_by')
    .select(['changes.number_before as numberBefore', 'changes.holder_before as holderBefore'])
    .select(['changes.bank_before as bankBefore', 'changes.changed_at as changedAt'])
    .select(['users.real_name as changedByName', 'users.user_name as changedByUser'])
    .where(kind === 'agent' ? 'changes.agent_id' : 'changes.divider_id', '=', id as never)
    .where(sql<boolean>`${isNumber(sql.ref('changes.number'), sql`${number}::text`)}`)
    .orderBy('changes.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Whether two account numbers are the same; hyphens only separate groups. */
export function isNumber(one: ReturnType<typeof sql>, other: ReturnType<typeof sql>) {
  return sql<boolean>`translate(${one}, '-', '') = translate(${other}, '-', '')`;
}

/** Whether an account was set so lately that a withdrawal to it waits for a second person. */
export async function isNewAccount(db: Kysely<Tables>, party: Settled, number: string, at: Instant): Promise<boolean> {
  const change = await findAccountChange(db, party, number);
  if (change === undefined) return false;
  const days = await readParameter(db, agentWithdrawalParameters.accountWaitDays);
  return change.changedAt > instant(at - days * dayMs);
}
