import { listOrderReadings, type OrderDetail } from '@voltdeck/contract/orders';
import { tariff as tariffView } from '@voltdeck/contract/tariffs';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import { toIso } from '@voltdeck/units/instant';
import { useMemo } from 'react';
import { useAnswer } from '../api/queries.ts';
import { settlePreview } from './settle-preview.ts';

type Lines = OrderDetail['lines'];
type Reading = { at: string; energyWh: number | null; powerW: number | null };

/**
 * The lines of a charge that still runs, priced from the readings so far by the rule that will price its end. Null when
 * the order has its own lines, or nothing to price them by. `heardAtMs` is when the order's energy was last told.
 */
export function runningLines(
  order: Pick<OrderDetail, 'state' | 'lines' | 'startedAt' | 'energyWh' | 'tariff' | 'heldFen'>,
  readings: readonly Reading[],
  heardAtMs: number | null,
): Lines | null {
  if (order.state !== 'charging' || order.lines.length > 0 || order.startedAt === null) return null;
  const rule = tariffView.shape.detail.safeParse(order.tariff?.detail);
  const lastMs = readings.reduce<number>((last, reading) => Math.max(last, Date.parse(reading.at)), heardAtMs ?? 0);
  if (!rule.success || lastMs === 0) return null;
  const preview = settlePreview({
    tariff: rule.data as Tariff,
    readings,
    startedAtMs: Date.parse(order.startedAt),
    endedAtMs: lastMs,
    energyWh: readings.reduce<number>((most, reading) => Math.max(most, reading.energyWh ?? 0), order.energyWh),
    heldFen: order.heldFen,
  });
  if (preview.kind !== 'bill') return null;
  return preview.bill.lines.map((line) => ({ ...line, from: toIso(line.from), to: toIso(line.to) }));
}

/** `runningLines` of an order whose readings are asked for (and shared with its curve). */
export function useRunningLines(order: OrderDetail | undefined, heardAtMs: number | null): Lines | null {
  const isRunning = order?.state === 'charging' && order.lines.length === 0;
  const readings = useAnswer(
    listOrderReadings,
    { params: { id: order?.id ?? (0 as OrderDetail['id']) } },
    { enabled: isRunning },
  ).data;
  return useMemo(
    () => (order === undefined || readings === undefined ? null : runningLines(order, readings, heardAtMs)),
    [order, readings, heardAtMs],
  );
}
