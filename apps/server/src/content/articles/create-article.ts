import type { Article } from '@voltdeck/contract/articles';
import type { ApiError } from '@voltdeck/contract/errors';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { found } from '../../http/found.ts';
import { type ArticleForm, auditedArticle, checkArticle } from './check-article.ts';
import { findArticle } from './queries.ts';

export async function createArticle(
  trx: Trx,
  caller: Caller,
  form: ArticleForm,
  at: Instant,
): Promise<Result<Article, ApiError>> {
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  const checked = await checkArticle(trx, form, null);
  if (!checked.ok) return checked;
  const { content } = checked.value;
  const { id } = await trx
    .insertInto('articles')
    .values({
      title: form.title,
      key: form.key ?? null,
      category: form.category,
      sort: form.sort ?? 0,
      remark: form.remark ?? '',
      enabled: form.enabled ?? true,
      content,
      created_at: at,
      changed_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const after = auditedArticle({ ...form, content });
  await audit(trx, caller, at, { action: 'article.create', recordKind: 'article', recordId: id, after });
  return found(await findArticle(trx, caller, id));
}
