import type { KeptSumProof, TotalProof } from '@voltdeck/contract/total-proofs';
import { instant, secondMs } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { asTestRun, makeOrder, makePlace, makeSettledOrder } from '../http/test-records.ts';
import { proveNight } from './prove-night.ts';
import { proveTotals } from './prove-totals.ts';

type Answer = { proof: TotalProof | null; sums: KeptSumProof | null };

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const differing = (proof: TotalProof | null) =>
  proof?.rows.filter(({ oneFen, otherFen }) => oneFen !== otherFen).map(({ total }) => total);

test('figures of orders, shares, statements and the books are the same, and one that is not is named', async () => {
  expect((await api.get<Answer>('/total-proofs/latest')).data.proof).toBeNull();
  const agent = await api.addAgent('Proven');
  await api.database.pool.query('update agents set rate_e4 = 8000 where id = $1', [agent]);
  const place = await makePlace(api.database, agent, 'proven');
  const order = await makeSettledOrder(api.database, place, { electricityFeeFen: 700, serviceFeeFen: 400 });
  expect((await api.post(`/orders/${order}/refunds`, { amountFen: 100, reason: 'The gun was broken' })).status).toBe(
    200,
  );
  const { proof } = (await api.post<Answer>('/total-proofs')).data;
  expect(proof).toMatchObject({ differing: 0, userName: expect.any(String) });
  const received = proof?.rows.find(({ total }) => total === 'received');
  expect(received?.oneFen).toBeGreaterThan(0);
  expect(received?.otherFen).toBe(received?.oneFen);
  await api.database.pool.query('update orders set refunded_fen = refunded_fen + 1 where id = $1', [order]);
  expect(await proveTotals(api.database.db, null, instant(Date.now()))).toEqual({ outcome: 'proven', differing: 2 });
  const latest = (await api.get<Answer>('/total-proofs/latest')).data.proof;
  expect(latest).toMatchObject({ differing: 2, userName: null });
  expect(differing(latest)).toEqual(['received', 'shared']);
});

test('a proof that does not come to its end says at which figure, and the kept sums are compared all the same', async () => {
  const { pool, db } = api.database;
  await pool.query(
    'create or replace function finance_tail_max() returns bigint language sql as $$ select 0::bigint $$',
  );
  const at = instant(Date.now() + secondMs);
  await proveNight(db, api.context.log, at);
  await pool.query(
    'create or replace function finance_tail_max() returns bigint language sql as $$ select 50000::bigint $$',
  );
  const { proof, sums } = (await api.get<Answer>('/total-proofs/latest')).data;
  expect(proof).toMatchObject({ rows: [], failed: { total: 'charged', failure: 'sums_behind' } });
  expect(sums).toMatchObject({ differing: 0, failure: null });
});

test('only one proof runs at a time, and whoever asks for a second is told', async () => {
  const holder = await api.database.pool.connect();
  await holder.query("begin; select pg_advisory_xact_lock(hashtextextended('proof of totals', 0))");
  const answer = await api.post('/total-proofs');
  await holder.query('rollback');
  holder.release();
  expect(answer.status).toBe(409);
  expect(answer.envelope.message).toMatchObject({ error: 'finance.proof_running' });
  expect((await api.post('/total-proofs')).status).toBe(200);
});

test('a figure may take longer than the other statements of people', async () => {
  const slow = openDatabase(api.database.url, { connectionsMax: 2, statementTimeoutMs: 2_000 });
  const holder = await api.database.pool.connect();
  await holder.query('begin; lock table order_shares in access exclusive mode');
  const proving = proveTotals(slow.db, null, instant(Date.now()));
  const waiting =
    "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and now() - query_start > '3 seconds'";
  await expect.poll(async () => (await api.database.pool.query(waiting)).rowCount).toBe(1);
  await holder.query('commit');
  holder.release();
  expect(await proving).toMatchObject({ outcome: 'proven' });
  await slow.close();
});

test('the home page of a day agrees with its statement but for orders that ended and were posted on two days, by name', async () => {
  const place = await makePlace(api.database, null, 'home');
  const at = (text: string) => instant(Date.parse(`${text}+08:00`));
  const sold = async (amountFen: number, endedAt: string, postedAt: string) => {
    const id = await makeSettledOrder(api.database, place, {
      electricityFeeFen: amountFen,
      serviceFeeFen: 0,
      settledAt: at(postedAt),
    });
    const { rows } = await api.database.pool.query<{ number: string }>(
      'update orders set ended_at = $2 where id = $1 returning number',
      [id, new Date(at(endedAt))],
    );
    return { id, number: rows[0]?.number };
  };
  const plain = await sold(1_100, '2030-05-02T11:50:00', '2030-05-02T12:00:00');
  const early = await sold(500, '2030-05-01T23:50:00', '2030-05-02T00:10:00');
  const late = await sold(300, '2030-05-02T23:55:00', '2030-05-03T00:20:00');
  // Nobody is known to have charged it, so no money moved; and a test run is no sale.
  const ended = { ended_at: at('2030-05-02T10:30:00') };
  await makeOrder(api.database, place, at('2030-05-02T10:00:00'), {
    ...ended,
    amount_fen: fen(200),
    electricity_fee_fen: fen(200),
    service_fee_fen: fen(0),
    paid_fen: fen(0),
  });
  await makeOrder(api.database, place, at('2030-05-02T10:00:00'), { ...asTestRun, ...ended });
  const prove = async () => {
    await proveTotals(api.database.db, null, at('2030-05-03T01:00:00'));
    return (await api.get<Answer>('/total-proofs/latest')).data.proof;
  };
  const proof = await prove();
  expect(proof?.rows.find(({ total }) => total === 'home_yesterday')).toMatchObject({ oneFen: 1_600, otherFen: 1_600 });
  expect(differing(proof)).not.toContain('home');
  expect(proof?.acrossDays).toEqual({
    day: '2030-05-02',
    endedFen: 300,
    postedFen: 500,
    count: 2,
    orders: [
      { ...early, endedOn: '2030-05-01', postedOn: '2030-05-02', amountFen: 500 },
      { ...late, endedOn: '2030-05-02', postedOn: '2030-05-03', amountFen: 300 },
    ],
  });
  await api.database.pool.query("update orders set state = 'settling' where id = $1", [plain.id]);
  expect(differing(await prove())).toEqual(expect.arrayContaining(['home', 'home_yesterday']));
});

test('the proof is for the platform’s people', async () => {
  const agentId = await api.addAgent('Somebody');
  const { token } = await api.addUser({ name: 'asks', permissions: ['finance.holdings'], scope: 'agent', agentId });
  expect((await api.get('/total-proofs/latest', { token })).status).toBe(403);
  expect((await api.post('/total-proofs', undefined, { token })).status).toBe(403);
});
