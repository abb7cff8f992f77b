import { useState } from 'react';
import { useSession } from '../../session/session.ts';
import { type ColumnChoice, keepColumnChoice, readColumnChoice } from './list-columns.ts';

/** How the person who is signed in arranged the columns of a list, remembered in this browser. */
export function useColumnChoice(list: string): [ColumnChoice, (next: ColumnChoice) => void] {
  const { user } = useSession();
  const [held, hold] = useState(() => ({ list, choice: readColumnChoice(user.id, list) }));
  // What a filter leaves may be arranged otherwise than the whole list.
  const choice = held.list === list ? held.choice : readColumnChoice(user.id, list);
  if (held.list !== list) hold({ list, choice });
  return [
    choice,
    (next) => {
      hold({ list, choice: next });
      keepColumnChoice(user.id, list, next);
    },
  ];
}
