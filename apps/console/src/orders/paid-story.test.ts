import { all } from '@voltdeck/phrases/en/all';
import { beforeAll, expect, test } from 'vitest';
import { learnPhrases } from '../phrases.ts';
import { paidStoryOf } from './paid-story.ts';

beforeAll(() => learnPhrases(all));

test('a refund that returns money and forgives a debt mentions both', () => {
  const refund = { amountFen: 9_900, forgivenFen: 9_400 };
  const order = { paymentState: 'refunded', paidFen: 500, owedFen: 0, amountFen: 9_900 } as const;
  const story = (refundedFen: number, refunds: readonly object[]) =>
    paidStoryOf({ ...order, refundedFen, refunds } as Parameters<typeof paidStoryOf>[0]);
  expect(story(500, [refund])).toBe(
    '¥5.00 was paid, ¥5.00 of it was refunded, and the refund forgave the debt of ¥94.00.',
  );
  expect(story(500, [{ ...refund, forgivenFen: 0 }])).toBe('¥5.00 was paid, ¥5.00 of it was refunded.');
  expect(story(0, [refund])).toBe('¥5.00 was paid; a refund forgave the debt of ¥94.00.');
});
