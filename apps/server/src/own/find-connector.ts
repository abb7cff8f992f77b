import { canStartCharge } from '@voltdeck/charging/abilities';
import { moneyLimits } from '@voltdeck/charging/charge/decide-authorization';
import type { ScannedPort } from '@voltdeck/contract/own';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import type { TariffId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { type Fen, minFen, zeroFen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { tariffAt } from '../tariffs/tariff-at.ts';
import { priceOf } from './price-of.ts';
import { siteColumns, siteOf } from './site-columns.ts';

/** The station and the port that a QR code names: "ST-1-2", or an address that ends with it. Null for any other text. */
export function readQr(text: string): { stationNumber: string; portNumber: number } | null {
  const named = /^(?:.*\/)?([A-Za-z0-9][A-Za-z0-9_.-]{0,47})-(\d{1,3})$/.exec(text);
  return named === null ? null : { stationNumber: named[1] ?? '', portNumber: Number(named[2]) };
}

/** Id and station of the port behind a QR code; null where there is none. */
export async function findPort(db: Kysely<Tables>, qr: string) {
  const named = readQr(qr);
  if (named === null) return null;
  const port = await db
    .selectFrom('connectors as c')
    .innerJoin('stations as s', 's.id', 'c.station_id')
    .select(['c.id', 's.id as stationId', 's.number as stationNumber', 's.agent_id as agentId'])
    .where('s.number', '=', named.stationNumber)
    .where('c.number', '=', named.portNumber)
    .where('c.registered', '=', true)
    .executeTakeFirst();
  return port ?? null;
}

/** The port behind a QR code with what a customer has to know before a charge; null where there is none. */
export async function findScannedPort(db: Kysely<Tables>, qr: string, at: Instant): Promise<ScannedPort | null> {
  const found = await findPort(db, qr);
  if (found === null) return null;
  const row = await db
    .selectFrom('connectors as c')
    .innerJoin('stations as s', 's.id', 'c.station_id')
    .innerJoin('sites', 'sites.id', 's.site_id')
    .leftJoin('tariffs', (join) => join.on('tariffs.id', '=', customersTariff(at)))
    .select(['c.id', 'c.number', 'c.name', 'c.bay_number as bayNumber', 'c.state', 'c.open'])
    .select(['s.number as stationNumber', 's.name as stationName', 's.type', 's.equipment_type as equipmentType'])
    .select(['s.max_power_w as maxPowerW', 's.online', 's.enabled', 's.free'])
    .select(['sites.state as siteState', 'tariffs.detail', 'tariffs.note'])
    .select(siteColumns)
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('orders')
            .select('orders.id')
            .whereRef('orders.connector_id', '=', 'c.id')
            .where('orders.state', 'in', ['placed', 'charging']),
        )
        .as('isTaken'),
    )
    .where('c.id', '=', found.id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { id, number, name, bayNumber, state, stationNumber, stationName, type, equipmentType, maxPowerW } = row;
  const tariff = row.free ? null : (row.detail as Tariff | null);
  const ability = canStartCharge(row, row);
  const neededFen = row.free ? zeroFen : leastOf(tariff);
  return {
    qr: `${stationNumber}-${number}`,
    id,
    number,
    name,
    bayNumber,
    state: row.online ? state : 'offline',
    station: { number: stationNumber, name: stationName, type, equipmentType, maxPowerW, online: row.online },
    site: siteOf(row),
    free: row.free,
    price: tariff === null ? null : priceOf(tariff, at),
    note: row.free ? '' : (row.note ?? ''),
    prepayment:
      tariff?.prepayment === undefined ? null : { ...tariff.prepayment, choices: [...tariff.prepayment.choices] },
    neededFen,
    cannotStart: !ability.allowed
      ? (ability.because as ScannedPort['cannotStart'])
      : row.isTaken
        ? 'connector.busy'
        : tariff === null && !row.free
          ? 'tariff.missing'
          : null,
  };
}

/** The rule of the station `s` for customers without a card. */
export function customersTariff(at: Instant) {
  const wechat = tariffAt(at, 'wechat', sql.ref('s.wechat_tariff_id'));
  const card = tariffAt(at, 'card', sql.ref('s.card_tariff_id'));
  return sql<TariffId>`coalesce(${wechat}, ${card})`;
}

function leastOf(tariff: Tariff | null): Fen {
  const [first, ...others] = (tariff?.prepayment?.choices ?? []).map(({ amountFen }) => amountFen);
  return first === undefined ? moneyLimits.startBalanceMinFen : others.reduce(minFen, first);
}
