import { dropOutOfAuthorization } from '@voltdeck/charging/start-attempt';
import type { AuthorizationRefusal } from '@voltdeck/charging/states';
import type { Instant } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import { noteRefusedStart } from '../attempts/note-refused-start.ts';
import type { Tables } from '../database/tables.generated.ts';
import { type Payer, vinOfTag } from '../orders/authorize-card.ts';
import type { SessionConnector, StationSession } from './station-session.ts';

/** Keeps as an attempt that a station asked for a card or a vehicle and got no yes. */
export async function noteRefusedCard(
  db: Kysely<Tables>,
  { stationId }: StationSession,
  refused: {
    authorization: AuthorizationRefusal;
    payer: Payer | null;
    cardNumber: string | null;
    vin?: string | null;
    connector?: SessionConnector | null;
    at: Instant;
  },
): Promise<void> {
  const { authorization, payer, cardNumber, connector = null, at } = refused;
  const vin = refused.vin ?? (cardNumber === null ? null : vinOfTag(cardNumber));
  await noteRefusedStart(db, {
    at,
    stationId,
    connector: connector,
    startMode: vin === null ? 'card' : 'vin',
    customerId: payer?.customerId ?? null,
    cardId: payer?.cardId ?? null,
    cardNumber: payer?.card?.number ?? (vin === null ? cardNumber : null),
    vin,
    dropOut: dropOutOfAuthorization[authorization],
  });
}
