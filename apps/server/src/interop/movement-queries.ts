import { listPartnerMovements } from '@voltdeck/contract/partner-deposits';
import { parseIso, toIso } from '@voltdeck/units/instant';
import { addFen } from '@voltdeck/units/money';
import { sql } from 'kysely';
import { listSource } from '../http/list-source.ts';
import { shownName } from '../http/shown-name.ts';

export const partnerMovementList = listSource({
  route: listPartnerMovements,
  platformOnly: true,
  filtered(db, _caller, { partnerId, type, from, to }) {
    let movements = db.selectFrom('movements').where('movements.partner_id', 'is not', null);
    if (partnerId !== undefined) movements = movements.where('movements.partner_id', '=', partnerId);
    if (type !== undefined) movements = movements.where('movements.type', 'in', type);
    const since = from === undefined ? null : parseIso(from);
    const until = to === undefined ? null : parseIso(to);
    if (since !== null) movements = movements.where('movements.created_at', '>=', since);
    if (until !== null) movements = movements.where('movements.created_at', '<=', until);
    return movements;
  },
  id: sql`movements.id`,
  sorts: { createdAt: sql`movements.created_at` },
  rows: (db, { language }) =>
    db
      .selectFrom('movements')
      .innerJoin('partners', 'partners.id', 'movements.partner_id')
      .leftJoin('users', 'users.id', 'movements.user_id')
      .select([
        'movements.id',
        'partners.id as partnerId',
        'partners.name as partnerName',
        'movements.number',
        'movements.type',
        'movements.state',
        'movements.paid_fen as paidFen',
        'movements.gift_fen as giftFen',
        'movements.paid_after_fen as paidAfterFen',
        'movements.gift_after_fen as giftAfterFen',
        'movements.order_id as orderId',
        'movements.remark',
        'movements.created_at as createdAt',
      ])
      .select(shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('operatorName')),
  toItem: ({ paidFen, giftFen, paidAfterFen, giftAfterFen, createdAt, ...row }) => ({
    ...row,
    amountFen: addFen(paidFen, giftFen),
    balanceAfterFen: addFen(paidAfterFen, giftAfterFen),
    createdAt: toIso(createdAt),
  }),
});
