import type { Result } from '@voltdeck/units/result';
import type { Wallet } from './account.ts';
import { freeShares, type Parts } from './parts.ts';
import { flow } from './posting.ts';
import { makeTransfer, type Transfer, type TransferFault } from './transfer.ts';

type Allocation = {
  /** The allocation's, one for each member. */
  id: number;
  group: Wallet;
  member: Wallet;
  /** Free money, each part of which goes into its like. */
  moved: Parts;
};

/** A group fills the pot of a member. */
export function allocationTransfer({ id, group, member, moved }: Allocation): Result<Transfer, TransferFault> {
  const postings = flow(freeShares(group, moved), freeShares(member, moved));
  return makeTransfer({ key: `group-allocation:${id}`, reason: 'group_allocated', postings });
}

/** A group takes money back from the pot of a member. */
export function takeBackTransfer({ id, group, member, moved }: Allocation): Result<Transfer, TransferFault> {
  const postings = flow(freeShares(member, moved), freeShares(group, moved));
  return makeTransfer({ key: `group-allocation:${id}`, reason: 'group_taken_back', postings });
}
