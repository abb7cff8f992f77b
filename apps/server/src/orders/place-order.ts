import { isAgreed } from '@voltdeck/charging/abilities';
import { authorizationAt, firstHoldFen, moneyLimits } from '@voltdeck/charging/charge/decide-authorization';
import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import { transactionKey } from '@voltdeck/charging/transaction-key';
import type { ApiError } from '@voltdeck/contract/errors';
import type { ChargePayerName, placeOrder as route } from '@voltdeck/contract/orders';
import type { BodyOf } from '@voltdeck/contract/route';
import { cardAccount, customerAccount, type Wallet } from '@voltdeck/ledger/account';
import { isBeyondDebtLimit } from '@voltdeck/ledger/debt';
import { takeFrom, totalOf } from '@voltdeck/ledger/parts';
import { freeTariff } from '@voltdeck/tariffs/free-tariff';
import { isSameChoice, withChoice } from '@voltdeck/tariffs/rider-choice';
import type { RiderChoice, Tariff } from '@voltdeck/tariffs/tariff';
import type { ConnectorId, CustomerId, OrderId, StationId, TariffId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { type Fen, formatYuan, minFen, subtractFen, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { dropOutOfError } from '../attempts/drop-out-of-error.ts';
import { noteRefusedStart, type RefusedStart } from '../attempts/note-refused-start.ts';
import { noteStartAnswer } from '../attempts/note-start-answer.ts';
import { refusalOfOutcome } from '../bus/refusal-of-outcome.ts';
import { audit, type Who } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { isInScope } from '../caller/scope.ts';
import type { Context } from '../context.ts';
import { readParameter } from '../database/parameter.ts';
import type { Trx } from '../database/transact.ts';
import type { Transact } from '../http/bind.ts';
import { onlyOneOf } from '../http/only-one.ts';
import { debtLimit, debtOf } from '../ledger/debt.ts';
import { lockParts } from '../ledger/wallet-parts.ts';
import { agreedTariffAt, tariffAt } from '../tariffs/tariff-at.ts';
import { authorizeCard, type Payer } from './authorize-card.ts';
import { cancelPlaced } from './cancel-order.ts';
import { promisedTo } from './find-balance.ts';
import { findGroupPayer, type GroupCharge } from './group-payer.ts';
import { lockStartablePort } from './lock-startable-port.ts';
import { orderNumber } from './order-record.ts';
import type { OrderRow, WalletColumns } from './order-row.ts';
import { orderToken } from './order-token.ts';
import { tellOtherChargesLater } from './tell-balance.ts';
import { insertOrder, reserveNumbers } from './write-order.ts';

export type PlacedCharge = {
  id: OrderId;
  stationNumber: string;
  command: Extract<StationCommand, { kind: 'start-charge' }>;
};

/** Who starts a charge and how: what differs between a person at a desk and a customer at the station. */
export type ChargeStarter = {
  /** Whose stations they may start. */
  reach: Pick<Caller, 'agents'>;
  who: Who;
  /** Their name for the order's journal. */
  name: string;
  /** Whose charge it would be, as far as that is known before it is placed. */
  asker?: Pick<RefusedStart, 'customerId' | 'cardNumber'>;
  startMode: 'remote' | 'scan' | 'partner';
  payerOf(trx: Trx, port: ChargePort): Promise<Result<ChosenPayer, ApiError>>;
};

/** What a payer is chosen for. */
export type ChargePort = Omit<GroupCharge, 'customerId'>;

export type ChargeWish = Pick<BodyOf<typeof route>, 'connectorId' | 'choice'>;

/** Starts a charge from the console. */
export function placeOrder(
  context: Context<'money'>,
  caller: Caller,
  body: BodyOf<typeof route>,
  transact: Transact,
): Promise<Result<{ orderId: OrderId }, ApiError>> {
  const starter: ChargeStarter = {
    reach: caller,
    who: caller,
    name: caller.userName,
    startMode: 'remote',
    ...(body.cardNumber !== undefined && { asker: { cardNumber: body.cardNumber.toUpperCase() } }),
    payerOf: (trx, port) => payerOf(trx, caller, body, port),
  };
  return startCharge(context, starter, body, transact);
}

/**
 * Places the order with its hold, then asks the station. If the station refuses or does not answer, the order is
 * cancelled and its hold released; if it agrees, it has some minutes to begin.
 */
export async function startCharge(
  context: Context<'money'>,
  starter: ChargeStarter,
  wish: ChargeWish,
  transact: Transact,
): Promise<Result<{ orderId: OrderId }, ApiError>> {
  const at = context.now();
  const placed = await transact((trx) => placeCharge(trx, starter, wish, at), { recordOf: ({ id }) => id });
  if (placed.ok) return beginPlaced(context, placed.value);
  await noteRefusal(context, starter, wish.connectorId, { error: placed.error, at });
  return placed;
}

/**
 * Keeps a refused start as an attempt, where the port exists and the person could not simply say something else. The
 * refusal never depends on it.
 */
export async function noteRefusal(
  context: Context,
  { reach, startMode, asker = {} }: Pick<ChargeStarter, 'reach' | 'startMode' | 'asker'>,
  connectorId: ConnectorId,
  { error, at }: { error: ApiError; at: Instant },
): Promise<void> {
  const dropOut = dropOutOfError(error);
  if (dropOut === null) return;
  const { db } = context.database;
  try {
    const port = await db
      .selectFrom('connectors')
      .innerJoin('stations', 'stations.id', 'connectors.station_id')
      .select(['connectors.id', 'connectors.number', 'stations.id as stationId', 'stations.agent_id as agentId'])
      .where('connectors.id', '=', connectorId)
      .executeTakeFirst();
    if (port === undefined || !isInScope(reach, port.agentId)) return;
    await noteRefusedStart(db, { at, stationId: port.stationId, connector: port, startMode, dropOut, ...asker });
  } catch (err) {
    context.log.error({ err, connectorId }, 'attempts: noting a refused start failed');
  }
}

/** The station was not asked, or said nothing. */
const unanswered: ReadonlySet<CommandOutcome['kind']> = new Set(['offline', 'busy', 'timed-out']);

/** Asks the station to begin a charge that was placed, and cancels it where the station does not agree. */
export async function beginPlaced(
  context: Context<'money'>,
  { id, stationNumber, command }: PlacedCharge,
): Promise<Result<{ orderId: OrderId }, ApiError>> {
  const askedAt = context.now();
  const outcome = await context.bus.commandStation(stationNumber, command);
  if (!unanswered.has(outcome.kind)) {
    const answer = { answeredMs: context.now() - askedAt, isAgreed: isAgreed(outcome) };
    await noteStartAnswer({ db: context.database.db, log: context.log }, id, answer);
  }
  if (isAgreed(outcome)) return ok({ orderId: id });
  const because = outcome.kind === 'rejected' && outcome.reason !== undefined ? { because: outcome.reason } : {};
  await cancelPlaced(context, id, { event: 'start_refused', params: { outcome: outcome.kind, ...because } });
  return failed(refusalOfOutcome(outcome));
}

/** Places the order of a charge with its hold; nothing is asked of the station yet. */
export async function placeCharge(
  trx: Trx,
  starter: ChargeStarter,
  wish: ChargeWish,
  at: Instant,
): Promise<Result<PlacedCharge, ApiError>> {
  const found = await lockStartablePort(trx, starter.reach, wish.connectorId);
  if (!found.ok) return found.error.code === 'record.not_found' ? failed(unknownPort) : found;
  const port = found.value;
  const { siteId, agentId, free: isFree } = port;
  const neededOnline = isFree ? zeroFen : await neededToStart(trx, port.stationId, wish, at);
  const payer = await starter.payerOf(trx, { at, isFree, siteId, agentId, neededFen: neededOnline });
  if (!payer.ok) return payer;
  const { wallet, paid, limitLeftFen = null } = payer.value;
  const tariff = port.free
    ? { id: null, kind: freeTariff.kind, detail: freeTariff }
    : await tariffOf(trx, port.stationId, payer.value, at);
  if (tariff === undefined) return failed({ code: 'tariff.missing' });
  const rule = tariff.detail as Tariff;
  const choice = chosenOf(rule, wish.choice);
  if (!choice.ok) return choice;
  const chosen = choice.value;
  const balance = await lockParts(trx, wallet);
  const balanceFen = totalOf(balance);
  const neededFen = chosen?.amountFen ?? moneyLimits.startBalanceMinFen;
  if (!port.free && balanceFen < neededFen) return failed(tooLittleIn(wallet, { balanceFen, neededFen }));
  const { id, sequence } = await reserveNumbers(trx);
  // What the station sends when it starts: the card, or a number for this order alone.
  const token = payer.value.token ?? orderToken(sequence);
  const isNamed = protocolTraits[port.protocol].chargesNamed === 'before-start';
  const { stationNumber, number: connectorNumber } = port;
  const transaction = isNamed ? transactionKey({ stationNumber, connectorNumber, at, sequence }) : null;
  const spendableFen = limitLeftFen === null ? balanceFen : minFen(balanceFen, limitLeftFen);
  const holdFen = port.free ? zeroFen : (chosen?.amountFen ?? firstHoldFen(spendableFen));
  const order = await insertOrder(
    trx,
    id,
    {
      number: orderNumber(at, sequence),
      state: 'placed',
      was_placed: true,
      ...paid,
      start_mode: starter.startMode,
      billing_type: tariff.kind,
      site_id: port.siteId,
      station_id: port.stationId,
      connector_id: port.id,
      connector_number: port.number,
      agent_id: port.agentId,
      card_number: token,
      transaction_key: transaction,
      tariff_id: tariff.id,
      tariff: JSON.stringify(chosen === null ? rule : withChoice(rule, chosen)),
      balance_before_fen: balanceFen,
      placed_at: at,
    },
    {
      hold: { wallet, held: takeFrom(balance, holdFen) },
      flags: [],
      facts: [{ event: 'placed', params: { userName: starter.name } }],
      at,
    },
  );
  await tellOtherChargesLater(trx, order);
  await audit(trx, starter.who, at, { action: 'order.start', recordKind: 'order', recordId: order.id, after: wish });
  const asked = { kind: 'start-charge', connectorNumber } as const;
  if (transaction === null) return ok({ id: order.id, stationNumber, command: { ...asked, cardNumber: token } });
  const { card } = payer.value;
  const command = {
    ...asked,
    transaction,
    availableFen: await promisedTo(trx, order),
    // Shown on the station's screen, where only digits are sure to display.
    cardNumber: card?.number ?? String(sequence),
    ...(card === null ? {} : { physicalCardNumber: card.physicalNumber }),
  };
  return ok({ id: order.id, stationNumber, command });
}

/** What a registered user’s payer needs for the charge to begin: what was chosen, or the least balance. */
async function neededToStart(trx: Trx, stationId: StationId, wish: ChargeWish, at: Instant): Promise<Fen> {
  const tariff = await tariffOf(trx, stationId, { paid: { payment_type: 'online' } }, at);
  const choice = tariff === undefined ? null : chosenOf(tariff.detail as Tariff, wish.choice);
  return choice?.ok === true && choice.value !== null ? choice.value.amountFen : moneyLimits.startBalanceMinFen;
}

/** What the payer of this charge pays before it; null where the rule offers nothing to choose from. */
function chosenOf({ prepayment }: Tariff, asked: BodyOf<typeof route>['choice']): Result<RiderChoice | null, ApiError> {
  if (asked === undefined) {
    if (prepayment === undefined) return ok(null);
    return failed({ code: 'request.invalid', fields: [{ path: 'choice', code: 'required' }] });
  }
  const offered = prepayment?.kind === asked.kind ? prepayment.choices : [];
  const chosen = offered.find((one) => isSameChoice(one, asked));
  return chosen === undefined ? failed({ code: 'order.choice_changed' }) : ok(chosen);
}

type Priced = Pick<ChosenPayer, 'agreedTariffId'> & { paid: Pick<OrderRow, 'payment_type'> };

async function tariffOf(trx: Trx, id: StationId, { paid, agreedTariffId = null }: Priced, at: Instant) {
  const card = tariffAt(at, 'card', sql.ref('s.card_tariff_id'));
  const wechat = tariffAt(at, 'wechat', sql.ref('s.wechat_tariff_id'));
  const ofStation = paid.payment_type === 'card' ? card : sql<TariffId>`coalesce(${wechat}, ${card})`;
  const tariffId = agreedTariffId === null ? ofStation : agreedTariffAt(at, agreedTariffId);
  return trx
    .selectFrom('stations as s')
    .innerJoin('tariffs', (join) => join.on('tariffs.id', '=', tariffId))
    .select(['tariffs.id', 'tariffs.kind', 'tariffs.detail'])
    .where('s.id', '=', id)
    .executeTakeFirst();
}

export type ChosenPayer = {
  wallet: Wallet;
  /** Who pays, in the columns of the order. */
  paid: Pick<OrderRow, 'payment_type' | 'card_id' | 'customer_id'> & Partial<WalletColumns>;
  /** The rule that was agreed with the payer in place of the station's. */
  agreedTariffId?: TariffId | null;
  token: string | null;
  card: Payer['card'];
  /** What a limit leaves for it; nothing limits it where this is null or left out. */
  limitLeftFen?: Fen | null;
};

/**
 * Agents spend only from their own cards. The balance of a customer is the platform's to spend, since an agent makes
 * anybody its customer by an empty card.
 */
async function payerOf(
  trx: Trx,
  caller: Caller,
  body: BodyOf<typeof route>,
  port: ChargePort,
): Promise<Result<ChosenPayer, ApiError>> {
  const { at, isFree } = port;
  const given = onlyOneOf(body, ['cardNumber', 'customerPhone']);
  if (!given.ok) return failed({ code: 'request.invalid', fields: [given.error] });
  if (body.cardNumber !== undefined) {
    const cardNumber = body.cardNumber.toUpperCase();
    const card = await trx
      .selectFrom('cards')
      .select('agent_id')
      .where((or) => or.or([or('number', '=', cardNumber), or('physical_number', '=', cardNumber)]))
      .executeTakeFirst();
    if (card === undefined || !isInScope(caller, card.agent_id)) return failed({ code: 'card.not_usable' });
    const payer = await authorizeCard(trx, cardNumber, at, { lock: true });
    switch (authorizationAt({ isFree }, payer.authorization)) {
      case 'already_charging':
        return failed({ code: 'card.already_charging' });
      case 'no_balance':
        return failed(payer.owedFen > 0 ? inDebt(payer.owedFen) : tooLittle(payer.availableFen));
      case 'accepted':
        break;
      default:
        return failed({ code: 'card.not_usable' });
    }
    if (payer.cardId === null) return failed({ code: 'card.not_usable' });
    const { cardId, customerId } = payer;
    return ok({
      wallet: cardAccount(cardId),
      paid: { payment_type: 'card', card_id: cardId, customer_id: customerId },
      token: cardNumber,
      card: payer.card,
    });
  }
  const customer =
    caller.agents === 'all'
      ? await trx
          .selectFrom('customers')
          .select(['id', 'state'])
          .where('phone', '=', body.customerPhone ?? '')
          // A merge waits for the hold or is seen here: an account made meanwhile would escape its locks.
          .forShare()
          .executeTakeFirst()
      : undefined;
  if (customer === undefined || customer.state !== 'normal') {
    return failed({ code: 'request.invalid', fields: [{ path: 'customerPhone', code: 'unknown_reference' }] });
  }
  return riderPayer(trx, customer.id, body.payer, port);
}

/** Who pays for the charge of a registered user: the group that they are bound to where it can, or they. */
export async function riderPayer(
  trx: Trx,
  customerId: CustomerId,
  asked: ChargePayerName | undefined,
  port: ChargePort,
): Promise<Result<ChosenPayer, ApiError>> {
  if (asked !== 'self') {
    const group = await findGroupPayer(trx, { ...port, customerId }, { lock: true });
    if (group === null && asked === 'group') return failed({ code: 'group.not_bound' });
    if (group !== null && (group.payer.ok || asked === 'group')) {
      if (!group.payer.ok) return group.payer;
      const { wallet, paid, leftFen } = group.payer.value;
      return ok({ wallet, paid, token: null, card: null, limitLeftFen: leftFen });
    }
  }
  return customerPayer(trx, customerId, port);
}

/** A customer pays from their balance unless they owe too much. */
async function customerPayer(
  trx: Trx,
  customerId: CustomerId,
  { isFree }: { isFree: boolean },
): Promise<Result<ChosenPayer, ApiError>> {
  const wallet = customerAccount(customerId);
  const owedFen = await debtOf(trx, wallet);
  if (!isFree && isBeyondDebtLimit(owedFen, await readParameter(trx, debtLimit))) return failed(inDebt(owedFen));
  const paid = { payment_type: 'online', card_id: null, customer_id: customerId } as const;
  return ok({ wallet, paid, token: null, card: null });
}

const unknownPort: ApiError = {
  code: 'request.invalid',
  fields: [{ path: 'connectorId', code: 'unknown_reference' }],
};

/** The same where a group pays, whose balance other charges may have taken since it was chosen. */
function tooLittleIn({ kind }: Wallet, { balanceFen, neededFen }: { balanceFen: Fen; neededFen: Fen }): ApiError {
  if (kind !== 'group' && kind !== 'member') return tooLittle(balanceFen);
  const missing = formatYuan(subtractFen(neededFen, balanceFen));
  return { code: 'group.balance', params: { missing, available: formatYuan(balanceFen) } };
}

function tooLittle(availableFen: Fen): ApiError {
  return { code: 'balance.insufficient', params: { available: formatYuan(availableFen) } };
}

function inDebt(owedFen: Fen): ApiError {
  return { code: 'balance.in_debt', params: { owed: formatYuan(owedFen) } };
}
