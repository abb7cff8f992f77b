import { type PhraseKey, phrase } from '../phrases.ts';
import { energyText, moneyText, nothingText, powerText } from '../ui/figures.ts';
import { isoDateTime } from '../ui/instants.ts';
import { durationParts } from './duration.ts';
import { e4Text } from './station-bill-rows.ts';

const secondMs = 1_000;

/** The text of a key that the server named; a word that this console does not know yet is shown as it came. */
export function wordFor(prefix: string, name: string): string {
  const key = `${prefix}.${name}`;
  const text = phrase(key as PhraseKey);
  return text === key ? name : text;
}

/** The first word that one of these families has for a name; else the name as it came. */
function firstWordFor(prefixes: readonly string[], name: string): string {
  return prefixes.map((prefix) => wordFor(prefix, name)).find((word) => word !== name) ?? name;
}

/** "1 h 23 min", for running text; a column uses `clockOf`. */
export function durationText(ms: number): string {
  const { hours, minutes } = durationParts(ms);
  return hours === 0 ? phrase('orders.minutes', { minutes }) : phrase('orders.hoursMinutes', { hours, minutes });
}

/** A ledger account in words: "card-held:12" -> what it is, and whose. */
export function accountText(account: string): string {
  const [prefix = '', ...owner] = account.split(':');
  // Cards and users each owe on an account of their own.
  const kind = prefix === 'receivable' ? `${owner[0]}-receivable` : prefix;
  return `${wordFor('orders.account', kind)}${owner.length === 0 ? '' : ` ${owner.at(-1)}`}`;
}

/** One fact of a piece of evidence or a timeline entry; the unit stands last in its name. */
export function factText(name: string, value: unknown): string {
  if (value === null || value === undefined) return nothingText;
  if (typeof value === 'boolean') return phrase(value ? 'list.yes' : 'list.no');
  if (typeof value === 'number') {
    if (name.endsWith('Wh')) return `${energyText(value, 3)} kWh`;
    if (name.endsWith('Fen')) return moneyText(value);
    if (name.endsWith('AmountE4')) return `¥${e4Text(value)}`;
    if (name.endsWith('AtMs')) return isoDateTime(new Date(value).toISOString()) ?? String(value);
    if (name.endsWith('Ms')) return durationText(value);
    if (name.endsWith('Seconds') && value < 60) return phrase('orders.seconds', { seconds: value });
    if (name.endsWith('Seconds')) return durationText(value * secondMs);
    if (name.endsWith('Minutes')) return durationText(value * 60 * secondMs);
    if (name.endsWith('Hours')) return durationText(value * 3_600 * secondMs);
    if (/(^|[a-z])(W|w)$/.test(name)) return `${powerText(value)} kW`;
    return String(value);
  }
  if (typeof value === 'string') {
    // What a station's clock said is evidence: it is shown as it came.
    if (name === 'stationTime') return value;
    const time = isoDateTime(value);
    if (time !== null) return time;
    if (name === 'stopReason' || name === 'reason') return wordFor('stop-reason', value);
    if (name === 'startMode') return wordFor('start-mode', value);
    if (name === 'authorization') return wordFor('orders.authorization', value);
    if (name === 'outcome') return firstWordFor(['command-outcome', 'orders.because'], value);
    if (name === 'because') return firstWordFor(['orders.because', 'stop-reason', 'rejection-reason'], value);
    if (name === 'register') return wordFor('orders.register', value);
    if (name === 'rule') return wordFor('abnormal-rule', value);
    return value;
  }
  return JSON.stringify(value);
}

/** The database keeps no order of facts: these read in this one, before all others. */
const factOrder: readonly string[] = [
  'because',
  'at',
  'from',
  'fromWh',
  'to',
  'toWh',
  'stationTime',
  'receivedAt',
  'lastReadingAt',
  'amountFen',
  'paidFen',
  'energyWh',
  'durationSeconds',
  'ratedPowerW',
  'deliverableWh',
  'periodsWh',
  'registersWh',
  'amountWh',
  'readWh',
  'otherOrder',
  'otherFrom',
  'otherTo',
];

function rankOf(name: string): number {
  const rank = factOrder.indexOf(name);
  return rank === -1 ? factOrder.length : rank;
}

/** Facts that a table of the page shows: the periods of a station's own bill. */
const tabled: readonly string[] = ['periods'];

/** The facts of a record in words, in the order that they read in. */
export function factsOf(facts: Readonly<Record<string, unknown>>): { name: string; label: string; text: string }[] {
  return Object.entries(facts)
    .filter(([name]) => !tabled.includes(name))
    .sort(([a], [b]) => rankOf(a) - rankOf(b))
    .map(([name, value]) => ({ name, label: wordFor('orders.fact', name), text: factText(name, value) }));
}

/** All facts of a record in one line: "last reading 12.340 kWh · register 12.100 kWh". */
export function factsText(facts: Readonly<Record<string, unknown>>): string {
  return factsOf(facts)
    .map(({ label, text }) => `${label} ${text}`)
    .join(' · ');
}
