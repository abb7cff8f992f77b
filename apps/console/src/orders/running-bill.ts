import { listOrderReadings, type OrderDetail } from '@voltdeck/contract/orders';
import { priceCharge } from '@voltdeck/tariffs/price-charge';
import { wattHours, watts } from '@voltdeck/units/energy';
import { instant, toIso } from '@voltdeck/units/instant';
import { useMemo } from 'react';
import { useAnswer } from '../api/queries.ts';
import { ruleOf } from './settle-preview.ts';

type Lines = OrderDetail['lines'];
type Reading = { at: string; energyWh: number | null; powerW: number | null };

/**
 * The lines of a running charge, priced from the readings so far by the rule that will price its end. Null when the
 * order has its own lines or nothing to price them by. `heardAtMs` is when the order's energy was last reported.
 */
export function runningLines(
  order: Pick<OrderDetail, 'state' | 'lines' | 'startedAt' | 'energyWh' | 'tariff'>,
  readings: readonly Reading[],
  heardAtMs: number | null,
): Lines | null {
  if (order.state !== 'charging' || order.lines.length > 0 || order.startedAt === null) return null;
  const tariff = ruleOf(order);
  const startedAtMs = Date.parse(order.startedAt);
  const lastMs = readings.reduce<number>((last, reading) => Math.max(last, Date.parse(reading.at)), heardAtMs ?? 0);
  if (tariff === null || lastMs < startedAtMs) return null;
  // The order's own figure is shown above the bill, and it leaves out implausible readings.
  const { energyWh } = order;
  const between = readings.flatMap(({ at, energyWh: soFarWh, powerW }) => {
    const atMs = Date.parse(at);
    if (soFarWh === null || atMs <= startedAtMs || atMs >= lastMs) return [];
    const energy = wattHours(Math.min(Math.max(soFarWh, 0), energyWh));
    return [{ at: instant(atMs), energyWh: energy, ...(powerW === null ? {} : { powerW: watts(powerW) }) }];
  });
  const priced = priceCharge({
    tariff,
    readings: [
      { at: instant(startedAtMs), energyWh: wattHours(0) },
      ...between,
      { at: instant(lastMs), energyWh: wattHours(energyWh) },
    ],
  });
  if (!priced.ok) return null;
  return priced.value.lines.map((line) => ({ ...line, from: toIso(line.from), to: toIso(line.to) }));
}

/** `runningLines` of an order, with its readings fetched (and shared with its curve). */
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
