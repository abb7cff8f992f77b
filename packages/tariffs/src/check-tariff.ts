import { type Watts, wattHours, watts } from '@voltdeck/units/energy';
import { type Fen, fen, type PriceE5, priceE5 } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import {
  choiceFenMax,
  choiceWhMax,
  type EnergyTariff,
  type HourTariff,
  longestRunHoursMax,
  type Period,
  type PeriodPrice,
  type PowerTier,
  type Prepayment,
  type PrepaymentKind,
  periods,
  powerMeasures,
  priceE5Max,
  type RiderChoice,
  riderChoicesMax,
  slotMinutesMin,
  slotsMax,
  stepFeeFenMax,
  stepLengthsMinutes,
  type Tariff,
  type TariffSlot,
  tierPowerWMax,
  tiersMax,
} from './tariff.ts';
import { formatTimeOfDay, parseTimeOfDay } from './time-of-day.ts';

/** Everything that can be wrong with a tariff; each code is also the key of its phrase. */
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
] as const;
export type TariffFaultCode = (typeof tariffFaultCodes)[number];

export type TariffFault = {
  code: TariffFaultCode;
  /** The path of the fault, such as `['slots', 3, 'end']`, so that a form shows it at the field. */
  path: readonly (string | number)[];
  /** The phrase's parameters: limits, times ("07:00"), powers in W. */
  params: Readonly<Record<string, string | number>>;
};

type Entered = number | null | undefined;

type ChoiceDraft = { amountFen: Entered; hours?: Entered; energyWh?: Entered };
type PrepaymentDraft = { kind: PrepaymentKind; choices: readonly ChoiceDraft[] };
type PaidBeforeDraft = { prepayment?: PrepaymentDraft | null | undefined; chosen?: RiderChoice | undefined };

/** A tariff as a form or a caller gives it: only its shape is certain. Every `Tariff` is one. */
export type TariffDraft = PaidBeforeDraft & TariffKindDraft;
type TariffKindDraft =
  | {
      kind: 'energy';
      prices?: Readonly<Partial<Record<Period, { electricity?: Entered; service?: Entered } | null>>> | null;
      slots: readonly { start: string; end: string; period: string }[];
    }
  | {
      kind: 'hour';
      stepMinutes: Entered;
      measuredBy: string;
      tiers: readonly { fromW: Entered; toW: Entered; feeFenPerStep: Entered }[];
      longestRunHours: Entered;
    };

/** Every fault of a tariff, in the order of its fields; empty when it is sound. */
export function checkTariff(draft: TariffDraft): TariffFault[] {
  const read = readTariff(draft);
  return read.ok ? [] : read.error;
}

/** A sound tariff with its slots or tiers in order, or every fault. A missing price is a fault, never zero. */
export function readTariff(draft: TariffDraft): Result<Tariff, TariffFault[]> {
  const faults: TariffFault[] = [];
  const note: Note = (code, path, params = {}) => {
    faults.push({ code, path, params });
    return null;
  };
  const tariff = draft.kind === 'energy' ? readEnergyTariff(draft, note) : readHourTariff(draft, note);
  const prepayment = draft.prepayment ? readPrepayment(draft.prepayment, note) : undefined;
  if (tariff === null || faults.length > 0) return failed(faults);
  const { chosen } = draft;
  return ok({ ...tariff, ...(prepayment ? { prepayment } : {}), ...(chosen === undefined ? {} : { chosen }) });
}

function readPrepayment({ kind, choices }: PrepaymentDraft, note: Note): Prepayment | null {
  const path = ['prepayment', 'choices'];
  if (choices.length === 0) return note('tariff.choices_empty', path);
  if (choices.length > riderChoicesMax) {
    return note('tariff.too_many_choices', path, { max: riderChoicesMax, count: choices.length });
  }
  return { kind, choices: choices.flatMap((choice, index) => readChoice(choice, [...path, index], note) ?? []) };
}

function readChoice(
  { amountFen, hours, energyWh }: ChoiceDraft,
  path: TariffFault['path'],
  note: Note,
): RiderChoice | null {
  const amount = wholeUpTo(choiceFenMax, amountFen);
  if (amount === null) note('tariff.choice_amount_invalid', [...path, 'amountFen'], { maxYuan: choiceFenMax / 100 });
  const time = wholeUpTo(longestRunHoursMax, hours);
  if (time === null && hours !== null && hours !== undefined) {
    note('tariff.choice_hours_invalid', [...path, 'hours'], { max: longestRunHoursMax });
  }
  const energy = wholeUpTo(choiceWhMax, energyWh);
  if (energy === null && energyWh !== null && energyWh !== undefined) {
    note('tariff.choice_energy_invalid', [...path, 'energyWh'], { maxKwh: choiceWhMax / 1_000 });
  }
  if (amount === null) return null;
  return { amountFen: fen(amount), hours: time, energyWh: energy === null ? null : wattHours(energy) };
}

