import type { Advert, listAdverts } from '@voltdeck/contract/content';
import type { QueryOf } from '@voltdeck/contract/route';
import type { AdvertId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { fileUrl } from '../../files/file-url.ts';
import { containing, countUpTo, type Span, sortOf } from '../../http/list-page.ts';
import { platformOnly } from '../platform-only.ts';

function columnsOf<O>(query: SelectQueryBuilder<Tables, 'adverts', O>) {
  return query
    .innerJoin('files', 'files.id', 'adverts.picture_file_id')
    .select([
      'adverts.id',
      'adverts.title',
      'adverts.picture_file_id as pictureFileId',
      'files.key as pictureKey',
      'files.name as pictureName',
      'adverts.page',
      'adverts.link',
      'adverts.sort',
      'adverts.enabled',
      'adverts.created_at as createdAt',
    ]);
}

function toAdvert<Row extends { pictureKey: string; pictureName: string; createdAt: Instant }>({
  pictureKey,
  pictureName,
  createdAt,
  ...row
}: Row) {
  return { ...row, pictureUrl: fileUrl({ key: pictureKey, name: pictureName }), createdAt: toIso(createdAt) };
}

export async function findAdvert(db: Kysely<Tables>, caller: Caller, id: AdvertId): Promise<Advert | null> {
  const row = await columnsOf(platformOnly(db.selectFrom('adverts'), caller))
    .where('adverts.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toAdvert(row);
}

export async function listAdvertPage(
  db: Kysely<Tables>,
  caller: Caller,
  filter: QueryOf<typeof listAdverts>,
  span: Span,
) {
  let filtered = platformOnly(db.selectFrom('adverts'), caller);
  if (filter.title !== undefined) filtered = filtered.where('adverts.title', 'ilike', containing(filter.title));
  if (filter.displayPage !== undefined) filtered = filtered.where('adverts.page', 'in', filter.displayPage);
  if (filter.enabled !== undefined) filtered = filtered.where('adverts.enabled', '=', filter.enabled);
  const { name, direction } = sortOf(filter.sort ?? 'sort');
  const column = ({ createdAt: 'adverts.created_at', sort: 'adverts.sort' } as const)[name];
  const [rows, total] = await Promise.all([
    columnsOf(filtered)
      .orderBy(column, direction)
      .orderBy('adverts.id', direction)
      .limit(span.limit)
      .offset(span.offset)
      .execute(),
    countUpTo(db, filtered),
  ]);
  return { items: rows.map(toAdvert), ...total };
}
