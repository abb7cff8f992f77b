import type { ApiError } from '@voltdeck/contract/errors';
import type { orderMenus as route } from '@voltdeck/contract/menus';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { checkPlace } from './check-menus.ts';
import { lockMenus } from './queries.ts';

/**
 * Orders the named menus below one parent; its other menus follow them. Call `forgetRights` of the sessions after the
 * commit.
 */
export async function orderMenus(
  trx: Trx,
  caller: Caller,
  { parentCode, codes }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<null, ApiError>> {
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  let menus = await lockMenus(trx);
  const before = menus.filter((menu) => menu.parentCode === parentCode).map(({ code }) => code);
  const named = [...new Set(codes)];
  for (const [index, code] of named.entries()) {
    const menu = menus.find((one) => one.code === code);
    if (menu === undefined) {
      return failed({
        code: 'request.invalid',
        fields: [{ path: `codes.${index}`, code: 'unknown_reference' }],
      });
    }
    const moved = { ...menu, parentCode };
    const placed = checkPlace(menus, moved);
    if (!placed.ok) return placed;
    menus = menus.map((one) => (one.code === code ? moved : one));
  }
  const after = [...named, ...before.filter((code) => !named.includes(code))];
  for (const [index, code] of after.entries()) {
    await trx
      .updateTable('menus')
      .set({ parent_code: parentCode, sort: (index + 1) * 10 })
      .where('code', '=', code)
      .execute();
  }
  await audit(trx, caller, at, {
    action: 'menu.order',
    recordKind: 'menu',
    recordId: parentCode ?? '',
    before: { codes: before },
    after: { codes: after },
  });
  return ok(null);
}