function wholeUpTo(max: number, value: Entered): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max ? value : null;
}

type Note = (code: TariffFaultCode, path: TariffFault['path'], params?: TariffFault['params']) => null;

function readEnergyTariff(draft: TariffDraft & { kind: 'energy' }, note: Note): EnergyTariff | null {
  const [sharp, peak, flat, valley] = periods.map((period): PeriodPrice | null => {
    const price = draft.prices?.[period];
    const electricity = readPrice(price?.electricity, ['prices', period, 'electricity'], note);
    const service = readPrice(price?.service, ['prices', period, 'service'], note);
    return electricity === null || service === null ? null : { electricity, service };
  });
  const slots = readSlots(draft.slots, note);
  if (!sharp || !peak || !flat || !valley || slots === null) return null;
  return { kind: 'energy', prices: { sharp, peak, flat, valley }, slots };
}

function readPrice(value: Entered, path: TariffFault['path'], note: Note): PriceE5 | null {
  if (value === null || value === undefined) return note('tariff.price_missing', path);
  if (!Number.isInteger(value)) return note('tariff.price_not_integer', path);
  if (value < 0) return note('tariff.price_negative', path);
  if (value > priceE5Max) return note('tariff.price_too_high', path, { maxYuan: priceE5Max / 100_000 });
  return priceE5(value);
}

type ReadSlot = { index: number; startMinutes: number; endMinutes: number; slot: TariffSlot };

function readSlots(drafts: (TariffDraft & { kind: 'energy' })['slots'], note: Note): TariffSlot[] | null {
  if (drafts.length === 0) return note('tariff.slots_empty', ['slots']);
  if (drafts.length > slotsMax) {
    return note('tariff.too_many_slots', ['slots'], { max: slotsMax, count: drafts.length });
  }
  const read = drafts.map((draft, index) => readSlot(draft, index, note)).filter((slot) => slot !== null);
  // A gap next to a faulty slot would only repeat its fault.
  if (read.length < drafts.length) return null;
  read.sort((a, b) => a.startMinutes - b.startMinutes || a.endMinutes - b.endMinutes);
  checkSlotsContinuous(read, note);
  return read.map(({ slot }) => slot);
}

function readSlot(draft: { start: string; end: string; period: string }, index: number, note: Note): ReadSlot | null {
  const startMinutes = readSlotTime(draft.start, ['slots', index, 'start'], note);
  const endMinutes = readSlotTime(draft.end, ['slots', index, 'end'], note);
  const period = periods.find((known) => known === draft.period);
  if (period === undefined) note('tariff.period_unknown', ['slots', index, 'period'], { period: draft.period });
  if (startMinutes === null || endMinutes === null) return null;
  const path = ['slots', index, 'end'];
  const times = { start: draft.start, end: draft.end };
  if (startMinutes === endMinutes) return note('tariff.slot_start_is_end', path, times);
  if (startMinutes > endMinutes) return note('tariff.slot_start_after_end', path, times);
  if (endMinutes - startMinutes < slotMinutesMin) {
    return note('tariff.slot_too_short', path, { ...times, minMinutes: slotMinutesMin });
  }
  if (period === undefined) return null;
  return { index, startMinutes, endMinutes, slot: { start: draft.start, end: draft.end, period } };
}

/** Minutes since midnight, even off the half hour, so that the slot's length is known. */
function readSlotTime(text: string, path: TariffFault['path'], note: Note): number | null {
  const minutes = parseTimeOfDay(text);
  if (minutes === null) return note('tariff.slot_time_invalid', path, { time: text });
  if (minutes % slotMinutesMin !== 0) note('tariff.slot_off_half_hour', path, { time: text });
  return minutes;
}

function checkSlotsContinuous(slots: readonly ReadSlot[], note: Note): void {
  let coveredMinutes = 0;
  let lastIndex = 0;
  for (const { index, startMinutes, endMinutes } of slots) {
    const path = ['slots', index, 'start'];
    const params = { from: formatTimeOfDay(coveredMinutes), to: formatTimeOfDay(startMinutes) };
    if (startMinutes > coveredMinutes) note('tariff.slot_gap', path, params);
    if (startMinutes < coveredMinutes) {
      const until = formatTimeOfDay(Math.min(coveredMinutes, endMinutes));
      note('tariff.slot_overlap', path, { from: formatTimeOfDay(startMinutes), to: until });
    }
    if (endMinutes > coveredMinutes) {
      coveredMinutes = endMinutes;
      lastIndex = index;
    }
  }
  if (coveredMinutes < 1_440) {
    note('tariff.slot_gap', ['slots', lastIndex, 'end'], { from: formatTimeOfDay(coveredMinutes), to: '24:00' });
  }
}

