import type { getUserInfo, MenuEntry } from '@voltdeck/contract/access';
import type { AnswerOf } from '@voltdeck/contract/route';
import { create } from 'zustand';

export type SignedInUser = AnswerOf<typeof getUserInfo>;

type Session = { user: SignedInUser; menus: readonly MenuEntry[] };

/** Who is signed in and what they may open; set once per load, before any page is shown. */
export const useSessionStore = create<{ session: Session | null }>(() => ({ session: null }));

export function beginSession(session: Session): void {
  useSessionStore.setState({ session });
}

/** @throws Error outside the signed-in part of the console. */
export function useSession(): Session {
  const session = useSessionStore((state) => state.session);
  if (session === null) throw new Error('nobody is signed in');
  return session;
}
