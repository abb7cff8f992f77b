import type { AbnormalRule } from '@voltdeck/charging/states';
import { minuteMs, secondMs } from '@voltdeck/units/instant';
import { type Fen, formatYuan } from '@voltdeck/units/money';
import type { OrderFlag } from './orders.ts';

type Evidence = Readonly<Record<string, unknown>>;
type Params = Readonly<Record<string, string | number>>;

/** What puts evidence into the reader's words. */
export type SayEvidence = {
  /** The words of a key with `params` in them; null where there are none. */
  words(key: string, params?: Params): string | null;
  /** An instant as the reader's other times are written. */
  time(iso: string): string;
};

/** One sentence of evidence: the ending of its key, and the figures in it. */
type Sentence = { variant?: string; params?: Params };
type Tell = (evidence: Evidence, figures: Figures) => Sentence;

/** The figures of evidence by name, each with its unit; a dash where the flag has none. */
type Figures = {
  kwh(name: string): string;
  kw(name: string): string;
  yuan(name: string): string;
  /** From 1e-4 yuan. */
  e4(name: string): string;
  time(name: string): string;
  lasting(ms: number): string;
  text(name: string): string;
  word(prefixes: readonly string[], name: string): string;
};

const dash = '–';
const has = (evidence: Evidence, name: string) => evidence[name] !== undefined && evidence[name] !== null;
const numberIn = (evidence: Evidence, name: string) =>
  typeof evidence[name] === 'number' ? (evidence[name] as number) : null;

function figuresOf(evidence: Evidence, say: SayEvidence): Figures {
  const scaled = (name: string, perUnit: number, decimals: number) => {
    const value = numberIn(evidence, name);
    return value === null ? dash : (value / perUnit).toFixed(decimals);
  };
  const text = (name: string) => (has(evidence, name) ? String(evidence[name]) : dash);
  return {
    kwh: (name) => scaled(name, 1_000, 3),
    kw: (name) => scaled(name, 1_000, 1),
    yuan: (name) => {
      const value = numberIn(evidence, name);
      return value === null ? dash : formatYuan(value as Fen);
    },
    e4: (name) => scaled(name, 10_000, 2),
    time: (name) => (typeof evidence[name] === 'string' ? say.time(evidence[name]) : dash),
    lasting: (ms) => durationOf(ms, say),
    text,
    word: (prefixes, name) =>
      prefixes.map((prefix) => say.words(`${prefix}.${text(name)}`)).find((word) => word !== null) ?? text(name),
  };
}

function durationOf(ms: number, { words }: SayEvidence): string {
  if (ms < minuteMs) return words('orders.seconds', { seconds: Math.max(0, Math.round(ms / secondMs)) }) ?? dash;
  const minutes = Math.floor(ms / minuteMs);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return (
    (hours === 0 ? words('orders.minutes', { minutes }) : words('orders.hoursMinutes', { hours, minutes: rest })) ??
    dash
  );
}

/** How long it took from `from` to `to`. */
function spanMs({ from, to }: Evidence): number {
  return typeof from === 'string' && typeof to === 'string' ? Date.parse(to) - Date.parse(from) : 0;
}

/** Registers of readings have their instants; those of a station's own record do not. */
const tellLeap: Tell = (evidence, { kwh, kw, lasting }): Sentence =>
  has(evidence, 'fromWh')
    ? {
        ...(spanMs(evidence) <= 0 && { variant: 'at_once' }),
        params: {
          from: kwh('fromWh'),
          to: kwh('toWh'),
          lasting: lasting(spanMs(evidence)),
          rated: kw('ratedPowerW'),
        },
      }
    : {
        variant: 'record',
        params: { from: kwh('meterStartWh'), to: kwh('meterStopWh'), energy: kwh('energyWh') },
      };

