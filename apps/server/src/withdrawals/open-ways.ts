import { type WithdrawalWay, withdrawalWays } from '@voltdeck/contract/withdrawals';
import type { OpenChannels } from '../channels/open-channels.ts';

/** The ways that money can leave by now: the channels that are on, and by hand. */
export function openWays({ byName }: Pick<OpenChannels, 'byName'>): WithdrawalWay[] {
  return withdrawalWays.filter((way) => !isByChannel(way) || byName.has(way));
}

/** Whether a channel pays it out; everything else is paid by hand. */
export function isByChannel(way: WithdrawalWay): way is Exclude<WithdrawalWay, 'bank' | 'desk'> {
  return way !== 'bank' && way !== 'desk';
}
