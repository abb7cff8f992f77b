import type { Order } from '@voltdeck/contract/orders';
import { phrase } from '../phrases.ts';

/** An order's state; while settling, whether it waits for a person. */
export function orderStateText({ state, waitsFor }: Pick<Order, 'state' | 'waitsFor'>): string {
  return waitsFor === 'person' ? phrase('settlement-wait.person') : phrase(`order-state.${state}`);
}
