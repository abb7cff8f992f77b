import type { ApprovalDetail } from '@voltdeck/contract/approval-records';
import type { Waits } from '@voltdeck/contract/approvals';
import type { Order, OrderDetail } from '@voltdeck/contract/orders';
import type { OrderShares } from '@voltdeck/contract/shares';
import type { AgentId, DividerId, OrderId } from '@voltdeck/units/id';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { liveFromNoon, makeTree, settleNow } from '../finance/test-finance.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { balanceOf, makeOrder, makePlace, makeSettledOrder, type Place } from '../http/test-records.ts';

let api: TestApi;
let places = 0;
beforeAll(async () => {
  api = await openTestApi();
  await liveFromNoon(api);
});
afterEach(async () => {
  const { rows } = await api.database.pool.query(
    `select o.number, o.paid_fen - o.refunded_fen as received, coalesce(sum(s.amount_fen), 0)::bigint as shared
       from orders o left join order_shares s on s.order_id = o.id
      group by o.id having o.paid_fen - o.refunded_fen <> coalesce(sum(s.amount_fen), 0)`,
  );
  expect(rows).toEqual([]);
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await api.database.pool.query<Row>(text, values)).rows;

/** A province that gives its city 80 %, of which the owner of the yard gets 10 % of electricity and 30 % of service. */
async function newTree() {
  places += 1;
  return await makeTree(api, String(places));
}

/** An order that a person settles at 10 kWh: 7 yuan of electricity and 4 of service. */
const settle = (place: Place) => settleNow(api, place);

const refund = (id: OrderId, amountFen: number) =>
  api.post<Order>(`/orders/${id}/refunds`, { amountFen, reason: 'The gun was broken' });

type Row = { number: number; party: string; reason: string; electricity: number; service: number };
const sharesOf = (id: OrderId) =>
  sql<Row>(
    `select number, party || coalesce(' ' || agent_id, '') as party, reason, electricity_fen as electricity, service_fen as service
       from order_shares where order_id = $1 order by number, order_shares.party, agent_id, reason`,
    [id],
  );
const agentFen = (id: AgentId) => balanceOf(api.database, `agent-share:${id}`);
const dividerFen = (id: DividerId) => balanceOf(api.database, `divider-share:${id}`);

describe('an order that settles', () => {
  test('is shared from the platform down to the divider, in the books as in the rows', async () => {
    const { place, province, city, yard } = await newTree();
    const [fees, commission] = [
      await balanceOf(api.database, 'channel-fee'),
      await balanceOf(api.database, 'commission'),
    ];
    const id = await settle(place);
    // Electricity 700: fee 3.5 -> 4; of 696 the province gets 626, the city 501, its divider 50.
    // Service 400: fee 2, commission 39.8 -> 40; of 358 the province gets 322, the city 258, its divider 77.
    expect(await sharesOf(id)).toEqual([
      { number: 1, party: `agent ${province}`, reason: 'remainder', electricity: 125, service: 64 },
      { number: 1, party: `agent ${city}`, reason: 'remainder', electricity: 451, service: 181 },
      { number: 1, party: 'divider', reason: 'rate', electricity: 50, service: 77 },
      { number: 1, party: 'platform', reason: 'channel_fee', electricity: 4, service: 2 },
      { number: 1, party: 'platform', reason: 'commission', electricity: 0, service: 40 },
      { number: 1, party: 'platform', reason: 'remainder', electricity: 70, service: 36 },
    ]);
    expect(await agentFen(province)).toBe(189);
    expect(await agentFen(city)).toBe(632);
    expect(await dividerFen(yard)).toBe(127);
    expect((await balanceOf(api.database, 'channel-fee')) - fees).toBe(6);
    expect((await balanceOf(api.database, 'commission')) - commission).toBe(40);
    expect(await balanceOf(api.database, `electricity-income:site:${place.siteId}`)).toBe(70);
    expect(await balanceOf(api.database, `service-income:site:${place.siteId}`)).toBe(36);
  });

  test('without an agent is the platform’s, in one row and without a transfer', async () => {
    places += 1;
    const place = await makePlace(api.database, null, `shares${places}`);
    const id = await settle(place);
    expect(await sharesOf(id)).toEqual([
      { number: 1, party: 'platform', reason: 'remainder', electricity: 700, service: 400 },
    ]);
    expect(await sql("select 1 from ledger_transfers where order_id = $1 and reason = 'order_shared'", [id])).toEqual(
      [],
    );
    expect(await sql('select share_plan from orders where id = $1', [id])).toEqual([{ share_plan: null }]);
  });
});

describe('who sees the shares of an order', () => {
  const shown = async (id: OrderId, ask = {}) => {
    const { status, data } = await api.get<OrderShares>(`/orders/${id}/shares`, ask);
    if (status !== 200) return status;
    return {
      ...data,
      shares: data.shares.map(({ party, reason, amountFen }) => [party.name ?? party.kind, reason, amountFen]),
    };
  };

  test('the platform sees all with their reasons, an agent itself and what is below it, and nobody else anything', async () => {
    const { place, province, city } = await newTree();
    const id = await settle(place);
    await refund(id, 100);
    const whole = await api.get<OrderShares>(`/orders/${id}/shares`);
    expect(whole.data).toMatchObject({
      receivedFen: 1_000,
      isWhole: true,
      postings: [
        { number: 1, amountFen: 1_100 },
        { number: 2, amountFen: -100 },
      ],
    });
    const { data: order } = await api.get<OrderDetail>(`/orders/${id}`);
    const posted = order.postings.filter(({ reason }) => reason === 'order_shared');
    for (const share of whole.data.shares) {
      if (share.party.name !== null) expect(posted.map(({ toName }) => toName)).toContain(share.party.name);
    }
    expect(order.postings.some(({ reason, toName }) => reason !== 'order_shared' && toName !== null)).toBe(false);
    expect(
      whole.data.shares.map(({ party, reason, ratesE4, agentRateE4 }) => [
        party.name,
        reason,
        ratesE4?.service,
        agentRateE4,
      ]),
    ).toEqual([
      [null, 'channel_fee', 50, null],
      [null, 'commission', 1_000, null],
      [null, 'remainder', undefined, null],
      [`Province ${places}`, 'remainder', undefined, 9_000],
      ['Yard', 'rate', 3_000, null],
      [`City ${places}`, 'remainder', undefined, 8_000],
    ]);
    const permissions = ['order.shares', 'order.read'] as const;
    const ofCity = await api.addUser({
      name: `city${places}`,
      permissions: [...permissions],
      scope: 'agent',
      agentId: city,
    });
    const ofProvince = await api.addUser({
      name: `province${places}`,
      permissions: [...permissions],
      scope: 'agent_tree',
      agentId: province,
    });
    const other = await api.addUser({
      name: `other${places}`,
      permissions: [...permissions],
      scope: 'agent',
      agentId: await api.addAgent('Elsewhere'),
    });
    expect(await shown(id, ofCity)).toMatchObject({
      isWhole: false,
      shares: [
        ['Yard', 'rate', expect.any(Number)],
        [`City ${places}`, 'remainder', expect.any(Number)],
      ],
      postings: [{ number: 1, amountFen: 759 }, { number: 2 }],
    });
    expect(await shown(id, ofProvince)).toMatchObject({
      shares: [
        [`Province ${places}`, 'remainder', expect.any(Number)],
        ['Yard', 'rate', expect.any(Number)],
        [`City ${places}`, 'remainder', expect.any(Number)],
      ],
    });
    expect(await shown(id, other)).toBe(404);
    const detail = await api.get<OrderDetail>(`/orders/${id}`, ofCity);
    expect(JSON.stringify(detail.data.postings)).not.toContain('share');
    const { token } = await api.addUser({ name: `reader${places}`, permissions: ['order.read'] });
    expect(await shown(id, { token })).toBe(403);
  });
});

describe('a refund', () => {
  test('takes shares back in proportion, and a full refund every fen, at the rates of the settlement', async () => {
    const { place, province, city, yard } = await newTree();
    const id = await settle(place);
    await sql('update agents set rate_e4 = 1 where id in ($1, $2)', [province, city]);
    await sql('update divider_terms set to_at = now() where divider_id = $1', [yard]);
    expect((await refund(id, 333)).status).toBe(200);
    expect(await agentFen(city)).toBe(441);
    for (const amountFen of [1, 1, 1, 764]) expect((await refund(id, amountFen)).status).toBe(200);
    expect([await agentFen(province), await agentFen(city), await dividerFen(yard)]).toEqual([0, 0, 0]);
    expect(await balanceOf(api.database, `electricity-income:site:${place.siteId}`)).toBe(0);
    expect(await balanceOf(api.database, `service-income:site:${place.siteId}`)).toBe(0);
    expect(Math.max(...(await sharesOf(id)).map(({ number }) => number))).toBe(6);
  });
});

describe('a debt', () => {
  test('is shared when it is repaid, and taken back with the recharge that repaid it', async () => {
    const { place, city } = await newTree();
    const id = await makeSettledOrder(api.database, place, { electricityFeeFen: 20_000, serviceFeeFen: 0 });
    await sql('update orders set share_plan = $2 where id = $1', [
      id,
      JSON.stringify({
        channelFeeE4: 0,
        commissionE4: { electricity: 0, service: 0, occupancy: 0 },
        dividers: [],
        agents: [{ id: city, rateE4: 5_000, dividers: [] }],
      }),
    ]);
    const recharged = await api.post<{ id: number }>('/recharges', { cardNumber: place.cardNumber, amountFen: 10_000 });
    expect(await agentFen(city)).toBe(10_000);
    expect((await api.post(`/recharges/${recharged.data.id}/reversals`, { reason: 'The wrong card' })).status).toBe(
      200,
    );
    expect(await agentFen(city)).toBe(5_000);
  });
});

describe('several shares in one transaction', () => {
  const planOf = (agent: AgentId) =>
    JSON.stringify({
      channelFeeE4: 0,
      commissionE4: { electricity: 0, service: 0, occupancy: 0 },
      dividers: [],
      agents: [{ id: agent, rateE4: 5_000, dividers: [] }],
    });

  /** Who of the agents is held while `act` waits for the transfer of that key, which another transaction has written. */
  async function heldAt(key: string, agents: readonly AgentId[], act: () => Promise<{ status: number }>) {
    const other = await api.database.pool.connect();
    await other.query('begin');
    await other.query(
      "insert into ledger_transfers (key, reason, created_at, amount_fen) values ($1, 'correction', now(), 1)",
      [key],
    );
    const acting = act();
    await expect
      .poll(() =>
        sql("select pid from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'"),
      )
      .toHaveLength(1);
    const held = await sql<{ id: AgentId }>(
      `select id from unnest($1::bigint[]) id where exists (
         select from pg_locks where locktype = 'advisory' and granted and mode = 'ShareLock'
            and database = (select oid from pg_database where datname = current_database())
            and ((classid::bigint << 32) | objid::bigint) = settlement_lock('agent', id)) order by id`,
      [agents],
    );
    await other.query('rollback');
    other.release();
    expect((await acting).status).toBe(200);
    return held.map(({ id }) => id);
  }

  test('a recharge that repays debts at two agents holds the periods of both before the first, so that closing waits for it and not it for closing', async () => {
    const agents = [await api.addAgent('One'), await api.addAgent('Two')];
    const [one] = agents;
    const place = await makePlace(api.database, one ?? null, 'two-agents');
    await makeSettledOrder(api.database, place, { electricityFeeFen: 10_000, serviceFeeFen: 0 });
    for (const agent of agents) {
      const id = await makeSettledOrder(api.database, place, { electricityFeeFen: 1_000, serviceFeeFen: 0 });
      await sql('update orders set share_plan = $2 where id = $1', [id, planOf(agent)]);
    }
    const [last] = await sql<{ id: number }>('select coalesce(max(id), 0)::int as id from debt_repayments');
    const held = await heldAt(`repayment:${(last?.id ?? 0) + 1}`, agents, () =>
      api.post('/recharges', { cardNumber: place.cardNumber, amountFen: 5_000 }),
    );
    expect(held).toEqual(agents);
  });

  test('a correction holds the periods of all who share before it takes anything back', async () => {
    const { place, city, province, yard } = await newTree();
    const id = await settle(place);
    await sql(
      `insert into divider_terms (divider_id, agent_id, electricity_e4, service_e4, occupancy_e4, from_at, created_at)
       select id, agent_id, 1000, 0, 0, now() - interval '1 year', now() from dividers where id = $1`,
      [yard],
    );
    const held = await heldAt(`order:${id}:shares:2`, [province, city], () =>
      api.post(`/orders/${id}/share-corrections`, { reason: 'The terms came too late' }),
    );
    expect(held).toEqual([province, city]);
  });
});

describe('a correction', () => {
  /** Terms that were in force and nobody had entered. */
  const moreFor = (divider: DividerId, { electricityE4, serviceE4 }: { electricityE4: number; serviceE4: number }) =>
    sql(
      `insert into divider_terms (divider_id, agent_id, electricity_e4, service_e4, occupancy_e4, from_at, created_at)
       select id, agent_id, $2, $3, 0, now() - interval '1 year', now() from dividers where id = $1`,
      [divider, electricityE4, serviceE4],
    );
  const correct = (id: OrderId, ask: object = {}) =>
    api.post<OrderShares>(`/orders/${id}/share-corrections`, { reason: 'The terms came too late' }, ask);

  test('of an order that nobody has paid yet moves nothing, and its repayment follows the new plan', async () => {
    const { place, city, yard } = await newTree();
    // The card's 100 yuan are gone, so that all of the next order is owed.
    await makeSettledOrder(api.database, place, { electricityFeeFen: 10_000, serviceFeeFen: 0 });
    const id = await settle(place);
    await moreFor(yard, { electricityE4: 1_000, serviceE4: 0 });
    expect((await correct(id)).envelope.message).toMatchObject({ status: 200 });
    expect(await sharesOf(id)).toEqual([]);
    expect((await correct(id)).envelope.message).toMatchObject({ error: 'shares.same' });
    await api.post('/recharges', { cardNumber: place.cardNumber, amountFen: 5_000 });
    // Of 700 fen of electricity 697 are left after the channel fee, of which the city has 502: 20 % of them, not 10 %.
    expect((await sharesOf(id)).filter(({ reason }) => reason === 'rate')).toMatchObject([{ electricity: 100 }]);
    expect(await agentFen(city)).toBeGreaterThan(0);
  });

  test('reverses what was posted and shares by the terms of its time, which later refunds follow', async () => {
    const { place, city, yard } = await newTree();
    const id = await settle(place);
    expect((await correct(id)).envelope.message).toMatchObject({ status: 409, error: 'shares.same' });
    // The owner of the yard was to have 20 % of electricity from the beginning.
    await moreFor(yard, { electricityE4: 1_000, serviceE4: 0 });
    const corrected = await correct(id);
    expect(corrected.data.postings.map(({ number, amountFen }) => [number, amountFen])).toEqual([
      [1, 1_100],
      [2, -1_100],
      [3, 1_100],
    ]);
    expect(await dividerFen(yard)).toBe(177);
    expect(await agentFen(city)).toBe(582);
    expect((await refund(id, 1_100)).status).toBe(200);
    expect([await dividerFen(yard), await agentFen(city)]).toEqual([0, 0]);
    const told = await api.get<{ items: { cause: string }[] }>(`/divider-shares?dividerId=${yard}&sort=at`);
    expect(told.data.items.map(({ cause }) => cause)).toEqual(['settled', 'corrected', 'corrected', 'refunded']);
    const [entry] = await sql<{ before: unknown; after: { reason: string } }>(
      "select before, after from audit_entries where action = 'order.correct_shares' and record_id = $1",
      [String(id)],
    );
    expect(entry?.after.reason).toBe('The terms came too late');
  });

  test('keeps agents, their rates and the commission of the settlement, whatever they are today', async () => {
    const { place, province, city, yard } = await newTree();
    const id = await settle(place);
    const today = await api.addAgent(`Today ${places}`);
    await sql('update agents set rate_e4 = 100, parent_id = case id when $1 then $2::bigint end where id in ($1, $3)', [
      city,
      today,
      province,
    ]);
    await sql('update share_terms set service_e4 = 9000, channel_fee_e4 = 900 where site_id = $1', [place.siteId]);
    expect((await correct(id)).envelope.message).toMatchObject({ status: 409, error: 'shares.same' });
    await moreFor(yard, { electricityE4: 1_000, serviceE4: 0 });
    expect((await correct(id)).status).toBe(200);
    // Only the divider's part of what the city had is another one.
    expect([await agentFen(province), await agentFen(city), await agentFen(today)]).toEqual([189, 582, 0]);
    expect(await dividerFen(yard)).toBe(177);
  });

  test('that moves more than the limit waits for a second person, who sees what it moves', async () => {
    const { place, city, yard } = await newTree();
    const id = await settle(place);
    await moreFor(yard, { electricityE4: 1_000, serviceE4: 0 });
    const setLimit = (value: string) =>
      sql("update configs set value = $1 where key = 'second_person_share_correction_fen'", [value]);
    await setLimit('49');
    const permissions = ['order.read', 'order.shares', 'order.correct_shares', 'approval.read'] as const;
    const clerk = await api.addUser({ name: `clerk${places}`, permissions: [...permissions] });
    const waits = await api.post<Waits>(
      `/orders/${id}/share-corrections`,
      { reason: 'The terms came too late' },
      { token: clerk.token },
    );
    const approval = waits.data.waitsFor.id;
    expect([await dividerFen(yard), await agentFen(city)]).toEqual([127, 632]);
    expect((await api.get<OrderDetail>(`/orders/${id}`)).data.waits).toMatchObject([
      { kind: 'share_correction', amountFen: 50 },
    ]);
    const seen = await api.get<ApprovalDetail>(`/approvals/${approval}`);
    expect(seen.data.facts).toEqual([
      { name: 'platformShare', kind: 'money', before: 152, after: 152 },
      { name: 'agentShares', kind: 'money', before: 821, after: 771 },
      { name: 'dividerShares', kind: 'money', before: 127, after: 177 },
    ]);
    const decision = { decision: 'approve' };
    expect((await api.post(`/approvals/${approval}/decisions`, decision, { token: clerk.token })).status).toBe(403);
    expect((await api.post(`/approvals/${approval}/decisions`, decision)).data).toMatchObject({ state: 'approved' });
    expect([await dividerFen(yard), await agentFen(city)]).toEqual([177, 582]);
    await setLimit('50000');
  });

  test('made by many at once is made once', async () => {
    const { place, yard } = await newTree();
    const id = await settle(place);
    await moreFor(yard, { electricityE4: 0, serviceE4: 500 });
    const answers = await Promise.all([1, 2, 3].map(() => correct(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    // 50 of electricity, and 35 % of the 258 that its holder has of service: 90.
    expect(await dividerFen(yard)).toBe(140);
  });

  test('is the platform’s, and of a settled order', async () => {
    const { place, city } = await newTree();
    const id = await settle(place);
    const { token } = await api.addUser({
      name: `corrects${places}`,
      permissions: ['order.read', 'order.shares', 'order.correct_shares'],
      scope: 'agent',
      agentId: city,
    });
    expect((await correct(id, { token })).status).toBe(404);
    const running = await makeOrder(api.database, place, instant(api.context.now() - minuteMs), {
      state: 'charging',
      payment_state: 'unpaid',
      amount_fen: fen(0),
      electricity_fee_fen: fen(0),
      service_fee_fen: fen(0),
      paid_fen: fen(0),
      ended_at: null,
      settled_at: null,
    });
    expect((await correct(running)).envelope.message).toMatchObject({ status: 409, error: 'shares.not_settled' });
  });
});

describe('the period of a share', () => {
  const periodsOf = (agent: AgentId) =>
    sql<{ from: string; to: string; state: string; shares: number }>(
      `select p.from_on::text as from, p.to_on::text as to, p.state, count(s.*)::int as shares
         from settlement_periods p left join order_shares s on s.period_id = p.id
        where p.agent_id = $1 group by p.id order by p.from_on`,
      [agent],
    );
  const write = (order: OrderId, agent: AgentId, number: number, at: string) =>
    sql('select write_order_shares($1, (select site_id from orders where id = $1), $2, $3, $4)', [
      order,
      number,
      at,
      JSON.stringify([
        { party: 'agent', agent_id: agent, reason: 'remainder', electricity_fen: 0, service_fen: 0, occupancy_fen: 0 },
      ]),
    ]);

  const closed = `update settlement_periods
                     set state = 'closed', closed_at = now(), shares_fen = 0, orders = 0, carried_in_fen = 0`;

  test('follows the agent’s cycle, and a closed one is passed over', async () => {
    const { place, city } = await newTree();
    const id = await settle(place);
    await sql('update agents set settlement_cycle = $2 where id = $1', [city, 't7']);
    await write(id, city, 10, '2020-02-12T23:59:59+08:00');
    await write(id, city, 11, '2020-02-17T00:00:00+08:00');
    await sql(`${closed} where agent_id = $1 and from_on = '2020-02-10'`, [city]);
    await write(id, city, 12, '2020-02-16T23:59:59+08:00');
    await sql('update agents set settlement_cycle = $2 where id = $1', [city, 'm1']);
    await write(id, city, 13, '2020-02-29T12:00:00+08:00');
    await sql('update agents set settlement_cycle = $2 where id = $1', [city, 't1']);
    await write(id, city, 14, '2020-03-01T12:00:00+08:00');
    expect((await periodsOf(city)).slice(0, 4)).toEqual([
      { from: '2020-02-10', to: '2020-02-16', state: 'closed', shares: 1 },
      { from: '2020-02-17', to: '2020-02-23', state: 'open', shares: 2 },
      { from: '2020-02-24', to: '2020-02-29', state: 'open', shares: 1 },
      { from: '2020-03-01', to: '2020-03-01', state: 'open', shares: 1 },
    ]);
  });

  test('waits for the party’s lock, and the share lands in the next period when it was closed meanwhile', async () => {
    const { place, city } = await newTree();
    const id = await settle(place);
    await sql('update agents set settlement_cycle = $2 where id = $1', [city, 't1']);
    await write(id, city, 10, '2020-05-01T12:00:00+08:00');
    const closer = await api.database.pool.connect();
    await closer.query('begin');
    await closer.query("select pg_advisory_xact_lock(settlement_lock('agent', $1))", [city]);
    const writing = write(id, city, 11, '2020-05-01T23:59:59+08:00');
    await closer.query(`${closed} where agent_id = $1 and from_on = '2020-05-01'`, [city]);
    await closer.query('commit');
    closer.release();
    await writing;
    expect((await periodsOf(city)).slice(0, 2)).toEqual([
      { from: '2020-05-01', to: '2020-05-01', state: 'closed', shares: 1 },
      { from: '2020-05-02', to: '2020-05-02', state: 'open', shares: 1 },
    ]);
  });

  test('is made once by many who write at once', async () => {
    const { place, city } = await newTree();
    const id = await settle(place);
    await Promise.all(Array.from({ length: 12 }, (_, at) => write(id, city, 20 + at, '2020-07-01T12:00:00+08:00')));
    expect((await periodsOf(city))[0]).toEqual({ from: '2020-07-01', to: '2020-07-31', state: 'open', shares: 12 });
  });

  test('no share is changed or deleted', async () => {
    await expect(sql('update order_shares set service_fen = 0')).rejects.toThrow('append-only');
    await expect(sql('delete from order_shares')).rejects.toThrow('append-only');
  });
});
