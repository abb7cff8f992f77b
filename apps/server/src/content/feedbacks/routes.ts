import * as contract from '@voltdeck/contract/feedbacks';
import type { Context } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { found } from '../../http/found.ts';
import { createFeedback } from './create-feedback.ts';
import { handleFeedbacks } from './handle-feedbacks.ts';
import { findFeedback } from './queries.ts';

export function bindFeedbacks({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  bind(contract.getFeedback, async ({ caller, params }) => found(await findFeedback(db, caller, params.id)));
  bind(contract.createFeedback, ({ caller, body, at, transact }) =>
    transact((trx) => createFeedback(trx, caller, body, at)),
  );
  bind(contract.handleFeedbacks, ({ caller, body, at, transact }) =>
    transact((trx) => handleFeedbacks(trx, caller, body, at)),
  );
}
