import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './api.ts';
import { type DatabaseGate, openDatabaseGate } from './database-gate.ts';
import { type Firmware, startFirmware } from './firmware.ts';
import { type Product, startProduct } from './product.ts';
import { calculated, dayTariff, handBill, morning, twoHourCharge } from './two-hour-charge.ts';
import { until } from './until.ts';

let gate: DatabaseGate;
let product: Product;
let api: Api;
let siteId: number;
let tariffId: number;
beforeAll(async () => {
  const { url } = await freshDatabase();
  gate = await openDatabaseGate(url);
  product = await startProduct(gate.url);
  api = await product.signIn();
  tariffId = await api.createTariff(dayTariff);
  siteId = await api.createSite('Lakeside');
});
afterAll(async () => {
  await product.stop();
  await gate.close();
});

type Teller = { number: string; card: string; cardId: number; firmware: Firmware };

async function newTeller(number: string, card: string): Promise<Teller> {
  const cardId = await api.createCard(card, 20_000);
  const { password } = await api.createStation({ number, siteId, tariffId });
  const firmware = startFirmware({ ocppUrl: product.ocppUrl, number, password, resendsWith: 'new-id' });
  await firmware.connected();
  return { number, card, cardId, firmware };
}

async function status(path: string): Promise<number> {
  const answer = await fetch(`${product.url}${path}`);
  await answer.arrayBuffer();
  return answer.status;
}

describe('a database that goes away in the middle of charging', () => {
  test.each([
    {
      how: 'goes down',
      shut: () => gate.shut(),
      letter: 'E',
    },
    {
      how: 'cannot be reached',
      shut: async () => gate.freeze(),
      letter: 'F',
    },
  ])(
    'a database that goes away and $how stops acknowledgements, not the process; work resumes by itself and the bills are right',
    async ({ shut, letter }) => {
      const { pid } = product;
      const story = (card: string) => twoHourCharge(card, morning(1));
      const steps = story('').length;
      // One station is at each step of the story when it happens.
      const tellers = await Promise.all(
        Array.from({ length: steps }, (_, step) =>
          newTeller(`AWAY-${letter}${step}`, `${letter}${String(step).padStart(15, '0')}`),
        ),
      );
      await Promise.all(
        tellers.map(async ({ card, firmware }, step) => {
          for (const message of story(card).slice(0, step)) await firmware.tell(message);
        }),
      );
      await shut();
      const stories = tellers.map(async ({ card, firmware }, step) => {
        for (const message of story(card).slice(step)) await firmware.tell(message);
      });
      await until('the server says that it cannot work', async () => (await status('/readyz')) === 503);
      // Twice, so that whatever was in progress has finished.
      await until('the server says so again', async () => (await status('/readyz')) === 503);
      expect(tellers.map(({ firmware }) => firmware.told.length)).toEqual(tellers.map((_, step) => step));
      expect(await status('/healthz')).toBe(200);
      expect(product.pid).toBe(pid);

      await gate.open();
      await until('the server can work again', async () => (await status('/readyz')) === 200);
      await Promise.all(stories);
      expect(product.pid).toBe(pid);
      for (const { card, cardId, firmware } of tellers) {
        const orders = await api.ordersOf({ cardNumber: card });
        expect(orders, card).toHaveLength(1);
        const order = await api.order(orders[0]?.id ?? 0);
        expect(order, card).toMatchObject({ state: 'completed', amountFen: handBill.amountFen, abnormal: false });
        expect(order.lines.map(calculated), card).toEqual(handBill.lines);
        expect(await api.readingsOf(order.id), card).toHaveLength(9);
        expect(await api.balanceOf({ cardId }), card).toMatchObject({ balanceFen: 7_000, heldFen: 0 });
        await firmware.stop();
      }
      expect(await api.proof()).toMatchObject({ sumFen: 0, mismatches: 0 });
    },
  );

  test('a database that is away is reported to callers in their language, and their sessions continue afterwards', async () => {
    await gate.shut();
    const english = await api.ask('GET', '/orders', undefined, { language: 'en' });
    expect(english).toMatchObject({ httpStatus: 503, message: { code: 503, error: 'server.unavailable' } });
    const chinese = await api.ask('GET', '/orders', undefined, { language: 'zh-CN' });
    expect(chinese.httpStatus).toBe(503);
    expect(chinese.message.message).not.toBe(english.message.message);
    const refused = await api.ask('POST', '/cards', { number: 'E0000000000000EE' });
    expect(refused.httpStatus).toBe(503);
    await gate.open();
    await until('the server can work again', async () => (await status('/readyz')) === 200);
    expect(await api.createCard('E0000000000000EE', 100)).toBeGreaterThan(0);
  });
});
