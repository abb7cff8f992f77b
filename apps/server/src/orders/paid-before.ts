import type { PaidBefore } from '@voltdeck/charging/charge/decide-authorization';
import { fixedChoice } from '@voltdeck/tariffs/rider-choice';
import type { Tariff } from '@voltdeck/tariffs/tariff';

/** What the payer of a charge with this stored copy of its tariff pays before it; null where the use alone decides. */
export function paidBeforeBy(stored: unknown): PaidBefore | null {
  const tariff = stored as Tariff | null | undefined;
  if (tariff?.chosen === undefined) return null;
  return { amountFen: tariff.chosen.amountFen, isFixed: fixedChoice(tariff) !== null };
}
