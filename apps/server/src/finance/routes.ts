import * as bills from '@voltdeck/contract/grid-bills';
import { getHoldings } from '@voltdeck/contract/holdings';
import type { AnswerOf } from '@voltdeck/contract/route';
import { getStatementPdf } from '@voltdeck/contract/statements';
import * as proofs from '@voltdeck/contract/total-proofs';
import { failed, ok } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Context } from '../context.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { say } from '../http/say.ts';
import { bindGridBillImports } from './grid-bills/imports/routes.ts';
import { findBill } from './grid-bills/queries.ts';
import { changeBill, createBill, deleteBill, lockOrUnlock } from './grid-bills/write-bill.ts';
import { findHoldings } from './holdings.ts';
import { readPrinted } from './printed-statement.ts';
import { findKeptSumProof } from './prove-night.ts';
import { findTotalProof, proveTotals } from './prove-totals.ts';
import { statementPdf } from './statement-pdf.ts';

export function bindFinance(binder: Binder, context: Context<'console'>): void {
  const { bind, bindFile } = binder;
  const { db } = context.database;

  bindFile(getStatementPdf, async ({ caller, query, at, transact }) => {
    const read = await readPrinted(db, caller, query);
    if (!read.ok) return read;
    const { name, period } = read.value;
    const noted = await transact(async (trx) => {
      await audit(trx, caller, at, {
        action: 'statement.print',
        recordKind: 'statement',
        recordId: period,
        after: query,
      });
      return ok(null);
    });
    if (!noted.ok) return noted;
    const { language, userName } = caller;
    return ok({
      name: `${say(language, 'statement-pdf.file', { name, period })}.pdf`,
      contentType: 'application/pdf',
      content: await statementPdf(read.value, { at, by: userName }, language),
    });
  });

  bind(getHoldings, async ({ caller, query, at }) =>
    // All agents share one set of books.
    caller.agents === 'all' ? findHoldings(db, query, at) : failed({ code: 'access.denied' }),
  );

  bind(proofs.getTotalProofRun, async ({ caller }) =>
    caller.agents === 'all' ? ok(await findProofs(db, caller)) : failed({ code: 'access.denied' }),
  );
  bind(proofs.proveTotals, async ({ caller, at }) => {
    if (caller.agents !== 'all') return failed({ code: 'access.denied' });
    const { outcome } = await proveTotals(db, caller.userId, at);
    if (outcome === 'elsewhere') return failed({ code: 'finance.proof_running' });
    return ok(await findProofs(db, caller));
  });

  bind(bills.getGridBill, async ({ caller, params }) => found(await findBill(db, caller, params.id)));
  bind(bills.createGridBill, ({ caller, body, at, transact }) => transact((trx) => createBill(trx, caller, body, at)));
  bind(bills.changeGridBill, ({ caller, params, body, at, transact }) =>
    transact((trx) => changeBill(trx, caller, params.id, body, at)),
  );
  bind(bills.deleteGridBill, ({ caller, params, at, transact }) =>
    transact((trx) => deleteBill(trx, caller, params.id, at)),
  );
  bind(bills.lockGridBill, ({ caller, params, body, at, transact }) =>
    transact((trx) => lockOrUnlock(trx, caller, params.id, body, at)),
  );
  bindGridBillImports(binder, context);
}

async function findProofs(db: Kysely<Tables>, caller: Caller): Promise<AnswerOf<typeof proofs.getTotalProofRun>> {
  return { proof: await findTotalProof(db, caller), sums: await findKeptSumProof(db) };
}