function readHourTariff(draft: TariffDraft & { kind: 'hour' }, note: Note): HourTariff | null {
  const stepMinutes = stepLengthsMinutes.find((known) => known === draft.stepMinutes);
  if (stepMinutes === undefined) {
    note('tariff.step_unknown', ['stepMinutes'], { known: stepLengthsMinutes.join(', ') });
  }
  const measuredBy = powerMeasures.find((known) => known === draft.measuredBy);
  if (measuredBy === undefined) note('tariff.measure_unknown', ['measuredBy'], { measure: draft.measuredBy });
  const tiers = readTiers(draft.tiers, note);
  const longestRunHours = draft.longestRunHours ?? 0;
  if (!Number.isInteger(longestRunHours) || longestRunHours < 1 || longestRunHours > longestRunHoursMax) {
    note('tariff.longest_run_invalid', ['longestRunHours'], { max: longestRunHoursMax });
  }
  if (stepMinutes === undefined || measuredBy === undefined || tiers === null) return null;
  return { kind: 'hour', stepMinutes, measuredBy, tiers, longestRunHours };
}

type ReadTier = { index: number; tier: PowerTier };

function readTiers(drafts: (TariffDraft & { kind: 'hour' })['tiers'], note: Note): PowerTier[] | null {
  if (drafts.length === 0) return note('tariff.tiers_empty', ['tiers']);
  if (drafts.length > tiersMax) {
    return note('tariff.too_many_tiers', ['tiers'], { max: tiersMax, count: drafts.length });
  }
  const read = drafts.map((draft, index) => readTier(draft, index, note)).filter((tier) => tier !== null);
  if (read.length < drafts.length) return null;
  read.sort((a, b) => a.tier.fromW - b.tier.fromW);
  checkTiersContinuous(read, note);
  return read.map(({ tier }) => tier);
}

function readTier(
  draft: (TariffDraft & { kind: 'hour' })['tiers'][number],
  index: number,
  note: Note,
): ReadTier | null {
  const isOpen = draft.toW === null || draft.toW === undefined;
  const fromW = readPower(draft.fromW, ['tiers', index, 'fromW'], note);
  const toW = isOpen ? null : readPower(draft.toW, ['tiers', index, 'toW'], note);
  const feeFenPerStep = readFee(draft.feeFenPerStep, ['tiers', index, 'feeFenPerStep'], note);
  if (fromW === null || feeFenPerStep === null || (toW === null && !isOpen)) return null;
  if (toW !== null && toW <= fromW) {
    return note('tariff.tier_end_not_above_start', ['tiers', index, 'toW'], { fromW, toW });
  }
  return { index, tier: { fromW, toW, feeFenPerStep } };
}

function checkTiersContinuous(tiers: readonly ReadTier[], note: Note): void {
  let coveredW = 0;
  for (const [position, { index, tier }] of tiers.entries()) {
    const path = ['tiers', index, 'fromW'];
    if (tier.fromW > coveredW) note('tariff.tier_gap', path, { fromW: coveredW, toW: tier.fromW });
    if (tier.fromW < coveredW) note('tariff.tier_overlap', path, { fromW: tier.fromW, toW: coveredW });
    const next = tiers[position + 1]?.tier;
    if (tier.toW === null && next !== undefined) note('tariff.tier_open_before_last', ['tiers', index, 'toW']);
    coveredW = Math.max(coveredW, tier.toW ?? next?.fromW ?? tier.fromW);
  }
}

function readPower(value: Entered, path: TariffFault['path'], note: Note): Watts | null {
  if (value === null || value === undefined || !Number.isInteger(value) || value < 0 || value > tierPowerWMax) {
    return note('tariff.tier_power_invalid', path, { maxW: tierPowerWMax });
  }
  return watts(value);
}

function readFee(value: Entered, path: TariffFault['path'], note: Note): Fen | null {
  if (value === null || value === undefined) return note('tariff.fee_missing', path);
  if (!Number.isInteger(value)) return note('tariff.fee_not_integer', path);
  if (value < 0) return note('tariff.fee_negative', path);
  if (value > stepFeeFenMax) return note('tariff.fee_too_high', path, { maxYuan: stepFeeFenMax / 100 });
  return fen(value);
}
