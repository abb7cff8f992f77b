import type { Order } from '@voltdeck/contract/orders';
import { payOutTransfer } from '@voltdeck/ledger/settlement';
import { wattHours } from '@voltdeck/units/energy';
import type { AgentId, DividerId, OrderId, SettlementPeriodId } from '@voltdeck/units/id';
import { dayMs, type Instant, instant, minuteMs, shanghaiDate, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { adminPassword, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace, type Place } from '../http/test-records.ts';
import { postTransfer } from '../ledger/post-transfer.ts';

/** Noon in China on a day like "2030-01-10". */
export function noonOf(day: string): Instant {
  return instant(Date.parse(`${day}T12:00:00+08:00`));
}

/** Lets the API live on a day, at noon in China, with the administrator signed in. */
export async function liveOn(api: TestApi, day: string): Promise<void> {
  api.clock.now = noonOf(day);
  api.adminToken = (await api.logIn('admin', adminPassword)).data.token;
}

export type Tree = { province: AgentId; city: AgentId; yard: DividerId; place: Place };

/**
 * A province that gets 90 % of what the platform leaves and gives its city 80 % of that; of the city's part the yard's
 * owner gets 10 % of electricity and 30 % of service. The platform keeps 0.5 % for the channel and 10 % of service.
 */
export async function makeTree(api: TestApi, name: string): Promise<Tree> {
  const { pool } = api.database;
  const province = await api.addAgent(`Province ${name}`);
  const city = await api.addAgent(`City ${name}`, province);
  await pool.query('update agents set rate_e4 = case id when $1 then 9000 else 8000 end where id in ($1, $2)', [
    province,
    city,
  ]);
  const { rows } = await pool.query<{ id: DividerId }>(
    "insert into dividers (name, agent_id, created_at) values ('Yard', $1, now()) returning id",
    [city],
  );
  const yard = rows[0]?.id ?? (0 as DividerId);
  const place = await makePlace(api.database, city, name);
  await pool.query(
    `insert into divider_terms (divider_id, agent_id, site_id, electricity_e4, service_e4, occupancy_e4, from_at, created_at)
     values ($1, $2, $3, 1000, 3000, 0, now() - interval '1 year', now())`,
    [yard, city, place.siteId],
  );
  await pool.query(
    'insert into share_terms (site_id, channel_fee_e4, service_e4, changed_at) values ($1, 50, 1000, now())',
    [place.siteId],
  );
  return { province, city, yard, place };
}

/** Lets the API's clock run on from noon in China of tomorrow, so that no test meets midnight or the night's prices. */
export async function liveFromNoon(api: TestApi): Promise<void> {
  const tomorrow = shanghaiDate(instant(Date.now() + dayMs));
  api.clock.aheadMs = noonOf(tomorrow) - Date.now();
  api.adminToken = (await api.logIn('admin', adminPassword)).data.token;
}

/** An order that a person settles now, 10 kWh in half an hour by default: 7 yuan of electricity and 4 of service by day. */
export async function settleNow(
  api: TestApi,
  place: Place,
  endedAt = instant(api.context.now() - 10 * minuteMs),
  energyWh = 10_000,
): Promise<OrderId> {
  const id = await makeOrder(api.database, place, instant(endedAt - 30 * minuteMs), {
    state: 'settling',
    waits_for: 'person',
    payment_state: 'unpaid',
    amount_fen: fen(0),
    electricity_fee_fen: fen(0),
    service_fee_fen: fen(0),
    paid_fen: fen(0),
    energy_wh: wattHours(0),
    settled_at: null,
    proposal: JSON.stringify({ energyWh, endedAt: toIso(endedAt), lines: null }) as never,
  });
  const body = { energyWh, endedAt: toIso(endedAt), reason: 'Meter read on site' };
  const answer = await api.post<Order>(`/orders/${id}/settlements`, body);
  if (answer.status !== 200) throw new Error(answer.text);
  return id;
}

/** Pays an agent's shares out to its balance, as the end of a settlement period does. */
export async function payOut(api: TestApi, agent: AgentId, amountFen: number): Promise<void> {
  const transfer = payOutTransfer(1 as SettlementPeriodId, { kind: 'agent', id: agent }, fen(amountFen));
  if (transfer?.ok !== true) throw new Error('nothing to pay out');
  await api.database.db.transaction().execute((trx) => postTransfer(trx, transfer.value, api.context.now()));
}
