import type { TariffFaultCode } from '@voltdeck/tariffs/check-tariff';

/**
 * The field faults of a billing rule, the same codes that `@voltdeck/tariffs` reports (a test compares them). They are
 * spelled out so that a page that only names errors does not load the pricing code.
 */
export const tariffFaultCodes = [
  'tariff.price_missing',
  'tariff.price_not_integer',
  'tariff.price_negative',
  'tariff.price_too_high',
  'tariff.slots_empty',
  'tariff.too_many_slots',
  'tariff.slot_time_invalid',
  'tariff.slot_off_half_hour',
  'tariff.slot_start_is_end',
  'tariff.slot_start_after_end',
  'tariff.slot_too_short',
  'tariff.slot_gap',
  'tariff.slot_overlap',
  'tariff.period_unknown',
  'tariff.step_unknown',
  'tariff.measure_unknown',
  'tariff.longest_run_invalid',
  'tariff.tiers_empty',
  'tariff.too_many_tiers',
  'tariff.tier_power_invalid',
  'tariff.tier_end_not_above_start',
  'tariff.tier_open_before_last',
  'tariff.tier_gap',
  'tariff.tier_overlap',
  'tariff.fee_missing',
  'tariff.fee_not_integer',
  'tariff.fee_negative',
  'tariff.fee_too_high',
  'tariff.choices_empty',
  'tariff.too_many_choices',
  'tariff.choice_amount_invalid',
  'tariff.choice_hours_invalid',
  'tariff.choice_energy_invalid',
] as const satisfies readonly TariffFaultCode[];
