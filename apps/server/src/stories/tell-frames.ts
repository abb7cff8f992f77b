import type { Protocol } from '@voltdeck/charging/states';
import type { Sentence } from '@voltdeck/charging/story/story-kinds';
import {
  isLongPause,
  type Pause,
  silencesWithin,
  tellCard,
  tellStart,
  tellStop,
  troubleLimits,
} from '@voltdeck/charging/story/troubles';
import type { ToldExchange } from '@voltdeck/charging/told-exchange';
import type { TransactionReference } from '@voltdeck/charging/transaction';
import type { StoryLink } from '@voltdeck/contract/stories';
import { toldActions as ocppActions, tellExchange as tellOcpp } from '@voltdeck/ocpp16/tell-exchange';
import type { CustomerId, StationId } from '@voltdeck/units/id';
import { dayMs, type Instant, instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { tellExchange as tellYkc, toldActions as ykcActions } from '@voltdeck/ykc/tell-exchange';
import { sql } from 'kysely';
import { scoped } from '../caller/scope.ts';
import { keyOf, logsOf, sinceOwn } from '../logs/queries.ts';
import { type CardSeen, readShownCard } from './shown-card.ts';
import type { Telling } from './telling.ts';

/** Longer frames are told by nothing but their time: a story has no use for a thousand readings in one message. */
const frameCharsMax = 65_536;
/** At most so many exchanges are read, and so many long pauses. */
const framesMax = 200;
const pausesMax = 100;
/** So many cards are looked up. */
const cardsMax = 20;
/** A pause of a station where nobody charges is told only beyond. */
const idlePauseMs = 5 * minuteMs;

const toldActions: readonly string[] = [...ocppActions, ...ykcActions];

const tellOf: Readonly<Record<Protocol, (texts: Parameters<typeof tellOcpp>[0], at: Instant) => ToldExchange | null>> =
  {
    'ocpp1.6': tellOcpp,
    ykc: tellYkc,
  };

type Span = { from: Instant; to: Instant };

/** What of the conversation with a station belongs into the story. */
export type HeardFrom = Span & {
  station: { id: StationId; number: string };
  /** The gun port, the card and the names of one charge, whose story leaves the others out. Null tells all. */
  only: { connectorNumber: number; cardNumber: string | null; transactions: readonly TransactionReference[] } | null;
  /** Whether messages that failed are told, whatever they were about. */
  tellsFailures: boolean;
  /** When charges ran. A station that says nothing then is a trouble. */
  charges: readonly Pause[];
};

/** Whether the listener may read the station's frames at all. */
async function mayHear(telling: Telling, id: StationId): Promise<boolean> {
  if (!telling.hears('frame', 'log.read')) {
    telling.leaveOut('command');
    telling.leaveOut('connection');
    return false;
  }
  const { db, caller } = telling.listener;
  const own = await scoped(db.selectFrom('stations'), caller, 'stations.agent_id')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  if (own === undefined) {
    telling.leaveOut('frame');
    telling.leaveOut('command');
    telling.leaveOut('connection');
  }
  return own !== undefined;
}

/** The exchanges that matter and the silences between all of them. */
export async function tellFrames(telling: Telling, heard: HeardFrom): Promise<void> {
  if (!(await mayHear(telling, heard.station.id))) return;
  await tellPauses(telling, heard);
  await tellExchanges(telling, heard, (exchange) => isWanted(exchange, heard.only));
}

async function tellExchanges(
  telling: Telling,
  heard: HeardFrom,
  isTold: (exchange: ToldExchange) => boolean,
): Promise<void> {
  const rows = await readMattering(telling, heard);
  const cards = new Map<string, CardSeen | null>();
  for (const row of rows) {
    const link: StoryLink = {
      to: 'frame',
      stationNumber: heard.station.number,
      key: keyOf(row),
      from: toIso(instant(row.at - minuteMs)),
      until: toIso(instant(row.at + minuteMs)),
    };
    const texts = {
      direction: row.direction as 'from-station' | 'to-station',
      request: row.request,
      answer: row.answer,
    };
    const exchange = row.request === '' ? null : (tellOf[row.protocol as Protocol]?.(texts, row.at) ?? null);
    if (exchange === null) {
      if (row.fault !== null && heard.tellsFailures) {
        telling.tell(row.at, { kind: 'exchange_failed', params: { fault: row.fault.split(':')[0] ?? '' } }, { link });
      }
      continue;
    }
    if (!isTold(exchange)) continue;
    const sentence = await sentenceOf(telling, exchange, { at: row.at, latencyMs: row.latencyMs }, cards);
    telling.tell(row.at, sentence, { link });
  }
}

function isWanted(exchange: ToldExchange, only: HeardFrom['only']): boolean {
  if (only === null) return true;
  if (exchange.kind === 'booted') return true;
  const transaction = 'transaction' in exchange ? exchange.transaction : null;
  if (transaction !== null && only.transactions.length > 0) return only.transactions.includes(transaction);
  if (exchange.connectorNumber !== null) return exchange.connectorNumber === only.connectorNumber;
  return exchange.kind !== 'card-shown' || only.cardNumber === null || isSameCard(exchange.cardNumber, only.cardNumber);
}

/** A chip's number is padded with zeros on some wires. */
function isSameCard(one: string, other: string): boolean {
  const bare = (number: string) => number.toUpperCase().replace(/^0+/, '');
  return bare(one) === bare(other);
}

async function sentenceOf(
  telling: Telling,
  exchange: ToldExchange,
  { at, latencyMs }: { at: Instant; latencyMs: number | null },
  cards: Map<string, CardSeen | null>,
): Promise<Sentence | null> {
  switch (exchange.kind) {
    case 'booted':
      return { kind: exchange.isAccepted ? 'booted' : 'boot_refused', params: {} };
    case 'card-shown': {
      const { cardNumber, authorization } = exchange;
      const isRefused = authorization !== null && authorization !== 'accepted';
      if (isRefused && !cards.has(cardNumber) && cards.size < cardsMax) {
        cards.set(cardNumber, await readShownCard(telling.listener, cardNumber, at));
      }
      const card = cards.get(cardNumber) ?? null;
      const sentence = tellCard(cardNumber, authorization, card);
      const isAboutMoney = sentence.kind === 'card_too_little' || sentence.kind === 'card_in_debt';
      // Somebody else's money is nobody's business, but that there was too little is why nothing began.
      return isAboutMoney && card?.isOwn === false ? { kind: 'card_empty', params: { cardNumber } } : sentence;
    }
    case 'began':
      return { kind: 'begin_reported', params: { connectorNumber: exchange.connectorNumber } };
    case 'ended':
      return {
        kind: exchange.isAnswered ? 'end_reported' : 'end_unanswered',
        params: { connectorNumber: exchange.connectorNumber },
      };
    case 'start-asked':
      return tellStart(exchange.outcome, exchange.connectorNumber, latencyMs);
    case 'stop-asked':
      return tellStop(exchange.outcome, latencyMs);
    case 'port-changed': {
      const { connectorNumber, state, faultCode } = exchange;
      return state === 'fault'
        ? { kind: 'port_fault', params: { connectorNumber, faultCode } }
        : { kind: 'port_state', params: { connectorNumber, portState: state } };
    }
  }
}

/** The newest exchanges of the kinds that have words, and the failed ones, oldest first. */
async function readMattering(telling: Telling, { station, from, to }: HeardFrom) {
  const { db, caller } = telling.listener;
  const all = sinceOwn(logsOf(db), caller)
    .where('log.station_id', '=', station.id)
    .where('log.at', '>=', from)
    .where('log.at', '<=', to)
    .where((eb) => eb.or([eb('log.action', 'in', toldActions), eb('log.fault', 'is not', null)]));
  const rows = await all
    .select(['log.id', 'log.at', 'log.protocol', 'log.direction', 'log.latency_ms as latencyMs', 'log.fault'])
    .select([
      shortText('request').as('request'),
      sql<string | null>`left(log.answer, ${sql.lit(frameCharsMax)})`.as('answer'),
    ])
    .orderBy('log.at', 'desc')
    .orderBy('log.id', 'desc')
    .limit(framesMax + 1)
    .execute();
  const shown = rows.slice(0, framesMax);
  if (rows.length > framesMax) {
    const { count } = await db
      .selectFrom(all.select('log.id').limit(countedMax).as('counted'))
      .select(sql<number>`count(*)::integer`.as('count'))
      .executeTakeFirstOrThrow();
    telling.noteCut('frame', shown.length, count - shown.length, count === countedMax);
  }
  return shown.reverse();
}

const countedMax = 10_000;

const shortText = (column: 'request') =>
  sql<string>`case when octet_length(${sql.ref(`log.${column}`)}) <= ${sql.lit(frameCharsMax)} then ${sql.ref(`log.${column}`)} else '' end`;

/** The long pauses of all that the station said, answers included. */
async function tellPauses(telling: Telling, { station, from, to, charges, only }: HeardFrom): Promise<void> {
  const { db, caller } = telling.listener;
  const said = sinceOwn(logsOf(db), caller)
    .select('log.at')
    .where('log.station_id', '=', station.id)
    .where('log.at', '>=', from)
    .where('log.at', '<=', to)
    .where((eb) => eb.or([eb('log.direction', '=', 'from-station'), eb('log.answer', 'is not', null)]));
  const { rows } = await sql<{ from_at: Instant; to_at: Instant; usual_ms: number | null }>`
    with said as materialized (${said}),
         pauses as (select at as from_at, lead(at, 1, to_timestamp(${to} / 1000.0)) over (order by at) as to_at from said),
         lasting as (select from_at, to_at, extract(epoch from to_at - from_at) * 1000 as ms from pauses),
         usual as (select case when count(*) >= 4 then percentile_cont(0.5) within group (order by ms) end as ms from lasting)
    select from_at, to_at, (select ms from usual)::double precision as usual_ms
      from lasting where ms > ${troubleLimits.silenceMs}
     order by ms desc limit ${sql.lit(pausesMax)}`.execute(db);
  for (const { from_at: fromAt, to_at: toAt, usual_ms: usualMs } of rows) {
    const pause = { fromMs: fromAt, toMs: toAt };
    const within = charges.flatMap((charge) => silencesWithin([pause], usualMs, charge));
    for (const { fromMs, toMs } of within) {
      const link = framesLink(station.number, fromMs, toMs);
      const params = { forMs: toMs - fromMs };
      telling.tell(instant(fromMs), { kind: 'silent', params }, { until: instant(toMs), link });
    }
    if (only === null && within.length === 0 && isLongPause(pause, usualMs, idlePauseMs)) {
      const link = framesLink(station.number, fromAt, toAt);
      telling.tell(fromAt, { kind: 'silent_idle', params: { forMs: toAt - fromAt } }, { until: toAt, link });
    }
  }
}

function framesLink(stationNumber: string, fromMs: number, toMs: number): StoryLink {
  const around = (ms: number) => toIso(instant(Math.round(ms)));
  return { to: 'frames', stationNumber, from: around(fromMs - minuteMs), until: around(toMs + minuteMs) };
}

/** Where somebody charged within so long, at so many stations at most, their refused cards are looked for. */
const usedWithinMs = 30 * dayMs;
const usedStationsMax = 5;

/** The cards of a registered user that were refused at the stations they use. */
export async function tellShownCards(telling: Telling, customerId: CustomerId, { from, to }: Span): Promise<void> {
  if (!telling.hears('frame', 'log.read')) return;
  const { db, caller, now } = telling.listener;
  const own = await scoped(db.selectFrom('cards'), caller, 'cards.agent_id', 'cards.customer_id')
    .select(['number', 'physical_number'])
    .where('customer_id', '=', customerId)
    .limit(cardsMax)
    .execute();
  const numbers = own.flatMap(({ number, physical_number: physical }) => [number, physical]);
  if (numbers.length === 0) return;
  const used = await scoped(db.selectFrom('orders'), caller, 'orders.agent_id', 'orders.customer_id')
    .innerJoin('stations', 'stations.id', 'orders.station_id')
    .select(['stations.id', 'stations.number'])
    .where('orders.customer_id', '=', customerId)
    .where('orders.placed_at', '>=', instant(now - usedWithinMs))
    .groupBy(['stations.id', 'stations.number'])
    .limit(usedStationsMax)
    .execute();
  for (const station of used) {
    if (!(await mayHear(telling, station.id))) continue;
    await tellExchanges(telling, { station, from, to, only: null, tellsFailures: false, charges: [] }, (exchange) => {
      if (exchange.kind !== 'card-shown' || exchange.authorization === 'accepted') return false;
      return numbers.some((number) => isSameCard(number, exchange.cardNumber));
    });
  }
}
