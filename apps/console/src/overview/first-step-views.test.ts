import type { FirstStep, FirstSteps } from '@voltdeck/contract/first-steps';
import { all } from '@voltdeck/phrases/en/all';
import type { CardId, ConnectorId, OrderId, SiteId, StationId, TariffId } from '@voltdeck/units/id';
import { expect, test } from 'vitest';
import { learnPhrases } from '../phrases.ts';
import { openWays, rightName, stepViews } from './first-step-views.ts';

learnPhrases(all);

const known: FirstSteps['known'] = {
  siteId: null,
  tariffId: null,
  unpricedStationId: null,
  awaitedStation: null,
  awaitedStations: 0,
  pluggedConnectorId: null,
  hasPayer: false,
  cardId: null,
  customerId: null,
  order: null,
};
const names: readonly FirstStep[] = ['site', 'tariff', 'station', 'connection', 'money', 'charge'];
const steps = (done: readonly FirstStep[], given: Partial<FirstSteps['known']> = {}) =>
  stepViews({
    of: 'network',
    state: 'open',
    steps: names.map((step) => ({ step, isDone: done.includes(step) })),
    known: { ...known, ...given },
  });
const leads = (done: readonly FirstStep[], given: Partial<FirstSteps['known']>, step: FirstStep) =>
  steps(done, given)
    .find((view) => view.step === step)
    ?.ways.map(({ place }) => place.address);

test('each step leads to its form with what is known filled in', () => {
  expect(leads([], {}, 'site')).toEqual(['/plotList?do=add']);
  expect(leads(['site'], {}, 'tariff')).toEqual(['/rules/list?do=add']);
  expect(leads(['site'], { siteId: 3 as SiteId, tariffId: 4 as TariffId }, 'station')).toEqual([
    '/deviceList?do=add&with.siteId=3&with.cardTariffId=4',
  ]);
  expect(leads(['station'], { unpricedStationId: 5 as StationId }, 'tariff')).toEqual(['/deviceList?do=edit&of=5']);
  expect(leads(['station'], { awaitedStation: { id: 5 as StationId, name: 'East' } }, 'connection')).toEqual([
    '/deviceList?do=connection&of=5',
  ]);
  expect(leads([], { awaitedStations: 2 }, 'connection')).toEqual(['/deviceList?online=false']);
  expect(leads([], {}, 'money')).toEqual(['/cardList?do=add', '/registerUser?do=add']);
  expect(leads([], { hasPayer: true, cardId: 6 as CardId }, 'money')).toEqual(['/recharge?cardId=6']);
  expect(leads([], { hasPayer: true }, 'money')).toEqual(['/recharge']);
  expect(leads([], { pluggedConnectorId: 7 as ConnectorId }, 'charge')).toEqual(['/portList?do=start&of=7']);
  expect(leads([], { pluggedConnectorId: 7 as ConnectorId, cardId: 6 as CardId }, 'charge')).toEqual([
    '/portList?do=start&of=7&with.cardId=6',
  ]);
  const order = { id: 8 as OrderId, number: '20261124', state: 'charging' as const };
  expect(leads([], { order }, 'charge')).toEqual(['/orderListDetailReal?id=8']);
  expect(leads([], { order: { ...order, state: 'cancelled' } }, 'charge')).toEqual(['/portList']);
});

test('a step that needs another one says which', () => {
  const after = (done: readonly FirstStep[]) =>
    Object.fromEntries(steps(done).flatMap(({ step, after }) => (after === null ? [] : [[step, after]])));
  expect(after([])).toEqual({ station: 'site', connection: 'station', charge: 'connection' });
  expect(after(['site', 'station'])).toEqual({ charge: 'connection' });
});

test('a user gets the ways that they may go, and else the name of the right', () => {
  const [site, , , , money] = steps([]);
  if (site === undefined || money === undefined) throw new Error('a step is missing');
  expect(
    openWays(
      site,
      () => false,
      () => true,
    ),
  ).toEqual([]);
  expect(
    openWays(
      site,
      () => true,
      () => false,
    ),
  ).toEqual([]);
  const may = openWays(
    money,
    (permission) => permission === 'customer.edit',
    () => true,
  );
  expect(may.map(({ place }) => place.screen)).toEqual(['registerUser']);
  expect(rightName('recharge.create')).toBe('Recharge balances');
  expect(rightName('station.read')).toBe('Charging stations');
});
