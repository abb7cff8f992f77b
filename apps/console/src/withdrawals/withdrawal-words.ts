import type { Withdrawal, WithdrawalOutcome, WithdrawalWay } from '@voltdeck/contract/withdrawals';

/** Whether a channel pays it out; everything else is paid by hand. */
export function isByChannel(way: WithdrawalWay): boolean {
  return way !== 'bank' && way !== 'desk';
}

/** What a person can find out about one at its channel; nothing of one that needs nobody. */
export function outcomesOf({ state, frozen, way, attention }: Withdrawal): readonly WithdrawalOutcome[] {
  if (frozen) return state !== 'waiting' && isByChannel(way) ? ['paid', 'not_paid'] : [];
  if (attention === null) return [];
  return attention === 'sent_back' && state === 'withdrawn' ? ['returned', 'dealt_with'] : ['dealt_with'];
}

/** Who gets the money, in words. */
export function payeeOf({ payeeName, payeeAccount, nickname }: Withdrawal): string {
  const name = payeeName ?? nickname;
  return payeeAccount === null ? name : `${name} (${payeeAccount})`;
}
