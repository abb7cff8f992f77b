import type { InteractionLog } from '@voltdeck/contract/logs';
import type { StationId } from '@voltdeck/units/id';

/** A row of the log for tests. */
export function logOf({ atMs = 0, ...given }: Partial<InteractionLog> & { atMs?: number } = {}): InteractionLog {
  const id = given.id ?? '1';
  return {
    id,
    key: `${atMs}_${id}`,
    at: new Date(atMs).toISOString(),
    stationId: 1 as StationId,
    stationNumber: 'HZ-1',
    protocol: 'ocpp1.6',
    direction: 'from-station',
    action: 'StatusNotification',
    messageId: 'm1',
    request: '[2,"m1","StatusNotification",{}]',
    answer: '[3,"m1",{}]',
    latencyMs: 12,
    fault: null,
    ...given,
  };
}
