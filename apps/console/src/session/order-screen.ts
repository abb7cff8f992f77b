import { endedOrderStates } from '@voltdeck/charging/states';
import type { Order } from '@voltdeck/contract/orders';

/** The page that shows an order: among the real-time orders until it is settled or cancelled, then in the history. */
export function orderScreen({ state }: Pick<Order, 'state'>): 'orderListDetailReal' | 'orderListDetailHistory' {
  return endedOrderStates.some((ended) => ended === state) ? 'orderListDetailHistory' : 'orderListDetailReal';
}
