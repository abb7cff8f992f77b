import type { ApiError } from '@voltdeck/contract/errors';
import type { QueryOf } from '@voltdeck/contract/route';
import { type getStatementPdf, periodOf, printedSitesMax, type Statement } from '@voltdeck/contract/statements';
import type { PhraseKey } from '@voltdeck/phrases/phrase';
import { firstOfMonth, lastOfMonth } from '@voltdeck/units/day';
import { type Fen, fen, groupedYuan } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { say } from '../http/say.ts';
import { readStatements } from './statements.ts';

/** A statement as it is printed. */
export type PrintedStatement = {
  unit: Statement['unit'];
  /** "2026-11-21" or "2026-11". */
  period: string;
  /** Whose it is. */
  name: string;
  /** Null where no money moved. */
  sum: Statement | null;
  /** Those that received the most. */
  sites: readonly Statement[];
  /** The other sites together. */
  others: Statement | null;
  otherSites: number;
};

/** Reads a statement in one go for the platform, for everything that an agent's people see, or for one agent. */
export async function readPrinted(
  db: Kysely<Tables>,
  caller: Caller,
  { unit, day, agentId }: QueryOf<typeof getStatementPdf>,
): Promise<Result<PrintedStatement, ApiError>> {
  const name = await nameOf(db, caller, agentId);
  if (name === null) return failed({ code: 'record.not_found' });
  const first = unit === 'month' ? firstOfMonth(day) : day;
  const wanted = {
    unit,
    fromOn: first,
    toOn: unit === 'month' ? lastOfMonth(first) : day,
    ...(agentId === undefined ? {} : { agentId }),
  };
  const [[sum = null], sites] = await Promise.all([
    readStatements(db, caller, { ...wanted, by: 'platform' }),
    readStatements(db, caller, { ...wanted, by: 'site' }),
  ]);
  const byReceived = [...sites].sort((a, b) => b.receivedFen - a.receivedFen);
  const others = byReceived.slice(printedSitesMax);
  const [other] = others;
  return ok({
    unit,
    period: periodOf({ unit, day: first }),
    name,
    sum,
    sites: byReceived.slice(0, printedSitesMax),
    others: other === undefined ? null : others.slice(1).reduce(together, other),
    otherSites: others.length,
  });
}

/** The agent's name; for everything, the platform's or the names of the agents whose people ask. Null for nobody's. */
async function nameOf(
  db: Kysely<Tables>,
  caller: Caller,
  agentId: QueryOf<typeof getStatementPdf>['agentId'],
): Promise<string | null> {
  if (agentId === undefined && caller.agents === 'all') return say(caller.language, 'statement-pdf.platform');
  const [own] = caller.agents === 'all' ? [] : caller.agents;
  const of = agentId ?? own;
  if (of === undefined) return null;
  const agents = scoped(db.selectFrom('agents'), caller, 'agents.id').select('agents.name').where('agents.id', '=', of);
  return (await agents.executeTakeFirst())?.name ?? null;
}

/** The columns that sites on paper have, added up. */
function together(a: Statement, b: Statement): Statement {
  return {
    ...a,
    orders: a.orders + b.orders,
    energyWh: (a.energyWh + b.energyWh) as Statement['energyWh'],
    receivableFen: fen(a.receivableFen + b.receivableFen),
    receivedFen: fen(a.receivedFen + b.receivedFen),
    refundsFen: fen(a.refundsFen + b.refundsFen),
    netFen: fen(a.netFen + b.netFen),
  };
}

type PrintedLine = { title: PhraseKey; value: string; isSum: boolean };

/** The lines of a statement in their order; those that its reader is not shown are left out. */
export function printedLines(of: Statement): PrintedLine[] {
  const money = (title: PhraseKey, amount: Fen | null, isSum = false): PrintedLine[] =>
    amount === null ? [] : [{ title, value: groupedYuan(amount), isSum }];
  return [
    { title: 'finance.orders', value: String(of.orders), isSum: false },
    { title: 'statement-pdf.energyUnit', value: (of.energyWh / 1000).toFixed(3), isSum: false },
    ...money('finance.electricity', of.electricityFen),
    ...money('finance.service', of.serviceFen),
    ...money('finance.coupon', of.couponFen),
    ...money('finance.receivable', of.receivableFen, true),
    ...money('finance.received', of.receivedFen),
    ...money('finance.refunds', of.refundsFen),
    ...money('finance.channelFee', of.channelFeeFen),
    ...money('finance.commission', of.commissionFen),
    ...money('finance.above', of.aboveFen),
    ...money('finance.agentShares', of.agentSharesFen),
    ...money('finance.dividerShares', of.dividerSharesFen),
    ...money('finance.net', of.netFen, true),
    ...money('finance.adjustments', of.adjustmentsFen),
    ...money('finance.payouts', of.payoutsFen),
  ];
}
