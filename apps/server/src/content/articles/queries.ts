import { type Article, listArticles } from '@voltdeck/contract/articles';
import type { ArticleId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { containing } from '../../http/list-page.ts';
import { listSource } from '../../http/list-source.ts';
import { platformOnly } from '../platform-only.ts';

const columns = [
  'articles.id',
  'articles.title',
  'articles.key',
  'articles.category',
  'articles.sort',
  'articles.remark',
  'articles.enabled',
  'articles.created_at as createdAt',
  'articles.changed_at as changedAt',
] as const;

function toArticle<Row extends { createdAt: Instant; changedAt: Instant }>(row: Row) {
  return { ...row, createdAt: toIso(row.createdAt), changedAt: toIso(row.changedAt) };
}

export async function findArticle(db: Kysely<Tables>, caller: Caller, id: ArticleId): Promise<Article | null> {
  const row = await platformOnly(db.selectFrom('articles'), caller)
    .select([...columns, 'articles.content'])
    .where('articles.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toArticle(row);
}

export const articleList = listSource({
  route: listArticles,
  filtered(db, caller, filter) {
    let articles = platformOnly(db.selectFrom('articles'), caller);
    if (filter.title !== undefined) articles = articles.where('articles.title', 'ilike', containing(filter.title));
    if (filter.key !== undefined) articles = articles.where('articles.key', 'ilike', containing(filter.key));
    if (filter.category !== undefined) articles = articles.where('articles.category', 'in', filter.category);
    if (filter.enabled !== undefined) articles = articles.where('articles.enabled', '=', filter.enabled);
    return articles;
  },
  id: sql`articles.id`,
  sorts: {
    createdAt: sql`articles.created_at`,
    changedAt: sql`articles.changed_at`,
    sort: sql`articles.sort`,
  },
  rows: (db) => db.selectFrom('articles').select(columns),
  toItem: toArticle,
});
