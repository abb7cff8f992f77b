import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from './api.ts';
import { type Dice, dice, seedOfRun } from './dice.ts';
import { type Firmware, startFirmware } from './firmware.ts';
import { type BookEntry, type Operator, startOperator } from './operator.ts';
import { timeStamp } from './operator-envelope.ts';
import type { OperatorAnswer } from './operator-link.ts';
import { type Pile, startPile } from './pile.ts';
import { u8 } from './pile-bytes.ts';
import { charging, idle, recordOf } from './pile-charge.ts';
import { type MortalProduct, startMortalProduct } from './product.ts';
import { cyclingTariff, dayTariff, morning, twoHourCharge } from './two-hour-charge.ts';
import { until } from './until.ts';

const seed = seedOfRun('killed server, partner');
/** PARTNER_KILLS=60 for the whole proof; the ordinary run has time for a few. */
const kills = Number(process.env.PARTNER_KILLS ?? 5);
const piles = 5;
const firmwares = 3;
const chargesMin = 2;
const chargesMax = 60;
const depositFen = 20_000_000;
const operatorId = 'MA1OTHER7';
const ownCode = 'MA1OURS01';
const inbound = {
  operatorSecret: 'secret-that-we-gave',
  sigSecret: 'sig-that-we-gave',
  dataSecret: 'key-that-we-gave',
  dataSecretIv: 'iv--that-we-gave',
};
const outbound = {
  operatorSecret: 'secret-of-theirs',
  sigSecret: 'sig-of-theirs',
  dataSecret: 'data-key-of-them',
  dataSecretIv: 'data-iv--of-them',
};
const twoHoursMs = 7_200_000;
/** A customer waits this long at the port, gives up and begins again. */
const patienceMs = 4_000;
/** How often a customer gives up at once, while the start is on its way to the station. */
const impatientShare = 0.2;
/** How often a start that comes after its customer gave up begins a charge. */
const lateShare = 0.5;
const live = 0x13;
const remoteStart = 0x34;
const record = 0x3b;

let database: Database;
let product: MortalProduct;
let operator: Operator;
let api: Api;
let partnerId: number;
let isOver = false;
let sequences = 0;
let begunLate = 0;
beforeAll(async () => {
  database = await freshDatabase();
  product = await startMortalProduct(database.url);
  api = await product.signIn();
  operator = await startOperator({ operatorId, inbound, outbound, seed });
});
afterAll(async () => {
  await operator.stop();
  await product.stop();
  expect(product.errors).toEqual([]);
});

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Asks until the platform answers: a call without an answer is made again, under the same name of the charge. */
async function ask(name: string, message: object, chance: Dice): Promise<Record<string, unknown>> {
  const answered = await until(
    `an answer to ${name}`,
    async (): Promise<OperatorAnswer | null> => {
      const answer = await operator.call(product.url, name, message, { times: chance.next() < 0.3 ? 2 : 1 });
      // A replay: the answer to the first of them was lost.
      if (answer === null || answer.ret === 4003 || answer.ret === -1) return null;
      return answer;
    },
    300_000,
  );
  expect(answered, `${name} ${JSON.stringify(message)}`).toMatchObject({ ret: 0, message: expect.anything() });
  return answered.message ?? {};
}

function newSequence(): string {
  sequences += 1;
  return `${operatorId}${timeStamp(Date.now())}${String(sequences).padStart(4, '0')}`;
}

type Port = {
  name: string;
  portId: string;
  /** Says that a vehicle is plugged in. */
  plugIn(): void;
  /** What the station was asked to begin so far. */
  starts(): string[];
  /** Tells a whole charge that it was asked to begin, over as many connections as it takes. */
  tellCharge(start: string, chance: Dice): Promise<void>;
  /** Ends the customer's visit. */
  leave(): void;
  close(): Promise<void>;
};

