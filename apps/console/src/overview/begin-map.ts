import type { getUserInfo } from '@voltdeck/contract/access';
import type { listSitePlaces } from '@voltdeck/contract/overview';
import type { AnswerOf } from '@voltdeck/contract/route';
import { addressOf } from '../api/address.ts';
import { askEarly } from '../api/early-answers.ts';

type User = Pick<AnswerOf<typeof getUserInfo>, 'mustChangePassword' | 'admin' | 'permissions'>;

/** Written out, so that this code bundles no schemas; the type keeps it in step. */
const placesPath: (typeof listSitePlaces)['path'] = '/overview/site-places';

/** Asks for the places of the sites while the console is loading, for a user who may see them. */
export function beginMap({ mustChangePassword, admin, permissions }: User): void {
  if (mustChangePassword || !(admin || permissions.includes('overview.read'))) return;
  void askEarly(addressOf(placesPath)).catch(() => undefined);
}
