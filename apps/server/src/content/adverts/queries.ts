import { type Advert, listAdverts } from '@voltdeck/contract/adverts';
import type { AdvertId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { fileUrl } from '../../files/file-url.ts';
import { containing } from '../../http/list-page.ts';
import { listSource } from '../../http/list-source.ts';
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

export const advertList = listSource({
  route: listAdverts,
  filtered(db, caller, filter) {
    let adverts = platformOnly(db.selectFrom('adverts'), caller);
    if (filter.title !== undefined) adverts = adverts.where('adverts.title', 'ilike', containing(filter.title));
    if (filter.displayPage !== undefined) adverts = adverts.where('adverts.page', 'in', filter.displayPage);
    if (filter.enabled !== undefined) adverts = adverts.where('adverts.enabled', '=', filter.enabled);
    return adverts;
  },
  id: sql`adverts.id`,
  sorts: { createdAt: sql`adverts.created_at`, sort: sql`adverts.sort` },
  rows: (db) => columnsOf(db.selectFrom('adverts')),
  toItem: toAdvert,
});
