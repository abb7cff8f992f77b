import type { Order } from '@voltdeck/contract/orders';

/** Whether manual settlement is offered. A charge that runs normally is ended by stopping it, which needs its station online. */
export function offersSettlement({
  state,
  abnormal,
  stationOnline,
}: Pick<Order, 'state' | 'abnormal' | 'stationOnline'>): boolean {
  return state === 'settling' || (state === 'charging' && (abnormal || !stationOnline));
}
