import { expect, test } from 'vitest';
import {
  connectorGroupOf,
  connectorGroups,
  connectorStates,
  endedOrderStates,
  liveOrderStates,
  orderStates,
} from './states.ts';

test('a gun port counts as free, at fault or offline when its state says so, and otherwise as occupied', () => {
  for (const state of connectorStates) {
    const itself = connectorGroups.find((group) => group === state);
    expect([state, connectorGroupOf[state]]).toEqual([state, itself ?? 'occupied']);
  }
});

test('an order is either live or has ended', () => {
  expect([...liveOrderStates, ...endedOrderStates].sort()).toEqual([...orderStates].sort());
});

test('an order is live as long as money is held or still to be taken for it', () => {
  expect(endedOrderStates).toEqual(['completed', 'cancelled']);
});
