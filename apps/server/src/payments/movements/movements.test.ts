import { type MovementType, movementTypes } from '@voltdeck/charging/states';
import type { getMovementSums, MoneyMovement } from '@voltdeck/contract/movements';
import type { Recharge } from '@voltdeck/contract/payments';
import type { AnswerOf } from '@voltdeck/contract/route';
import { cardAccount, customerAccount } from '@voltdeck/ledger/account';
import { giftTransfer } from '@voltdeck/ledger/recharge';
import { instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../../http/test-api.ts';
import { makePlace, type Place } from '../../http/test-records.ts';
import { postTransfer } from '../../ledger/post-transfer.ts';
import { soundTransfer } from '../../orders/hold-money.ts';

type Sums = AnswerOf<typeof getMovementSums>;
type Page = { items: MoneyMovement[]; total: number };

let api: TestApi;
let gifts = 0;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

/** One movement of each type on a card: no act makes a gift here, so the money of all is a gift. */
async function moveOnce(place: Place, type: MovementType, giftFen: number): Promise<void> {
  gifts += 1;
  const wallet = cardAccount(place.cardId);
  const transfer = soundTransfer(giftTransfer({ id: 5_000 + gifts, wallet, amountFen: fen(giftFen) }));
  await api.database.db
    .transaction()
    .execute((trx) =>
      postTransfer(trx, transfer, instant(Date.now()), [{ wallet, type, number: `M${gifts}`, paidFen: 0, giftFen }]),
    );
}

/** When the last place had its first money, which is a movement too. */
let since = '';
async function newPlace(name: string): Promise<Place> {
  const place = await makePlace(api.database, null, name);
  await api.database.pool.query(`update movements set created_at = created_at - interval '1 hour' where card_id = $1`, [
    place.cardId,
  ]);
  since = `&from=${toIso(instant(Date.now() - minuteMs))}`;
  return place;
}

const list = async (query: string) => (await api.get<Page>(`/movements?${query}${since}`)).data.items;
const sumsOf = async (query: string, ask = {}) =>
  (await api.get<Sums>(`/movements/sums?${query}${since}`, ask)).data.sums;

describe('the movements of balances', () => {
  test('all nine types of the specification are listed, filtered by one or several, and summed by type', async () => {
    const place = await newPlace('nine');
    for (const [index, type] of movementTypes.entries()) await moveOnce(place, type, 100 + index);
    const all = await list(`cardId=${place.cardId}&pageSize=100`);
    expect(all.map(({ type }) => type)).toEqual([...movementTypes].reverse());
    for (const type of movementTypes) {
      expect((await list(`cardId=${place.cardId}&type=${type}`)).map((row) => row.type)).toEqual([type]);
    }
    expect(await list(`cardId=${place.cardId}&type=gift,withdrawal`)).toHaveLength(2);
    expect(await sumsOf(`cardId=${place.cardId}`)).toEqual(
      movementTypes.map((type, index) => ({ type, count: 1, paidFen: 0, giftFen: 100 + index })),
    );
    await moveOnce(place, 'gift', 900);
    expect(await sumsOf(`cardId=${place.cardId}&type=gift,consume`)).toEqual([
      { type: 'consume', count: 1, paidFen: 0, giftFen: 101 },
      { type: 'gift', count: 2, paidFen: 0, giftFen: 1_002 },
    ]);
  });

  test('a recharge is a movement with its parts, the balance afterwards, its channel, its state and who entered it', async () => {
    const place = await newPlace('parts');
    await moveOnce(place, 'gift', 250);
    const made = (
      await api.post<Recharge>('/recharges', { cardNumber: place.cardNumber, amountFen: 700, remark: 'Cash' })
    ).data;
    const [row] = await list(`number=${made.number}`);
    expect(row).toMatchObject({
      type: 'system_recharge',
      state: 'done',
      channel: 'back-office',
      cardNumber: place.cardNumber,
      customerPhone: place.phone,
      nickname: 'Customer parts',
      amountFen: 700,
      paidFen: 700,
      giftFen: 0,
      balanceAfterFen: 10_950,
      paidAfterFen: 10_700,
      giftAfterFen: 250,
      rechargeId: made.id,
      remark: 'Cash',
      operatorName: expect.any(String),
    });
    await api.post(`/recharges/${made.id}/reversals`, { reason: 'Wrong card' });
    const after = await list(`number=${made.number}`);
    expect(after).toMatchObject([
      { type: 'withdrawal', amountFen: -700, state: 'done', remark: 'Wrong card' },
      { type: 'system_recharge', state: 'reversed' },
    ]);
    expect(await list(`number=${made.number}&state=reversed`)).toHaveLength(1);
    expect(await list(`number=${made.number}&channel=wechat`)).toEqual([]);
  });

  test('a registered user’s movements are those of their balance and of their cards, by phone and by record', async () => {
    const place = await newPlace('both');
    await moveOnce(place, 'gift', 100);
    const wallet = customerAccount(place.customerId);
    const transfer = soundTransfer(giftTransfer({ id: 9_999, wallet, amountFen: fen(50) }));
    await api.database.db
      .transaction()
      .execute((trx) =>
        postTransfer(trx, transfer, instant(Date.now()), [
          { wallet, type: 'gift', number: 'M-own', paidFen: 0, giftFen: 50 },
        ]),
      );
    for (const query of [`phone=${place.phone}`, `customerId=${place.customerId}`]) {
      const rows = await list(query);
      expect(rows.map(({ amountFen }) => amountFen)).toEqual([50, 100]);
      expect(rows.map(({ customerPhone }) => customerPhone)).toEqual([place.phone, place.phone]);
      expect(await sumsOf(query)).toEqual([{ type: 'gift', count: 2, paidFen: 0, giftFen: 150 }]);
    }
  });

  test('an agent sees and sums the movements of its own cards only', async () => {
    const agentId = await api.addAgent('Alpha');
    const own = await makePlace(api.database, agentId, 'own');
    const other = await makePlace(api.database, null, 'other');
    await moveOnce(own, 'gift', 11);
    await moveOnce(other, 'gift', 22);
    const { token } = await api.addUser({ name: 'alpha', agentId, scope: 'agent', permissions: ['recharge.read'] });
    expect(await sumsOf('type=gift', { token })).toEqual([{ type: 'gift', count: 1, paidFen: 0, giftFen: 11 }]);
    const { items } = (await api.get<Page>('/movements?type=gift', { token })).data;
    expect(items.map(({ cardId }) => cardId)).toEqual([own.cardId]);
  });
});
