import type { AgentId, DividerId, OrderId, SiteId } from '@voltdeck/units/id';
import { fen } from '@voltdeck/units/money';
import { expect, test } from 'vitest';
import type { FeeKind, Party, Share, ShareReason } from './share.ts';
import { shareTransfer } from './share-transfer.ts';

const agent: Party = { kind: 'agent', id: 5 as AgentId };
const divider: Party = { kind: 'divider', id: 9 as DividerId };
const platform: Party = { kind: 'platform' };
const share = (party: Party, reason: ShareReason, fee: FeeKind, amountFen: number): Share => ({
  party,
  reason,
  fee,
  amountFen: fen(amountFen),
});
const order = { orderId: 41 as OrderId, siteId: 3 as SiteId, number: 1 };

function moves(shares: readonly Share[]) {
  const made = shareTransfer({ ...order, shares });
  if (made === null) return null;
  if (!made.ok) throw new Error(JSON.stringify(made.error));
  const { key, reason, postings } = made.value;
  return [key, reason, ...postings.map(({ from, to, amountFen }) => `${from} -> ${to} ${amountFen}`)];
}

test('shares leave the income of their fee, but what stays with the platform', () => {
  expect(
    moves([
      share(platform, 'channel_fee', 'electricity', 6),
      share(platform, 'commission', 'service', 50),
      share(platform, 'remainder', 'electricity', 200),
      share(platform, 'coupon', 'service', -100),
      share(agent, 'remainder', 'electricity', 794),
      share(agent, 'remainder', 'service', 400),
      share(divider, 'rate', 'service', 50),
    ]),
  ).toEqual([
    'order:41:shares:1',
    'order_shared',
    'electricity-income:site:3 -> channel-fee 6',
    'service-income:site:3 -> commission 50',
    'electricity-income:site:3 -> agent-share:5 794',
    'service-income:site:3 -> agent-share:5 400',
    'service-income:site:3 -> divider-share:9 50',
  ]);
});

test('shares below zero go back', () => {
  expect(moves([share(agent, 'remainder', 'electricity', -400), share(divider, 'rate', 'occupancy', -25)])).toEqual([
    'order:41:shares:1',
    'order_shared',
    'agent-share:5 -> electricity-income:site:3 400',
    'divider-share:9 -> service-income:site:3 25',
  ]);
});

test('nothing moves where the platform keeps everything', () => {
  expect(moves([share(platform, 'remainder', 'electricity', 960)])).toBeNull();
  expect(moves([])).toBeNull();
});
