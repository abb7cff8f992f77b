import { listPartnerExchanges } from '@voltdeck/contract/partner-deliveries';
import { parseIso, toIso } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import { listSource } from '../http/list-source.ts';

export const partnerExchangeList = listSource({
  route: listPartnerExchanges,
  platformOnly: true,
  filtered(db, _caller, { partnerId, direction, interfaceName, ret, failed, from, to }) {
    let exchanges = db.selectFrom('partner_exchanges');
    if (partnerId !== undefined) exchanges = exchanges.where('partner_exchanges.partner_id', '=', partnerId);
    if (direction !== undefined) exchanges = exchanges.where('partner_exchanges.direction', 'in', direction);
    if (interfaceName !== undefined) exchanges = exchanges.where('partner_exchanges.interface', '=', interfaceName);
    if (ret !== undefined) exchanges = exchanges.where('partner_exchanges.ret', '=', ret);
    if (failed !== undefined) {
      exchanges = exchanges.where(sql<boolean>`(partner_exchanges.ret is distinct from 0) = ${failed}`);
    }
    const since = from === undefined ? null : parseIso(from);
    const until = to === undefined ? null : parseIso(to);
    if (since !== null) exchanges = exchanges.where('partner_exchanges.at', '>=', since);
    if (until !== null) exchanges = exchanges.where('partner_exchanges.at', '<=', until);
    return exchanges;
  },
  id: sql`partner_exchanges.id`,
  sorts: { at: sql`partner_exchanges.at` },
  shown: (filtered) =>
    filtered
      .leftJoin('partners', 'partners.id', 'partner_exchanges.partner_id')
      .select([
        'partner_exchanges.id',
        'partner_exchanges.at',
        'partner_exchanges.partner_id as partnerId',
        'partners.name as partnerName',
        'partner_exchanges.direction',
        'partner_exchanges.interface as interfaceName',
        'partner_exchanges.request',
        'partner_exchanges.answer',
        'partner_exchanges.http_status as httpStatus',
        'partner_exchanges.ret',
        'partner_exchanges.took_ms as tookMs',
        'partner_exchanges.address',
      ]),
  toItem: (row) => ({ ...row, at: toIso(row.at) }),
});
