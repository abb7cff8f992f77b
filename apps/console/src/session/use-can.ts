import type { Permission } from '@voltdeck/contract/permissions';
import { useSessionStore } from './session.ts';

/** Asks whether the signed-in user's position grants a permission, for pages that ask about several. */
export function useCan(): (permission: Permission) => boolean {
  const granted = useSessionStore((state) => state.session?.user.permissions);
  return (permission) => granted?.includes(permission) ?? false;
}
