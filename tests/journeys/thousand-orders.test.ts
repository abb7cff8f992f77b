import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { openTestApi } from '@voltdeck/server/http/test-api';
import { makeOrder, type Place } from '@voltdeck/server/http/test-records';
import { wattHours } from '@voltdeck/units/energy';
import type { OrderId } from '@voltdeck/units/id';
import { instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { expect, test } from 'vitest';
import { dice, seedOfRun } from './dice.ts';
import { changeRates, makeSharedPlaces } from './share-world.ts';

const seed = seedOfRun('thousand shared orders');
const orders = 1_000;
const ordersOfRates = 50;
const clients = 4;

type Terms = { id: number; agent: number | null; electricity: number; service: number };
type World = {
  fee: number;
  commission: { electricity: number; service: number };
  /** From the station's agent up. */
  agents: { id: number; rate: number }[];
  dividers: Terms[];
};

/** Rounded half up; never below zero here. */
const rounded = (numerator: bigint, denominator: bigint) => (2n * numerator + denominator) / (2n * denominator);

/** Parts by weights: the first n together get their weight's part, rounded once. */
function parts(amount: bigint, weights: readonly bigint[]): bigint[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  let weight = 0n;
  let given = 0n;
  return weights.map((each) => {
    weight += each;
    const upTo = whole === 0n ? 0n : rounded(amount * weight, whole);
    const part = upTo - given;
    given = upTo;
    return part;
  });
}

/** Who gets what of one fee, written down from docs/decisions/0020-shares.md and from nothing of the product. */
function expectedOf(world: World, kind: 'electricity' | 'service', amount: bigint): Map<string, bigint> {
  const got = new Map<string, bigint>();
  const give = (who: string, what: bigint) => got.set(who, (got.get(who) ?? 0n) + what);
  const take = (from: bigint, rate: number) => parts(from, [BigInt(rate), BigInt(10_000 - rate)]) as [bigint, bigint];
  const [fee, afterFee] = take(amount, world.fee);
  const [commission, left] = take(afterFee, world.commission[kind]);
  give('platform', fee + commission);
  const keep = (holder: string, agent: number | null, held: bigint) => {
    const own = world.dividers.filter((terms) => terms.agent === agent);
    const rates = own.map((terms) => BigInt(terms[kind]));
    const rest = 10_000n - rates.reduce((sum, rate) => sum + rate, 0n);
    const each = parts(held, [...rates, rest]);
    own.forEach(({ id }, at) => void give(`divider ${id}`, each[at] ?? 0n));
    give(holder, each.at(-1) ?? 0n);
  };
  let above: { holder: string; agent: number | null; has: bigint } = { holder: 'platform', agent: null, has: left };
  for (const { id, rate } of [...world.agents].reverse()) {
    const [passed, kept] = take(above.has, rate);
    keep(above.holder, above.agent, kept);
    above = { holder: `agent ${id}`, agent: id, has: passed };
  }
  keep(above.holder, above.agent, above.has);
  return got;
}

test('a thousand orders with random shares, half of them refunded in part, are shared as calculated by hand', async () => {
  const database = await freshDatabase();
  const api = await openTestApi({ database });
  const chance = dice(seed);
  const places = await makeSharedPlaces(database, chance);
  await database.pool.query(
    "update configs set value = 'off' where key in ('second_person_recharge_fen', 'second_person_order_refund_fen')",
  );
  for (const { cardNumber } of places) {
    const filled = await api.post('/recharges', { cardNumber, amountFen: 2_000_000 });
    expect(filled.envelope.message).toMatchObject({ status: 200 });
    expect(filled.data).not.toHaveProperty('waitsFor');
  }
  let compared = 0;
  for (let done = 0; done < orders; done += ordersOfRates) {
    if (done > 0) await changeRates(database, places, chance);
    const drawn = Array.from({ length: ordersOfRates }, () => ({
      place: chance.pick(places),
      energyWh: chance.whole(1, 60_000),
      refund: chance.next() < 0.5 ? chance.next() : null,
    }));
    const worlds = new Map<number, World>();
    for (const place of places) worlds.set(place.siteId, await readWorld(database, place));
    const settleNext = async () => {
      for (let next = drawn.pop(); next !== undefined; next = drawn.pop()) {
        const { place, energyWh, refund } = next;
        const id = await waitingOrder(database, place);
        const endedAt = toIso(instant(Date.now() - minuteMs));
        const settled = await api.post(`/orders/${id}/settlements`, {
          energyWh,
          endedAt,
          reason: 'Meter read on site',
        });
        expect(settled.envelope.message, `seed ${seed}, order ${id}`).toMatchObject({ status: 200 });
        if (refund !== null) await refundPart(id, refund);
        await compare(id, worlds.get(place.siteId));
        compared += 1;
      }
    };
    await Promise.all(Array.from({ length: clients }, settleNext));
  }
  expect(compared).toBe(orders);
  const { rows } = await database.pool.query<{ agents: number; refunded: number }>(
    `select count(distinct order_id)::int as agents,
            (select count(*)::int from orders where refunded_fen > 0) as refunded
       from order_shares where party = 'agent' and amount_fen <> 0`,
  );
  expect(rows[0]?.agents).toBeGreaterThan(orders / 2);
  expect(rows[0]?.refunded).toBeGreaterThan(orders / 3);
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();

  async function refundPart(id: OrderId, part: number) {
    const { paid_fen: paid } = await database.db
      .selectFrom('orders')
      .select('paid_fen')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const amountFen = Math.ceil(paid * part);
    if (amountFen === 0) return;
    const refunded = await api.post(`/orders/${id}/refunds`, { amountFen, reason: 'The gun was broken' });
    expect(refunded.envelope.message, `seed ${seed}, order ${id}`).toMatchObject({ status: 200 });
  }

  async function compare(id: OrderId, world: World | undefined) {
    if (world === undefined) throw new Error('every site has its world');
    const { rows } = await database.pool.query<{ electricity: bigint; service: bigint; received: bigint }>(
      `select electricity_fee_fen as electricity, service_fee_fen as service, paid_fen - refunded_fen as received
         from orders where id = $1`,
      [id],
    );
    const [order] = rows;
    if (order === undefined) throw new Error('the order is there');
    const [electricity = 0n, service = 0n] = parts(BigInt(order.received), [
      BigInt(order.electricity),
      BigInt(order.service),
    ]);
    const expected = new Map<string, number>();
    for (const [kind, amount] of [['electricity', electricity] as const, ['service', service] as const]) {
      for (const [who, fenOfKind] of expectedOf(world, kind, amount)) {
        const sum = (expected.get(who) ?? 0) + Number(fenOfKind);
        expected.set(who, sum);
      }
    }
    const shared = await database.pool.query<{ who: string; amount: number }>(
      `select case party when 'platform' then party else party || ' ' || coalesce(agent_id, divider_id) end as who,
              sum(amount_fen)::bigint as amount
         from order_shares where order_id = $1 group by 1`,
      [id],
    );
    const actual = new Map(shared.rows.map(({ who, amount }) => [who, Number(amount)]));
    const nonZero = (of: Map<string, number>) =>
      Object.fromEntries([...of].filter(([, amount]) => amount !== 0).sort());
    expect(nonZero(actual), `seed ${seed}, order ${id}`).toEqual(nonZero(expected));
  }
}, 600_000);

/** A charge that ended and waits for its figures, paid from the place's card. */
function waitingOrder(database: Database, place: Place): Promise<OrderId> {
  return makeOrder(database, place, instant(Date.now() - 40 * minuteMs), {
    state: 'settling',
    waits_for: 'person',
    payment_state: 'unpaid',
    amount_fen: fen(0),
    electricity_fee_fen: fen(0),
    service_fee_fen: fen(0),
    paid_fen: fen(0),
    energy_wh: wattHours(0),
    settled_at: null,
  });
}

async function readWorld({ pool }: Database, { siteId, agentId }: Place): Promise<World> {
  const terms = await pool.query(
    `select channel_fee_e4 as fee, electricity_e4 as electricity, service_e4 as service from share_terms
      where site_id = $1 or site_id is null order by site_id is null limit 1`,
    [siteId],
  );
  const agents: World['agents'] = [];
  for (let id: number | null = agentId; id !== null; ) {
    const found = await pool.query('select parent_id, rate_e4 from agents where id = $1', [id]);
    agents.push({ id: Number(id), rate: found.rows[0].rate_e4 });
    id = found.rows[0].parent_id;
  }
  const dividers = await pool.query(
    `select divider_id as id, agent_id as agent, electricity_e4 as electricity, service_e4 as service from divider_terms
      where (site_id is null or site_id = $1) and (to_at is null or to_at > now()) order by id`,
    [siteId],
  );
  const [kept] = terms.rows;
  return {
    fee: kept?.fee ?? 0,
    commission: { electricity: kept?.electricity ?? 0, service: kept?.service ?? 0 },
    agents,
    dividers: dividers.rows.map((row) => ({
      ...row,
      id: Number(row.id),
      agent: row.agent === null ? null : Number(row.agent),
    })),
  };
}
