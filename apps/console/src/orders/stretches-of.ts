import type { OrderDetail } from '@voltdeck/contract/orders';
import { tariff } from '@voltdeck/contract/tariffs';
import { type PriceStretch, priceStretches } from './price-stretches.ts';

/** Prices over a chart's time span, from the order's billing rule or else from its bill. */
export function stretchesOf(
  order: Pick<OrderDetail, 'tariff' | 'lines'>,
  fromMs: number,
  toMs: number,
): PriceStretch[] {
  const rule = tariff.shape.detail.safeParse(order.tariff?.detail);
  if (rule.success && rule.data.kind === 'energy') return priceStretches(rule.data, fromMs, toMs);
  return order.lines.flatMap((line) =>
    line.kind === 'energy' ? [{ ...line, fromMs: Date.parse(line.from), toMs: Date.parse(line.to) }] : [],
  );
}
