import type { Permission } from '@voltdeck/contract/permissions';
import { useSessionStore } from './session.ts';

/** Tells whether the signed-in user's position grants a permission, for pages that check several. */
export function useCan(): (permission: Permission) => boolean {
  const granted = useSessionStore((state) => state.session?.user.permissions);
  return (permission) => granted?.includes(permission) ?? false;
}
