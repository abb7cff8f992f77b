import * as contract from '@voltdeck/contract/payments';
import { toIso } from '@voltdeck/units/instant';
import { failed, ok } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { spanOf } from '../http/list-page.ts';
import { tellBalanceLater } from '../orders/tell-balance.ts';
import { createRecharge } from './create-recharge.ts';
import { listRechargePage, proveLedger } from './queries.ts';

export function bindPayments({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  bind(contract.createRecharge, ({ caller, body, at, transact }) =>
    transact(async (trx) => {
      const made = await createRecharge(trx, caller, body, at);
      if (made.ok) await tellBalanceLater(trx, made.value);
      return made;
    }),
  );
  bind(contract.listRecharges, async ({ caller, query }) => {
    const span = spanOf(query);
    return span.ok ? ok(await listRechargePage(db, caller, query, span.value)) : span;
  });

  // It reads the whole books: whoever asks while one is being made gets the same.
  let running: ReturnType<typeof proveLedger> | null = null;
  bind(contract.getLedgerProof, async ({ caller }) => {
    // The books are one for all agents.
    if (caller.agents !== 'all') return failed({ code: 'access.denied' });
    running ??= proveLedger(db).finally(() => {
      running = null;
    });
    return ok({ ...(await running), checkedAt: toIso(context.now()) });
  });
}
