import type { ApiError } from '@voltdeck/contract/errors';
import type { ArticleId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { auditedArticle } from './check-article.ts';
import { findArticle } from './queries.ts';

export async function deleteArticle(
  trx: Trx,
  caller: Caller,
  id: ArticleId,
  at: Instant,
): Promise<Result<null, ApiError>> {
  const before = await findArticle(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  await trx.deleteFrom('articles').where('id', '=', id).execute();
  await audit(trx, caller, at, {
    action: 'article.delete',
    recordKind: 'article',
    recordId: id,
    before: auditedArticle(before),
  });
  return ok(null);
}
