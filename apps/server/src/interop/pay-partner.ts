import type { Waits } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import {
  listPartnerPayments,
  type PartnerPayment,
  type payPartner as route,
} from '@voltdeck/contract/partner-deposits';
import type { BodyOf } from '@voltdeck/contract/route';
import { partnerPaymentTransfer } from '@voltdeck/ledger/roaming';
import type { PartnerId, PartnerPaymentId } from '@voltdeck/units/id';
import { type Instant, parseIso, toIso } from '@voltdeck/units/instant';
import { addFen, type Fen, formatYuan, subtractFen, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { listSource } from '../http/list-source.ts';
import { shownName } from '../http/shown-name.ts';
import { accountKey } from '../ledger/account-key.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import { soundTransfer } from '../orders/hold-money.ts';
import { askSecondPerson } from '../second-person/ask-second-person.ts';

/** What we owe the partner whose id stands in a column: all parts of its account together. */
export function payableTo(ownerId: string): RawBuilder<Fen> {
  return sql<Fen>`coalesce((select sum(balance_fen) from ledger_accounts
                             where key = ${accountKey('partner-payable', ownerId)}), 0)::bigint`;
}

/**
 * Enters what was paid to a partner for charges of our customers at its stations: never more than is owed, and never
 * more back than was paid. Payments of one partner are entered one after the other; settlements meanwhile only add.
 */
export async function payPartner(
  trx: Trx,
  caller: Caller,
  id: PartnerId,
  { amountFen, remark }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<PartnerPaymentId | Waits, ApiError>> {
  if (caller.agents !== 'all') return failed({ code: 'record.not_found' });
  const partner = await trx
    .selectFrom('partners')
    .select('name')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (partner === undefined) return failed({ code: 'record.not_found' });
  const { payableFen, paidFen } = await readPayable(trx, id);
  if (amountFen > payableFen || addFen(paidFen, amountFen) < 0) {
    const params = { payable: formatYuan(payableFen), paid: formatYuan(paidFen) };
    return failed({ code: 'partner.payment_range', params });
  }
  const approval = await askSecondPerson(
    trx,
    caller,
    {
      kind: 'partner_payment',
      amountFen: amountFen < 0 ? subtractFen(zeroFen, amountFen) : amountFen,
      agentId: null,
      subject: { kind: 'partner', id, text: partner.name },
      detail: { partnerId: id, body: { amountFen, remark } },
      reason: remark,
    },
    at,
  );
  if (approval !== null) return ok({ waitsFor: approval });
  const { id: paymentId } = await trx
    .insertInto('partner_payments')
    .values({
      partner_id: id,
      amount_fen: amountFen,
      payable_after_fen: subtractFen(payableFen, amountFen),
      remark,
      user_id: caller.userId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await postTransfer(trx, soundTransfer(partnerPaymentTransfer({ id: paymentId, partnerId: id, amountFen })), at);
  await audit(trx, caller, at, {
    action: 'partner.pay',
    recordKind: 'partner',
    recordId: id,
    after: { amountFen, remark },
  });
  return ok(paymentId);
}

/** What we owe a partner, and what it was paid so far. */
export async function readPayable(db: Kysely<Tables>, id: PartnerId): Promise<{ payableFen: Fen; paidFen: Fen }> {
  const { rows } = await sql<{ payableFen: Fen; paidFen: Fen }>`
    select ${payableTo('partners.id')} as "payableFen",
           (select coalesce(sum(amount_fen), 0)::bigint from partner_payments where partner_id = partners.id) as "paidFen"
      from partners where id = ${id}`.execute(db);
  if (rows[0] === undefined) throw new Error(`partner ${id} is gone`);
  return rows[0];
}

function payments(db: Kysely<Tables>, language: Caller['language']) {
  return db
    .selectFrom('partner_payments')
    .innerJoin('partners', 'partners.id', 'partner_payments.partner_id')
    .leftJoin('users', 'users.id', 'partner_payments.user_id')
    .select([
      'partner_payments.id',
      'partners.id as partnerId',
      'partners.name as partnerName',
      'partner_payments.amount_fen as amountFen',
      'partner_payments.payable_after_fen as payableAfterFen',
      'partner_payments.remark',
      'partner_payments.created_at as createdAt',
    ])
    .select(shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('operatorName'));
}

export async function findPayment(
  db: Kysely<Tables>,
  { language }: Pick<Caller, 'language'>,
  id: PartnerPaymentId,
): Promise<PartnerPayment | null> {
  const row = await payments(db, language).where('partner_payments.id', '=', id).executeTakeFirst();
  return row === undefined ? null : { ...row, createdAt: toIso(row.createdAt) };
}

export const partnerPaymentList = listSource({
  route: listPartnerPayments,
  platformOnly: true,
  filtered(db, _caller, { partnerId, from, to }) {
    let found = db.selectFrom('partner_payments');
    if (partnerId !== undefined) found = found.where('partner_payments.partner_id', '=', partnerId);
    const since = from === undefined ? null : parseIso(from);
    const until = to === undefined ? null : parseIso(to);
    if (since !== null) found = found.where('partner_payments.created_at', '>=', since);
    if (until !== null) found = found.where('partner_payments.created_at', '<=', until);
    return found;
  },
  id: sql`partner_payments.id`,
  sorts: { createdAt: sql`partner_payments.created_at` },
  rows: (db, { language }) => payments(db, language),
  toItem: ({ createdAt, ...row }) => ({ ...row, createdAt: toIso(createdAt) }),
});
