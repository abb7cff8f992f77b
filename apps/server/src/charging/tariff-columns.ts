import type { ChargeTariff } from './station-facts.ts';

/** An order's own copy of its tariff. */
export function tariffColumns(tariff: ChargeTariff | null) {
  return {
    billing_type: tariff?.kind ?? 'energy',
    tariff_id: tariff?.id ?? null,
    tariff: tariff === null ? null : JSON.stringify(tariff.detail),
  } as const;
}
