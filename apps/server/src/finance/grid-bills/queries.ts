import { type GridBill, listGridBills, lossPercentMax } from '@voltdeck/contract/grid-bills';
import type { Id } from '@voltdeck/units/id';
import { type Instant, isoOrNull, parseIso, shanghaiDate, toIso } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { feeFen, fen, type PriceE5 } from '@voltdeck/units/money';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { privateFileUrl } from '../../files/file-url.ts';
import { listSource } from '../../http/list-source.ts';
import { shownName } from '../../http/shown-name.ts';

/** In Wh. `isWhole`: nobody else's stations charged at the site. */
export type ChargedEnergy = { billed: number; metered: number; isWhole: boolean };

/** A charge that ended on a day was placed at most so many days before. */
const chargeDaysMax = 7;

/**
 * What charges of a site that ended from the first to the last day (both in China) were billed and what their ports'
 * registers counted: those of the reader's stations, and whether that is all of them. Orders of a site are found by when
 * they were placed.
 */
export function chargedEnergy(
  { agents }: Pick<Caller, 'agents'>,
  site: string,
  fromOn: string,
  toOn: string,
): RawBuilder<ChargedEnergy> {
  const isSeen = agents === 'all' ? sql`true` : sql`coalesce(o.agent_id = any(${[...agents]}::bigint[]), false)`;
  const at = (day: string, plus: number) => sql.raw(`((${day} + ${plus})::timestamp at time zone 'Asia/Shanghai')`);
  return sql`(
    select jsonb_build_object(
             'billed', coalesce(sum(o.energy_wh) filter (where ${isSeen}), 0),
             'metered', coalesce(sum(coalesce(o.meter_stop_wh - o.meter_start_wh, o.energy_wh))
                                 filter (where ${isSeen}), 0),
             'isWhole', coalesce(bool_and(${isSeen}), true))
      from orders o
     where o.site_id = ${sql.ref(site)} and o.placed_at >= ${at(fromOn, -chargeDaysMax)} and o.placed_at < ${at(toOn, 1)}
       and o.ended_at >= ${at(fromOn, 0)} and o.ended_at < ${at(toOn, 1)} and o.state in ('settling', 'completed'))`;
}

/** What the meters of a site took on a bill's days, where every one of them is billed for all of these days. */
const gridWh = sql<number | null>`(
  select case when bool_and(meter.days = b.to_on - b.from_on + 1) then sum(meter.energy_wh)::bigint end
    from (
      select sum(least(other.to_on, b.to_on) - greatest(other.from_on, b.from_on) + 1) as days,
             sum(other.energy_wh::numeric * (least(other.to_on, b.to_on) - greatest(other.from_on, b.from_on) + 1)
                 / (other.to_on - other.from_on + 1)) as energy_wh
        from (select distinct account_number from grid_bills where site_id = b.site_id) account
        left join grid_bills other on other.site_id = b.site_id and other.account_number = account.account_number
             and other.from_on <= b.to_on and other.to_on >= b.from_on
       group by account.account_number) meter)`;

function billsAsShown(db: Kysely<Tables>, caller: Pick<Caller, 'agents' | 'language'>) {
  const name = (user: string) =>
    shownName<string | null>(caller.language, 'user', `${user}.real_name`, `${user}.real_name_key`);
  return db
    .selectFrom('grid_bills as b')
    .innerJoin('sites', 'sites.id', 'b.site_id')
    .leftJoin('files', 'files.id', 'b.file_id')
    .leftJoin('users as lockers', 'lockers.id', 'b.locked_by')
    .leftJoin('users as changers', 'changers.id', 'b.changed_by')
    .select([
      'b.id',
      'b.version',
      'b.site_id as siteId',
      'sites.name as siteName',
      'b.account_number as accountNumber',
      'b.from_on as fromOn',
      'b.to_on as toOn',
      'b.sharp_wh as sharpWh',
      'b.peak_wh as peakWh',
      'b.flat_wh as flatWh',
      'b.valley_wh as valleyWh',
      'b.sharp_price_e5 as sharpPriceE5',
      'b.peak_price_e5 as peakPriceE5',
      'b.flat_price_e5 as flatPriceE5',
      'b.valley_price_e5 as valleyPriceE5',
      'b.energy_wh as energyWh',
      'b.register_from_wh as registerFromWh',
      'b.register_to_wh as registerToWh',
      'b.multiplier',
      'b.amount_fen as amountFen',
      'b.remark',
      'b.file_id as fileId',
      'files.name as fileName',
      'b.locked_at as lockedAt',
      sql<boolean>`${caller.agents === 'all'} or not b.locked_by_platform`.as('mayUnlock'),
      'b.changed_at as changedAt',
    ])
    .select([
      name('lockers').as('lockedByName'),
      name('changers').as('changedByName'),
      chargedEnergy(caller, 'b.site_id', 'b.from_on', 'b.to_on').as('charged'),
      gridWh.as('gridWh'),
    ]);
}

