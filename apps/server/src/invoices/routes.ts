import type { ApiError } from '@voltdeck/contract/errors';
import * as contract from '@voltdeck/contract/invoices';
import type { InvoiceId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import { isInScope } from '../caller/scope.ts';
import type { Context } from '../context.ts';
import type { Binder, Transact } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { applyInConsole } from './apply-invoice.ts';
import { findInvoiceCalls } from './calls.ts';
import { publishInvoice } from './invoice-room.ts';
import type { InvoiceRow } from './move-invoice.ts';
import { findChoices, findInvoice, findInvoiceDetail } from './queries.ts';
import { resumeInvoice } from './resume-invoice.ts';
import { retryInvoice, reviewInvoice, reviewMany } from './review-invoice.ts';
import { findSeller, setSeller } from './sellers.ts';
import { sendInvoice } from './send-invoice.ts';
import { redLetterInvoice, voidInvoice, voidMany } from './void-invoice.ts';
import { findDocument } from './work-invoice.ts';

export function bindInvoices({ bind, bindFile }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const provider = context.invoiceProvider;
  const answer = async (caller: Caller, id: InvoiceId) => found(await findInvoice(db, caller, id));
  const replay = (recordId: number, { caller }: { caller: Caller }) => answer(caller, recordId as InvoiceId);
  const publish = (rows: readonly InvoiceRow[]) => {
    for (const { id, agent_id, state } of rows) publishInvoice(context, { id, agentId: agent_id, state });
  };
  /** Acts on one invoice, tells consoles of all that it changed, and answers that one. */
  const acting = async (
    { caller, params, transact }: { caller: Caller; params: { id: InvoiceId }; transact: Transact },
    act: (trx: Parameters<Parameters<Transact>[0]>[0]) => Promise<Result<InvoiceRow | InvoiceRow[], ApiError>>,
  ) => {
    const acted = await transact(act, { recordOf: () => params.id });
    if (!acted.ok) return acted;
    publish([acted.value].flat());
    return answer(caller, params.id);
  };

  bind(contract.getInvoice, async ({ caller, params }) => found(await findInvoiceDetail(db, caller, params.id)));
  bind(contract.listInvoiceCalls, async ({ caller, params }) => found(await findInvoiceCalls(db, caller, params.id)));
  bind(contract.getInvoiceChoices, async ({ caller, query }) => found(await findChoices(db, caller, query)));
  bindFile(contract.getInvoiceDocument, async ({ caller, params }) => {
    const row = await db.selectFrom('invoices').selectAll().where('id', '=', params.id).executeTakeFirst();
    if (row === undefined || !isInScope(caller, row.agent_id)) return failed({ code: 'record.not_found' });
    const file = await findDocument(context, row);
    const content = file === null ? null : await context.files.open(file.key);
    if (file === null || content === null) {
      return failed({ code: 'invoice.no_document', params: { number: row.number } });
    }
    return ok({ name: file.name, contentType: 'application/pdf', content });
  });
  bind(
    contract.createInvoice,
    async ({ caller, body, at, transact }) => {
      const applied = await transact((trx) => applyInConsole(trx, caller, body, at), { recordOf: (id) => id });
      return applied.ok ? answer(caller, applied.value) : applied;
    },
    { replay },
  );
  bind(
    contract.reviewInvoice,
    (call) => acting(call, (trx) => reviewInvoice(trx, provider, call.caller, call.params.id, call.body, call.at)),
    { replay },
  );
  bind(contract.reviewInvoices, async ({ caller, body, at, transact }) => {
    const decided = await transact((trx) => reviewMany(trx, provider, caller, body, at), {
      answerOf: (rows) => ({ decided: rows.length }),
    });
    if (!decided.ok) return decided;
    publish(decided.value);
    return ok({ decided: decided.value.length });
  });
  bind(
    contract.voidInvoice,
    (call) => acting(call, (trx) => voidInvoice(trx, provider, call.caller, call.params.id, call.body, call.at)),
    { replay },
  );
  bind(contract.voidInvoices, async ({ caller, body, at, transact }) => {
    const voidedOf = (rows: readonly InvoiceRow[]) => ({
      voided: rows.filter(({ id }) => body.ids.includes(id)).length,
    });
    const voided = await transact((trx) => voidMany(trx, provider, caller, body, at), { answerOf: voidedOf });
    if (!voided.ok) return voided;
    publish(voided.value);
    return ok(voidedOf(voided.value));
  });
  bind(
    contract.redLetterInvoice,
    (call) => acting(call, (trx) => redLetterInvoice(trx, provider, call.caller, call.params.id, call.body, call.at)),
    { replay },
  );
  bind(
    contract.retryInvoice,
    (call) => acting(call, (trx) => retryInvoice(trx, provider, call.caller, call.params.id, call.at)),
    { replay },
  );
  bind(
    contract.resumeInvoice,
    (call) => acting(call, (trx) => resumeInvoice(trx, call.caller, call.params.id, call.at)),
    { replay },
  );
  bind(
    contract.sendInvoice,
    (call) => acting(call, (trx) => sendInvoice(trx, call.caller, call.params.id, call.body, call.at)),
    { replay },
  );
  bind(contract.getInvoiceSeller, async ({ caller, query }) => found(await findSeller(db, caller, query.agentId)));
  bind(contract.setInvoiceSeller, ({ caller, body, at, transact }) =>
    transact((trx) => setSeller(trx, caller, body, at)),
  );
}
