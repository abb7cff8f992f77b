import { deliveryStates, listPartnerDeliveries, type PartnerDelivery } from '@voltdeck/contract/partner-deliveries';
import { isoOrNull, parseIso, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { type FilterOf, listSource } from '../http/list-source.ts';

/** What a person knows a delivery by; its own text where the record is gone. */
const subject = sql<string>`coalesce(
  (select o.number from orders o where o.id = partner_deliveries.order_id),
  (select t.number || '-' || c.number from connectors c join stations t on t.id = c.station_id
    where c.id = partner_deliveries.connector_id),
  (select s.name from sites s where s.id = partner_deliveries.site_id),
  partner_deliveries.subject)`;

type OneOfEach = Omit<FilterOf<typeof listPartnerDeliveries>, 'kind' | 'state'> & {
  [Choice in 'kind' | 'state']: PartnerDelivery[Choice] | undefined;
};

function deliveriesOf(db: Kysely<Tables>, { partnerId, kind, state, orderId, from, to }: OneOfEach) {
  let deliveries = db.selectFrom('partner_deliveries');
  if (partnerId !== undefined) deliveries = deliveries.where('partner_deliveries.partner_id', '=', partnerId);
  if (kind !== undefined) deliveries = deliveries.where('partner_deliveries.kind', '=', kind);
  if (state !== undefined) deliveries = deliveries.where('partner_deliveries.state', '=', state);
  if (orderId !== undefined) deliveries = deliveries.where('partner_deliveries.order_id', '=', orderId);
  const since = from === undefined ? null : parseIso(from);
  const until = to === undefined ? null : parseIso(to);
  if (since !== null) deliveries = deliveries.where('partner_deliveries.created_at', '>=', since);
  if (until !== null) deliveries = deliveries.where('partner_deliveries.created_at', '<=', until);
  return deliveries;
}

export const partnerDeliveryList = listSource({
  route: listPartnerDeliveries,
  platformOnly: true,
  // Each kind in each state is read by its own index, in the order of the list.
  filtered(db, _caller, { kind, state, ...others }) {
    const states = [...new Set(state ?? (kind === undefined ? [undefined] : deliveryStates))];
    const [first, ...more] = [...new Set(kind ?? [undefined])].flatMap((oneKind) =>
      states.map((oneState) => deliveriesOf(db, { ...others, kind: oneKind, state: oneState })),
    );
    return first === undefined ? null : [first, ...more];
  },
  id: sql`partner_deliveries.id`,
  sorts: { createdAt: sql`partner_deliveries.created_at` },
  rows: (db) =>
    db
      .selectFrom('partner_deliveries')
      .innerJoin('partners', 'partners.id', 'partner_deliveries.partner_id')
      .select([
        'partner_deliveries.id',
        'partners.id as partnerId',
        'partners.name as partnerName',
        'partner_deliveries.kind',
        'partner_deliveries.order_id as orderId',
        'partner_deliveries.state',
        'partner_deliveries.tries',
        'partner_deliveries.next_at as nextAt',
        'partner_deliveries.http_status as httpStatus',
        'partner_deliveries.ret',
        'partner_deliveries.answer',
        'partner_deliveries.created_at as createdAt',
        'partner_deliveries.done_at as doneAt',
      ])
      .select(subject.as('subject')),
  toItem: (row) => ({
    ...row,
    nextAt: isoOrNull(row.nextAt),
    createdAt: toIso(row.createdAt),
    doneAt: isoOrNull(row.doneAt),
  }),
});
