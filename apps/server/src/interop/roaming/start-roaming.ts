import { firstHoldFen } from '@voltdeck/charging/charge/decide-authorization';
import type { PartnerPriceSlot } from '@voltdeck/charging/partner-site';
import { dearestPriceE5, roamingLimits } from '@voltdeck/charging/roaming-charge';
import { closedSiteStates } from '@voltdeck/charging/states';
import type { ApiError } from '@voltdeck/contract/errors';
import type { startOwnRoamingCharge } from '@voltdeck/contract/own-roaming';
import type { BodyOf } from '@voltdeck/contract/route';
import { customerAccount } from '@voltdeck/ledger/account';
import { isBeyondDebtLimit } from '@voltdeck/ledger/debt';
import { totalOf } from '@voltdeck/ledger/parts';
import { watts } from '@voltdeck/units/energy';
import type { PartnerId, PulledPortId, RoamingChargeId } from '@voltdeck/units/id';
import { type Instant, instant } from '@voltdeck/units/instant';
import { formatYuan } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import type { CustomerCaller } from '../../caller/customer-caller.ts';
import type { Context } from '../../context.ts';
import { readParameter } from '../../database/parameter.ts';
import type { Tables } from '../../database/tables.generated.ts';
import type { Trx } from '../../database/transact.ts';
import type { Transact } from '../../http/bind.ts';
import { debtLimit, debtOf } from '../../ledger/debt.ts';
import { lockParts } from '../../ledger/wallet-parts.ts';
import { refusalOfCustomer } from '../../orders/refusal-of-customer.ts';
import { callLimits, type PartnerCaller, type PartnerLine } from '../deliver/partner-caller.ts';
import { findPartnerById, isStationSide, type Partner } from '../partner.ts';
import { cancelRoaming, holdMore } from './change-roaming.ts';
import { askPrices, askStart, askWhetherItMay, nextSequence, type Said } from './roaming-calls.ts';
import { byId, lockRoaming } from './roaming-row.ts';

/** After this, a start whose outcome nobody knows is asked for: renewing a token takes two calls more. */
const startLastsMs = 4 * callLimits.timeoutMs;

export type RoamingPort = {
  id: PulledPortId;
  code: string;
  stationCode: string;
  siteCode: string;
  siteName: string;
  powerW: number;
  partner: Partner;
};

/** A gun port of a partner where our customers can charge; null where it is closed to them. */
export async function findRoamingPort(db: Kysely<Tables>, id: PulledPortId): Promise<RoamingPort | null> {
  const port = await db
    .selectFrom('pulled_ports as p')
    .innerJoin('pulled_stations as t', 't.id', 'p.station_id')
    .innerJoin('pulled_sites as s', 's.id', 't.site_id')
    .select([
      'p.id',
      'p.code',
      'p.power_w as powerW',
      't.code as stationCode',
      's.code as siteCode',
      's.name as siteName',
    ])
    .select('p.partner_id as partnerId')
    .where('p.id', '=', id)
    .where('s.missing_at', 'is', null)
    .where('s.state', 'not in', closedSiteStates)
    .executeTakeFirst();
  if (port === undefined) return null;
  const partner = await findPartnerById(db, port.partnerId as PartnerId);
  if (partner === null || !partner.isEnabled || !isStationSide(partner)) return null;
  const { partnerId: _, ...names } = port;
  return { ...names, partner };
}

/** What a charge costs at a port over the day, as its operator says now. */
export async function readPrices(
  context: Context<'console'>,
  caller: PartnerCaller,
  port: RoamingPort,
): Promise<Result<{ line: PartnerLine; prices: readonly PartnerPriceSlot[] }, ApiError>> {
  const line = await caller.open(port.partner);
  if (line.ownCode === '') return failed({ code: 'roaming.closed' });
  const sequence = await nextSequence(context.database.db, line.ownCode, context.now());
  const said = await askPrices(caller, line, sequence, port.code);
  if (said.kind === 'said') return ok({ line, prices: said.value });
  return failed({ code: said.kind === 'silent' ? 'roaming.no_answer' : 'roaming.no_price' });
}

