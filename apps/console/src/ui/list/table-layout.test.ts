import { describe, expect, test } from 'vitest';
import { actionsWidthPx, headGroups, layOut } from './table-layout.ts';

const column = (key: string, isPinned = false, widthPx = 100, chosenPx: number | null = null) => ({
  column: { key, title: key, widthPx },
  isPinned,
  chosenPx,
});

describe('layOut', () => {
  test('layOut widens columns to fill the room', () => {
    const cells = layOut([column('a'), column('b', false, 300)], 1000, 0, 200);
    expect(cells.map((cell) => cell.widthPx)).toEqual([200, 600]);
  });

  test('layOut never makes columns narrower than their minimum or their heads', () => {
    const cells = layOut(
      [
        column('a'),
        { column: { key: 'b', title: '开始充电时间和日期', widthPx: 10 }, isPinned: false, chosenPx: null },
      ],
      50,
      0,
      0,
    );
    expect(cells[0]?.widthPx).toBe(100);
    expect(cells[1]?.widthPx).toBeGreaterThan(9 * 13);
  });

  test('layOut gives a column the width that the user chose, and the others the rest', () => {
    const cells = layOut([column('a', false, 100, 60), column('b'), column('c', false, 200)], 960, 0, 0);
    expect(cells.map((cell) => cell.widthPx)).toEqual([60, 300, 600]);
  });

  test('layOut makes room so that the fixed actions cut no column', () => {
    const four = [column('a', true, 200), column('b', false, 150), column('c', false, 150), column('d', false, 150)];
    const cells = layOut(four, 700, 0, 150);
    expect(cells.map((cell) => cell.widthPx)).toEqual([220, 165, 165, 150]);
    expect(layOut(four, 700, 0, 0).map((cell) => cell.widthPx)).toEqual([215, 161, 161, 163]);
  });

  test('layOut leaves no gap when every column has a chosen width', () => {
    const cells = layOut([column('a', false, 100, 60), column('b', false, 100, 70)], 500, 0, 100);
    expect(cells.map((cell) => cell.widthPx)).toEqual([60, 340]);
  });

  test('layOut keeps pinned columns side by side at the left edge', () => {
    const cells = layOut([column('a', true), column('b', true), column('c', false, 400)], 600, 40, 0);
    expect(cells[0]?.stickyLeftPx).toBe(40);
    expect(cells[1]?.stickyLeftPx).toBe(40 + (cells[0]?.widthPx ?? 0));
    expect(cells.map((cell) => cell.isLastPinned)).toEqual([false, true, false]);
  });

  test('layOut unpins columns where they would leave no room to read', () => {
    const cells = layOut([column('a', true, 200), column('b', true, 200), column('c', false, 200)], 400, 0, 0);
    expect(cells.map((cell) => cell.stickyLeftPx)).toEqual([0, null, null]);
  });
});

test('neighbouring columns of one group share a head, others have none', () => {
  expect(headGroups([{ key: 'a' }, { key: 'b' }])).toBeNull();
  expect(
    headGroups([{ key: 'a' }, { key: 'b', group: 'x' }, { key: 'c', group: 'x' }, { key: 'd', group: 'y' }]),
  ).toEqual([
    { title: null, span: 1, firstKey: 'a' },
    { title: 'x', span: 2, firstKey: 'b' },
    { title: 'y', span: 1, firstKey: 'd' },
  ]);
});

test('actions get the width of the longest row, within bounds', () => {
  expect(actionsWidthPx([])).toBe(72);
  expect(actionsWidthPx([['退款'], ['远程停止', '手动结算']])).toBeGreaterThan(actionsWidthPx([['退款']]));
  expect(actionsWidthPx([['x'.repeat(100)]])).toBe(320);
});
