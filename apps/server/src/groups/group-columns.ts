import type { ApiError } from '@voltdeck/contract/errors';
import type { changeGroup } from '@voltdeck/contract/groups';
import type { BodyOf } from '@voltdeck/contract/route';
import type { GroupId, SiteId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Updateable } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { GroupsTable } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';

type Form = BodyOf<typeof changeGroup>;

const columnOf = {
  name: 'name',
  contact: 'contact',
  contactPhone: 'contact_phone',
  funding: 'funding',
  monthLimitFen: 'month_limit_fen',
  monthLimitCharges: 'month_limit_charges',
  hours: 'hours',
  title: 'title',
  taxNumber: 'tax_number',
  titleAddress: 'title_address',
  titlePhone: 'title_phone',
  bank: 'bank',
  bankAccount: 'bank_account',
  email: 'email',
  remark: 'remark',
} as const satisfies Readonly<Record<Exclude<keyof Form, 'siteIds'>, keyof GroupsTable>>;

/** The columns that a form gives; those of fields that it leaves out are not among them. */
export function columnsOfForm(form: Form): Updateable<GroupsTable> {
  const given = Object.entries(columnOf).flatMap(([field, column]) => {
    const value = form[field as keyof typeof columnOf];
    return value === undefined ? [] : [[column, value]];
  });
  return {
    ...Object.fromEntries(given),
    ...(form.siteIds === undefined ? {} : { all_sites: form.siteIds.length === 0 }),
  };
}

/** The sites that a form names, if the caller has them all: a group is not limited to sites of others. */
export async function sitesOfForm(
  trx: Trx,
  caller: Caller,
  { siteIds }: Pick<Form, 'siteIds'>,
): Promise<Result<SiteId[] | null, ApiError>> {
  if (siteIds === undefined) return ok(null);
  const ids = [...new Set(siteIds)];
  if (ids.length === 0) return ok([]);
  const known = await scoped(trx.selectFrom('sites'), caller, 'sites.agent_id')
    .select('sites.id')
    .where('sites.id', 'in', ids)
    .execute();
  if (known.length === ids.length) return ok(ids);
  return failed({ code: 'request.invalid', fields: [{ path: 'siteIds', code: 'unknown_reference' }] });
}

/** Limits a group to these sites; null leaves it as it is. */
export async function writeSites(trx: Trx, id: GroupId, sites: readonly SiteId[] | null): Promise<void> {
  if (sites === null) return;
  await trx.deleteFrom('group_sites').where('group_id', '=', id).execute();
  if (sites.length === 0) return;
  await trx
    .insertInto('group_sites')
    .values(sites.map((site_id) => ({ group_id: id, site_id })))
    .execute();
}