/** The sentence of each rule. It says what the rule saw, while `abnormal-why` says what the rule means. */
const tells: Readonly<Record<AbnormalRule, Tell>> = {
  no_stop_received: (evidence, { time, lasting }): Sentence => {
    const last = { last: time('lastReadingAt') };
    if (has(evidence, 'nextStartAt')) return { variant: 'followed', params: { at: time('nextStartAt') } };
    if (has(evidence, 'portFreeAt')) return { variant: 'port_free', params: { at: time('portFreeAt'), ...last } };
    const waitedMs =
      (numberIn(evidence, 'waitedHours') ?? 0) * 60 * minuteMs + (numberIn(evidence, 'waitedMinutes') ?? 0) * minuteMs;
    if (waitedMs > 0) return { variant: 'waited', params: { lasting: lasting(waitedMs) } };
    return has(evidence, 'lastReadingAt') ? { params: last } : { variant: 'unread' };
  },
  meter_backwards: tellLeap,
  meter_jump: tellLeap,
  energy_without_time: (_, { kwh }): Sentence => ({ params: { energy: kwh('energyWh') } }),
  amount_above_prepaid: (evidence, { yuan }): Sentence => ({
    variant: has(evidence, 'shortfallFen') ? 'owed' : 'forgone',
    params: {
      amount: yuan('amountFen'),
      held: yuan('heldFen'),
      owed: yuan('shortfallFen'),
      forgone: yuan('forgoneFen'),
    },
  }),
  station_lost: (evidence, { time }): Sentence =>
    has(evidence, 'lastReadingAt') ? { params: { last: time('lastReadingAt') } } : { variant: 'unread' },
  settlement_failed: (_, { word }): Sentence => ({ params: { because: word(['orders.because'], 'because') } }),
  price_missing: () => ({}),
  clock_wrong: (evidence, { time }): Sentence =>
    has(evidence, 'startedAt')
      ? { variant: 'before_start', params: { told: time('stationTime'), started: time('startedAt') } }
      : { params: { told: time('stationTime'), received: time('receivedAt') } },
  card_not_accepted: (evidence, { text, word }): Sentence => ({
    ...(has(evidence, 'cardNumber') ? {} : { variant: 'no_card' }),
    params: { card: text('cardNumber'), because: word(['orders.authorization'], 'authorization') },
  }),
  start_missing: (evidence, { text, kwh }): Sentence => {
    const named = { transaction: text('transaction') };
    if (has(evidence, 'cancelledOrder')) {
      return { variant: 'cancelled', params: { ...named, order: text('cancelledOrder') } };
    }
    return has(evidence, 'meterStopWh')
      ? { variant: 'stop', params: { ...named, register: kwh('meterStopWh') } }
      : { params: named };
  },
  amount_differs: (evidence, { e4, yuan, kwh }): Sentence => ({
    ...(has(evidence, 'billedWh') && { variant: 'after' }),
    params: {
      station: e4('stationAmountE4'),
      ours: yuan(has(evidence, 'oursFen') ? 'oursFen' : 'billedFen'),
      energy: kwh('energyWh'),
      billed: kwh('billedWh'),
    },
  }),
  energy_implausible: (evidence, { kwh, kw, lasting }): Sentence => ({
    params: {
      energy: kwh('energyWh'),
      most: kwh('deliverableWh'),
      lasting: lasting((numberIn(evidence, 'durationSeconds') ?? 0) * secondMs),
      rated: kw('ratedPowerW'),
    },
  }),
  power_implausible: (_, { kw, time }): Sentence => ({
    params: { power: kw('powerW'), rated: kw('ratedPowerW'), at: time('at') },
  }),
  record_contradicts: (evidence, { kwh }): Sentence => ({
    ...(has(evidence, 'energyWh') ? {} : { variant: 'no_total' }),
    params: {
      energy: kwh('energyWh'),
      periods: kwh('periodsWh'),
      registers: kwh('registersWh'),
      read: kwh('readWh'),
    },
  }),
  record_unasked: (evidence, { text, yuan, word }): Sentence => {
    const card = { card: text('cardNumber') };
    if (has(evidence, 'otherOrder')) return { variant: 'overlaps', params: { ...card, order: text('otherOrder') } };
    if (has(evidence, 'amountFen')) return { variant: 'above_balance', params: { ...card, amount: yuan('amountFen') } };
    return { params: { ...card, because: word(['orders.because'], 'because') } };
  },
  register_missing: (evidence, { word, text }): Sentence => ({
    ...(has(evidence, 'told') && { variant: 'told' }),
    params: { register: word(['orders.register'], 'register'), told: text('told') },
  }),
  port_unregistered: (_, { text }): Sentence => ({ params: { port: text('connectorNumber') } }),
  stop_differs: (_, { kwh }): Sentence => ({ params: { energy: kwh('energyWh'), billed: kwh('billedWh') } }),
  message_failed: (_, { text, time }): Sentence => ({ params: { fault: text('fault'), received: time('receivedAt') } }),
};

/** What a rule saw, in one sentence: "The meter jumped from 12.300 to 99.000 kWh in 4 s". */
export function evidenceSentence({ rule, evidence }: Pick<OrderFlag, 'rule' | 'evidence'>, say: SayEvidence): string {
  const facts = evidence as Evidence;
  const { variant, params } = tells[rule](facts, figuresOf(facts, say));
  const key = variant === undefined ? `abnormal-evidence.${rule}` : `abnormal-evidence.${rule}.${variant}`;
  return say.words(key, params) ?? say.words(`abnormal-rule.${rule}`) ?? rule;
}

/** A sentence for each flag, in the order of the flags. */
export function evidenceLines(flags: readonly Pick<OrderFlag, 'rule' | 'evidence'>[], say: SayEvidence): string[] {
  return flags.map((flag) => evidenceSentence(flag, say));
}
