import * as contract from '@voltdeck/contract/articles';
import type { Context } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { found } from '../../http/found.ts';
import { changeArticle, enableArticle } from './change-article.ts';
import { createArticle } from './create-article.ts';
import { deleteArticle } from './delete-article.ts';
import { findArticle } from './queries.ts';

export function bindArticles({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  bind(contract.getArticle, async ({ caller, params }) => found(await findArticle(db, caller, params.id)));
  bind(contract.createArticle, ({ caller, body, at, transact }) =>
    transact((trx) => createArticle(trx, caller, body, at)),
  );
  bind(contract.changeArticle, ({ caller, params, body, at, transact }) =>
    transact((trx) => changeArticle(trx, caller, params.id, body, at)),
  );
  bind(contract.enableArticle, ({ caller, params, body, at, transact }) =>
    transact((trx) => enableArticle(trx, caller, params.id, body.enabled, at)),
  );
  bind(contract.deleteArticle, ({ caller, params, at, transact }) =>
    transact((trx) => deleteArticle(trx, caller, params.id, at)),
  );
}
