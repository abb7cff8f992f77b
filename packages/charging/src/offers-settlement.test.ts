import { expect, test } from 'vitest';
import { offersSettlement } from './offers-settlement.ts';
import { orderStates } from './states.ts';

const offered = (abnormal: boolean, stationOnline: boolean) =>
  orderStates.filter((state) => offersSettlement({ state, abnormal, stationOnline }));

test('manual settlement is offered for a settling order, and for a running charge that cannot simply be stopped', () => {
  expect(offered(false, true)).toEqual(['settling']);
  expect(offered(true, true).toSorted()).toEqual(['charging', 'settling']);
  expect(offered(false, false).toSorted()).toEqual(['charging', 'settling']);
});
