import { type Kysely, sql } from 'kysely';
import { visiblePositions } from '../access/positions/queries.ts';
import { scopedOrPlatform } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { bestOf, byName, hasWords, looked, ofFew, rankIn, type SearchQuery } from './way.ts';

export const tariffWays = ofFew([
  byName('rulesList', 'name', (db, caller, text) =>
    bestOf(
      db,
      scopedOrPlatform(db.selectFrom('tariffs'), caller, 'tariffs.agent_id')
        .leftJoin('agents', 'agents.id', 'tariffs.agent_id')
        .where(sql<boolean>`${hasWords(text, 'tariffs.name', false)}`)
        .where('tariffs.state', '=', 'in_force')
        .where('tariffs.archived_at', 'is', null)
        .select(['tariffs.id', 'tariffs.name as number', 'tariffs.name as title'])
        .select(sql<string>`coalesce(agents.name, '')`.as('detail'))
        .select(rankIn('tariffs.name', text).as('rank'))
        .limit(looked),
    ),
  ),
]);

export const positionWays = ofFew([
  byName('role', 'name', (db, caller, text) =>
    bestOf(
      db,
      visiblePositions(db, caller)
        .where(sql<boolean>`${hasWords(text, 'positions.name', false)}`)
        .select(['positions.id', 'positions.name as number', 'positions.name as title'])
        .select('positions.description as detail')
        .select(rankIn('positions.name', text).as('rank'))
        .limit(looked),
    ),
  ),
]);

export const articleWays = ofFew([
  byName('newsList', 'title', (db, _, text) => articlesWith(db, 'title', text)),
  byName('newsList', 'key', (db, _, text) => articlesWith(db, 'key', text)),
]);

export const configWays = ofFew([
  byName('configList', 'key', (db, _, text) => configsWith(db, 'key', text)),
  byName('configList', 'name', (db, _, text) => configsWith(db, 'name', text)),
]);

function articlesWith(db: Kysely<Tables>, by: 'title' | 'key', text: string): SearchQuery {
  const candidates = db
    .selectFrom('articles')
    .where(sql<boolean>`${hasWords(text, `articles.${by}`, false)}`)
    .select(['articles.id', 'articles.title as number', 'articles.title'])
    .select(sql<string>`coalesce(articles.key, '')`.as('detail'))
    .select(rankIn(`articles.${by}`, text).as('rank'))
    .limit(looked);
  return bestOf(db, candidates);
}

function configsWith(db: Kysely<Tables>, by: 'key' | 'name', text: string): SearchQuery {
  const candidates = db
    .selectFrom('configs')
    .where(sql<boolean>`${hasWords(text, `configs.${by}`, false)}`)
    .select(['configs.id', 'configs.key as number', 'configs.key as title', 'configs.name as detail'])
    .select(rankIn(`configs.${by}`, text).as('rank'))
    .limit(looked);
  return bestOf(db, candidates);
}
