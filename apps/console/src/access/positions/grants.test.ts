import type { Menu } from '@voltdeck/contract/menus';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  countOf,
  filteredTree,
  type GrantNode,
  grantsOf,
  grantTree,
  rightsOf,
  withBranch,
  withGrant,
} from './grants.ts';

function menu(code: string, parentCode: string | null, frontendUrl: string | null, over: Partial<Menu> = {}): Menu {
  return {
    code,
    parentCode,
    nameZh: code,
    nameEn: code,
    kind: code.includes('.') ? 'button' : 'menu',
    frontendUrl,
    backendUrl: '',
    icon: null,
    permission: null,
    sort: 1,
    shown: true,
    enabled: true,
    builtIn: true,
    ...over,
  };
}

const menus = [
  menu('home', null, '/home'),
  menu('orders', null, null),
  menu('history', 'orders', '/history'),
  menu('order.refund', 'history', null),
  menu('order.export', 'history', null),
  menu('live', 'orders', '/live'),
  menu('order.stop', 'live', null),
  menu('invoice', null, null),
  menu('invoiceList', 'invoice', '/invoiceList'),
  menu('invoice.void', 'invoiceList', null),
];

const tree = (lacking: readonly string[] = []) =>
  grantTree({
    menus,
    grantable: new Set(menus.map(({ code }) => code).filter((code) => !lacking.includes(code))),
    hasPage: (url) => url !== '/invoiceList',
    nameOf: ({ nameEn }) => nameEn,
  });
const codes = (nodes: readonly GrantNode[]) => nodes.flatMap(grantsOf).map(({ code }) => code);

describe('the tree of a position', () => {
  test('the tree of a position leaves out screens that this version lacks, and groups with nothing left', () => {
    expect(tree().map(({ code }) => code)).toEqual(['home', 'orders']);
    expect(codes(tree())).toEqual(['home', 'history', 'order.refund', 'order.export', 'live', 'order.stop']);
  });

  test('the tree of a position checks the screen along with a button', () => {
    expect([...withGrant(new Set(), tree(), 'order.refund', true)].sort()).toEqual(['history', 'order.refund']);
  });

  test('the tree of a position unchecks the buttons along with their screen', () => {
    const granted = new Set(['history', 'order.refund', 'live']);
    expect([...withGrant(granted, tree(), 'history', false)]).toEqual(['live']);
  });

  test('the tree of a position checks a screen without its buttons, so that nobody grants refunds by accident', () => {
    expect([...withGrant(new Set(), tree(), 'history', true)]).toEqual(['history']);
  });

  test('the tree of a position keeps grants of screens that it does not show', () => {
    const granted = new Set(['invoiceList', 'invoice.void']);
    const all = withBranch(granted, tree(), true);
    expect(all.has('invoice.void')).toBe(true);
    expect([...withBranch(all, tree(), false)].sort()).toEqual(['invoice.void', 'invoiceList']);
  });

  test('the tree of a position neither grants nor revokes what the caller lacks', () => {
    const lacking = tree(['order.refund']);
    expect(withBranch(new Set(), lacking, true).has('order.refund')).toBe(false);
    expect(withBranch(new Set(['order.refund']), lacking, false).has('order.refund')).toBe(true);
    expect(withGrant(new Set(), lacking, 'order.refund', true).has('order.refund')).toBe(false);
  });

  test('the tree of a position counts grants out of possible grants', () => {
    expect(countOf(tree(), new Set(['home', 'order.stop', 'invoiceList']))).toEqual({ granted: 2, total: 6 });
  });

  test('the tree of a position filtered by a name keeps ancestors and descendants of a match', () => {
    expect(codes(filteredTree(tree(), 'REFUND'))).toEqual(['history', 'order.refund']);
    expect(codes(filteredTree(tree(), 'history'))).toEqual(['history', 'order.refund', 'order.export']);
    expect(filteredTree(tree(), 'nothing like it')).toEqual([]);
  });

  test('the tree of a position never has a granted button on a screen that is not granted, whatever is clicked', () => {
    const all = [...codes(tree()), 'orders'];
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...all), fc.boolean()), { maxLength: 30 }), (clicks) => {
        let granted = new Set<string>();
        for (const [code, isOn] of clicks) granted = withGrant(granted, tree(), code, isOn);
        for (const [button, screen] of [
          ['order.refund', 'history'],
          ['order.export', 'history'],
          ['order.stop', 'live'],
        ] as const) {
          if (granted.has(button)) expect(granted.has(screen)).toBe(true);
        }
      }),
    );
  });
});

test('rights are listed by screen: what may be done there, and what may not', () => {
  expect(rightsOf(tree(), new Set(['home', 'history', 'order.export']))).toEqual([
    { code: 'home', screen: 'home', area: null, may: [], mayNot: [] },
    { code: 'history', screen: 'history', area: 'orders', may: ['order.export'], mayNot: ['order.refund'] },
  ]);
});
