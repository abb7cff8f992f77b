import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api, Station } from './api.ts';
import { type LibraryStation, libraryStation } from './library-station.ts';
import { type Pile, startPile } from './pile.ts';
import { u8 } from './pile-bytes.ts';
import { heartbeat } from './pile-charge.ts';
import { type Product, startProduct } from './product.ts';
import { dayTariff } from './two-hour-charge.ts';
import { until } from './until.ts';

/** Half of each protocol; a third of them is away when the prices change. */
const stationsOfEach = 100;
const awayOfEach = 33;
const refusing = 10;
/** No station is sent a tariff within half a minute of its login, and stations share the machine with everything else. */
const settledWithinMs = 240_000;

const setTariff = 0x58;
const tariffSet = 0x57;

let product: Product;
let api: Api;
const stations: LibraryStation[] = [];
const piles: Pile[] = [];
/** A pile that falls silent is disconnected, and asks for its billing model when it is back. */
const beating = setInterval(() => {
  for (const pile of piles) pile.send(0x03, heartbeat(pile));
}, 5_000);
beforeAll(async () => {
  const { url } = await freshDatabase();
  product = await startProduct(url);
  api = await product.signIn();
});
afterAll(async () => {
  clearInterval(beating);
  await Promise.all([...stations.map((station) => station.close()), ...piles.map((pile) => pile.close())]);
  await product.stop();
  expect(product.errors).toEqual([]);
});

type Change = { id: number; state: string; tally: Record<string, number> };
type Row = { stationNumber: string; state: string; reason: string | null; protocol: string };

async function rowsOf(id: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const { items } = await api.get<{ items: Row[] }>(
      `/price-change-stations?priceChangeId=${id}&pageSize=100&page=${page}`,
    );
    rows.push(...items);
    if (items.length < 100) return rows;
  }
}
const changeOf = (id: number) => api.get<Change>(`/price-changes/${id}`);

/** The new prices are the old ones and half a yuan more for the electricity of each kWh. */
const dearerTariff = {
  ...dayTariff,
  name: 'Dearer',
  prices: Object.fromEntries(
    Object.entries(dayTariff.prices).map(([period, price]) => [
      period,
      { ...price, electricity: price.electricity + 50_000 },
    ]),
  ) as typeof dayTariff.prices,
};

const number = (index: number) => String(index).padStart(3, '0');
const ocppNumber = (index: number) => `PRICE-${number(index)}`;
const pileNumber = (index: number) => `32010600007${number(index)}`;

async function connectOcpp({ number: identity, password }: Station): Promise<LibraryStation> {
  const station = await libraryStation(product.ocppUrl, { number: identity, password });
  stations.push(station);
  await station.call('BootNotification', { chargePointVendor: 'Lakeside', chargePointModel: 'L120' });
  return station;
}

function connectPile(identity: string, answer: () => 0 | 1): Pile {
  const pile = startPile({ port: product.ykcPort, number: identity });
  piles.push(pile);
  pile.answerBy(setTariff, (body) => ({ type: tariffSet, body: Buffer.concat([body.subarray(0, 7), u8(answer())]) }));
  return pile;
}