function portOfPile(pile: Pile, portId: string): Port {
  pile.answerBy(remoteStart, (body) => ({ type: 0x33, body: Buffer.concat([body.subarray(0, 24), u8(1), u8(0)]) }));
  pile.answerBy(0x36, (body) => ({ type: 0x35, body: Buffer.concat([body.subarray(0, 8), u8(1), u8(0)]) }));
  let charges = 0;
  return {
    name: pile.number,
    portId,
    plugIn: () => pile.send(live, idle(pile, { plugged: true })),
    starts: () =>
      pile.heard.filter(({ type }) => type === remoteStart).map(({ body }) => body.subarray(0, 16).toString('hex')),
    async tellCharge(tradeNo, chance) {
      charges += 1;
      for (const minutes of [0, 7, 30, 52]) {
        await pause(chance.whole(0, 20));
        pile.send(live, charging(pile, tradeNo, minutes, minutes * 10_000));
      }
      // Every charge ends on a day of its own, the last of them yesterday.
      const endMs = Date.now() - (chargesMax + 1 - charges) * twoHoursMs;
      const flatOnly = {
        peak: { price: 154_504, energy: 0, amount: 0 },
        valley: { price: 61_359, energy: 0, amount: 0 },
        meterEnd: 12_345_678_901 + 600_824,
        energy: 600_824,
        amount: 653_396,
      };
      const told = { tradeNo, startMs: endMs - twoHoursMs, endMs, startFlag: 1 };
      const body = recordOf(pile, chance.next() < 0.5 ? told : { ...told, ...flatOnly });
      expect((await pile.ask(record, body))[16]).toBe(0);
      // The pile did not see the confirmation and sends its record again.
      if (chance.next() < 0.3) expect((await pile.ask(record, body))[16]).toBe(0);
    },
    leave: () => pile.send(live, idle(pile)),
    close: () => pile.close(),
  };
}

function portOfFirmware(firmware: Firmware, name: string, portId: string): Port {
  let charges = 0;
  const status = (state: string) =>
    void firmware.tell({
      action: 'StatusNotification',
      payload: () => ({ connectorId: 1, errorCode: 'NoError', status: state }),
    });
  return {
    name,
    portId,
    plugIn: () => status('Preparing'),
    starts: () =>
      firmware.asked
        .filter(({ action }) => action === 'RemoteStartTransaction')
        .map(({ payload }) => String(payload.idTag)),
    async tellCharge(idTag, chance) {
      charges += 1;
      for (const message of twoHourCharge(idTag, morning(chargesMax + 1 - charges))) {
        await pause(chance.whole(0, 12));
        await firmware.tell(message);
      }
    },
    leave: () => status('Available'),
    close: () => firmware.stop(),
  };
}

/** By what a station knows the charge of a name: a trade number, or an id tag for it alone. */
async function startOf(sequence: string): Promise<string> {
  const { rows } = await database.pool.query<{ start: string }>(
    `select coalesce(o.transaction_key, o.card_number) as start
       from orders o join partner_charges p on p.order_id = o.id where p.sequence = $1`,
    [sequence],
  );
  return rows[0]?.start ?? '';
}

/**
 * A customer of the operator charges: it asks for a start under a new name until it is answered, and gives up where the
 * station hears nothing. @returns the name, and whether a whole charge was told under it
 */
async function visit(port: Port, chance: Dice): Promise<{ sequence: string; isTold: boolean }> {
  const sequence = newSequence();
  const named = { StartChargeSeq: sequence, ConnectorID: port.portId };
  port.plugIn();
  // Told to stop before it began: what comes first on another way.
  if (chance.next() < 0.1) expect(await ask('query_stop_charge', named, chance)).toMatchObject({ SuccStat: 1 });
  const started = await ask('query_start_charge', named, chance);
  if (started.SuccStat !== 0) {
    await pause(200);
    return { sequence, isTold: false };
  }
  const start = await startOf(sequence);
  if (chance.next() < impatientShare) {
    await ask('query_stop_charge', named, chance);
    return { sequence, isTold: false };
  }
  const isHeard = await until(`${port.name} hears of it`, () => port.starts().includes(start), patienceMs).catch(
    () => false,
  );
  if (!isHeard) {
    await ask('query_stop_charge', named, chance);
    return { sequence, isTold: false };
  }
  // The answer was lost, or the customer's telephone sends it again.
  if (chance.next() < 0.3) expect(await ask('query_start_charge', named, chance)).toMatchObject({ SuccStat: 0 });
  await port.tellCharge(start, chance);
  if (chance.next() < 0.3) expect(await ask('query_start_charge', named, chance)).toMatchObject({ SuccStat: 0 });
  port.leave();
  return { sequence, isTold: true };
}

