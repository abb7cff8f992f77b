import * as contract from '@voltdeck/contract/cards';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { spanOf } from '../http/list-page.ts';
import { createCard } from './create-card.ts';
import { findCard, listCardPage } from './queries.ts';

export function bindCards({ bind }: Binder, context: Context): void {
  const { db } = context.database;
  bind(contract.listCards, async ({ caller, query }) => {
    const span = spanOf(query);
    return span.ok ? ok(await listCardPage(db, caller, query, span.value)) : span;
  });
  bind(contract.getCard, async ({ caller, params }) => found(await findCard(db, caller, params.id)));
  bind(contract.createCard, ({ caller, body, at, transact }) => transact((trx) => createCard(trx, caller, body, at)));
}
