import { listStartAttempts } from '@voltdeck/contract/quality';
import { codesWithin } from '@voltdeck/regions/regions';
import { isoOrNull, parseIso, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { findsPersonal } from '../personal/sees-personal.ts';

const isFirst = sql<boolean>`(start_attempts.visit_id = start_attempts.id)`;
const isUnderWay = sql<boolean>`(start_attempts.drop_out is null and start_attempts.step <> 'ended_clean')`;
/** Of those that the sums do not hold yet, which are few and have all that are under way. */
const isLeft = sql<boolean>`start_attempts.id = any(array(select attempt_id from start_attempt_tail))`;

/** A literal, because PostgreSQL uses the index of such attempts only where it can see the text. */
const isEmpty = (column: string) => sql<boolean>`${sql.ref(column)} = ''`;

function attemptsAsShown(db: Kysely<Tables>) {
  return db
    .selectFrom('start_attempts')
    .leftJoin('sites', 'sites.id', 'start_attempts.site_id')
    .leftJoin('stations', 'stations.id', 'start_attempts.station_id')
    .leftJoin('agents', 'agents.id', 'start_attempts.agent_id')
    .leftJoin('customers', 'customers.id', 'start_attempts.customer_id')
    .leftJoin('orders', 'orders.id', 'start_attempts.order_id')
    .select([
      'start_attempts.id',
      'start_attempts.at',
      'start_attempts.times',
      'start_attempts.start_mode as startMode',
      'start_attempts.step',
      'start_attempts.drop_out as dropOut',
      'start_attempts.succeeded',
      isFirst.as('isFirst'),
      'start_attempts.site_id as siteId',
      'sites.name as siteName',
      'start_attempts.station_id as stationId',
      'stations.number as stationNumber',
      'start_attempts.connector_number as connectorNumber',
      'start_attempts.agent_id as agentId',
      'agents.name as agentName',
      'start_attempts.customer_id as customerId',
      'customers.phone as customerPhone',
      'start_attempts.card_number as cardNumber',
      'start_attempts.plate',
      'start_attempts.vin',
      'start_attempts.make',
      'start_attempts.model',
      'start_attempts.firmware',
      'start_attempts.order_id as orderId',
      'orders.number as orderNumber',
      'start_attempts.energy_wh as energyWh',
      'start_attempts.answered_ms as answeredMs',
      'start_attempts.energised_at as energisedAt',
      'start_attempts.billed_ms as billedMs',
    ]);
}

export const startAttemptList = listSource({
  route: listStartAttempts,
  filtered(db, caller, filter) {
    let attempts = scoped(
      db.selectFrom('start_attempts'),
      caller,
      'start_attempts.agent_id',
      'start_attempts.customer_id',
    );
    if (filter.siteId !== undefined) attempts = attempts.where('start_attempts.site_id', '=', filter.siteId);
    if (filter.stationId !== undefined) attempts = attempts.where('start_attempts.station_id', '=', filter.stationId);
    if (filter.agentId !== undefined) attempts = attempts.where('start_attempts.agent_id', '=', filter.agentId);
    if (filter.customerId !== undefined) {
      attempts = attempts.where('start_attempts.customer_id', '=', filter.customerId);
    }
    if (filter.step !== undefined) attempts = attempts.where('start_attempts.step', 'in', filter.step);
    if (filter.dropOut !== undefined) attempts = attempts.where('start_attempts.drop_out', 'in', filter.dropOut);
    if (filter.isUnderWay === true) attempts = attempts.where(isLeft).where(isUnderWay);
    if (filter.isUnderWay === false) attempts = attempts.where(sql<boolean>`not ${isUnderWay}`);
    if (filter.isFirst !== undefined) attempts = attempts.where(isFirst, '=', filter.isFirst);
    if (filter.succeeded !== undefined) attempts = attempts.where('start_attempts.succeeded', '=', filter.succeeded);
    if (filter.startMode !== undefined) attempts = attempts.where('start_attempts.start_mode', 'in', filter.startMode);
    if (filter.equipmentType !== undefined) {
      attempts = attempts.where('start_attempts.equipment_type', '=', filter.equipmentType);
    }
    if (filter.make !== undefined) attempts = attempts.where('start_attempts.make', '=', filter.make);
    if (filter.model !== undefined) attempts = attempts.where('start_attempts.model', '=', filter.model);
    if (filter.firmware !== undefined) attempts = attempts.where('start_attempts.firmware', '=', filter.firmware);
    for (const name of filter.unreported ?? []) attempts = attempts.where(isEmpty(`start_attempts.${name}`));
    if (filter.cardNumber !== undefined) {
      const number = filter.cardNumber.toUpperCase();
      attempts = attempts.where(findsPersonal(caller, 'start_attempts.card_number', number));
    }
    if (filter.regionCode !== undefined) {
      const { from, to } = codesWithin(filter.regionCode);
      const sites = db.selectFrom('sites').select('sites.id');
      const within = sites.where('sites.region_code', '>=', from).where('sites.region_code', '<=', to);
      attempts = attempts.where('start_attempts.site_id', 'in', within);
    }
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) attempts = attempts.where('start_attempts.at', '>=', from);
    if (to !== null) attempts = attempts.where('start_attempts.at', '<=', to);
    return attempts;
  },
  id: sql`start_attempts.id`,
  sorts: { at: sql`start_attempts.at` },
  sums: { times: sql`start_attempts.times` },
  rows: attemptsAsShown,
  toItem: (row) => ({ ...row, at: toIso(row.at), energisedAt: isoOrNull(row.energisedAt) }),
});
