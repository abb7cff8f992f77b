import type { getUserInfo, MenuEntry } from '@voltdeck/contract/access';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { ScreenCode } from '@voltdeck/contract/screens';
import { create } from 'zustand';
import { reachableScreens } from './menus.ts';

export type SignedInUser = AnswerOf<typeof getUserInfo>;

type SessionStart = { user: SignedInUser; menus: readonly MenuEntry[] };
export type Session = SessionStart & { reachable: ReadonlySet<ScreenCode> };

/** The signed-in user and the screens they may open; set once per load, before any page is shown. */
export const useSessionStore = create<{ session: Session | null }>(() => ({ session: null }));

export function beginSession({ user, menus }: SessionStart): Session {
  const session = { user, menus, reachable: reachableScreens(menus) };
  useSessionStore.setState({ session });
  return session;
}

/** Shows another portrait from now on; null removes it. */
export function showAvatar(avatar: string | null): void {
  useSessionStore.setState(({ session }) =>
    session === null ? { session } : { session: { ...session, user: { ...session.user, avatar } } },
  );
}

/** @throws Error outside the signed-in part of the console. */
export function useSession(): Session {
  const session = useSessionStore((state) => state.session);
  if (session === null) throw new Error('nobody is signed in');
  return session;
}
