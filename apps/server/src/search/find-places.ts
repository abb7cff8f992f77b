import type { Language } from '@voltdeck/contract/languages';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { hasPart } from '../http/part-of-text.ts';
import { say } from '../http/say.ts';
import {
  bestOf,
  byName,
  byNumber,
  hasWords,
  hasWordsIn,
  looked,
  rankIn,
  ranks,
  type SearchQuery,
  type Way,
  wordsOf,
} from './way.ts';

/** By the words of name and address. */
export const siteWays: readonly Way[] = [
  byName('plotList', 'name', (db, caller, text) =>
    bestOf(
      db,
      scoped(db.selectFrom('sites'), caller, 'sites.agent_id')
        .where(sql<boolean>`${hasWordsIn(text, 'sites', ['name', 'address'])}`)
        .select(['sites.id', 'sites.name as number', 'sites.name as title', 'sites.address as detail'])
        .select(rankIn('sites.name', text).as('rank'))
        .limit(looked),
    ),
  ),
];

/** By any part of the number, by the QR code of one of their ports, by their name, and by that of their site. */
export const stationWays: readonly Way[] = [
  byNumber((db, caller, text) => stationsNumbered(db, caller, text), { list: 'deviceList', filter: 'number' }),
  byNumber((db, caller, text) => {
    const number = codeOf(text)?.station;
    return number === undefined
      ? null
      : bestOf(
          db,
          stationsOf(db, caller)
            .where('stations.number', 'in', [number, number.toUpperCase()])
            .select(sql<number>`${sql.lit(ranks.whole)}`.as('rank')),
        );
  }),
  byName('deviceList', 'name', (db, caller, text) =>
    bestOf(
      db,
      stationsOf(db, caller)
        .where(sql<boolean>`${hasWords(text, 'stations.name')}`)
        .select(rankIn('stations.name', text).as('rank'))
        .limit(looked),
    ),
  ),
  { shownBy: [], find: stationsAtSites },
];

/** By their QR code, the station's number and their own, and by the name they were given. */
export const connectorWays: readonly Way[] = [
  byNumber((db, caller, text) => {
    const code = codeOf(text);
    if (code === null) return null;
    const candidates = connectorsOf(db, caller)
      .where('connectors.number', '=', code.port)
      .where(hasPart('stations.number', 'number', code.station))
      .select(rankOfCode(text).as('rank'))
      .limit(looked);
    return bestOf(db, candidates);
  }),
  byName('portList', 'name', (db, caller, text) =>
    bestOf(
      db,
      connectorsOf(db, caller)
        .where(sql<boolean>`${hasWords(text, 'connectors.name')}`)
        .select(rankIn('connectors.name', text).as('rank'))
        .limit(looked),
    ),
  ),
];

const codeForm = /^(.{2,})-(\d{1,3})$/;

/** What a port's QR code says (`qrTextOf`); null for other texts. */
function codeOf(text: string): { station: string; port: number } | null {
  const [, station, port] = codeForm.exec(text) ?? [];
  return station === undefined || port === undefined ? null : { station, port: Number(port) };
}

function rankOfCode(text: string) {
  const code = sql`lower(stations.number || '-' || connectors.number)`;
  return sql<number>`case when ${code} = ${text.toLowerCase()} then ${sql.lit(ranks.whole)}
                          else ${sql.lit(ranks.part)} end`;
}

const stationColumns = [
  'stations.id',
  'stations.number',
  'stations.number as title',
  'stations.name as detail',
] as const;

function stationsOf(db: Kysely<Tables>, caller: Caller) {
  return scoped(db.selectFrom('stations'), caller, 'stations.agent_id').select(stationColumns);
}

function stationsNumbered(db: Kysely<Tables>, caller: Caller, text: string): SearchQuery {
  const candidates = stationsOf(db, caller)
    .where(hasPart('stations.number', 'number', text))
    .select(rankIn('stations.number', text).as('rank'))
    .limit(looked);
  return bestOf(db, candidates);
}

/** Sites of that name whose stations are shown. */
const sitesMax = 20;

function stationsAtSites(db: Kysely<Tables>, caller: Caller, text: string): SearchQuery | null {
  if (wordsOf(text).length === 0) return null;
  const named = scoped(db.selectFrom('sites'), caller, 'sites.agent_id')
    .select('sites.id')
    .where(sql<boolean>`${hasWords(text, 'sites.name')}`)
    .orderBy(rankIn('sites.name', text))
    .orderBy('sites.id')
    .limit(sitesMax);
  const candidates = stationsOf(db, caller)
    .where('stations.site_id', 'in', db.selectFrom(named.as('named')).select('named.id'))
    .select(sql<number>`${sql.lit(ranks.words)}`.as('rank'))
    .limit(looked);
  return bestOf(db, candidates);
}

function connectorsOf(db: Kysely<Tables>, caller: Caller) {
  return scoped(
    db.selectFrom('connectors').innerJoin('stations', 'stations.id', 'connectors.station_id'),
    caller,
    'stations.agent_id',
  )
    .select(['connectors.id', 'stations.number'])
    .select([
      sql<string>`stations.number || '-' || connectors.number`.as('title'),
      sql<string>`${portNameIn(caller.language)} || ' · ' || stations.name`.as('detail'),
    ]);
}

/** `portName` of a row. */
function portNameIn(language: Language) {
  const port = sql`replace(${say(language, 'port.numbered', { number: '?' })}, '?', connectors.number::text)`;
  const [before = '', after = ''] = say(language, 'port.named', { port: '', name: '?' }).split('?');
  return sql`${port} || case when connectors.name in ('', connectors.number::text) then ''
                             else ${before} || connectors.name || ${after} end`;
}
