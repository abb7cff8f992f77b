import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import { protocols } from '@voltdeck/charging/states';
import {
  type getCardStations,
  type getStationCards,
  type OfflineListState,
  offlineListRowsMax,
  type syncCardStations as syncRoute,
} from '@voltdeck/contract/card-stations';
import type { ApiError } from '@voltdeck/contract/errors';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { CardId, StationId } from '@voltdeck/units/id';
import { type Instant, isoOrNull } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Started } from '../background/announce-task.ts';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { queueCommands } from '../stations/commands/start-station-commands.ts';

type CardStations = AnswerOf<typeof getCardStations>;
type StationCards = AnswerOf<typeof getStationCards>;

/** Protocols whose stations keep a list of cards. */
const listProtocols = protocols.filter((protocol) => protocolTraits[protocol].commands.includes('store-cards'));

/** An offline card in use belongs into the list of every station of its agent. */
const isWanted = (at: Instant) => sql<boolean>`(cards.type = 'offline' and cards.state = 'active'
  and (cards.expires_at is null or cards.expires_at > to_timestamp(${at} / 1000.0))
  and cards.agent_id is not distinct from stations.agent_id and stations.protocol = any(${listProtocols}))`;

const stateOf = (at: Instant): RawBuilder<OfflineListState> => sql<OfflineListState>`
  case when k.station_id is null then 'missing' when ${isWanted(at)} then 'stored' else 'to_clear' end`;

/** What stands first in answers: that which a person has to do something about. */
const byState = (at: Instant) => sql`case when k.station_id is null then 0 when ${isWanted(at)} then 2 else 1 end`;

/** The pairs of cards and stations within the caller's scope where one has or should have the other. */
function pairs(db: Kysely<Tables>, caller: Caller, at: Instant) {
  const both = db
    .selectFrom('cards')
    .innerJoin('stations', (join) => join.onTrue())
    .leftJoin('station_cards as k', (join) =>
      join.onRef('k.station_id', '=', 'stations.id').onRef('k.physical_number', '=', 'cards.physical_number'),
    )
    .where(sql<boolean>`(k.station_id is not null or ${isWanted(at)})`);
  return scoped(scoped(both, caller, 'cards.agent_id'), caller, 'stations.agent_id');
}

type Counts = Pick<CardStations, 'storedCount' | 'missingCount' | 'toClearCount'>;

async function countPairs(query: ReturnType<typeof pairs>, at: Instant): Promise<Counts> {
  const count = (state: OfflineListState) => sql<number>`count(*) filter (where ${stateOf(at)} = ${state})`;
  return query
    .select([
      count('stored').as('storedCount'),
      count('missing').as('missingCount'),
      count('to_clear').as('toClearCount'),
    ])
    .executeTakeFirstOrThrow();
}

/** The stations that hold a card or should; null for a card out of scope. */
export async function findCardStations(
  db: Kysely<Tables>,
  caller: Caller,
  id: CardId,
  at: Instant,
): Promise<CardStations | null> {
  const card = await scoped(db.selectFrom('cards'), caller, 'cards.agent_id', 'cards.customer_id')
    .select(['type', 'state', 'expires_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (card === undefined) return null;
  const ofCard = pairs(db, caller, at).where('cards.id', '=', id);
  const stations = await ofCard
    .leftJoin('sites', 'sites.id', 'stations.site_id')
    .select(['stations.id', 'stations.number', 'stations.name', 'stations.online', 'k.given_at as givenAt'])
    .select([sql<string>`coalesce(sites.name, '')`.as('siteName'), stateOf(at).as('state')])
    .orderBy(byState(at))
    .orderBy('stations.number')
    .limit(offlineListRowsMax)
    .execute();
  const isUsable = card.state === 'active' && (card.expires_at === null || card.expires_at > at);
  return {
    isWanted: card.type === 'offline' && isUsable,
    ...(await countPairs(ofCard, at)),
    stations: stations.map((station) => ({ ...station, givenAt: isoOrNull(station.givenAt) })),
  };
}

/** The cards that a station holds or should; null for a station out of scope. */
export async function findStationCards(
  db: Kysely<Tables>,
  caller: Caller,
  id: StationId,
  at: Instant,
): Promise<StationCards | null> {
  const station = await scoped(db.selectFrom('stations'), caller, 'stations.agent_id')
    .select('protocol')
    .where('id', '=', id)
    .executeTakeFirst();
  if (station === undefined) return null;
  const ofStation = pairs(db, caller, at).where('stations.id', '=', id);
  const cards = await ofStation
    .select(['cards.id', 'cards.number as cardNumber', 'cards.state as cardState', 'k.given_at as givenAt'])
    .select(stateOf(at).as('state'))
    .orderBy(byState(at))
    .orderBy('cards.number')
    .limit(offlineListRowsMax)
    .execute();
  return {
    keepsList: listProtocols.includes(station.protocol),
    ...(await countPairs(ofStation, at)),
    cards: cards.map((card) => ({ ...card, givenAt: isoOrNull(card.givenAt) })),
  };
}

/** Asks every station whose list has not what it should of a card, as a task with a row for each. */
export async function syncCardStations(
  trx: Trx,
  caller: Caller,
  id: CardId,
  at: Instant,
): Promise<Result<Started<AnswerOf<typeof syncRoute>>, ApiError>> {
  const known = await findCardStations(trx, caller, id, at);
  if (known === null) return failed({ code: 'record.not_found' });
  const { number } = await trx.selectFrom('cards').select('number').where('id', '=', id).executeTakeFirstOrThrow();
  // A card is in use or is not, so its stations lack one and the same thing.
  const state = known.isWanted ? 'missing' : 'to_clear';
  const stations = await pairs(trx, caller, at)
    .where('cards.id', '=', id)
    .where(stateOf(at), '=', state)
    .select(['stations.id', 'stations.number', 'stations.protocol'])
    .orderBy('stations.number')
    .execute();
  if (stations.length === 0) return failed({ code: 'card.in_sync' });
  const kind = known.isWanted ? 'store-cards' : 'clear-cards';
  return queueCommands(trx, caller, { command: { kind, cardNumbers: [number] }, sealedPassword: null }, stations, at);
}
