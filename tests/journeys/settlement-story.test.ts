import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { proveTotals } from '@voltdeck/server/finance/prove-totals';
import { openTestApi } from '@voltdeck/server/http/test-api';
import { settleDue } from '@voltdeck/server/settlements/settle-due';
import { instant } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { type Api, signIn } from './api.ts';
import { type Dice, dice, seedOfRun } from './dice.ts';
import { drawAct, isOfChecker, type MoneyAct, type MoneyWorld, send } from './money-acts.ts';
import { brokenRules } from './money-books.ts';
import { addOrders, openMoneyWorld, refreshWorld } from './money-world.ts';

const seed = seedOfRun('settlement story');
/** SETTLEMENT_ROUNDS makes the story longer than what the ordinary run has time for. */
const rounds = Number(process.env.SETTLEMENT_ROUNDS ?? 15);
const clients = 8;
const dayMs = 86_400_000;
const people = {
  asker: { userName: 'admin', password: 'correct horse battery' },
  checker: { userName: 'checker', password: 'second-sight-4711' },
};

type SettlingAct = { method: 'POST' | 'PUT'; path: string; body: object; key: string };

/** Closes, pays out or changes the terms of what there is, whether it can be done or not. */
async function drawSettling({ pool }: Database, chance: Dice, key: string): Promise<SettlingAct> {
  const what = chance.pick(['closings', 'closings', 'payouts', 'payouts', 'terms'] as const);
  if (what === 'terms') {
    const { rows } = await pool.query<{ id: number }>('select id from agents order by id');
    const body = {
      agentId: chance.pick(rows).id,
      cycle: chance.pick(['t1', 't7', 'm1']),
      settlesItself: chance.next() < 0.5,
    };
    return { method: 'PUT', path: '/settlement-terms', body, key };
  }
  const { rows } = await pool.query<{ id: number }>('select id from settlement_periods order by id');
  const ids = [...rows.map(({ id }) => Number(id)).filter(() => chance.next() < 0.4), 999_999_999];
  return { method: 'POST', path: `/settlement-periods/${what}`, body: { ids }, key };
}

/** Settles an order, refunds a part of one, or fills a wallet, which pays what it owes. */
function drawSharing(chance: Dice, world: MoneyWorld, key: string): MoneyAct {
  for (;;) {
    const act = drawAct(chance, world, key);
    if (act.what === 'settleOrder' || act.what === 'refundOrder' || act.what === 'recharge') return act;
  }
}

/** Everything of the closed periods that must stay, by id. */
async function closedPeriods({ pool }: Database): Promise<Map<number, string>> {
  const { rows } = await pool.query<{ id: number; fixed: string }>(
    `select id, (to_jsonb(p) - '{state,paid_out_at,paid_out_by,paid_out_fen,rest_period_id}'::text[])::text as fixed
       from settlement_periods p where state <> 'open' order by id`,
  );
  return new Map(rows.map(({ id, fixed }) => [Number(id), fixed]));
}

test('orders shared among random trees, refunded, closed and paid out by many clients over weeks leave sound books', async () => {
  const database = await freshDatabase();
  const api = await openTestApi({ database });
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const chance = dice(seed);
  let aheadMs = dayMs;
  const moveClock = () => {
    api.clock.now = instant(Date.now() + aheadMs);
  };
  moveClock();
  const product = { url, signIn: () => signIn(url, people.asker) };
  const { world } = await openMoneyWorld(product, database, chance);
  const past: (MoneyAct | SettlingAct)[] = [];
  const outcomes = new Map<string, number>();
  const byItself = { closed: 0, paidOut: 0, failed: 0 };
  let closed = await closedPeriods(database);
  for (let round = 0; round < rounds; round += 1) {
    aheadMs += chance.whole(0, 9) * dayMs + chance.whole(0, dayMs);
    moveClock();
    await addOrders(database, world, chance);
    await refreshWorld(database.pool, world);
    const asker = await signIn(url, people.asker);
    const checker = await signIn(url, people.checker);
    const drawn = await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        const key = `act-${round}-${client}`;
        if (client < 2) return drawSettling(database, chance, key);
        return client < 6 ? drawSharing(chance, world, key) : drawAct(chance, world, key);
      }),
    );
    const again = drawn.filter(() => chance.next() < 0.3);
    const old = past.filter(() => chance.next() < 3 / (past.length + 1));
    const sent = [...drawn, ...again, ...old];
    const job = chance.next() < 0.5 ? settleDue(api.context.on('money')) : null;
    const answers = await Promise.all(sent.map((act) => sendAny({ asker, checker }, act)));
    if (job !== null) {
      const { closed: closings, paidOut, failed } = await job;
      byItself.closed += closings;
      byItself.paidOut += paidOut;
      byItself.failed += failed;
    }
    for (const [index, { httpStatus, message, data }] of answers.entries()) {
      const act = sent[index];
      expect(httpStatus, `seed ${seed}, round ${round}: ${JSON.stringify(act)} -> ${message.message}`).toBeLessThan(
        500,
      );
      const done = (data as { done?: number[] } | null)?.done;
      const name = act !== undefined && 'what' in act ? act.what : (act?.path ?? '');
      const outcome = `${name} ${httpStatus !== 200 ? message.error : done?.length === 0 ? 'nothing' : 'done'}`;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    past.push(...drawn);
    expect(await brokenRules(database.pool), `seed ${seed}, round ${round}`).toEqual({});
    expect(await proveTotals(database.db, null, instant(Date.now())), `seed ${seed}, round ${round}`).toEqual({
      outcome: 'proven',
      differing: 0,
    });
    const now = await closedPeriods(database);
    for (const [id, fixed] of closed) expect(now.get(id), `seed ${seed}, round ${round}, period ${id}`).toBe(fixed);
    closed = now;
    await refreshWorld(database.pool, world);
  }
  aheadMs += 40 * dayMs;
  moveClock();
  await settleAll(await signIn(url, people.asker), database);
  expect(await brokenRules(database.pool), `seed ${seed}, at the end`).toEqual({});
  closed = await closedPeriods(database);
  const told = [...outcomes].sort().map(([outcome, times]) => `${outcome} ${times}`);
  console.log(`${told.join(', ')}; by itself ${JSON.stringify(byItself)}; ${closed.size} periods closed`);
  expect(byItself.failed).toBe(0);
  // The story is about settling only if there was something to settle.
  expect(closed.size).toBeGreaterThan(0);
  expect(await (await signIn(url, people.asker)).proof()).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
}, 600_000);

/** Closes and pays out everything by hand, as at the end of the year. */
async function settleAll(asker: Api, { pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ id: number }>('select id from settlement_periods order by id');
  const body = { ids: rows.map(({ id }) => Number(id)) };
  for (const step of ['closings', 'payouts']) {
    expect((await asker.ask('POST', `/settlement-periods/${step}`, body)).httpStatus).toBe(200);
  }
  // A period that was opened for what could not be paid out is not over yet.
  const { rows: left } = await pool.query(
    `select id from settlement_periods p where state <> 'paid_out'
        and not exists (select 1 from settlement_periods r where r.rest_period_id = p.id)`,
  );
  expect(left).toEqual([]);
}

/** The second person decides what the first asked for; a settling act is anybody's. */
function sendAny({ asker, checker }: { asker: Api; checker: Api }, act: MoneyAct | SettlingAct) {
  if ('what' in act) return send(isOfChecker(act) ? checker : asker, act);
  return asker.ask<{ done: number[] } | null>(act.method, act.path, act.body, { idempotencyKey: act.key });
}
