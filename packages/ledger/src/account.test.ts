import type {
  AgentId,
  CardId,
  CustomerId,
  DividerId,
  GroupId,
  GroupMemberId,
  PartnerId,
  SiteId,
} from '@voltdeck/units/id';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Account,
  agentBalanceAccount,
  agentShareAccount,
  badDebtAccount,
  cardAccount,
  channelAccount,
  channelFeeAccount,
  commissionAccount,
  couponExpenseAccount,
  customerAccount,
  dividerBalanceAccount,
  dividerShareAccount,
  electricityIncomeAccount,
  frozenAccount,
  giftAccount,
  giftExpenseAccount,
  groupAccount,
  heldAccount,
  heldGiftAccount,
  keyOf,
  memberAccount,
  openingAccount,
  parseAccountKey,
  partnerAccount,
  partnerPayableAccount,
  prepaidAccount,
  readAccountKey,
  receivableAccount,
  serviceIncomeAccount,
  withdrawalFeeAccount,
} from './account.ts';
import { accountKinds, channels, chart } from './chart.ts';

const card = cardAccount(12 as CardId);
const customer = customerAccount(7 as CustomerId);
const group = groupAccount(4 as GroupId);
const member = memberAccount(8 as GroupMemberId);
const partner = partnerAccount(2 as PartnerId);

const keys: [string, Account][] = [
  ['card:12', card],
  ['payable:partner:2', partnerPayableAccount(2 as PartnerId)],
  ['card-held:12', heldAccount(card)],
  ['card-gift:12', giftAccount(card)],
  ['card-gift-held:12', heldGiftAccount(card)],
  ['card-frozen:12', frozenAccount(card)],
  ['receivable:card:12', receivableAccount(card)],
  ['customer:7', customer],
  ['customer-held:7', heldAccount(customer)],
  ['customer-gift:7', giftAccount(customer)],
  ['customer-gift-held:7', heldGiftAccount(customer)],
  ['customer-frozen:7', frozenAccount(customer)],
  ['receivable:customer:7', receivableAccount(customer)],
  ...[group, member, partner].flatMap((wallet): [string, Account][] => [
    [`${wallet.kind}:${wallet.owner}`, wallet],
    [`${wallet.kind}-held:${wallet.owner}`, heldAccount(wallet)],
    [`${wallet.kind}-gift:${wallet.owner}`, giftAccount(wallet)],
    [`${wallet.kind}-gift-held:${wallet.owner}`, heldGiftAccount(wallet)],
    [`${wallet.kind}-frozen:${wallet.owner}`, frozenAccount(wallet)],
    [`receivable:${wallet.kind}:${wallet.owner}`, receivableAccount(wallet)],
  ]),
  ['agent-prepaid:5', prepaidAccount(5 as AgentId)],
  ['electricity-income:site:3', electricityIncomeAccount(3 as SiteId)],
  ['service-income:site:3', serviceIncomeAccount(3 as SiteId)],
  ['agent-share:5', agentShareAccount(5 as AgentId)],
  ['divider-share:9', dividerShareAccount(9 as DividerId)],
  ['agent-balance:5', agentBalanceAccount(5 as AgentId)],
  ['divider-balance:9', dividerBalanceAccount(9 as DividerId)],
  ['agent-frozen:5', frozenAccount(agentBalanceAccount(5 as AgentId))],
  ['divider-frozen:9', frozenAccount(dividerBalanceAccount(9 as DividerId))],
  ['commission', commissionAccount],
  ['channel-fee', channelFeeAccount],
  ['channel:front-desk', channelAccount('front-desk')],
  ['channel:back-office', channelAccount('back-office')],
  ['channel:bank', channelAccount('bank')],
  ['channel:wechat', channelAccount('wechat')],
  ['channel:alipay', channelAccount('alipay')],
  ['channel:embedded', channelAccount('embedded')],
  ['gift-expense', giftExpenseAccount],
  ['coupon-expense', couponExpenseAccount],
  ['bad-debt', badDebtAccount],
  ['withdrawal-fee', withdrawalFeeAccount],
  ['opening', openingAccount],
];

