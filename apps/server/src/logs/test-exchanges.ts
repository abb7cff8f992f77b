import { type Instant, instant } from '@voltdeck/units/instant';
import { writeFrame } from '@voltdeck/ykc/frame';
import { toHex } from '@voltdeck/ykc/hex';
import type { Database } from '../database/database.ts';
import type { Place } from '../http/test-records.ts';
import type { LoggedExchange } from '../journal/exchanges.ts';

const pileNo = '32010200000001';

/** Frames of another protocol than that of the test's stations; the log does not check. */
export const ykcHeartbeat = toHex(writeFrame({ kind: 'heartbeat', pileNo, gunNo: 1, gunState: 1 }, 0x0102));
export const ykcHeartbeatAnswer = toHex(writeFrame({ kind: 'heartbeat-answer', pileNo, gunNo: 1, answer: 0 }, 0x0102));

/** A call of the station with its answer, with overrides. */
export function exchangeOf(
  place: Pick<Place, 'stationId'>,
  at: Instant,
  given: Partial<LoggedExchange> = {},
): LoggedExchange {
  const action = given.action ?? 'StatusNotification';
  return {
    stationId: place.stationId,
    protocol: 'ocpp1.6',
    at,
    direction: 'from-station',
    action,
    messageId: '1',
    request: `[2,"1","${action}",{"connectorId":1,"status":"Available","errorCode":"NoError"}]`,
    answer: '[3,"1",{}]',
    latencyMs: 12,
    fault: null,
    ...given,
  };
}

export async function putExchanges({ db }: Database, exchanges: readonly LoggedExchange[]): Promise<void> {
  if (exchanges.length === 0) return;
  await db
    .insertInto('interaction_logs')
    .values(
      exchanges.map((exchange) => ({
        at: instant(exchange.at),
        station_id: exchange.stationId,
        protocol: exchange.protocol,
        direction: exchange.direction,
        action: exchange.action,
        message_id: exchange.messageId,
        request: exchange.request,
        answer: exchange.answer,
        latency_ms: exchange.latencyMs,
        fault: exchange.fault,
      })),
    )
    .execute();
}
