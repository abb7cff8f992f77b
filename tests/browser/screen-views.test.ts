import { readFileSync } from 'node:fs';
import { screenCodes } from '@voltdeck/contract/screens';
import { expect, test } from 'vitest';
import { menuPaths, screenViews } from './screen-views.ts';

test('every screen has a view for the walks', () => {
  expect(screenViews().length).toBeGreaterThanOrEqual(screenCodes.length);
});

test('all 50 screens of the specification inside the frame exist, and those of our own', () => {
  const own = [
    'plotDetail',
    'deviceDetail',
    'stationStock',
    'chargeComparison',
    'orderStory',
    'stationStory',
    'customerStory',
    'vehicleList',
    'rulesDetail',
    'rehearsalDetail',
    'priceChangeList',
    'priceChangeDetail',
    'registerUserDetail',
    'transferList',
    'giftList',
    'debtList',
    'startFunnel',
    'reportList',
    'settlementList',
    'reconciliationList',
    'settlementDetail',
    'auditLog',
    'signInLog',
    'couponList',
    'ledgerList',
    'approvalList',
    'taskList',
    'taskDetail',
    'dividerDetail',
    'dividerIncome',
    'shareTermsList',
    'supOperatorDetail',
  ];
  expect(screenCodes.filter((code) => !own.includes(code))).toHaveLength(50);
  expect(screenCodes).toHaveLength(50 + own.length);
});

test('the conformance table claims no screen or view that is still to come', () => {
  const table = readFileSync(new URL('../../docs/conformance.md', import.meta.url), 'utf8');
  const claimed = (claim: RegExp) => [...table.matchAll(claim)].map(([, what = '']) => what);
  const opened = claimed(/2\.3 (\/\S+) opens from its menu/g);
  expect(opened.length).toBeGreaterThan(10);
  expect(opened.filter((path) => !menuPaths.includes(path))).toEqual([]);
  const looked = claimed(/every look at ([^|]+) finds no fault/g);
  const names = screenViews().map(({ name }) => name);
  expect(looked.length).toBeGreaterThan(2);
  expect(looked.filter((name) => !names.includes(name))).toEqual([]);
});