describe('an account key', () => {
  test.each(keys)('%s is the stable key of its account', (text, account) => {
    expect(keyOf(account)).toBe(text);
    expect(parseAccountKey(text)).toEqual(account);
    expect(readAccountKey(text)).toBe(text);
  });

  test('the cases above cover every kind of the chart and every channel', () => {
    expect(new Set(keys.map(([, account]) => account.kind))).toEqual(new Set(accountKinds));
    expect(keys.filter(([, { kind }]) => kind === 'channel')).toHaveLength(channels.length);
  });

  test.each([
    '',
    'card',
    'card:',
    'card:0',
    'card:-1',
    'card:012',
    'card:1.5',
    'card:1e3',
    'card: 1',
    'card:12:3',
    'card:9007199254740993',
    'Card:12',
    'receivable:12',
    'receivable:site:3',
    'electricity-income:3',
    'channel:cash',
    'channel',
    'opening:1',
    'gift-expense:',
    'constructor',
    '__proto__',
  ])('an account key cannot be "%s"', (text) => {
    expect(parseAccountKey(text)).toBeNull();
    expect(readAccountKey(text)).toBeNull();
  });

  test('an account key is parsed back, and no two accounts share one', () => {
    const anyAccount = fc
      .record({
        kind: fc.constantFrom(...accountKinds),
        id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        channel: fc.constantFrom(...channels),
      })
      .map(({ kind, id, channel }) => {
        const { owner } = chart[kind];
        if (owner === null) return { kind } as Account;
        return { kind, owner: owner === 'channel' ? channel : id } as Account;
      });
    fc.assert(
      fc.property(anyAccount, anyAccount, (one, other) => {
        expect(parseAccountKey(keyOf(one))).toEqual(one);
        expect(keyOf(one) === keyOf(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([0, -3, 1.5, Number.NaN])('an account key for the owner %d is refused', (owner) => {
    expect(() => keyOf(cardAccount(owner as CardId))).toThrow(RangeError);
  });
});

test('wallets, gifts, held, frozen and prepaid money are never below zero, and everything else may be', () => {
  const neverNegative = accountKinds.filter((kind) => !chart[kind].mayBeNegative);
  expect(neverNegative).toEqual([
    'card',
    'card-held',
    'card-gift',
    'card-gift-held',
    'card-frozen',
    'customer',
    'customer-held',
    'customer-gift',
    'customer-gift-held',
    'customer-frozen',
    'group',
    'group-held',
    'group-gift',
    'group-gift-held',
    'group-frozen',
    'member',
    'member-held',
    'member-gift',
    'member-gift-held',
    'member-frozen',
    'partner',
    'partner-held',
    'partner-gift',
    'partner-gift-held',
    'partner-frozen',
    'agent-prepaid',
    'agent-balance',
    'divider-balance',
    'agent-frozen',
    'divider-frozen',
  ]);
});

test('accounts of the house are kept in several parts, and accounts that belong to somebody are not', () => {
  const shared = accountKinds.filter((kind) => chart[kind].isShared);
  expect(shared).toEqual([
    'electricity-income',
    'service-income',
    'agent-share',
    'divider-share',
    'partner-payable',
    'commission',
    'channel-fee',
    'channel',
    'gift-expense',
    'coupon-expense',
    'bad-debt',
    'withdrawal-fee',
    'opening',
  ]);
  for (const kind of shared) expect(chart[kind].mayBeNegative).toBe(true);
});

test('gift, held, frozen and owed money names the kind of wallet it belongs to', () => {
  for (const wallet of [card, customer]) {
    const beside = [giftAccount(wallet), heldGiftAccount(wallet), frozenAccount(wallet)];
    for (const { kind } of beside) expect(chart[kind].wallet).toBe(wallet.kind);
    expect(chart[heldAccount(wallet).kind].wallet).toBe(wallet.kind);
    expect(chart[receivableAccount(wallet).kind].wallet).toBe(wallet.kind);
  }
});
