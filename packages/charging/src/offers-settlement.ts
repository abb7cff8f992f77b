import type { OrderState } from './states.ts';

/** Whether manual settlement is offered. A charge that runs normally is ended by stopping it, which needs its station online. */
export function offersSettlement({
  state,
  abnormal,
  stationOnline,
}: {
  state: OrderState;
  abnormal: boolean;
  stationOnline: boolean;
}): boolean {
  return state === 'settling' || (state === 'charging' && (abnormal || !stationOnline));
}
