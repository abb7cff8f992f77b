import { transact } from '@voltdeck/server/database/transact';
import { proveTotals } from '@voltdeck/server/finance/prove-totals';
import { openTestApi, type TestApi } from '@voltdeck/server/http/test-api';
import { makePlace, makeSettledOrder, type Place } from '@voltdeck/server/http/test-records';
import { workDueInvoices } from '@voltdeck/server/invoices/work-invoice';
import { proveLedger } from '@voltdeck/server/ledger/prove-ledger';
import { dayMs, instant } from '@voltdeck/units/instant';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moneyWorks } from './money-work.ts';
import { monthFrom } from './month.ts';
import type { Network } from './network.ts';
import { readCaller } from './work.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
  const { db } = api.database;
  const places: Place[] = [];
  for (const name of ['Chengguang', 'Muchuan', 'Lingnan']) {
    const agentId = await api.addAgent(name);
    await db
      .updateTable('agents')
      .set({
        rate_e4: 9_000,
        payout_kind: 'corporate',
        payout_holder: name,
        payout_bank: 'Bank',
        payout_number: '6222',
      })
      .where('id', '=', agentId)
      .execute();
    for (const each of [1, 2]) places.push(await makePlace(api.database, agentId, `${name}${each}`));
  }
  places.push(await makePlace(api.database, null, 'own'));
  await db.updateTable('sites').set({ invoice_available: true, grid_account: '3301060010007' }).execute();
  const now = instant(Date.now());
  for (const place of places) {
    for (const months of [-2, -1, 0]) {
      const at = instant(monthFrom(now, months) + (months === 0 ? 0 : 9 * dayMs));
      const orderId = await makeSettledOrder(api.database, place, {
        electricityFeeFen: 2_000,
        serviceFeeFen: 1_000,
        settledAt: at,
      });
      await db.updateTable('orders').set({ placed_at: at, ended_at: at }).where('id', '=', orderId).execute();
    }
  }
  // The history is written without shares.
  await api.database.pool.query(
    'alter table order_shares disable trigger user; delete from order_shares; alter table order_shares enable trigger user',
  );
  await api.addUser({ name: 'ops', permissions: [] });
  await api.addUser({ name: 'lingnan', permissions: [], scope: 'agent_tree', agentId: 3 as never });
});
afterAll(() => api.close());

const rowsOf = async (text: string) => (await api.database.pool.query<Record<string, unknown>>(text)).rows;

test('every money screen of the demo has something to show, and the books stay sound', async () => {
  const office = { context: api.context, network: {} as Network };
  for (const work of moneyWorks) {
    if (work.name === 'red-letter') await workDueInvoices(api.context);
    const done = await transact(api.database.db, async (trx) => {
      const caller = await readCaller(trx, 'ops');
      if (caller === null) throw new Error('there is no ops');
      return work.do(trx, caller, office, api.context.now());
    });
    expect([work.name, done.ok ? null : done.error]).toEqual([work.name, null]);
  }
  await workDueInvoices(api.context);
  expect(await rowsOf('select count(*)::integer as terms from divider_terms')).toEqual([{ terms: 2 }]);
  expect(await rowsOf(`select distinct party, state from settlement_periods order by party, state`)).toEqual([
    { party: 'agent', state: 'closed' },
    { party: 'agent', state: 'open' },
    { party: 'agent', state: 'paid_out' },
    { party: 'divider', state: 'open' },
    { party: 'divider', state: 'paid_out' },
  ]);
  expect(await rowsOf('select agent_id, state from agent_withdrawals')).toEqual([{ agent_id: 3, state: 'waiting' }]);
  expect(
    await rowsOf(`select count(*)::integer as bills, count(locked_at)::integer as locked from grid_bills`),
  ).toEqual([{ bills: 4, locked: 2 }]);
  expect(
    await rowsOf('select kind, step, count(*)::integer as count from invoices group by 1, 2 order by 1, 2'),
  ).toEqual([
    { kind: 'blue', step: 'issued', count: 2 },
    { kind: 'blue', step: 'reddened', count: 1 },
    { kind: 'blue', step: 'rejected', count: 1 },
    { kind: 'blue', step: 'review', count: 2 },
    { kind: 'red', step: 'issued', count: 1 },
  ]);
  expect(await proveLedger(api.database.db)).toMatchObject({ sumFen: 0, mismatches: 0 });
  const proven = await proveTotals(api.database.db, null, api.context.now());
  const { rows } = await api.database.pool.query('select rows from total_proofs order by id desc limit 1');
  expect(proven, JSON.stringify(rows)).toEqual({ outcome: 'proven', differing: 0 });
});
