import type { Protocol } from '@voltdeck/charging/states';
import type { StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type pg from 'pg';
import { copyIn } from '../database/copy-in.ts';
import { CopyRows } from '../database/copy-rows.ts';

/** One exchange with a station, for the interaction log. */
export type LoggedExchange = {
  stationId: StationId;
  protocol: Protocol;
  at: Instant;
  direction: 'from-station' | 'to-station';
  action: string | null;
  messageId: string | null;
  request: string;
  answer: string | null;
  latencyMs: number | null;
  fault: string | null;
};

/** A durable exchange with the id of its row. */
export type StoredExchange = LoggedExchange & { id: number };

const exchangeColumns = 'at, station_id, protocol, direction, action, message_id, request, answer, latency_ms, fault';
const exchangeFields = 10;

export async function copyExchanges(client: pg.PoolClient, exchanges: readonly LoggedExchange[]): Promise<void> {
  const rows = new CopyRows(exchanges.length * 512);
  for (const exchange of exchanges) {
    rows.row(exchangeFields);
    writeExchange(rows, exchange);
  }
  await copyIn(client, `copy interaction_logs (${exchangeColumns}) from stdin (format binary)`, rows);
}

/** Assigns the exchanges' row ids in advance: COPY returns none, and the live tail needs them. */
export async function numbered(client: pg.PoolClient, exchanges: readonly LoggedExchange[]): Promise<StoredExchange[]> {
  if (exchanges.length === 0) return [];
  const { rows } = await client.query<{ id: number }>(
    "select nextval('interaction_logs_id_seq') as id from generate_series(1, $1::int)",
    [exchanges.length],
  );
  const ids = rows.map(({ id }) => id).sort((one, other) => one - other);
  return exchanges.map((exchange, index) => ({ ...exchange, id: ids[index] as number }));
}

export async function copyNumbered(client: pg.PoolClient, exchanges: readonly StoredExchange[]): Promise<void> {
  const rows = new CopyRows(exchanges.length * 512);
  for (const exchange of exchanges) {
    rows.row(exchangeFields + 1);
    rows.bigint(exchange.id);
    writeExchange(rows, exchange);
  }
  await copyIn(client, `copy interaction_logs (id, ${exchangeColumns}) from stdin (format binary)`, rows);
}

function writeExchange(rows: CopyRows, exchange: LoggedExchange): void {
  rows.instant(exchange.at);
  rows.bigint(exchange.stationId);
  rows.text(exchange.protocol);
  rows.text(exchange.direction);
  rows.text(exchange.action);
  rows.text(exchange.messageId);
  rows.text(exchange.request);
  rows.text(exchange.answer);
  rows.integer(exchange.latencyMs);
  rows.text(exchange.fault);
}
