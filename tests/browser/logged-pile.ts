import type { Database } from '@voltdeck/server/database/database';
import type { StationId } from '@voltdeck/units/id';
import { type Instant, instant } from '@voltdeck/units/instant';
import { writeFrame } from '@voltdeck/ykc/frame';
import { toHex } from '@voltdeck/ykc/hex';
import type { Message } from '@voltdeck/ykc/messages/all';

/** A row of the interaction log. */
export type Row = {
  stationId: number;
  protocol?: 'ykc' | 'ocpp1.6';
  at: number;
  direction?: 'from-station' | 'to-station';
  action: string | null;
  request: string;
  answer?: string | null;
  latencyMs?: number | null;
  fault?: string | null;
};

/** Inserts rows as the gateways would. */
export async function insertRows({ db }: Database, rows: readonly Row[]): Promise<void> {
  await db
    .insertInto('interaction_logs')
    .values(
      rows.map((row) => ({
        at: instant(row.at),
        station_id: row.stationId as StationId,
        protocol: row.protocol ?? 'ykc',
        direction: row.direction ?? 'from-station',
        action: row.action,
        message_id: null,
        request: row.request,
        answer: row.answer ?? null,
        latency_ms: row.latencyMs ?? (row.answer === undefined || row.answer === null ? null : 8),
        fault: row.fault ?? null,
      })),
    )
    .execute();
}

/** A frame in hex, written by the codec itself. */
export const frameText = (message: Message, sequence = 1): string => toHex(writeFrame(message, sequence));

const gunNo = 1;

/** A YKC pile's conversation from its sign-in to the end of a charge, with the events that people look for in a log. */
export function pileTalk(pileNo: string, stationId: number, from: number): Row[] {
  const tradeNo = `${pileNo}01${'2611220516000001'}`;
  const minute = (minutes: number): number => from + minutes * 60_000;
  const time: Instant = instant(from);
  const data = (energy: number): Message => ({
    kind: 'realtime-data',
    tradeNo,
    pileNo,
    gunNo,
    state: 3,
    homed: 0,
    plugged: 1,
    voltage: 3_985,
    current: 1_506,
    cableTemp: 93,
    cableCode: '0000000000000000',
    soc: 47,
    battMaxTemp: 81,
    chargedMinutes: 12,
    remainMinutes: 33,
    energy,
    lossEnergy: energy,
    amount: Math.round(energy * 1.2),
    hwFault: 0b1000001,
  });
  const beat = (at: number): Row => ({
    stationId,
    at,
    action: '0x03',
    request: frameText({ kind: 'heartbeat', pileNo, gunNo, gunState: 0 }),
    answer: frameText({ kind: 'heartbeat-answer', pileNo, gunNo, answer: 0 }),
  });
  const wrong = frameText(data(99_999));
  return [
    {
      stationId,
      at: minute(0),
      action: '0x01',
      request: frameText({
        kind: 'login',
        pileNo,
        pileType: 0,
        gunCount: 2,
        protoVersion: 16,
        softwareVersion: 'V4.1.50',
        netType: 0,
        sim: '01010101010101010101',
        carrier: 0,
      }),
      answer: frameText({ kind: 'login-answer', pileNo, result: 0 }),
    },
    {
      stationId,
      at: minute(0) + 40,
      direction: 'to-station',
      action: '0x56',
      request: frameText({ kind: 'clock-set', pileNo, time }),
      answer: frameText({ kind: 'clock-set-reply', pileNo, time }),
      latencyMs: 4_200,
    },
    ...[10, 20, 30, 40].map((seconds) => beat(minute(0) + seconds * 1_000)),
    {
      stationId,
      at: minute(1),
      direction: 'to-station',
      action: '0x36',
      request: frameText({ kind: 'remote-stop', pileNo, gunNo }),
      fault: 'TimedOut',
    },
    { stationId, at: minute(2), action: '0x13', request: frameText(data(123_456)) },
    { stationId, at: minute(2) + 15_000, action: '0x13', request: frameText(data(130_000)) },
    // A checksum from another frame.
    {
      stationId,
      at: minute(3),
      action: '0x13',
      request: `${wrong.slice(0, -4)}BEEF`,
      fault: 'Unreadable',
    },
  ];
}
