import type { Article, listArticles } from '@voltdeck/contract/content';
import type { QueryOf } from '@voltdeck/contract/route';
import type { ArticleId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { containing, countUpTo, type Span, sortOf } from '../../http/list-page.ts';
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

export async function listArticlePage(
  db: Kysely<Tables>,
  caller: Caller,
  filter: QueryOf<typeof listArticles>,
  span: Span,
) {
  let filtered = platformOnly(db.selectFrom('articles'), caller);
  if (filter.title !== undefined) filtered = filtered.where('articles.title', 'ilike', containing(filter.title));
  if (filter.key !== undefined) filtered = filtered.where('articles.key', 'ilike', containing(filter.key));
  if (filter.category !== undefined) filtered = filtered.where('articles.category', 'in', filter.category);
  if (filter.enabled !== undefined) filtered = filtered.where('articles.enabled', '=', filter.enabled);
  const { name, direction } = sortOf(filter.sort ?? '-createdAt');
  const column = (
    { createdAt: 'articles.created_at', changedAt: 'articles.changed_at', sort: 'articles.sort' } as const
  )[name];
  const [rows, total] = await Promise.all([
    filtered
      .select(columns)
      .orderBy(column, direction)
      .orderBy('articles.id', direction)
      .limit(span.limit)
      .offset(span.offset)
      .execute(),
    countUpTo(db, filtered),
  ]);
  return { items: rows.map(toArticle), ...total };
}
