import type { Order } from '@voltdeck/contract/orders';
import { phrase } from '../phrases.ts';

/** The state of an order; of one that is being settled, that a person is waited for. */
export function orderStateText({ state, waitsFor }: Pick<Order, 'state' | 'waitsFor'>): string {
  return waitsFor === 'person' ? phrase('settlement-wait.person') : phrase(`order-state.${state}`);
}
