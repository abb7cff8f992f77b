import { useState } from 'react';
import { useSession } from '../../session/session.ts';
import { type ColumnChoice, keepColumnChoice, readColumnChoice } from './list-columns.ts';

/** How the person who is signed in arranged the columns of a list, remembered in this browser. */
export function useColumnChoice(list: string): [ColumnChoice, (next: ColumnChoice) => void] {
  const { user } = useSession();
  const [choice, setChoice] = useState(() => readColumnChoice(user.id, list));
  return [
    choice,
    (next) => {
      setChoice(next);
      keepColumnChoice(user.id, list, next);
    },
  ];
}
