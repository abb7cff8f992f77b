import type { FieldFault } from '@voltdeck/contract/errors';
import type { GridBillForm } from '@voltdeck/contract/grid-bills';
import type { FileId, Id, SiteId } from '@voltdeck/units/id';
import { type Instant, shanghaiDate } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';

/** The days of a bill that is there, or earlier in the same file. */
export type BilledDays = { accountNumber: string; fromOn: string; toOn: string };

/** Bills of a site are entered one after the other, so that no two have the same days. */
export async function lockSiteBills(trx: Trx, siteIds: readonly SiteId[]): Promise<void> {
  const sites = [...new Set(siteIds)].sort((a, b) => a - b);
  await sql`
    select pg_advisory_xact_lock(hashtextextended('grid bills ' || id, 0))
      from unnest(${sites}::bigint[]) with ordinality as site (id, place) order by place`.execute(trx);
}

/** What is wrong with a bill by itself, which its schema cannot say. */
export function faultsOfBill(form: Omit<GridBillForm, 'siteId' | 'fileId'>, at: Instant): FieldFault[] {
  const faults: FieldFault[] = [];
  const { fromOn, toOn, registerFromWh = null, registerToWh = null, energyWh } = form;
  if (toOn < fromOn) faults.push({ path: 'toOn', code: 'not_after_start' });
  else if (daysFrom(fromOn, toOn) > billDaysMax) {
    faults.push({ path: 'toOn', code: 'too_many_days', params: { max: billDaysMax } });
  }
  if (toOn > shanghaiDate(at)) faults.push({ path: 'toOn', code: 'day_to_come' });
  if (registerFromWh !== null && registerToWh === null) faults.push({ path: 'registerToWh', code: 'required' });
  if (registerFromWh === null && registerToWh !== null) faults.push({ path: 'registerFromWh', code: 'required' });
  if (registerFromWh !== null && registerToWh !== null && registerToWh < registerFromWh) {
    faults.push({
      path: 'registerToWh',
      code: 'register_backwards',
      params: { from: kwhText(registerFromWh), to: kwhText(registerToWh) },
    });
  }
  const periods = [form.sharpWh, form.peakWh, form.flatWh, form.valleyWh].filter(
    (wh) => wh !== null && wh !== undefined,
  );
  const sumWh = periods.reduce((sum: number, wh) => sum + wh, 0);
  if (periods.length > 0 && sumWh !== energyWh) {
    faults.push({
      path: 'energyWh',
      code: 'energy_not_sum',
      params: { sum: kwhText(sumWh), total: kwhText(energyWh) },
    });
  }
  return faults;
}

/** Days of one bill, as the table allows. */
const billDaysMax = 400;

function daysFrom(first: string, last: string): number {
  return (Date.parse(`${last}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / 86_400_000 + 1;
}

const kwhText = (wh: number) => String(wh / 1000);

/** The fault of a bill whose days another one of the same account has. */
export function overlapFault(form: BilledDays, other: BilledDays): FieldFault {
  const { accountNumber: account, fromOn: from, toOn: to } = form;
  return {
    path: 'fromOn',
    code: 'bill_overlaps',
    params: { account, from, to, otherFrom: other.fromOn, otherTo: other.toOn },
  };
}

export function overlap(a: BilledDays, b: BilledDays): boolean {
  return a.accountNumber === b.accountNumber && a.fromOn <= b.toOn && b.fromOn <= a.toOn;
}

/** The first other bill of the site with the same account and a day of this one; the site's bills must be locked. */
export async function findOverlap(
  trx: Trx,
  siteId: SiteId,
  form: BilledDays,
  except: Id<'grid_bill'> | null,
): Promise<BilledDays | null> {
  let others = trx
    .selectFrom('grid_bills')
    .select(['account_number as accountNumber', 'from_on as fromOn', 'to_on as toOn'])
    .where('site_id', '=', siteId)
    .where('account_number', '=', form.accountNumber)
    .where('from_on', '<=', form.toOn)
    .where('to_on', '>=', form.fromOn);
  if (except !== null) others = others.where('id', '<>', except);
  return (await others.orderBy('from_on').limit(1).executeTakeFirst()) ?? null;
}

/** Whether the caller had a site on a day, in China: a bill belongs to who had its site on its last day. */
export async function holdingOf(
  trx: Trx,
  { agents }: Pick<Caller, 'agents'>,
  siteIds: readonly SiteId[],
): Promise<(siteId: SiteId, day: string) => boolean> {
  if (agents === 'all') return () => true;
  const holders = await trx
    .selectFrom('site_holders')
    .select(['site_id', 'agent_id', sql<string>`((from_at at time zone 'Asia/Shanghai')::date)::text`.as('from_on')])
    .where('site_id', 'in', [...siteIds])
    .orderBy('from_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return (siteId, day) => {
    const holder = holders.find(
      ({ site_id, from_on: fromOn }) => site_id === siteId && (fromOn === '-infinity' || fromOn <= day),
    );
    const { agent_id: agentId = null } = holder ?? {};
    return agentId !== null && agents.includes(agentId);
  };
}

/** Whether the caller may attach the file: one that they uploaded for a bill, or the one that is attached already. */
export async function isUsableFile(
  trx: Trx,
  { userId, admin }: Caller,
  id: FileId | null | undefined,
  before: FileId | null,
): Promise<boolean> {
  if (id === undefined || id === null || id === before) return true;
  let files = trx.selectFrom('files').select('id').where('id', '=', id).where('purpose', '=', 'grid_bill');
  if (!admin) files = files.where('user_id', '=', userId);
  return (await files.forShare().executeTakeFirst()) !== undefined;
}