/** Visits one after another until the kills are over. @returns the names of the charges that were told */
async function visitOften(port: Port, chance: Dice): Promise<string[]> {
  const told: string[] = [];
  let givenUp: string | null = null;
  while (told.length < chargesMin || (!isOver && told.length < chargesMax)) {
    const late = givenUp === null ? '' : await startOf(givenUp);
    if (givenUp !== null && port.starts().includes(late) && chance.next() < lateShare) {
      // The station heard of it after all, and begins what its customer gave up.
      await port.tellCharge(late, chance);
      port.leave();
      told.push(givenUp);
      begunLate += 1;
    }
    const { sequence, isTold } = await visit(port, chance);
    givenUp = isTold ? null : sequence;
    if (isTold) told.push(sequence);
  }
  return told;
}

async function openWorld(): Promise<Port[]> {
  const { pool } = database;
  const [cycling, day] = [await api.createTariff(cyclingTariff), await api.createTariff(dayTariff)];
  const siteId = await api.createSite('Lakeside');
  await pool.query(
    `update sites set kind = 'public', place = 'office', service_phone = '400-800-1234', own_grid = false, opened_at = now()
      where id = $1`,
    [siteId],
  );
  await pool.query(`update configs set value = $1 where key = 'own_operator_id'`, [ownCode]);
  await pool.query(`update configs set value = 'off' where key = 'second_person_recharge_fen'`);
  const ports: Port[] = [];
  for (let index = 0; index < piles; index += 1) {
    const number = `320106000009${String(index).padStart(2, '0')}`;
    const { id } = await api.createStation({ number, siteId, tariffId: cycling, protocol: 'ykc' });
    const pile = startPile({ port: product.ykcPort, number });
    await pile.ready();
    ports.push(portOfPile(pile, String((await api.connectorsOf(id))[0]?.id)));
  }
  for (let index = 0; index < firmwares; index += 1) {
    const number = `PARTNER-${index}`;
    const { id, password } = await api.createStation({ number, siteId, tariffId: day });
    const resendsWith = index % 2 === 0 ? 'same-id' : 'new-id';
    const firmware = startFirmware({ ocppUrl: product.ocppUrl, number, password, resendsWith });
    await firmware.tell({
      action: 'BootNotification',
      payload: () => ({ chargePointVendor: 'Lakeside', chargePointModel: 'L120' }),
    });
    ports.push(portOfFirmware(firmware, number, String((await api.connectorsOf(id))[0]?.id)));
  }
  await pool.query(
    `update stations set manufacturer = 'Lakeside', manufacturer_code = '123456789', equipment_model = 'L120',
            produced_on = '2026-01-01'`,
  );
  const partner = await api.post<{ id: number }>('/partners', {
    operatorId,
    name: 'Other operator',
    role: 'demand',
    baseUrl: operator.baseUrl,
    ratePerSecond: 100,
    inbound,
    outbound,
  });
  partnerId = partner.id;
  const opened = await api.ask('PUT', `/partners/${partnerId}/sites`, { siteIds: [siteId] });
  expect(opened.httpStatus, JSON.stringify(opened.message)).toBe(200);
  await api.post(`/partners/${partnerId}/deposits`, { amountFen: depositFen, remark: 'Bank transfer' });
  return ports;
}

/** Hours pass: what waits to be told again is due, and nobody holds the partner who died with its process. */
async function letHoursPass({ isServerDown }: { isServerDown: boolean }): Promise<void> {
  const { pool } = database;
  await pool.query(`update partner_deliveries set next_at = now() where state = 'pending' and next_at > now()`);
  if (isServerDown) await pool.query('update partners set delivery_ends_at = null');
}

async function killOften(chance: Dice): Promise<void> {
  for (let kill = 1; kill <= kills; kill += 1) {
    await pause(chance.whole(100, 1_200));
    await letHoursPass({ isServerDown: false });
    await pause(chance.whole(0, 300));
    const whom = chance.pick(['us', 'us', 'them', 'both'] as const);
    if (whom !== 'us') await operator.kill9();
    if (whom !== 'them') {
      await product.kill9();
      if (chance.next() < 0.2) await product.startBriefly(chance.whole(200, 900));
      await letHoursPass({ isServerDown: true });
      await product.startAgain();
    }
    if (whom !== 'us') await operator.startAgain();
  }
  isOver = true;
}

