import type { DividerId } from '@voltdeck/units/id';
import { useSearchParams } from 'react-router';
import { seesDividers } from '../session/reach.ts';
import { useSession } from '../session/session.ts';

/** The divider that the list is filtered by, whose holder or the platform acts for it. */
export function useChosenDivider(): DividerId | undefined {
  const session = useSession();
  const [search] = useSearchParams();
  const id = Number(search.get('dividerId'));
  return seesDividers(session) && Number.isSafeInteger(id) && id > 0 ? (id as DividerId) : undefined;
}
