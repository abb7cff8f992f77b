import { freshDatabase } from '@voltdeck/server/database/test-database';
import { makePlace } from '@voltdeck/server/http/test-records';
import { expect, test } from 'vitest';
import { startMortalProduct } from './product.ts';
import { until } from './until.ts';

type Code = { id: number; number: string; state: string; pageUrl: string; rechargeId: number | null };

test('a code is paid on its page and fills the card; one that was paid while the server died is found out by the next', async () => {
  const database = await freshDatabase();
  const product = await startMortalProduct(database.url);
  const { cardId } = await makePlace(database, null, 'lake');
  const api = await product.signIn();
  const balance = async () => {
    const { rows } = await database.pool.query('select balance_fen from ledger_accounts where key = $1', [
      `card:${cardId}`,
    ]);
    return (rows[0]?.balance_fen ?? 0) as number;
  };
  const begin = (amountFen: number) => api.post<Code>('/recharge-codes', { cardId, amountFen, channel: 'embedded' });
  const act = async ({ pageUrl }: Code, name: string) => {
    const token = new URL(pageUrl).pathname.split('/').at(-1);
    const answer = await fetch(`${product.url}/api/pay/${token}/acts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ act: name }),
    });
    expect(answer.status).toBe(200);
  };
  const stateOf = async ({ id }: Code) => {
    const { rows } = await database.pool.query('select state from channel_payments where id = $1', [id]);
    return rows[0].state as string;
  };
  const before = await balance();

  const paid = await begin(2_500);
  expect(paid.state).toBe('paying');
  const page = await fetch(paid.pageUrl, { headers: { 'accept-language': 'en' } });
  expect([page.status, (await page.text()).includes('¥25.00')]).toEqual([200, true]);
  await act(paid, 'pay');
  await until('the notification is taken', async () => (await stateOf(paid)) === 'paid');
  expect(await balance()).toBe(before + 2_500);

  const lost = await begin(1_000);
  // The channel never tells, and whoever could ask is dead.
  await act(lost, 'pay_silently');
  await product.kill9();
  expect(await stateOf(lost)).toBe('paying');
  await product.startAgain();
  await until('the next server finds it out', async () => (await stateOf(lost)) === 'paid', 150_000);
  expect(await balance()).toBe(before + 3_500);
  expect(await (await product.signIn()).get('/ledger/proof')).toMatchObject({ sumFen: 0, mismatches: 0 });
  expect(product.errors).toEqual([]);
  await product.stop();
});
