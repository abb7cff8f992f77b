import { expect, test } from 'vitest';
import {
  connectorGroupOf,
  connectorGroups,
  connectorStates,
  endedOrderStates,
  liveOrderStates,
  orderStates,
} from './states.ts';

test('a gun port counts as what its state says when it is free, at fault or offline, and as occupied in every other', () => {
  for (const state of connectorStates) {
    const itself = connectorGroups.find((group) => group === state);
    expect([state, connectorGroupOf[state]]).toEqual([state, itself ?? 'occupied']);
  }
});

test('an order is either live or has ended', () => {
  expect([...liveOrderStates, ...endedOrderStates].sort()).toEqual([...orderStates].sort());
});

test('an order lives as long as money is held or still to be taken for it', () => {
  expect(endedOrderStates).toEqual(['completed', 'cancelled']);
});
