import { type Fen, fen, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type AccountKey, parseAccountKey } from './account.ts';
import { chart } from './chart.ts';
import type { Posting } from './posting.ts';
import type { Transfer } from './transfer.ts';

/** The balance of each account in fen; an account without an entry has zero. */
export type Balances = Map<AccountKey, Fen>;

/** The first account that a transfer would take below zero although its kind must not be. */
export type Overdraft = { account: AccountKey; wouldBeFen: Fen };

/** Whether the chart lets the balance of an account fall below zero. */
export function mayBeNegative(account: AccountKey): boolean {
  const parsed = parseAccountKey(account);
  return parsed !== null && chart[parsed.kind].mayBeNegative;
}

/** Whether an account is kept in several parts, so that simultaneous transfers to it do not wait for each other. */
export function isShared(account: AccountKey): boolean {
  const parsed = parseAccountKey(account);
  return parsed !== null && chart[parsed.kind].isShared;
}

/**
 * Applies a transfer as a whole. `balances` is changed in place (a book of many accounts is not copied for each
 * transfer), or left unchanged when an account would be overdrawn. Only the end of a transfer counts, not the steps
 * between its postings. An account that only receives is never refused, so that a broken book can be corrected.
 */
export function applyTransfer(balances: Balances, transfer: Transfer): Result<Balances, Overdraft> {
  const changes = sumByAccount(transfer.postings);
  const after = new Map<AccountKey, Fen>();
  for (const [account, changeFen] of changes) {
    const wouldBeFen = fen((balances.get(account) ?? 0) + changeFen);
    if (changeFen < 0 && wouldBeFen < 0 && !mayBeNegative(account)) return failed({ account, wouldBeFen });
    after.set(account, wouldBeFen);
  }
  for (const [account, balanceFen] of after) balances.set(account, balanceFen);
  return ok(balances);
}

export type Proof = {
  /** The sum of all stored balances; anything but zero means the books are broken. */
  sumFen: Fen;
  accounts: number;
  /** Accounts whose stored balance differs from the sum of their postings. */
  mismatches: readonly { account: AccountKey; keptFen: Fen; postedFen: Fen }[];
};

/** Adds up every posting again and compares with the stored balances. Both may be streamed. */
export function proof(
  accounts: Iterable<{ account: AccountKey; balanceFen: Fen }>,
  postings: Iterable<Posting>,
): Proof {
  const posted = sumByAccount(postings);
  const mismatches: { account: AccountKey; keptFen: Fen; postedFen: Fen }[] = [];
  let sumFen = 0;
  let count = 0;
  for (const { account, balanceFen } of accounts) {
    const postedFen = fen(posted.get(account) ?? 0);
    if (postedFen !== balanceFen) mismatches.push({ account, keptFen: balanceFen, postedFen });
    posted.delete(account);
    sumFen += balanceFen;
    count += 1;
  }
  for (const [account, postedFen] of posted) {
    if (postedFen !== 0) mismatches.push({ account, keptFen: zeroFen, postedFen: fen(postedFen) });
  }
  return { sumFen: fen(sumFen), accounts: count, mismatches };
}

function sumByAccount(postings: Iterable<Posting>): Map<AccountKey, number> {
  const sums = new Map<AccountKey, number>();
  for (const { from, to, amountFen } of postings) {
    sums.set(from, (sums.get(from) ?? 0) - amountFen);
    sums.set(to, (sums.get(to) ?? 0) + amountFen);
  }
  return sums;
}
