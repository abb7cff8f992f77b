import type { Tariff as Rule } from '@voltdeck/contract/tariffs';
import type { TariffDraft } from '@voltdeck/tariffs/check-tariff';
import {
  type Period,
  type PowerMeasure,
  type PrepaymentKind,
  periods,
  type StepMinutes,
} from '@voltdeck/tariffs/tariff';
import type { AgentId } from '@voltdeck/units/id';
import type { TypedSlot } from './day-slots.ts';

/**
 * The kinds of rule that an operator chooses from. `energy` and `time` are the two engines of pricing with a single
 * price: one for every hour of the day, one for every power.
 */
export const ruleShapes = ['periods', 'energy', 'time', 'power'] as const;
export type RuleShape = (typeof ruleShapes)[number];

export type TypedPrice = { electricity?: number | undefined; service?: number | undefined };
export type TypedTier = {
  fromW?: number | undefined;
  toW?: number | null | undefined;
  feeFenPerStep?: number | undefined;
};

export type TypedChoice = {
  amountFen?: number | undefined;
  hours?: number | null | undefined;
  energyWh?: number | null | undefined;
};
export type TypedPrepayment = { kind: PrepaymentKind; choices: readonly TypedChoice[] };

/** What the form holds; anything may be missing while it is filled in. */
export type RuleValues = {
  name: string;
  note?: string | undefined;
  agentId?: AgentId | undefined;
  shape: RuleShape;
  prices: Partial<Record<Period, TypedPrice>>;
  slots: readonly TypedSlot[];
  tiers: readonly TypedTier[];
  stepMinutes: StepMinutes;
  measuredBy: PowerMeasure;
  longestRunHours?: number | undefined;
  /** For two-wheelers; not at all for a rule by period. */
  prepayment?: TypedPrepayment | undefined;
  when: 'now' | 'later';
  takesEffectAt?: string | undefined;
};

const wholeDay = [{ start: '00:00', end: '24:00', period: 'flat' }] as const;

export const newRule: RuleValues = {
  name: '',
  shape: 'periods',
  prices: {},
  slots: [...wholeDay],
  tiers: [{ fromW: 0, toW: null }],
  stepMinutes: 60,
  measuredBy: 'average',
  longestRunHours: 12,
  when: 'now',
};

/** The shape in which a rule's prices are edited. */
export function shapeOf(detail: Rule['detail']): RuleShape {
  if (detail.kind === 'hour') return detail.tiers.length === 1 ? 'time' : 'power';
  const [first] = periods.map((period) => detail.prices[period]);
  const isOnePrice = periods.every(
    (period) =>
      detail.prices[period].electricity === first?.electricity && detail.prices[period].service === first?.service,
  );
  return isOnePrice ? 'energy' : 'periods';
}

/** The form's values for a rule. */
export function valuesOfRule({ name, note, agentId, detail }: Pick<Rule, 'name' | 'note' | 'agentId' | 'detail'>) {
  return {
    ...newRule,
    name,
    note,
    agentId: agentId ?? undefined,
    shape: shapeOf(detail),
    prepayment: detail.prepayment,
    ...(detail.kind === 'energy'
      ? { prices: detail.prices, slots: detail.slots }
      : {
          tiers: detail.tiers,
          stepMinutes: detail.stepMinutes,
          measuredBy: detail.measuredBy,
          longestRunHours: detail.longestRunHours,
        }),
  } satisfies RuleValues;
}

/** The prices as they would be sent; whatever is missing stays missing, for `readTariff` to say so. */
export function draftOf(values: RuleValues): TariffDraft {
  const draft = pricesOf(values);
  const { shape, prepayment } = values;
  if (shape === 'periods' || prepayment === undefined) return draft;
  const choices = prepayment.choices.map(({ amountFen, hours, energyWh }) => ({ amountFen, hours, energyWh }));
  return { ...draft, prepayment: { kind: prepayment.kind, choices } };
}

function pricesOf(values: RuleValues): TariffDraft {
  const { shape, prices, slots, tiers, stepMinutes, measuredBy, longestRunHours } = values;
  switch (shape) {
    case 'periods':
      return { kind: 'energy', prices, slots };
    case 'energy': {
      const one = prices.flat ?? {};
      return { kind: 'energy', prices: { sharp: one, peak: one, flat: one, valley: one }, slots: wholeDay };
    }
    case 'time':
      return {
        kind: 'hour',
        stepMinutes,
        measuredBy: 'average',
        tiers: [{ fromW: 0, toW: null, feeFenPerStep: tiers[0]?.feeFenPerStep }],
        longestRunHours,
      };
    case 'power':
      return {
        kind: 'hour',
        stepMinutes,
        measuredBy,
        tiers: tiers.map(({ fromW, toW, feeFenPerStep }) => ({ fromW, toW, feeFenPerStep })),
        longestRunHours,
      };
  }
}

/** Which powers no tier has a fee for, and for which more than one does; [from, to) in W, null for no end. */
export function tierCoverage(tiers: readonly TypedTier[]): {
  gaps: readonly { fromW: number; toW: number }[];
  overlaps: readonly { fromW: number; toW: number }[];
} {
  const known = tiers
    .flatMap(({ fromW, toW }) => (fromW === undefined ? [] : [{ fromW, toW: toW ?? Number.POSITIVE_INFINITY }]))
    .filter(({ fromW, toW }) => toW > fromW)
    .sort((a, b) => a.fromW - b.fromW);
  const gaps: { fromW: number; toW: number }[] = [];
  const overlaps: { fromW: number; toW: number }[] = [];
  let coveredW = 0;
  for (const { fromW, toW } of known) {
    if (fromW > coveredW) gaps.push({ fromW: coveredW, toW: fromW });
    if (fromW < coveredW) overlaps.push({ fromW, toW: Math.min(coveredW, toW) });
    coveredW = Math.max(coveredW, toW);
  }
  return { gaps, overlaps };
}
