import { all } from '@voltdeck/phrases/zh-CN/all';
import { beforeAll, expect, test } from 'vitest';
import { learnPhrases } from '../../phrases.ts';
import { appliedFilters } from './applied-filters.ts';

beforeAll(() => learnPhrases(all));

test('a flag with its own wording does not repeat its label', () => {
  const flag = { kind: 'flag', name: 'abnormal', label: '异常' } as const;
  const textOf = (filter: object) => {
    const [chip] = appliedFilters([filter] as never, { abnormal: 'true' }, {});
    return `${chip?.label} ${chip?.text}`.trim();
  };
  expect(textOf({ ...flag, yes: '仅看异常订单' })).toBe('仅看异常订单');
  expect(textOf(flag)).toBe('异常 是');
});
