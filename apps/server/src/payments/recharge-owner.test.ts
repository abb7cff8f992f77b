import type { Recharge } from '@voltdeck/contract/payments';
import type { AgentId } from '@voltdeck/units/id';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace, type Place } from '../http/test-records.ts';

type Page = { items: Recharge[] };
type Totals = { total: number; sums: { amountFen: number } };

let api: TestApi;
let alpha: { agentId: AgentId; token: string; place: Place };
let beta: typeof alpha;

async function addAgent(name: string): Promise<typeof alpha> {
  const agentId = await api.addAgent(name);
  const place = await makePlace(api.database, agentId, name);
  const { token } = await api.addUser({ name, agentId, scope: 'agent', permissions: ['recharge.read'] });
  await api.post('/recharges', { cardId: place.cardId, amountFen: 1_500 });
  return { agentId, place, token };
}

beforeAll(async () => {
  api = await openTestApi();
  alpha = await addAgent('alpha');
  beta = await addAgent('beta');
});
afterAll(() => api.close());

const cardsSeenBy = async ({ token }: typeof alpha) =>
  (await api.get<Page>('/recharges', { token })).data.items.map(({ cardId }) => cardId);
const summedFor = async ({ token }: typeof alpha) => (await api.get<Totals>('/recharges/totals', { token })).data;

test('an agent sees and sums the recharges of its own cards only', async () => {
  expect(new Set(await cardsSeenBy(alpha))).toEqual(new Set([alpha.place.cardId]));
  expect(new Set(await cardsSeenBy(beta))).toEqual(new Set([beta.place.cardId]));
  const { rows } = await api.database.pool.query<{ total: number; sum: number }>(
    `select count(*)::integer as total, sum(amount_fen)::integer as sum from recharges where card_id = $1`,
    [alpha.place.cardId],
  );
  const summed = await summedFor(alpha);
  expect(summed.total).toBe(rows[0]?.total);
  expect(summed.sums.amountFen).toBe(rows[0]?.sum);
});

test('a card that changes its agent takes its recharges with it', async () => {
  await api.database.pool.query('update cards set agent_id = $1 where id = $2', [alpha.agentId, beta.place.cardId]);
  expect(new Set(await cardsSeenBy(alpha))).toEqual(new Set([alpha.place.cardId, beta.place.cardId]));
  expect(await cardsSeenBy(beta)).toEqual([]);
  await api.database.pool.query('update cards set agent_id = $1 where id = $2', [beta.agentId, beta.place.cardId]);
  expect(new Set(await cardsSeenBy(beta))).toEqual(new Set([beta.place.cardId]));
});

test('sums of recharges and of movements are read from an index alone', async () => {
  await api.database.pool.query('vacuum (analyze) recharges, movements');
  const client = await api.database.pool.connect();
  try {
    await client.query('set enable_seqscan = off');
    await client.query('set enable_bitmapscan = off');
    for (const [sums, where] of [
      [
        'sum(amount_fen), sum(gift_fen), sum(refunded_fen), sum(repaid_fen) from recharges',
        "created_at > '2020-01-01'",
      ],
      ['sum(amount_fen), sum(gift_fen), sum(refunded_fen), sum(repaid_fen) from recharges', 'owner_agent_id = 1'],
      ['count(type), sum(paid_fen), sum(gift_fen) from movements', "created_at > '2020-01-01'"],
      ['count(type), sum(paid_fen), sum(gift_fen) from movements', 'agent_id = 1'],
      ['count(type), sum(paid_fen), sum(gift_fen) from movements', "type = 'consume'"],
    ]) {
      const { rows } = await client.query<Record<string, string>>(`explain select ${sums} where ${where}`);
      expect(rows.map((row) => row['QUERY PLAN']).join('\n'), `${sums} where ${where}`).toContain('Index Only Scan');
    }
  } finally {
    client.release(true);
  }
});
