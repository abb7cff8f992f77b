import type { Article } from '@voltdeck/contract/articles';
import type { ApiError } from '@voltdeck/contract/errors';
import type { ArticleId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { found } from '../../http/found.ts';
import { type ArticleForm, auditedArticle, checkArticle } from './check-article.ts';
import { findArticle } from './queries.ts';

/** Changes an article; omitted fields stay. */
export async function changeArticle(
  trx: Trx,
  caller: Caller,
  id: ArticleId,
  form: ArticleForm,
  at: Instant,
): Promise<Result<Article, ApiError>> {
  const before = await findArticle(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  const checked = await checkArticle(trx, form, id);
  if (!checked.ok) return checked;
  const whole = {
    title: form.title,
    key: form.key === undefined ? before.key : form.key,
    category: form.category,
    sort: form.sort ?? before.sort,
    remark: form.remark ?? before.remark,
    enabled: form.enabled ?? before.enabled,
    content: checked.value.content,
  };
  await trx
    .updateTable('articles')
    .set({ ...whole, changed_at: at })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, {
    action: 'article.change',
    recordKind: 'article',
    recordId: id,
    before: auditedArticle(before),
    after: auditedArticle(whole),
  });
  return found(await findArticle(trx, caller, id));
}

export async function enableArticle(
  trx: Trx,
  caller: Caller,
  id: ArticleId,
  enabled: boolean,
  at: Instant,
): Promise<Result<Article, ApiError>> {
  const before = await findArticle(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  await trx.updateTable('articles').set({ enabled, changed_at: at }).where('id', '=', id).execute();
  await audit(trx, caller, at, {
    action: 'article.change',
    recordKind: 'article',
    recordId: id,
    before: { enabled: before.enabled },
    after: { enabled },
  });
  return found(await findArticle(trx, caller, id));
}