/**
 * Starts a charge of a customer at a partner's port. Its money is held before the partner is asked; a clear refusal gives
 * it back, and after a silence the charge stays until the partner says what became of it. It is never asked twice.
 */
export async function startRoaming(
  context: Context<'console'>,
  calls: PartnerCaller,
  caller: CustomerCaller,
  { portId, priceMaxE5 }: BodyOf<typeof startOwnRoamingCharge>,
  transact: Transact,
): Promise<Result<RoamingChargeId, ApiError>> {
  const { db } = context.database;
  const port = await findRoamingPort(db, portId);
  if (port === null) return failed({ code: 'roaming.closed' });
  const priced = await readPrices(context, calls, port);
  if (!priced.ok) return priced;
  const { line, prices } = priced.value;
  const dearestE5 = dearestPriceE5(prices);
  if (priceMaxE5 !== undefined && dearestE5 !== null && dearestE5 > priceMaxE5) {
    return failed({ code: 'roaming.price_changed' });
  }
  const may = await askWhetherItMay(calls, line, await nextSequence(db, line.ownCode, context.now()), port.code);
  if (may.kind !== 'said') return failed(refusalText(may));
  const sequence = await nextSequence(db, line.ownCode, context.now());
  const placed = await transact((trx) => place(trx, caller, { port, prices, sequence, at: context.now() }), {
    recordOf: (id) => id,
  });
  if (!placed.ok) return placed;
  const id = placed.value;
  const started = await askStart(calls, line, { sequence, portCode: port.code });
  if (started.kind !== 'refused') return ok(id);
  const { refusal } = started;
  await db.transaction().execute(async (trx) => {
    const charge = await lockRoaming(trx, byId(id));
    // Its own notification may have been faster than its answer, and is believed.
    if (charge?.state === 'starting') await cancelRoaming(trx, charge, refusal, context.now());
  });
  return failed(refusalText(started));
}

function refusalText(said: Exclude<Said<null>, { kind: 'said' }>): ApiError {
  if (said.kind === 'silent') return { code: 'roaming.no_answer' };
  return { code: 'roaming.refused', words: { because: `roaming-refusal.${said.refusal}` } };
}

type Placing = { port: RoamingPort; prices: readonly PartnerPriceSlot[]; sequence: string; at: Instant };

async function place(
  trx: Trx,
  caller: CustomerCaller,
  { port, prices, sequence, at }: Placing,
): Promise<Result<RoamingChargeId, ApiError>> {
  const refusal = await refusalOfCustomer(trx, caller);
  if (refusal !== null) return failed(refusal);
  const wallet = customerAccount(caller.customerId);
  const owedFen = await debtOf(trx, wallet);
  if (isBeyondDebtLimit(owedFen, await readParameter(trx, debtLimit))) {
    return failed({ code: 'balance.in_debt', params: { owed: formatYuan(owedFen) } });
  }
  const balanceFen = totalOf(await lockParts(trx, wallet));
  if (balanceFen < roamingLimits.startBalanceMinFen) {
    return failed({ code: 'balance.insufficient', params: { available: formatYuan(balanceFen) } });
  }
  const { id } = await trx
    .insertInto('roaming_charges')
    .values({
      sequence,
      partner_id: port.partner.id,
      customer_id: caller.customerId,
      state: 'starting',
      pulled_port_id: port.id,
      site_code: port.siteCode,
      site_name: port.siteName,
      station_code: port.stationCode,
      port_code: port.code,
      power_w: watts(port.powerW),
      prices: JSON.stringify(prices),
      placed_at: at,
      poll_due_at: instant(at + startLastsMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const charge = await lockRoaming(trx, byId(id));
  if (charge === null) throw new Error(`roaming charge ${id} is gone`);
  await holdMore(trx, charge, firstHoldFen(balanceFen), at);
  return ok(id);
}
