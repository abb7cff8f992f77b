import * as contract from '@voltdeck/contract/settlements';
import { failed, ok } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { say } from '../http/say.ts';
import { changeTerms, findTerms } from './change-terms.ts';
import { periodPdf } from './period-pdf.ts';
import { readPrintedPeriod } from './printed-period.ts';
import { findPeriod } from './queries.ts';
import { settleMany } from './settle-one.ts';
import { closePeriods, payOutPeriods } from './settle-periods.ts';

/** The platform settles with agents and dividers; their people see their own periods. */
export function bindSettlements({ bind, bindFile }: Binder, context: Context<'console'>): void {
  const { db } = context.database;

  bind(contract.getSettlementPeriod, async ({ caller, params, at }) =>
    found(await findPeriod(db, caller, params.id, at)),
  );
  bindFile(contract.getSettlementPdf, async ({ caller, params: { id }, at, transact }) => {
    const printed = found(await readPrintedPeriod(db, caller, id, at));
    if (!printed.ok) return printed;
    const noted = await transact(async (trx) => {
      await audit(trx, caller, at, { action: 'settlement.print', recordKind: 'settlement_period', recordId: id });
      return ok(null);
    });
    if (!noted.ok) return noted;
    const { language, userName } = caller;
    const { partyName: name, fromOn: from, toOn: to } = printed.value.period;
    return ok({
      name: `${say(language, 'settlement-pdf.file', { name, from, to })}.pdf`,
      contentType: 'application/pdf',
      content: await periodPdf(printed.value, { at, by: userName }, language),
    });
  });
  const money = context.on('money');
  bind(contract.closeSettlementPeriods, async ({ caller, body, at, parts }) =>
    caller.agents === 'all'
      ? ok(await settleMany(money, caller, closePeriods, body.ids, at, parts))
      : failed({ code: 'access.denied' }),
  );
  bind(contract.payOutSettlementPeriods, async ({ caller, body, at, parts }) =>
    caller.agents === 'all'
      ? ok(await settleMany(money, caller, payOutPeriods, body.ids, at, parts))
      : failed({ code: 'access.denied' }),
  );
  bind(contract.getSettlementTerms, async ({ caller, query, at }) => found(await findTerms(db, caller, query, at)));
  bind(contract.changeSettlementTerms, async ({ caller, body, at, transact }) => {
    const changed = await transact((trx) => changeTerms(trx, caller, body, at));
    return changed.ok ? found(await findTerms(db, caller, body, at)) : changed;
  });
}
