import type { PartnerRefusal } from '@voltdeck/charging/partner-charge';
import type { ErrorCode } from '@voltdeck/contract/errors';
import { partnerAccount } from '@voltdeck/ledger/account';
import { isBeyondDebtLimit } from '@voltdeck/ledger/debt';
import { totalOf } from '@voltdeck/ledger/parts';
import type { ConnectorId, TariffId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import type { Context } from '../../context.ts';
import { readParameter } from '../../database/parameter.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { transact } from '../../database/transact.ts';
import { debtLimit, debtOf } from '../../ledger/debt.ts';
import { lockParts } from '../../ledger/wallet-parts.ts';
import {
  beginPlaced,
  type ChargeStarter,
  noteRefusal,
  type PlacedCharge,
  placeCharge,
} from '../../orders/place-order.ts';
import { connectorIdOf, openPort } from '../exposed-sites.ts';
import type { Partner } from '../partner.ts';

/** A charge that a partner asks for under a name of its own. */
export type AskedCharge = { sequence: string; portId: string };

type Answered = { refusal: PartnerRefusal | null };

/**
 * Places the order of a partner's charge, held against what the partner deposited, and asks the station afterwards: the
 * standard wants the answer at once and its outcome as a notification. A name that came before gets its first answer.
 */
export async function startPartnerCharge(
  context: Context<'money'>,
  partner: Partner,
  asked: AskedCharge,
): Promise<Answered> {
  const at = context.now();
  const { db } = context.database;
  const placed = await transact<PlacedCharge | Answered>(db, async (trx) => {
    const row = await trx
      .insertInto('partner_charges')
      .values({ partner_id: partner.id, sequence: asked.sequence, port_id: asked.portId, created_at: at })
      .onConflict((conflict) => conflict.columns(['partner_id', 'sequence']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) return ok({ refusal: await firstAnswer(trx, partner, asked) });
    const connectorId = connectorIdOf(asked.portId);
    const agreement = connectorId === null ? null : await agreementAt(trx, partner, connectorId);
    if (connectorId === null || agreement === null) return failed({ code: 'record.not_found' });
    const made = await placeCharge(trx, starterOf(partner, agreement), { connectorId }, at);
    if (!made.ok) return made;
    await trx
      .updateTable('partner_charges')
      .set({ order_id: made.value.id, connector_id: connectorId })
      .where('id', '=', row.id)
      .execute();
    return ok(made.value);
  });
  if (!placed.ok) {
    const refusal = refusalOfError[placed.error.code] ?? 'other';
    await rememberRefusal(context, partner, asked, refusal, at);
    const connectorId = connectorIdOf(asked.portId);
    if (connectorId !== null) {
      const { error } = placed;
      await noteRefusal(context, { reach: { agents: 'all' }, startMode: 'partner' }, connectorId, { error, at });
    }
    // The same name may have come at the same time, and begun a charge.
    return { refusal: await firstAnswer(db, partner, asked) };
  }
  if ('refusal' in placed.value) return placed.value;
  const begun = beginPlaced(context, placed.value);
  // What the station answers is told by the order itself, whose every step is a delivery.
  begun.catch((error: unknown) => context.log.error({ err: error, sequence: asked.sequence }, 'partner: start failed'));
  return { refusal: null };
}

async function firstAnswer(db: Kysely<Tables>, partner: Partner, { sequence }: AskedCharge) {
  const row = await db
    .selectFrom('partner_charges')
    .select('refusal')
    .where('partner_id', '=', partner.id)
    .where('sequence', '=', sequence)
    .executeTakeFirst();
  return (row?.refusal ?? null) as PartnerRefusal | null;
}

async function rememberRefusal(
  context: Context,
  partner: Partner,
  { sequence, portId }: AskedCharge,
  refusal: PartnerRefusal,
  at: Instant,
): Promise<void> {
  await context.database.db
    .insertInto('partner_charges')
    .values({ partner_id: partner.id, sequence, port_id: portId, refusal, created_at: at })
    .onConflict((conflict) => conflict.columns(['partner_id', 'sequence']).doNothing())
    .execute();
}

type Agreement = { tariffId: TariffId | null };

/** What was agreed for the site of a gun port; null where it is not open to the partner. */
async function agreementAt(db: Kysely<Tables>, partner: Partner, connectorId: ConnectorId): Promise<Agreement | null> {
  const row = await openPort(db, partner.id, connectorId).select('o.tariff_id as tariffId').executeTakeFirst();
  return row === undefined ? null : { tariffId: row.tariffId ?? partner.tariffId };
}

function starterOf(partner: Partner, { tariffId }: Agreement): ChargeStarter {
  const wallet = partnerAccount(partner.id);
  return {
    reach: { agents: 'all' },
    who: null,
    name: partner.name,
    startMode: 'partner',
    async payerOf(trx, { isFree }) {
      const availableFen = totalOf(await lockParts(trx, wallet));
      if (!isFree && availableFen < partner.startBalanceMinFen) return failed({ code: 'balance.insufficient' });
      if (!isFree && isBeyondDebtLimit(await debtOf(trx, wallet), await readParameter(trx, debtLimit))) {
        return failed({ code: 'balance.in_debt' });
      }
      const paid = { payment_type: 'partner', card_id: null, customer_id: null, partner_id: partner.id } as const;
      return ok({ wallet, paid, agreedTariffId: tariffId, token: null, card: null });
    },
  };
}

/** What a refusal of ours is to a partner. */
const refusalOfError: Partial<Record<ErrorCode, PartnerRefusal>> = {
  'record.not_found': 'port_unknown',
  'request.invalid': 'port_unknown',
  'station.offline': 'station_offline',
  'station.disabled': 'site_closed',
  'site.closed': 'site_closed',
  'connector.closed': 'site_closed',
  'connector.fault': 'station_fault',
  'connector.busy': 'port_occupied',
  'tariff.missing': 'price_missing',
  'balance.insufficient': 'not_allowed',
  'balance.in_debt': 'not_allowed',
};
