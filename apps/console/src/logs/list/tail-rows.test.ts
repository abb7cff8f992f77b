import type { InteractionLog } from '@voltdeck/contract/logs';
import { describe, expect, test } from 'vitest';
import { logOf } from '../test-log.ts';
import { hear, mergeRows, noTailRows, resume, skip, tailRowsMax } from './tail-rows.ts';

const row = (second: number, id = second): InteractionLog => logOf({ id: String(id), atMs: second * 1_000 });
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => row(from + index));
const seconds = (logs: readonly InteractionLog[]) => logs.map(({ key }) => Number(key.split('_')[0]) / 1_000);

describe('the live view', () => {
  test('the live view shows rows newest first and once each, whatever order they arrived in', () => {
    const heard = hear(hear(noTailRows, [row(3), row(1)], false), [row(2), row(3)], false);
    expect(seconds(heard.shown)).toEqual([3, 2, 1]);
    expect(heard.isCut).toBe(false);
  });

  test('the live view counts rows that arrive while it is held and shows them on release', () => {
    const held = hear(hear(hear(noTailRows, [row(1)], false), [row(2), row(3)], true), [row(3), row(4)], true);
    expect(seconds(held.shown)).toEqual([1]);
    expect(held.waitingCount).toBe(3);
    const resumed = resume(held);
    expect(seconds(resumed.shown)).toEqual([4, 3, 2, 1]);
    expect(resumed).toMatchObject({ waiting: [], waitingCount: 0 });
  });

  test('the live view keeps a bounded number of rows, goes on counting, and says when it no longer reaches the list', () => {
    const shown = hear(noTailRows, rows(0, tailRowsMax + 7), false);
    expect(shown.shown).toHaveLength(tailRowsMax);
    expect(seconds(shown.shown)[0]).toBe(tailRowsMax + 6);
    expect(shown.isCut).toBe(true);
    const held = hear(noTailRows, rows(0, tailRowsMax + 7), true);
    expect(held.waiting).toHaveLength(tailRowsMax);
    expect(held.waitingCount).toBe(tailRowsMax + 7);
    expect(resume(held)).toMatchObject({ isCut: true });
  });

  test('the live view adds up what the server left out', () => {
    expect(skip(skip(noTailRows, 4), 3).skippedCount).toBe(7);
  });
});

test('rows of the same instant are sorted by number', () => {
  expect(mergeRows([row(1, 9)], [row(1, 10), row(1, 8)]).map(({ id }) => id)).toEqual(['10', '9', '8']);
});
