import { describe, expect, test } from 'vitest';
import { actionsWidthPx, headGroups, layOut } from './table-layout.ts';

const column = (key: string, isPinned = false, widthPx = 100) => ({ column: { key, title: key, widthPx }, isPinned });

describe('layOut', () => {
  test('layOut widens columns to fill the room', () => {
    const cells = layOut([column('a'), column('b', false, 300)], 1000, 0, 200);
    expect(cells.map((cell) => cell.widthPx)).toEqual([200, 600]);
  });

  test('layOut never makes columns narrower than they ask for, nor than their heads', () => {
    const cells = layOut(
      [column('a'), { column: { key: 'b', title: '开始充电时间和日期', widthPx: 10 }, isPinned: false }],
      50,
      0,
      0,
    );
    expect(cells[0]?.widthPx).toBe(100);
    expect(cells[1]?.widthPx).toBeGreaterThan(9 * 13);
  });

  test('layOut keeps pinned columns beside each other from the left edge', () => {
    const cells = layOut([column('a', true), column('b', true), column('c', false, 400)], 600, 40, 0);
    expect(cells[0]?.stickyLeftPx).toBe(40);
    expect(cells[1]?.stickyLeftPx).toBe(40 + (cells[0]?.widthPx ?? 0));
    expect(cells.map((cell) => cell.isLastPinned)).toEqual([false, true, false]);
  });

  test('layOut lets pinned columns go where they would leave no room to read', () => {
    const cells = layOut([column('a', true, 200), column('b', true, 200), column('c', false, 200)], 400, 0, 0);
    expect(cells.map((cell) => cell.stickyLeftPx)).toEqual([0, null, null]);
  });
});

test('neighbours of one group share a head, strangers have none', () => {
  expect(headGroups([{ key: 'a' }, { key: 'b' }])).toBeNull();
  expect(
    headGroups([{ key: 'a' }, { key: 'b', group: 'x' }, { key: 'c', group: 'x' }, { key: 'd', group: 'y' }]),
  ).toEqual([
    { title: null, span: 1, firstKey: 'a' },
    { title: 'x', span: 2, firstKey: 'b' },
    { title: 'y', span: 1, firstKey: 'd' },
  ]);
});

test('actions get the room of the wordiest row, within bounds', () => {
  expect(actionsWidthPx([])).toBe(72);
  expect(actionsWidthPx([['退款'], ['远程停止', '手动结算']])).toBeGreaterThan(actionsWidthPx([['退款']]));
  expect(actionsWidthPx([['x'.repeat(100)]])).toBe(320);
});
