import type { getUserInfo, getUserMenu } from '@voltdeck/contract/access';
import type { AnswerOf } from '@voltdeck/contract/route';
import { addressOf } from '../api/address.ts';
import type { Verdict } from '../api/envelope.ts';
import type { Unreachable } from '../api/refused.ts';
import { send } from '../api/send.ts';

/** The paths of two routes, written out so that the sign-in page bundles no schemas; the types keep them in step. */
const userPath: (typeof getUserInfo)['path'] = '/user/info';
const menuPath: (typeof getUserMenu)['path'] = '/menu/getUserMenu';

export type SessionAnswer =
  | { kind: 'session'; user: AnswerOf<typeof getUserInfo>; menus: AnswerOf<typeof getUserMenu> }
  /** Specification section 5: an empty user or empty menus is no session. */
  | { kind: 'unverified' }
  | { kind: 'refused'; verdict: Exclude<Verdict, { kind: 'accepted' }> }
  | { kind: 'unreachable'; failure: Unreachable };

export function sessionAnswerOf(user: Verdict, menus: Verdict): SessionAnswer {
  if (user.kind !== 'accepted') return { kind: 'refused', verdict: user };
  if (menus.kind !== 'accepted') return { kind: 'refused', verdict: menus };
  if (!user.data || !Array.isArray(menus.data)) return { kind: 'unverified' };
  return {
    kind: 'session',
    user: user.data as AnswerOf<typeof getUserInfo>,
    menus: menus.data as AnswerOf<typeof getUserMenu>,
  };
}

/** The signed-in user and the screens they may open. Never rejects. */
export async function askForSession(): Promise<SessionAnswer> {
  try {
    const [user, menus] = await Promise.all([
      send({ method: 'GET', address: addressOf(userPath) }),
      send({ method: 'GET', address: addressOf(menuPath) }),
    ]);
    return sessionAnswerOf(user, menus);
  } catch (failure) {
    // Specification section 8: a failure to load the menus is logged.
    console.error(failure);
    return { kind: 'unreachable', failure: failure as Unreachable };
  }
}
