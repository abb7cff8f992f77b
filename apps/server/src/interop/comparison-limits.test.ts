import type { Message } from '@voltdeck/tcec102/messages/all';
import { checkedOrdersMax } from '@voltdeck/tcec102/messages/business';
import { energyMaxWh, moneyMaxFen } from '@voltdeck/tcec102/messages/field';
import { type WattHours, wattHours } from '@voltdeck/units/energy';
import { dayMs, instant } from '@voltdeck/units/instant';
import { type Fen, fen } from '@voltdeck/units/money';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { openTestPartner, type TestPartner } from './test-partner.ts';

let api: TestApi;
let partner: TestPartner;
beforeAll(async () => {
  api = await openTestApi();
  partner = await openTestPartner(api, { role: 'both' });
});
afterAll(async () => {
  await partner.close();
  await api.close();
});

type Listed = Message<'check_charge_orders', 'request'>['ChargeOrders'];

/** As many charges as one comparison may list, none of them ours. */
function listOf(TotalPower: WattHours, TotalMoney: Fen): Listed {
  return Array.from({ length: checkedOrdersMax }, (_, index) => ({
    StartChargeSeq: `MA1OURS01${String(index).padStart(18, '0')}`,
    TotalPower,
    TotalMoney,
  }));
}

function compare(ChargeOrders: Listed) {
  const now = api.context.now();
  return partner.call('check_charge_orders', {
    CheckOrderSeq: 'one',
    StartTime: instant(now - dayMs),
    EndTime: instant(now + dayMs),
    OrderCount: ChargeOrders.length,
    TotalOrderPower: wattHours(0),
    TotalOrderMoney: fen(0),
    ChargeOrders,
  });
}

/** Charges of a customer of ours at the partner, all of which ended now. */
async function makeCharges(from: number, to: number): Promise<void> {
  const { rows } = await api.database.pool.query<{ id: number }>(
    `insert into customers (phone, nickname, created_at) values ('139' || lpad($1::text, 8, '0'), '', now()) returning id`,
    [from],
  );
  await api.database.pool.query(
    `insert into roaming_charges (sequence, partner_id, customer_id, state, site_code, site_name, station_code, port_code,
       prices, placed_at, started_at, ended_at, energy_wh, amount_fen, paid_fen)
     select 'OURS' || n, $1, $2, 'completed', 's', 's', 's', 'p', '[]', t, t, t, 10, 1, 1
       from generate_series($3::int, $4::int) n, (select to_timestamp($5 / 1000.0) as t) one`,
    [partner.id, rows[0]?.id, from, to, api.context.now()],
  );
}

test('a comparison whose sums no number of the standard can hold is refused by its field', async () => {
  expect(await compare(listOf(wattHours(energyMaxWh), fen(1)))).toMatchObject({ ret: 4004, msg: 'TotalPower' });
  expect(await compare(listOf(wattHours(10), fen(moneyMaxFen)))).toMatchObject({ ret: 4004, msg: 'TotalMoney' });
});

test('a full list without one of ours is answered with all of both, and more of ours than fit are refused', async () => {
  await makeCharges(1, 1);
  const { ret, answer } = await compare(listOf(wattHours(10), fen(1)));
  expect(ret).toBe(0);
  expect(answer).toMatchObject({ TotalDisputeOrder: checkedOrdersMax + 1, TotalDisputeMoney: checkedOrdersMax + 1 });
  expect(answer?.DisputeOrders.at(-1)).toMatchObject({ StartChargeSeq: 'OURS1' });
  await makeCharges(2, checkedOrdersMax + 1);
  expect(await compare([])).toMatchObject({ ret: 4004, msg: 'EndTime' });
});
