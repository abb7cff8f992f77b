import { all as en } from '@voltdeck/phrases/en/all';
import { all as zh } from '@voltdeck/phrases/zh-CN/all';
import { fen } from '@voltdeck/units/money';
import { expect, test } from 'vitest';
import { learnPhrases } from '../phrases.ts';
import { voidWords } from './invoice-words.ts';

const invoice = { number: 'I7', title: 'Lakeside', amountFen: fen(3_000), taxFen: fen(170), orderCount: 2 };

test.each([
  [en, 'Give up red letter I7?', 'The red letter is given up, and the invoice stands again'],
  [zh, '放弃冲红 I7 吗？', '已放弃冲红，原发票恢复为已开票'],
])('giving up a red letter asks and says so, and does not speak of voiding an invoice', (all, question, told) => {
  learnPhrases(all);
  expect(voidWords({ ...invoice, kind: 'red' })).toMatchObject({ label: 'invoices.giveUp', question, told });
});

test('an invoice is voided with its amount', () => {
  learnPhrases(en);
  expect(voidWords({ ...invoice, kind: 'blue' })).toEqual({
    label: 'invoices.void',
    question: 'Void invoice I7?',
    details: '¥30.00 over 2 orders, which can be applied for again.',
    told: 'Invoice I7 is voided or being voided',
  });
});
