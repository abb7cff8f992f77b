import { type DataScope, dataScopes } from '@voltdeck/contract/permissions';
import type { Caller } from '../caller/caller.ts';

/** What a position grants. */
export type Rights = { menuCodes: readonly string[]; dataScope: DataScope };
type Own = Pick<Caller, 'admin' | 'menuCodes' | 'dataScope'>;

/** The data scopes that a caller may grant: their own and every narrower one, the widest first. */
export function scopesWithin({ admin, dataScope }: Omit<Own, 'menuCodes'>): readonly DataScope[] {
  if (admin) return dataScopes;
  return dataScope === null ? [] : dataScopes.slice(dataScopes.indexOf(dataScope));
}

/**
 * Whether the caller has everything that the position grants. Codes are compared rather than their present effect, so
 * the answer stays true when a menu is enabled later.
 */
export function isWithinOwn(caller: Own, { menuCodes, dataScope }: Rights): boolean {
  if (caller.admin) return true;
  return scopesWithin(caller).includes(dataScope) && menuCodes.every((code) => caller.menuCodes.has(code));
}
