import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { StationCommand } from '@voltdeck/charging/station-command';
import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { commandStation as route } from '@voltdeck/contract/station-commands';
import type { Station } from '@voltdeck/contract/stations';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { findBalance } from '../orders/find-balance.ts';
import { findOwnTariff } from './tariffs/send-tariff.ts';
import { stationTariffOf } from './tariffs/station-tariff.ts';

export type CommandBody = BodyOf<typeof route>;

/** The command, completed with what only the server knows: the station's tariff, the payer's money, the cards. */
export async function commandOfBody(
  db: Kysely<Tables>,
  caller: Caller,
  station: Station,
  body: CommandBody,
): Promise<Result<StationCommand, ApiError>> {
  switch (body.kind) {
    case 'start-charge':
      // Its charge would have no payer, so an order must name it before it begins.
      if (protocolTraits[station.protocol].chargesNamed === 'before-start') {
        return failed({ code: 'station.start_needs_order' });
      }
      return ok(body);
    case 'set-tariff': {
      const own = await findOwnTariff(db, station.id);
      if (own === null) return failed({ code: 'tariff.missing' });
      return ok({ kind: 'set-tariff', tariff: stationTariffOf(own.id, own.detail) });
    }
    case 'update-balance': {
      const { connectorNumber } = body;
      const balance = await findBalance(db, { stationId: station.id, connectorNumber });
      return balance === null ? failed({ code: 'order.not_charging' }) : ok({ ...body, ...balance });
    }
    case 'store-cards': {
      const cards = await cardsNumbered(db, caller, body.cardNumbers);
      return cards.ok ? ok({ kind: body.kind, cards: cards.value }) : cards;
    }
    case 'clear-cards':
    case 'query-cards': {
      const cards = await cardsNumbered(db, caller, body.cardNumbers);
      if (!cards.ok) return cards;
      return ok({ kind: body.kind, physicalNumbers: cards.value.map(({ physicalNumber }) => physicalNumber) });
    }
    case 'update-firmware': {
      const { kind, ...source } = body;
      const current = await currentOf(db, station);
      return ok({ kind, firmware: { ...source, current, ratedPowerKw: Math.round(station.maxPowerKw) } });
    }
    default:
      return ok(body);
  }
}

type NumberedCard = { number: string; physicalNumber: string };

/**
 * The cards by their printed or physical numbers, in the requested order. A card outside the caller's scope is a fault.
 */
async function cardsNumbered(
  db: Kysely<Tables>,
  caller: Caller,
  cardNumbers: readonly string[],
): Promise<Result<NumberedCard[], ApiError>> {
  const asked = cardNumbers.map((number) => number.toUpperCase());
  const rows = await scoped(db.selectFrom('cards'), caller, 'cards.agent_id')
    .select(['number', 'physical_number as physicalNumber'])
    .where((or) => or.or([or('number', 'in', asked), or('physical_number', 'in', asked)]))
    .execute();
  const byNumber = new Map(rows.flatMap((row) => [[row.physicalNumber, row] as const]));
  for (const row of rows) byNumber.set(row.number, row);
  const fields: FieldFault[] = [];
  const cards = new Set<NumberedCard>();
  for (const [index, number] of asked.entries()) {
    const card = byNumber.get(number);
    if (card === undefined) fields.push({ path: `cardNumbers.${index}`, code: 'unknown_reference' });
    else cards.add(card);
  }
  return fields.length > 0 ? failed({ code: 'request.invalid', fields }) : ok([...cards]);
}

/** A station reports whether it is DC or AC when it connects; before that, its type tells. */
async function currentOf(db: Kysely<Tables>, station: Station): Promise<'dc' | 'ac'> {
  const row = await db.selectFrom('stations').select('model').where('id', '=', station.id).executeTakeFirst();
  if (row?.model === 'DC' || row?.model === 'AC') return row.model === 'DC' ? 'dc' : 'ac';
  return station.type === 'fast' ? 'dc' : 'ac';
}