type Row = Omit<
  GridBill,
  | 'registerWh'
  | 'energyFeeFen'
  | 'billedWh'
  | 'meteredWh'
  | 'lossPercent'
  | 'lossMark'
  | 'fileUrl'
  | 'lockedAt'
  | 'changedAt'
> & {
  lockedAt: Instant | null;
  changedAt: Instant;
  charged: ChargedEnergy;
  gridWh: number | null;
};

function toBill({ charged, gridWh: taken, lockedAt, changedAt, ...bill }: Row): GridBill {
  const { registerFromWh, registerToWh, multiplier, fileId } = bill;
  return {
    ...bill,
    registerWh:
      registerFromWh === null || registerToWh === null
        ? null
        : (((registerToWh - registerFromWh) * multiplier) as GridBill['registerWh']),
    energyFeeFen: energyFeeOf(bill),
    billedWh: charged.billed as GridBill['billedWh'],
    meteredWh: charged.metered as GridBill['meteredWh'],
    ...lossOf(taken, charged),
    fileUrl: fileId === null ? null : privateFileUrl(fileId),
    lockedAt: isoOrNull(lockedAt),
    changedAt: toIso(changedAt),
  };
}

type Priced = Pick<
  GridBill,
  'sharpWh' | 'peakWh' | 'flatWh' | 'valleyWh' | 'sharpPriceE5' | 'peakPriceE5' | 'flatPriceE5' | 'valleyPriceE5'
>;

/** Energy by its prices, rounded period by period; null where energy has no price or the bill no periods. */
function energyFeeOf(bill: Priced): Fen | null {
  const periods: [number | null, PriceE5 | null][] = [
    [bill.sharpWh, bill.sharpPriceE5],
    [bill.peakWh, bill.peakPriceE5],
    [bill.flatWh, bill.flatPriceE5],
    [bill.valleyWh, bill.valleyPriceE5],
  ];
  const used = periods.filter(([energyWh]) => energyWh !== null && energyWh > 0);
  if (used.length === 0) return null;
  let sum = 0;
  for (const [energyWh, price] of used) {
    if (energyWh === null || price === null) return null;
    sum += feeFen(energyWh, price);
  }
  return fen(sum);
}

/**
 * Of what the grid delivered, what no port counted, in hundredths of a percent. Null where the grid's figure is not known,
 * and where others charge behind the same meter: it would tell the reader what they charged.
 */
export function lossOf(
  gridEnergyWh: number | null,
  { metered, isWhole }: ChargedEnergy,
): Pick<GridBill, 'lossPercent' | 'lossMark'> {
  if (!isWhole || gridEnergyWh === null || gridEnergyWh <= 0) return { lossPercent: null, lossMark: null };
  const lossPercent = Math.round(((gridEnergyWh - metered) / gridEnergyWh) * 10_000) / 100;
  return { lossPercent, lossMark: lossPercent < 0 ? 'below_zero' : lossPercent > lossPercentMax ? 'high' : null };
}

export async function findBill(db: Kysely<Tables>, caller: Caller, id: Id<'grid_bill'>): Promise<GridBill | null> {
  const row = await scoped(billsAsShown(db, caller), caller, 'b.agent_id').where('b.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toBill(row);
}

export const gridBillList = listSource({
  route: listGridBills,
  filtered(db, caller, filter) {
    let bills = scoped(db.selectFrom('grid_bills as b'), caller, 'b.agent_id');
    const { siteId, accountNumber, locked } = filter;
    if (siteId !== undefined) bills = bills.where('b.site_id', '=', siteId);
    if (accountNumber !== undefined) bills = bills.where('b.account_number', '=', accountNumber);
    if (locked !== undefined) bills = bills.where('b.locked_at', locked ? 'is not' : 'is', null);
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) bills = bills.where('b.to_on', '>=', shanghaiDate(from));
    if (to !== null) bills = bills.where('b.from_on', '<=', shanghaiDate(to));
    return bills;
  },
  id: sql`b.id`,
  sorts: { fromOn: sql`b.from_on`, changedAt: sql`b.changed_at` },
  sums: { energyWh: sql`b.energy_wh`, amountFen: sql`b.amount_fen` },
  rowsFor: (db, { caller }) => billsAsShown(db, caller),
  toItem: toBill,
});
