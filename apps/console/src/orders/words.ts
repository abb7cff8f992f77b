import type { OrderDetail } from '@voltdeck/contract/orders';
import { minuteMs, secondMs } from '@voltdeck/units/instant';
import { knownPhrase, phrase } from '../phrases.ts';
import { energyText, longDurationText, moneyText, nothingText, powerText } from '../ui/figures.ts';
import { isoDateTime } from '../ui/instants.ts';
import { durationParts } from './duration.ts';
import { e4Text } from './station-bill-rows.ts';

/** The text for a name from the server; a name that this console does not know is shown unchanged. */
export function wordFor(prefix: string, name: string): string {
  return knownPhrase(`${prefix}.${name}`) ?? name;
}

/** The text for a name in the first of these families that has it, else the name. */
export function firstWordFor(prefixes: readonly string[], name: string): string {
  return prefixes.map((prefix) => wordFor(prefix, name)).find((word) => word !== name) ?? name;
}

/** "1 h 23 min", or "59 s" below one minute, for running text; columns use `clockOf`. */
export function durationText(ms: number): string {
  if (ms < minuteMs) return phrase('orders.seconds', { seconds: Math.max(0, Math.floor(ms / secondMs)) });
  const long = longDurationText(ms);
  if (long !== null) return long;
  const { hours, minutes } = durationParts(ms);
  return hours === 0 ? phrase('orders.minutes', { minutes }) : phrase('orders.hoursMinutes', { hours, minutes });
}

/** The billing rule by its name. */
export function ruleText({ tariff }: Pick<OrderDetail, 'tariff'>): string {
  return tariff === null ? nothingText : (tariff.name ?? phrase('orders.freeRule'));
}

type Parties = Pick<OrderDetail, 'cardNumber' | 'customerId' | 'userName' | 'phone' | 'siteId' | 'siteName'>;

/** A ledger account of an order in words, with its owner: "card-held:12". `sharer` is whose share it holds, if known. */
export function accountText(account: string, order: Parties, sharer: string | null = null): string {
  const [prefix = '', ...owner] = account.split(':');
  // Cards and users have separate receivable accounts.
  const kind = prefix === 'receivable' ? `${owner[0]}-receivable` : prefix;
  const word = wordFor('orders.account', kind);
  const id = owner.at(-1);
  return id === undefined ? word : `${word} ${sharer ?? ownerText(kind, id, order)}`;
}

/** The order's own card, user or site by name; another owner by record number. */
function ownerText(kind: string, id: string, order: Parties): string {
  // An order is paid by one card, whose record id the answer does not have.
  if (kind.startsWith('card')) return order.cardNumber ?? id;
  if (kind.startsWith('customer') && id === String(order.customerId)) return order.userName ?? order.phone ?? id;
  if (kind.endsWith('-income') && id === String(order.siteId)) return order.siteName;
  return id;
}

/** One fact of a flag or a timeline entry. The unit is the last word of its name. */
export function factText(name: string, value: unknown): string {
  if (value === null || value === undefined) return nothingText;
  if (typeof value === 'boolean') return phrase(value ? 'list.yes' : 'list.no');
  if (typeof value === 'number') {
    if (name.endsWith('Wh')) return `${energyText(value, 3)} kWh`;
    if (name.endsWith('Fen')) return moneyText(value);
    if (name.endsWith('AmountE4')) return `¥${e4Text(value)}`;
    if (name.endsWith('AtMs')) return isoDateTime(new Date(value).toISOString()) ?? String(value);
    if (name.endsWith('Ms')) return durationText(value);
    if (name.endsWith('Seconds')) return durationText(value * secondMs);
    if (name.endsWith('Minutes')) return durationText(value * 60 * secondMs);
    if (name.endsWith('Hours')) return durationText(value * 3_600 * secondMs);
    if (/(^|[a-z])(W|w)$/.test(name)) return `${powerText(value)} kW`;
    return String(value);
  }
  if (typeof value === 'string') {
    // A station clock's text is evidence and is shown unchanged.
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
    if (name === 'wrongPeriod') return wordFor('period', value);
    return value;
  }
  return JSON.stringify(value);
}

/** The database keeps no order of facts: these come first, in this order. */
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
  'powerW',
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

/** Facts that the page shows in a table: the periods of a station's own bill. */
const tabled: readonly string[] = ['periods'];

/** The facts of a record in words, in reading order. */
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
