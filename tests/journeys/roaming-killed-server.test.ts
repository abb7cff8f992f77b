import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, type Api, signInCustomer } from './api.ts';
import { type Dice, dice, seedOfRun } from './dice.ts';
import { type OperatorProcess, startOperatorProcess } from './operator.ts';
import { type MortalProduct, startMortalProduct } from './product.ts';
import { billOf, type Charge, portCodes, type StationEntry } from './station-operator-charge.ts';
import { until } from './until.ts';

const seed = seedOfRun('killed server, roaming');
/** ROAMING_KILLS=60 for the whole proof; the ordinary run has time for a few. */
const kills = Number(process.env.ROAMING_KILLS ?? 5);
const riders = 10;
const chargesMin = 2;
const chargesMax = 60;
const balanceFen = 1_000_000;
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
/** How long a customer watches a charge before beginning the next one. */
const patienceMs = 2_500;
const stopShare = 0.4;
/** How long a start may be on its way to the partner, who is not asked what became of it until then. */
const startLasts = '5 seconds';
const limitMs = 300_000;

let database: Database;
let product: MortalProduct;
let operator: OperatorProcess<StationEntry>;
let api: Api;
let partnerId: number;
let isOver = false;
beforeAll(async () => {
  database = await freshDatabase();
  product = await startMortalProduct(database.url);
  api = await product.signIn();
  const named = { operatorId, inbound, outbound, seed };
  operator = await startOperatorProcess('station-operator-main.ts', { ...named, platformUrl: product.url });
});
afterAll(async () => {
  await operator.stop();
  await product.stop();
  expect(product.errors).toEqual([]);
});

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

type OwnCharge = { id: number; sequence: string; state: string };

/** A customer's wish to charge: what its telephone was answered in the end; null where the start was refused. */
type Wish = { key: string; charge: OwnCharge | null };
type Rider = { id: number; phone: string; api: Api; wishes: Wish[] };

/** Answers after which the telephone sends the same again, as after none at all. */
const retried = /no_answer|in_progress|too_many$|busy|unavailable|unexpected/;

/** Sends a write of a rider under one key until it is answered. */
async function ask<Data>(rider: Rider, path: string, body: object, key: string): Promise<Answer<Data>> {
  return until(
    `an answer to ${path}`,
    async () => {
      const answer = await rider.api.ask<Data>('POST', path, body, { idempotencyKey: key }).catch(() => null);
      if (answer !== null && (answer.httpStatus === 200 || !retried.test(answer.message.error ?? ''))) return answer;
      await pause(100);
      return null;
    },
    limitMs,
  );
}

async function stateOf(rider: Rider, id: number): Promise<string | null> {
  const charge = await rider.api.get<OwnCharge>(`/my/roaming-charges/${id}`).catch(() => null);
  return charge?.state ?? null;
}

const isClosed = (state: string | null) => state === 'completed' || state === 'cancelled';

/** A customer starts a charge, may stop it, and watches it for a while. */
async function visit(rider: Rider, portId: number, chance: Dice): Promise<void> {
  const key = `wish-${rider.phone}-${rider.wishes.length}`;
  const start = () => ask<OwnCharge>(rider, '/my/roaming-charges', { portId }, key);
  const started = await start();
  if (started.httpStatus !== 200) {
    expect(started.message.error).toMatch(/^roaming\.refused$|^my\.too_many_charges$/);
    rider.wishes.push({ key, charge: null });
    return pause(200);
  }
  const charge = started.data;
  rider.wishes.push({ key, charge });
  // The answer was lost, or the telephone sends it again.
  if (chance.next() < 0.3) expect((await start()).data).toMatchObject({ id: charge.id, sequence: charge.sequence });
  if (chance.next() < stopShare) {
    await pause(chance.whole(0, 900));
    const stopped = await ask(rider, `/my/roaming-charges/${charge.id}/stops`, {}, `stop-${key}`);
    if (stopped.httpStatus !== 200) expect(stopped.message.error).toBe('order.not_charging');
  }
  const endsAt = performance.now() + patienceMs;
  while (performance.now() < endsAt && !isClosed(await stateOf(rider, charge.id))) await pause(300);
}

async function visitOften(rider: Rider, portIds: readonly number[], chance: Dice): Promise<void> {
  while (rider.wishes.length < chargesMin || (!isOver && rider.wishes.length < chargesMax)) {
    await visit(rider, chance.pick(portIds), chance);
  }
}

/** The code of the newest short message to a phone: the embedded sender writes it to the log. */
function codeFor(phone: string): string | null {
  const line = product.output.findLast((said) => said.includes('short message') && said.includes(phone));
  return line === undefined ? null : (JSON.parse(line) as { code: string }).code;
}

