import { auditActions, auditRecordKinds } from '@voltdeck/contract/audit-actions';
import { errorStatuses, fieldFaultCodes } from '@voltdeck/contract/errors';
import { describe, expect, test } from 'vitest';
import { all as en } from './en/all.ts';
import { fill } from './phrase.ts';
import { agentWithdrawals as zhWithdrawals } from './zh-CN/agent-withdrawals.ts';
import { agents as zhAgents } from './zh-CN/agents.ts';
import { all as zh } from './zh-CN/all.ts';
import { dividers as zhDividers } from './zh-CN/dividers.ts';
import { finance as zhFinance } from './zh-CN/finance.ts';
import { invoices as zhInvoices } from './zh-CN/invoices.ts';
import { settlements as zhSettlements } from './zh-CN/settlements.ts';
import { shares as zhShares } from './zh-CN/shares.ts';

const placeholders = (text: string) =>
  [...new Set(Array.from(text.matchAll(/\{(\w+)[|}]/g), ([, name]) => name))].sort();

describe('phrases', () => {
  test('both languages have the same keys and the same placeholders', () => {
    expect(Object.keys(en).sort()).toEqual(Object.keys(zh).sort());
    for (const [key, text] of Object.entries(zh)) {
      expect([key, placeholders(en[key as keyof typeof zh])]).toEqual([key, placeholders(text)]);
    }
  });

  test('every refusal and every field fault has a text', () => {
    for (const code of Object.keys(errorStatuses)) expect(zh).toHaveProperty([`error.${code}`]);
    for (const code of fieldFaultCodes) expect(zh).toHaveProperty([`field.${code}`]);
  });

  test('everything that the audit log names has a word', () => {
    for (const action of Object.keys(auditActions)) expect(zh).toHaveProperty([`audit-action.${action}`]);
    for (const kind of auditRecordKinds) expect(zh).toHaveProperty([`audit-record.${kind}`]);
  });

  test('English has no Chinese in it', () => {
    for (const text of Object.values(en)) expect(text).not.toMatch(/[\u4e00-\u9fff]/);
  });

  test('Chinese has one word for one thing', () => {
    const others = { 欠款: '欠费', 测试充电: '试充', 按电桩: '充电桩', 区域: '地区', 试运行: '试充' };
    for (const [other, word] of Object.entries(others)) {
      const keys = Object.entries(zh).filter(([, text]) => text.includes(other));
      expect([`${other} is ${word}`, keys]).toEqual([`${other} is ${word}`, []]);
    }
  });

  test('a figure is explained in the same words on the page of statistics and in the table of totals', () => {
    for (const texts of [zh, en]) {
      for (const figure of ['ordersHint', 'receivedHint', 'refundedHint'] as const) {
        expect([figure, texts[`totals.${figure}`]]).toEqual([figure, texts[`statistics.${figure}`]]);
      }
    }
  });

  test('an amount brings its own sign: phrases of the money screens write none beside it', () => {
    const files = [zhAgents, zhDividers, zhFinance, zhInvoices, zhSettlements, zhShares, zhWithdrawals];
    for (const key of files.flatMap(Object.keys) as (keyof typeof zh)[]) {
      expect([key, zh[key]]).not.toEqual([key, expect.stringMatching(/¥\{|\} ?元/)]);
      expect([key, en[key]]).not.toEqual([key, expect.stringMatching(/¥\{|\} yuan/)]);
    }
  });

  test('a value fills its braces and a missing one stays visible', () => {
    expect(fill('{a} of {b}', { a: 1 })).toBe('1 of {b}');
  });

  test('a word takes its form for one thing or several from the value that it names', () => {
    const text = '{count} gun {count|port starts|ports start}';
    for (const [count, shown] of [
      [0, '0 gun ports start'],
      [1, '1 gun port starts'],
      ['1', '1 gun port starts'],
      [21, '21 gun ports start'],
      ['1,001', '1,001 gun ports start'],
    ] as const) {
      expect(fill(text, { count })).toBe(shown);
    }
    expect(fill(text)).toBe(text);
  });
});
