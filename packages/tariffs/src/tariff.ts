import type { WattHours, Watts } from '@voltdeck/units/energy';
import type { Fen, PriceE5 } from '@voltdeck/units/money';

/** The four price classes of a day, dearest first. */
export const periods = ['sharp', 'peak', 'flat', 'valley'] as const;
export type Period = (typeof periods)[number];

/** What one kWh costs in a period, in 1e-5 yuan: the electricity itself and the operator's service. */
export type PeriodPrice = { electricity: PriceE5; service: PriceE5 };

/** A part of the day, `start` included and `end` not, as "HH:MM" in Asia/Shanghai. "24:00" is the end of the day. */
export type TariffSlot = { start: string; end: string; period: Period };

/**
 * What becomes of what a rider paid before the charge: `prepaid` refunds what the charge did not cost, `fixed` is the
 * price whatever it used.
 */
export const prepaymentKinds = ['prepaid', 'fixed'] as const;
export type PrepaymentKind = (typeof prepaymentKinds)[number];

/** What a rider may choose to pay, and what ends the charge then: hours, energy, or with neither a full battery. */
export type RiderChoice = { amountFen: Fen; hours: number | null; energyWh: WattHours | null };

/** How two-wheelers pay before they charge. */
export type Prepayment = { kind: PrepaymentKind; choices: readonly RiderChoice[] };

/** What any tariff may have. `chosen` is only in an order's own copy: what its rider paid for. */
type PaidBefore = { prepayment?: Prepayment | undefined; chosen?: RiderChoice | undefined };

/** Priced by energy: each slot of the day belongs to a period, each period has its two prices. */
export type EnergyTariff = {
  kind: 'energy';
  prices: Readonly<Record<Period, PeriodPrice>>;
  /** In the order of the day, from 00:00 to 24:00 without gap or overlap. */
  slots: readonly TariffSlot[];
} & PaidBefore;

/** How long a step may be; the fee falls due when a step begins. */
export const stepLengthsMinutes = [1, 30, 60] as const;
export type StepMinutes = (typeof stepLengthsMinutes)[number];

/** Which power of a step chooses its tier. */
export const powerMeasures = ['average', 'peak'] as const;
export type PowerMeasure = (typeof powerMeasures)[number];

/** The fee of a step while the power lies in [fromW, toW); a null `toW` has no upper end. */
export type PowerTier = { fromW: Watts; toW: Watts | null; feeFenPerStep: Fen };

/** Priced by time, for two-wheelers: each started step costs the fee of the power tier it ran in. */
export type HourTariff = {
  kind: 'hour';
  stepMinutes: StepMinutes;
  measuredBy: PowerMeasure;
  /** In order of power, continuous from 0 W. Power above the end of an ended last tier is priced by that tier. */
  tiers: readonly PowerTier[];
  /** The charge must be stopped after this many hours; what runs on is free. */
  longestRunHours: number;
} & PaidBefore;

export type Tariff = EnergyTariff | HourTariff;

/** A day has 48 half hours, and a slot is at least one. */
export const slotsMax = 48;
export const slotMinutesMin = 30;
/** 100 yuan per kWh: anything dearer is a typing error. */
export const priceE5Max = 10_000_000;
export const tiersMax = 20;
/** 1 MW, more than any plug carries. */
export const tierPowerWMax = 1_000_000;
/** 1,000 yuan a step. */
export const stepFeeFenMax = 100_000;
export const longestRunHoursMax = 48;
export const riderChoicesMax = 6;
/** 1,000 yuan, and 100 kWh: more is a typing error at a two-wheeler. */
export const choiceFenMax = 100_000;
export const choiceWhMax = 100_000;
