import { priceE5 } from '@voltdeck/units/money';
import { type EnergyTariff, type PeriodPrice, periods, type Tariff } from './tariff.ts';

const nothing: PeriodPrice = { electricity: priceE5(0), service: priceE5(0) };

/** What a charge at a free station is priced by: its energy is metered as ever, and costs nothing. */
export const freeTariff: EnergyTariff = {
  kind: 'energy',
  prices: { sharp: nothing, peak: nothing, flat: nothing, valley: nothing },
  slots: [{ start: '00:00', end: '24:00', period: 'flat' }],
};

/**
 * Whether no charge can cost anything by this tariff, so that it needs no money behind it. A fixed price is paid
 * whatever the use would cost.
 */
export function isFree(tariff: Tariff): boolean {
  if (tariff.prepayment?.kind === 'fixed') return false;
  if (tariff.kind === 'hour') return tariff.tiers.every(({ feeFenPerStep }) => feeFenPerStep === 0);
  return periods.every((period) => {
    const { electricity, service } = tariff.prices[period];
    return electricity === 0 && service === 0;
  });
}