type OurOrder = { sequence: string; state: string; energy_wh: number; amount_fen: number; paid_fen: number };

async function ordersOfPartner(): Promise<OurOrder[]> {
  const { rows } = await database.pool.query<OurOrder>(
    `select p.sequence, o.state, o.energy_wh::int, o.amount_fen::int, o.paid_fen::int
       from orders o left join partner_charges p on p.order_id = o.id where o.partner_id = $1 order by p.sequence`,
    [partnerId],
  );
  return rows;
}

/** What the operator's book has of each order; every repetition of one must say the same. */
function ordersOfBook(book: readonly BookEntry[]): Map<string, Record<string, unknown>> {
  const orders = new Map<string, Record<string, unknown>>();
  for (const { sequence, isNew, message } of book) {
    expect(isNew, sequence).toBe(!orders.has(sequence));
    expect(message).toEqual(orders.get(sequence) ?? message);
    orders.set(sequence, message);
  }
  return orders;
}

test('servers of both operators killed at random, over a link that fails before, during and after answers, leave every order once in the book of each, to the fen', async () => {
  const ports = await openWorld();
  const chance = dice(seed);
  const [stories] = await Promise.all([
    Promise.all(ports.map((port, index) => visitOften(port, dice(seed + index + 1)))),
    killOften(chance),
  ]);
  const told = stories.flat().sort();
  await until(
    'every order is confirmed',
    async () => {
      await letHoursPass({ isServerDown: false });
      await pause(500);
      const { rows } = await database.pool.query(
        `select 1 from partner_deliveries where kind = 'order' and state <> 'delivered'`,
      );
      return rows.length === 0;
    },
    300_000,
  );
  const orders = await ordersOfPartner();
  const completed = orders.filter(({ state }) => state !== 'cancelled');
  expect(completed.map(({ sequence }) => sequence)).toEqual(told);
  expect(completed.every(({ state, amount_fen, paid_fen }) => state === 'completed' && amount_fen === paid_fen)).toBe(
    true,
  );
  for (const { amount_fen, sequence } of completed) expect([13_000, 6_534], sequence).toContain(amount_fen);
  const book = await operator.book();
  const theirs = ordersOfBook(book);
  expect([...theirs.keys()].sort()).toEqual(told);
  for (const { sequence, amount_fen, energy_wh } of completed) {
    const { TotalMoney, TotalElecMoney, TotalSeviceMoney, TotalPower } = theirs.get(sequence) as Record<string, number>;
    expect(Math.round(Number(TotalMoney) * 100), sequence).toBe(amount_fen);
    expect(Math.round((Number(TotalElecMoney) + Number(TotalSeviceMoney)) * 100), sequence).toBe(amount_fen);
    expect(Number(TotalPower), sequence).toBeCloseTo(energy_wh / 1_000, 2);
  }
  const spentFen = completed.reduce((sum, { amount_fen }) => sum + amount_fen, 0);
  const partner = await api.get<{ balanceFen: number }>(`/partners/${partnerId}`);
  expect(partner.balanceFen).toBe(depositFen - spentFen);
  const { rows: held } = await database.pool.query(
    `select coalesce(sum(balance_fen), 0)::int as fen from ledger_accounts where key = 'partner-held:' || $1`,
    [partnerId],
  );
  expect(held).toEqual([{ fen: 0 }]);
  const { rows: unconfirmed } = await database.pool.query(
    `select sequence from partner_charges p join orders o on o.id = p.order_id
      where o.state = 'completed' and confirmation is distinct from 'confirmed'`,
  );
  expect(unconfirmed).toEqual([]);
  expect(await api.proof()).toMatchObject({ sumFen: 0, mismatches: 0 });
  console.log(
    `${kills} kills, ${told.length} charges, ${orders.length - completed.length} given up, ${begunLate} begun late, ${book.length - told.length} orders heard again`,
  );
  await Promise.all(ports.map((port) => port.close()));
}, 3_600_000);
