import type { createArticle } from '@voltdeck/contract/articles';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { ArticleId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import type { Trx } from '../../database/transact.ts';
import { isNestedBeyond, sanitiseArticle } from './sanitise-article.ts';

export type ArticleForm = BodyOf<typeof createArticle>;

/** The sanitiser takes quadratic time in the tags that are open at once; an editor leaves a few dozen open. */
const openTagsMax = 1_000;

/** Sanitises the content and checks that no other article has the key. `id` is the article being changed. */
export async function checkArticle(
  trx: Trx,
  form: ArticleForm,
  id: ArticleId | null,
): Promise<Result<{ content: string }, ApiError>> {
  if (isNestedBeyond(openTagsMax, form.content)) {
    return failed({
      code: 'request.invalid',
      fields: [{ path: 'content', code: 'too_deep', params: { max: openTagsMax } }],
    });
  }
  const content = sanitiseArticle(form.content);
  if (content === '') return failed({ code: 'request.invalid', fields: [{ path: 'content', code: 'required' }] });
  await holdPictures(trx, content);
  const { key } = form;
  if (key === undefined || key === null) return ok({ content });
  // Of two simultaneous requests with the same key, the second waits and then finds it taken.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`article:${key}`}, 0))`.execute(trx);
  const other = await trx.selectFrom('articles').select('id').where('key', '=', key).executeTakeFirst();
  return other === undefined || other.id === id
    ? ok({ content })
    : failed({ code: 'article.key_taken', params: { key } });
}

/** Our pictures in the content cannot be deleted until the commit. */
async function holdPictures(trx: Trx, content: string): Promise<void> {
  const keys = [...content.matchAll(/\/files\/([0-9a-f]{32})\//g)].map(([, key = '']) => key);
  if (keys.length === 0) return;
  await trx.selectFrom('files').select('id').where('key', 'in', keys).orderBy('id').forKeyShare().execute();
}

/** For the audit log: records that the content changed, not two hundred thousand characters of it twice. */
export function auditedArticle({ content, ...rest }: { content: string }) {
  return { ...rest, contentCharacters: content.length };
}
