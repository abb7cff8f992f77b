import { type FirstStep, type FirstSteps, firstStepsOf } from '@voltdeck/contract/first-steps';
import { dayMs, type Instant, instant } from '@voltdeck/units/instant';
import { type Kysely, type NotNull, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { may } from '../caller/may.ts';
import { scoped, scopedOrPlatform } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { atOneMoment, type Trx } from '../database/transact.ts';
import { accountKey } from '../ledger/account-key.ts';

/** How long the people of an agent whose network runs already are shown around. */
export const introductionMs = 7 * dayMs;

/** Wallets that are looked at for money, and cards for their holders: before the first charge there are few. */
const walletsMax = 1_000;

type Asked = {
  /** Whether the caller wants to see the steps in any case. */
  always: boolean;
  at: Instant;
};

/**
 * What is left to do until the first charge, and what the forms can start with. A running network costs one query: it
 * has a completed order. A test run is no charge here: nobody pays for it.
 */
export async function findFirstSteps(db: Kysely<Tables>, caller: Caller, { always, at }: Asked): Promise<FirstSteps> {
  const of = caller.agents === 'all' ? 'network' : 'agent';
  // Registered people run no network.
  if (caller.agents.length === 0) return { of, state: 'over', steps: [], known: nothingKnown };
  const runs = await hasCharged(db, caller);
  const { isHidden, isNew } = await readUser(db, caller, at);
  const isIntroduced = of === 'network' || !isNew;
  if (!always && ((runs && isIntroduced) || isHidden)) {
    return { of, state: runs && isIntroduced ? 'over' : 'hidden', steps: [], known: await knownOfRunning(db, caller) };
  }
  const { done, known } = await atOneMoment(db, (trx) => findProgress(trx, caller, runs));
  const steps = firstStepsOf[of].map((step) => ({ step, isDone: done[step] }));
  const isOver = steps.every(({ isDone }) => isDone) || (runs && isIntroduced);
  return { of, state: isOver ? 'over' : isHidden ? 'hidden' : 'open', steps, known };
}

async function hasCharged(db: Kysely<Tables>, caller: Caller): Promise<boolean> {
  const order = await scoped(db.selectFrom('orders'), caller, 'orders.agent_id')
    .select('id')
    .where('state', '=', sql.lit('completed'))
    .where('start_mode', '<>', sql.lit('test'))
    .limit(1)
    .executeTakeFirst();
  return order !== undefined;
}

async function readUser(db: Kysely<Tables>, { userId }: Caller, at: Instant) {
  const user = await db
    .selectFrom('users')
    .select(['first_steps_hidden as isHidden', 'created_at as createdAt'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return { isHidden: user.isHidden, isNew: user.createdAt > instant(at - introductionMs) };
}

const nothingKnown: FirstSteps['known'] = {
  siteId: null,
  tariffId: null,
  unpricedStationId: null,
  awaitedStation: null,
  awaitedStations: 0,
  pluggedConnectorId: null,
  hasPayer: false,
  cardId: null,
  customerId: null,
  order: null,
};

async function knownOfRunning(db: Kysely<Tables>, caller: Caller): Promise<FirstSteps['known']> {
  return readable(caller, { ...nothingKnown, order: await findNewestOrder(db, caller) });
}

/** Without the records that the caller's position does not open: that some exist is all the steps say. */
function readable(caller: Caller, known: FirstSteps['known']): FirstSteps['known'] {
  const { unpricedStationId, awaitedStation, awaitedStations, cardId, customerId } = known;
  return {
    siteId: may(caller, 'site.read') ? known.siteId : null,
    tariffId: may(caller, 'tariff.read') ? known.tariffId : null,
    ...(may(caller, 'station.read')
      ? { unpricedStationId, awaitedStation, awaitedStations }
      : { unpricedStationId: null, awaitedStation: null, awaitedStations: 0 }),
    pluggedConnectorId: may(caller, 'connector.read') ? known.pluggedConnectorId : null,
    hasPayer: known.hasPayer,
    cardId: may(caller, 'card.read') ? cardId : null,
    customerId: may(caller, 'customer.read') ? customerId : null,
    order: may(caller, 'order.read') ? known.order : null,
  };
}

type Progress = { done: Readonly<Record<FirstStep, boolean>>; known: FirstSteps['known'] };

async function findProgress(db: Trx, caller: Caller, runs: boolean): Promise<Progress> {
  const stations = () => scoped(db.selectFrom('stations'), caller, 'stations.agent_id');
  const sites = scoped(db.selectFrom('sites'), caller, 'sites.agent_id').select('sites.id').limit(2);
  const tariffs = scopedOrPlatform(db.selectFrom('tariffs'), caller, 'tariffs.agent_id')
    .select('tariffs.id')
    .where('state', '=', sql.lit('in_force'))
    .where('archived_at', 'is', null)
    .limit(2);
  const awaited = stations()
    .select(['stations.id', 'stations.name'])
    .where('activated_at', 'is', null)
    .orderBy('stations.created_at', 'desc')
    .orderBy('stations.id', 'desc')
    .limit(2);
  const cards = scoped(db.selectFrom('cards'), caller, 'cards.agent_id')
    .select('cards.id')
    .where('state', '=', sql.lit('active'))
    .limit(2);
  const customers = customersOf(db, caller).select('customers.id').limit(2);
  const unpriceds = stations()
    .select('stations.id')
    .where('card_tariff_id', 'is', null)
    .where('free', '=', false)
    .orderBy('stations.created_at', 'desc')
    .orderBy('stations.id', 'desc')
    .limit(1);
  const priceds = stations()
    .select('stations.id')
    .where((eb) => eb.or([eb('card_tariff_id', 'is not', null), eb('free', '=', true)]))
    .limit(1);
  const activated = stations().select('stations.id').where('activated_at', 'is not', null).limit(1);
  const plugged = scoped(
    db.selectFrom('connectors').innerJoin('stations', 'stations.id', 'connectors.station_id'),
    caller,
    'stations.agent_id',
  )
    .select('connectors.id')
    .where('stations.online', '=', true)
    .where('stations.enabled', '=', true)
    .where('connectors.open', '=', true)
    .where('connectors.state', '=', sql.lit('plugged_in'))
    .limit(2);
  const site = await sites.execute();
  const tariff = await tariffs.execute();
  const station = await stations().select('stations.id').limit(1).executeTakeFirst();
  const hasStation = station !== undefined;
  const priced = hasStation ? await priceds.executeTakeFirst() : undefined;
  const lacksPrice = hasStation && tariff.length > 0 && priced === undefined;
  const unpriced = lacksPrice ? await unpriceds.executeTakeFirst() : undefined;
  const waiting = hasStation ? await awaited.execute() : [];
  const connected = hasStation ? await activated.executeTakeFirst() : undefined;
  const port = connected === undefined ? [] : await plugged.execute();
  const card = await cards.execute();
  const customer = await customers.execute();
  const [payer, another] = [...card, ...customer];
  const isOnlyPayer = payer !== undefined && another === undefined;
  const done = {
    site: site.length > 0,
    // A rule that no station has prices nothing.
    tariff: tariff.length > 0 && (!hasStation || priced !== undefined),
    station: hasStation,
    handover: hasStation,
    connection: connected !== undefined,
    staff: await hasStaff(db, caller),
    money: payer !== undefined && (await hasMoney(db, caller)),
    charge: runs,
  };
  return {
    done,
    known: readable(caller, {
      siteId: onlyOf(site),
      tariffId: onlyOf(tariff),
      unpricedStationId: unpriced?.id ?? null,
      awaitedStation: waiting.length === 1 ? (waiting[0] ?? null) : null,
      awaitedStations: waiting.length,
      pluggedConnectorId: onlyOf(port),
      hasPayer: payer !== undefined,
      cardId: isOnlyPayer ? onlyOf(card) : null,
      customerId: isOnlyPayer ? onlyOf(customer) : null,
      order: await findNewestOrder(db, caller),
    }),
  };
}

function onlyOf<Id>(found: readonly { id: Id }[]): Id | null {
  return found.length === 1 ? (found[0]?.id ?? null) : null;
}

/** Whether a card or a registered user has money to charge with. */
async function hasMoney(db: Trx, caller: Caller): Promise<boolean> {
  const cards = scoped(db.selectFrom('cards'), caller, 'cards.agent_id')
    .select(accountKey('card', 'cards.id').as('key'))
    .where('state', '=', sql.lit('active'))
    .orderBy('cards.created_at', 'desc')
    .limit(walletsMax);
  const customers = customersOf(db, caller)
    .select(accountKey('customer', 'customers.id').as('key'))
    .orderBy('customers.created_at', 'desc')
    .limit(walletsMax);
  const funded = (wallets: typeof cards | typeof customers) =>
    db
      .selectFrom((wallets as typeof cards).as('wallets'))
      .innerJoin('ledger_accounts', 'ledger_accounts.key', 'wallets.key')
      .select('wallets.key')
      .where('ledger_accounts.balance_fen', '>', 0 as never)
      .limit(1)
      .executeTakeFirst();
  return (await funded(cards)) !== undefined || (await funded(customers)) !== undefined;
}

/** Customers who may charge. Those of an agent are found from its cards, or all customers would be walked. */
function customersOf(db: Trx, caller: Caller) {
  const customers = db.selectFrom('customers').where('customers.state', '=', sql.lit('normal'));
  if (caller.agents === 'all') return customers;
  const holders = scoped(db.selectFrom('cards as held'), caller, 'held.agent_id')
    .select('held.customer_id')
    .where('held.customer_id', 'is not', null)
    .limit(walletsMax);
  return customers.where('customers.id', 'in', holders.$narrowType<{ customer_id: NotNull }>());
}

/** Whether anybody else works for the caller's agents. */
async function hasStaff(db: Kysely<Tables>, caller: Caller): Promise<boolean> {
  if (caller.agents === 'all') return true;
  const colleague = await scoped(db.selectFrom('users'), caller, 'users.agent_id')
    .select('users.id')
    .where('users.id', '<>', caller.userId)
    .where('users.enabled', '=', true)
    .limit(1)
    .executeTakeFirst();
  return colleague !== undefined;
}

async function findNewestOrder(db: Kysely<Tables>, caller: Caller): Promise<FirstSteps['known']['order']> {
  const order = await scoped(db.selectFrom('orders'), caller, 'orders.agent_id')
    .select(['orders.id', 'orders.number', 'orders.state'])
    .where('start_mode', '<>', sql.lit('test'))
    .orderBy('orders.placed_at', 'desc')
    .orderBy('orders.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return order ?? null;
}
