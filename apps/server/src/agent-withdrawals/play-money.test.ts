import type { AgentWithdrawal } from '@voltdeck/contract/agent-withdrawals';
import type { RechargeCode } from '@voltdeck/contract/recharge-codes';
import type { AgentId, CardId, OrderId } from '@voltdeck/units/id';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deliverNotifications, embeddedChannels } from '../channels/test-channels.ts';
import { liveFromNoon, settleNow } from '../finance/test-finance.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { balanceOf, makePlace, type Place } from '../http/test-records.ts';
import { settleDue } from '../settlements/settle-due.ts';

let api: TestApi;
let agentId: AgentId;
let place: Place;
let owner: { token: string };
let reviewer: { token: string };
let payer: { token: string };
beforeEach(async () => {
  api = await openTestApi({ channelsOf: embeddedChannels((channel) => channel) });
  await liveFromNoon(api);
  agentId = await api.addAgent('Played');
  await api.database.pool.query(
    `update agents set rate_e4 = 10000, settlement_cycle = 't1', payout_kind = 'corporate', payout_holder = 'Played Ltd',
            payout_bank = 'Bank', payout_number = '6222020200001234567' where id = $1`,
    [agentId],
  );
  place = await makePlace(api.database, agentId, 'played');
  const rights = ['agent_withdrawal.read', 'agent_withdrawal.create'] as const;
  owner = await api.addUser({ name: 'owner', permissions: rights, scope: 'agent', agentId });
  const platform = [...rights, 'agent_withdrawal.review', 'agent_withdrawal.pay'] as const;
  reviewer = await api.addUser({ name: 'reviewer', permissions: platform });
  payer = await api.addUser({ name: 'payer', permissions: platform });
});
afterEach(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

async function playInto(cardId: CardId, amountFen: number) {
  const body = { cardId, amountFen, channel: 'embedded' };
  const { data } = await api.post<RechargeCode & { pageUrl: string }>('/recharge-codes', body);
  await api.post(`${new URL(data.pageUrl).pathname}/acts`, { act: 'pay' }, { token: null });
  await deliverNotifications(api);
}

/** An order of the card, all of which is the agent's: 1,100 fen for each 10 kWh. */
const charge = (energyWh: number) => settleNow(api, place, instant(api.context.now() - 10 * minuteMs), energyWh);

/** What was shared so far goes to the agent's balance, as if its days were over. */
async function payOut() {
  await api.database.pool.query(
    "update settlement_periods set from_on = from_on - 2, to_on = to_on - 2 where state = 'open'",
  );
  await settleDue(api.context.on('money'));
}

const balance = () => balanceOf(api.database, `agent-balance:${agentId}`);
const apply = (amountFen: number) =>
  api.post<AgentWithdrawal>('/agent-withdrawals', { amountFen }, { token: owner.token, language: 'en' });
const act = (id: number, what: string, body: object, { token }: { token: string }) =>
  api.post(`/agent-withdrawals/${id}/${what}`, body, { token, language: 'en' });
const pass = (id: number) => act(id, 'reviews', { decision: 'pass' }, reviewer);
const pay = (id: number) => act(id, 'payments', { receipt: '20261128-0017' }, payer);

test('what an agent got of charges that play money paid does not leave its balance, and what real money paid does', async () => {
  // The card has 100 yuan that were paid over the counter, and 20 of the embedded channel.
  await playInto(place.cardId, 2_000);
  await charge(50_000);
  await payOut();
  expect(await balance()).toBe(5_500);
  const refused = await apply(3_501);
  expect(refused.envelope.message).toMatchObject({ error: 'agent_withdrawal.play_money', status: 422 });
  expect(refused.envelope.message.message).toContain('¥35.00');
  const { data } = await apply(3_500);
  expect((await pass(data.id)).status).toBe(200);
  expect((await pay(data.id)).status).toBe(200);
  expect((await apply(200)).envelope.message).toMatchObject({ error: 'agent_withdrawal.play_money' });
  expect(await balanceOf(api.database, 'channel:bank')).toBe(3_500);
});

test('play money that pays for a charge between the application and its payment stops the payment, and a rejection is possible', async () => {
  await charge(50_000);
  await payOut();
  const { data } = await apply(5_500);
  expect((await pass(data.id)).status).toBe(200);
  // The charge that real money paid is refunded, and play money pays for another one.
  const { rows } = await api.database.pool.query<{ id: OrderId }>('select min(id) as id from orders');
  await api.post(`/orders/${rows[0]?.id}/refunds`, { amountFen: 5_500, reason: 'The gun was broken' });
  await playInto(place.cardId, 5_500);
  const played = await charge(50_000);
  expect((await pay(data.id)).envelope.message).toMatchObject({ error: 'agent_withdrawal.play_money', status: 422 });
  // It counts no more once it is refunded; what the balance has is of nothing then.
  await api.post(`/orders/${played}/refunds`, { amountFen: 5_500, reason: 'A trial' });
  expect((await act(data.id, 'reviews', { decision: 'reject', reason: 'play money' }, reviewer)).status).toBe(200);
  expect(await balance()).toBe(5_500);
});

test('play money that was transferred to another wallet is play money there', async () => {
  const other = await makePlace(api.database, agentId, 'friend');
  await playInto(other.cardId, 20_000);
  const moved = await api.post('/transfers', {
    fromCardNumber: other.cardNumber,
    toCardNumber: place.cardNumber,
    amountFen: 5_000,
    reason: 'gift',
  });
  expect(moved.envelope.message).toMatchObject({ status: 200 });
  await charge(50_000);
  await payOut();
  expect(await balance()).toBe(5_500);
  expect((await apply(501)).envelope.message).toMatchObject({ error: 'agent_withdrawal.play_money' });
  expect((await apply(500)).status).toBe(200);
});
