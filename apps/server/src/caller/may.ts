import type { Permission } from '@voltdeck/contract/permissions';
import type { Caller } from './caller.ts';

/** Whether the caller's position has a permission; administrators have all. */
export function may({ admin, permissions }: Pick<Caller, 'admin' | 'permissions'>, permission: Permission): boolean {
  return admin || permissions.has(permission);
}