test('a price change over 200 stations of both protocols tells the truth of each, and a retry finishes it', {
  timeout: 600_000,
}, async () => {
  const tariffId = await api.createTariff(dayTariff);
  const dearerId = await api.createTariff(dearerTariff);
  const siteId = await api.createSite('Lakeside');
  const ocpp: Station[] = [];
  for (let index = 0; index < stationsOfEach; index += 1) {
    ocpp.push(await api.createStation({ number: ocppNumber(index), siteId, tariffId }));
    await api.createStation({ number: pileNumber(index), siteId, tariffId, protocol: 'ykc' });
  }
  const [first] = await Promise.all(ocpp.slice(0, stationsOfEach - awayOfEach).map(connectOcpp));
  const away = ocpp.at(-1);
  if (first === undefined || away === undefined) throw new Error('no station');
  let willing = false;
  const online = Array.from({ length: stationsOfEach - awayOfEach }, (_, index) =>
    connectPile(pileNumber(index), () => (index < refusing && !willing ? 0 : 1)),
  );
  await Promise.all(online.map((pile) => pile.ready()));

  // One charge runs across the change.
  await api.createCard('1000000000000071', 50_000);
  await api.createCard('1000000000000072', 50_000);
  const startMs = Date.now() - 3_600_000;
  const started = await first.call('StartTransaction', {
    connectorId: 1,
    idTag: '1000000000000071',
    meterStart: 1_000,
    timestamp: new Date(startMs).toISOString(),
  });

  const { id } = await api.post<Change>('/price-changes', {
    name: 'New year',
    by: 'sites',
    siteIds: [siteId],
    slots: 'card',
    ruleId: dearerId,
    effectiveAt: new Date(Date.now() + 2_000).toISOString(),
  });
  expect(await changeOf(id)).toMatchObject({ state: 'waiting', tally: { waiting: 2 * stationsOfEach } });
  const toldOf = { taken: 2 * stationsOfEach - awayOfEach - refusing, refused: refusing, offline: awayOfEach };
  await until(
    'every station has taken it, refused it or is away',
    async () => {
      const { tally } = await changeOf(id);
      return tally.taken === toldOf.taken && tally.refused === toldOf.refused && tally.offline === toldOf.offline;
    },
    settledWithinMs,
  );
  for (const row of await rowsOf(id)) {
    const index = Number(row.stationNumber.slice(-3));
    const isAway = index >= stationsOfEach - awayOfEach;
    if (row.protocol === 'ocpp1.6') expect(row).toMatchObject({ state: 'taken', reason: null });
    else if (isAway) expect(row).toMatchObject({ state: 'offline', reason: null });
    else if (index < refusing)
      expect(row).toMatchObject({ state: 'refused', reason: expect.stringMatching(/^rejected/) });
    else expect(row).toMatchObject({ state: 'taken', reason: null });
  }
  expect((await changeOf(id)).state).toBe('partly');

  // The running charge keeps its price; one begun offline before the change and reported after it has the old price too.
  const stop = { meterStop: 31_000, timestamp: new Date(startMs + 1_800_000).toISOString(), reason: 'Local' };
  await first.call('StopTransaction', { ...stop, transactionId: started.transactionId });
  const late = await connectOcpp(away);
  const begun = await late.call('StartTransaction', {
    connectorId: 1,
    idTag: '1000000000000072',
    meterStart: 1_000,
    timestamp: new Date(startMs).toISOString(),
  });
  await late.call('StopTransaction', { ...stop, transactionId: begun.transactionId });
  const [kept] = await api.ordersOf({ stationNumber: ocppNumber(0) });
  const [told] = await api.ordersOf({ stationNumber: ocppNumber(stationsOfEach - 1) });
  expect(kept).toMatchObject({ state: 'completed', energyWh: 30_000 });
  expect(told).toMatchObject({ state: 'completed', energyWh: 30_000, amountFen: kept?.amountFen });
  const lines = (await api.order(kept?.id ?? 0)).lines;
  for (const line of lines) expect(line.electricityPriceE5).toBe(dayTariff.prices[line.period].electricity);

  // Those that refused are asked again; those that were away ask by themselves when they are back.
  willing = true;
  const retried = await api.post<{ asked: number; offline: number }>(`/price-changes/${id}/retries`, {});
  expect(retried).toEqual({ asked: refusing, offline: awayOfEach });
  const back = Array.from({ length: awayOfEach }, (_, index) =>
    connectPile(pileNumber(stationsOfEach - awayOfEach + index), () => 1),
  );
  await Promise.all(back.map((pile) => pile.ready()));
  await until(
    'all of them have taken it',
    async () => (await changeOf(id)).tally.taken === 2 * stationsOfEach,
    settledWithinMs,
  );
  expect((await changeOf(id)).state).toBe('done');
  const peakPrice = back[0]?.model?.readUInt32LE(2 + 8);
  expect(peakPrice).toBe(dearerTariff.prices.peak.electricity);
});
