import type { Withdrawal, WithdrawalWay } from '@voltdeck/contract/withdrawals';

/** Whether a channel pays it out; everything else is paid by hand. */
export function isByChannel(way: WithdrawalWay): boolean {
  return way !== 'bank' && way !== 'desk';
}

/** Who gets the money, in words. */
export function payeeOf({ payeeName, payeeAccount, nickname }: Withdrawal): string {
  const name = payeeName ?? nickname;
  return payeeAccount === null ? name : `${name} (${payeeAccount})`;
}