async function openWorld(): Promise<{ people: Rider[]; portIds: number[] }> {
  const { pool } = database;
  await pool.query(`update configs set value = $1 where key = 'own_operator_id'`, [ownCode]);
  await pool.query(`update configs set value = 'off' where key = 'second_person_recharge_fen'`);
  const people: Rider[] = [];
  for (let index = 0; index < riders; index += 1) {
    const phone = `138000000${String(index).padStart(2, '0')}`;
    const id = await api.createCustomer(phone, balanceFen);
    const own = await signInCustomer(product.url, phone, () => codeFor(phone));
    people.push({ id, phone, api: own, wishes: [] });
  }
  const partner = await api.post<{ id: number }>('/partners', {
    operatorId,
    name: 'Other operator',
    role: 'infrastructure',
    baseUrl: operator.baseUrl,
    ratePerSecond: 100,
    inbound,
    outbound,
  });
  partnerId = partner.id;
  const portIds = await until('the stations are pulled', async () => {
    await api.ask('POST', `/partners/${partnerId}/pulls`, { kind: 'full' });
    const { rows } = await pool.query<{ id: number }>('select id from pulled_ports where partner_id = $1', [partnerId]);
    return rows.length === portCodes.length ? rows.map(({ id }) => id) : null;
  });
  return { people, portIds };
}

/** Hours pass: charges of which nothing was heard are due to be asked for. */
async function letHoursPass({ isServerDown }: { isServerDown: boolean }): Promise<void> {
  await database.pool.query(
    `update roaming_charges set poll_due_at = now()
      where poll_due_at > now() and ($1 or placed_at < now() - $2::interval)`,
    [isServerDown, startLasts],
  );
}

/** Until the partner hears of another start, whose answer is still on its way. */
async function anotherStart(): Promise<void> {
  const count = async () => (await operator.book()).filter(({ kind }) => kind === 'asked').length;
  const before = await count();
  await until('another start', async () => (await count()) > before, 2_000).catch(() => null);
}

