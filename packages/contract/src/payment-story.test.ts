import { describe, expect, test } from 'vitest';
import { paymentStory, sideOf } from './payment-story.ts';

describe('payment story', () => {
  test('a hold that covers the bill is posted and the rest returned', () => {
    const story = paymentStory([
      { reason: 'hold', from: 'card:12', to: 'card-held:12', amountFen: 5000 },
      { reason: 'charge_settled', from: 'card-held:12', to: 'electricity-income:site:3', amountFen: 2000 },
      { reason: 'charge_settled', from: 'card-held:12', to: 'service-income:site:3', amountFen: 700 },
      { reason: 'charge_settled', from: 'card-held:12', to: 'card:12', amountFen: 2300 },
    ]);
    expect(story).toEqual({
      heldFen: 5000,
      postedFen: 2700,
      givenBackFen: 2300,
      takenDirectlyFen: 0,
      shortfallFen: 0,
      repaidFen: 0,
      undoneFen: 0,
      forgivenFen: 0,
      refundedFen: 0,
    });
    expect(story.heldFen).toBe(story.postedFen + story.givenBackFen);
  });

  test('what no wallet could pay is owed, and a refund is separate from money returned from a hold', () => {
    const story = paymentStory([
      { reason: 'charge_settled', from: 'receivable:customer:7', to: 'service-income:site:3', amountFen: 90 },
      { reason: 'charge_settled', from: 'customer:7', to: 'electricity-income:site:3', amountFen: 400 },
      { reason: 'refund_order', from: 'electricity-income:site:3', to: 'customer:7', amountFen: 100 },
    ]);
    expect(story).toMatchObject({ shortfallFen: 90, takenDirectlyFen: 400, refundedFen: 100 });
  });

  test('a debt that was repaid, owed again and partly forgiven is shown as such', () => {
    const story = paymentStory([
      { reason: 'charge_settled', from: 'receivable:card:8', to: 'electricity-income:site:1', amountFen: 4580 },
      { reason: 'debt_repaid', from: 'card:8', to: 'receivable:card:8', amountFen: 600 },
      { reason: 'reversal', from: 'receivable:card:8', to: 'card:8', amountFen: 200 },
      { reason: 'refund_order', from: 'electricity-income:site:1', to: 'receivable:card:8', amountFen: 333 },
    ]);
    expect(story).toMatchObject({ shortfallFen: 4580, repaidFen: 600, undoneFen: 200, forgivenFen: 333 });
    expect(story).toMatchObject({ takenDirectlyFen: 0, refundedFen: 0 });
  });

  test('accounts that are neither wallet nor income are ignored', () => {
    expect(sideOf('channel:wechat')).toBe('elsewhere');
    expect(sideOf('card-held:12')).toBe('held');
  });
});