async function killOften(chance: Dice): Promise<void> {
  for (let kill = 1; kill <= kills; kill += 1) {
    await pause(chance.whole(100, 1_500));
    await letHoursPass({ isServerDown: false });
    await pause(chance.whole(0, 300));
    if (chance.next() < 0.5) await anotherStart();
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

type OurCharge = {
  sequence: string;
  customer_id: number;
  state: string;
  energy_wh: number;
  amount_fen: number;
  paid_fen: number;
  owed_fen: number;
  held_fen: number;
  refusal: string | null;
  doubts: unknown[];
  dispute: string | null;
};

async function ourCharges(): Promise<OurCharge[]> {
  const { rows } = await database.pool.query<OurCharge>(
    `select sequence, customer_id::int, state, energy_wh::int, amount_fen::int, paid_fen::int, owed_fen::int, held_fen::int,
            refusal, doubts, dispute
       from roaming_charges where partner_id = $1 order by sequence`,
    [partnerId],
  );
  return rows;
}

async function heldAt(key: string): Promise<number> {
  const { rows } = await database.pool.query<{ fen: number }>(
    'select coalesce(sum(balance_fen), 0)::int as fen from ledger_accounts where key = $1',
    [key],
  );
  return rows[0]?.fen ?? 0;
}

type TheirBill = { sequence: string; amountFen: number; energyWh: number };

/** What the partner's book has: every name that it was asked to start, and a bill for each charge that it began. */
function readTheirBook(book: readonly StationEntry[]): { asked: string[]; bills: Map<string, TheirBill> } {
  const asked: string[] = [];
  const charges = new Map<string, Charge>();
  const bills = new Map<string, TheirBill>();
  for (const entry of book) {
    const { sequence } = entry;
    if (entry.kind === 'asked') {
      expect(entry.isNew, `${sequence} is asked for once`).toBe(true);
      asked.push(sequence);
      const { portCode, plan } = entry;
      if (plan.will === 'charge') charges.set(sequence, { sequence, portCode, plan });
    }
    if (entry.kind === 'ended') {
      expect(bills.has(sequence), sequence).toBe(false);
      const { TotalMoney, TotalPower } = billOf(charges.get(sequence) as Charge, entry);
      const [amountFen, energyWh] = [Math.round(TotalMoney * 100), Math.round(TotalPower * 1_000)];
      bills.set(sequence, { sequence, amountFen, energyWh });
    }
    // Everything is taken: no message of theirs names a charge that we do not know, and no bill is disputed.
    if (entry.kind === 'heard') {
      expect(entry.answer, JSON.stringify(entry)).toMatchObject(
        entry.name === 'notification_charge_order_info' ? { ConfirmResult: 0 } : { SuccStat: 0 },
      );
    }
  }
  expect([...bills.keys()].sort()).toEqual([...charges.keys()].sort());
  return { asked, bills };
}

async function isSettled(): Promise<boolean> {
  await letHoursPass({ isServerDown: false });
  await pause(500);
  if ((await ourCharges()).some(({ state }) => !isClosed(state))) return false;
  const book = await operator.book();
  const named = (kind: string, isChosen: (entry: StationEntry) => boolean) =>
    new Set(book.filter((entry) => entry.kind === kind && isChosen(entry)).map(({ sequence }) => sequence)).size;
  const begun = named('asked', (entry) => entry.kind === 'asked' && entry.plan.will === 'charge');
  const confirmed = named(
    'heard',
    (entry) => entry.kind === 'heard' && entry.name === 'notification_charge_order_info',
  );
  return begun === confirmed;
}

test('servers of both operators killed at random, while our customers charge at the other one over a link that fails in both directions, leave every charge once in the book of each, paid to the fen', async () => {
  const { people, portIds } = await openWorld();
  await Promise.all([
    ...people.map((rider, index) => visitOften(rider, portIds, dice(seed + index + 1))),
    killOften(dice(seed)),
  ]);
  // Whatever got lost is asked and told again over a link that fails no more.
  await operator.kill9();
  await operator.startAgain({ isSound: true });
  await until('every charge is closed and every bill is confirmed', isSettled, limitMs);

  const ours = await ourCharges();
  const { asked, bills } = readTheirBook(await operator.book());
  const sequences = new Set(ours.map(({ sequence }) => sequence));
  expect(asked.filter((sequence) => !sequences.has(sequence))).toEqual([]);
  // One wish of a customer is one charge at most, however often it was sent; one that was refused began nothing.
  const wishes = people.flatMap((rider) => rider.wishes);
  const named = wishes.flatMap(({ charge }) => (charge === null ? [] : [charge.sequence]));
  expect(new Set(named).size).toBe(named.length);
  expect([...bills.keys()].filter((sequence) => !named.includes(sequence))).toEqual([]);
  // What no customer was answered with was refused by the partner's own answer.
  const unnamed = ours.filter(({ sequence }) => !named.includes(sequence));
  expect(unnamed.filter(({ state, refusal }) => state !== 'cancelled' || refusal === 'no_answer')).toEqual([]);
  expect(unnamed.length).toBeLessThanOrEqual(wishes.length - named.length);

  for (const { sequence, state, doubts, dispute, held_fen, owed_fen, ...figures } of ours) {
    const bill = bills.get(sequence) ?? { amountFen: 0, energyWh: 0 };
    const told = { energy_wh: bill.energyWh, amount_fen: bill.amountFen, paid_fen: bill.amountFen };
    expect(figures, sequence).toMatchObject(told);
    expect({ doubts, dispute, held_fen, owed_fen }, sequence).toEqual({
      doubts: [],
      dispute: null,
      held_fen: 0,
      owed_fen: 0,
    });
    if (!bills.has(sequence)) expect(state, sequence).toBe('cancelled');
    if (bill.energyWh > 0) expect(state, sequence).toBe('completed');
  }
  let paidFen = 0;
  for (const rider of people) {
    const money = await rider.api.get<{ balanceFen: number; heldFen: number; owedFen: number }>('/my/balance');
    expect(money, rider.phone).toMatchObject({ heldFen: 0, owedFen: 0 });
    const own = ours.filter(({ customer_id }) => customer_id === rider.id);
    const spentFen = own.reduce((sum, { sequence }) => sum + (bills.get(sequence)?.amountFen ?? 0), 0);
    expect(money.balanceFen, rider.phone).toBe(balanceFen - spentFen);
    paidFen += spentFen;
  }
  const billedFen = [...bills.values()].reduce((sum, { amountFen }) => sum + amountFen, 0);
  expect(billedFen).toBeGreaterThan(0);
  expect(paidFen).toBe(billedFen);
  expect(await heldAt(`payable:partner:${partnerId}`)).toBe(billedFen);
  expect(await api.proof()).toMatchObject({ sumFen: 0, mismatches: 0 });

  const { rows } = await database.pool.query<{ heard: number }>(
    `select count(*)::int as heard from partner_exchanges
      where direction = 'in' and interface = 'notification_charge_order_info' and ret = 0`,
  );
  const neverAsked = ours.length - asked.length;
  console.log(
    `${kills} kills, ${bills.size} charges, ${ours.length - bills.size} given up (${neverAsked} never reached the partner), ${(rows[0]?.heard ?? 0) - bills.size} bills heard again`,
  );
}, 3_600_000);
