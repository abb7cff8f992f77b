import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import type { AnyRoute } from '../../api/call.ts';
import { phrase } from '../../phrases.ts';
import { useSession } from '../../session/session.ts';
import { useCan } from '../../session/use-can.ts';
import { useMayGo } from '../../session/use-go.ts';
import type { Act, Acts, Show } from '../list-page.ts';
import type { RowAction } from './list-view.ts';
import { useCarryOut } from './use-carry-out.ts';
import { mayDo, useOverlay } from './use-overlay.tsx';

type Identified = { id: string | number };

export type ActsOf<Row> = {
  /** The acts that the user has permission for. */
  allowed: readonly (readonly [string, Act<Row>])[];
  /** The acts available on a row now. */
  actsOf: (row: Row) => RowAction[];
  begin: (name: string, row: Row) => void;
  /** The same for selected rows; `done` runs after the act. */
  beginMany: (name: string, rows: readonly Row[], done: () => void) => void;
  show: Show<Row>;
  /** The overlay above the page, to be rendered once. */
  overlay: ReactNode;
};

/**
 * The acts of a page, with the user's permissions, reasons why not now, and the overlays that they open. `rows` are
 * those shown on the page, undefined while loading; `one` fetches another that the address names. After an act
 * both `list` and `one` are fetched again, with what the act changes besides.
 */
export function useActs<Row extends Identified>(
  acts: Acts<Row>,
  rows: readonly Row[] | undefined,
  { list, one }: { list: AnyRoute; one?: AnyRoute | undefined },
): ActsOf<Row> {
  const session = useSession();
  const can = useCan();
  const mayGo = useMayGo();
  const navigate = useNavigate();
  const carryOut = useCarryOut();
  const { overlay, show } = useOverlay<Row>(acts, rows, one);
  const allowed = Object.entries(acts).filter(([, act]) => mayDo(act, can));

  const changesOf = ({ changes = [] }: { changes?: readonly AnyRoute[] }) => [
    list,
    ...(one === undefined ? [] : [one]),
    ...changes,
  ];
  const begin = (name: string, row: Row) => {
    const act = acts[name];
    if (act === undefined || act.on !== 'row') return;
    if ('overlay' in act) show(name, [row]);
    else if ('leads' in act) void navigate(act.leads(row).address);
    else carryOut(act.deed(row), changesOf(act), isDangerous(act, row));
  };
  const beginMany = (name: string, chosen: readonly Row[], done: () => void) => {
    const act = acts[name];
    if (act === undefined || act.on !== 'rows') return;
    if ('overlay' in act) show(name, chosen, null, done);
    else carryOut(act.deed(chosen), changesOf(act), act.danger ?? false, done);
  };
  const actsOf = (row: Row): RowAction[] =>
    allowed.flatMap(([key, act]) => {
      if (act.on !== 'row' || act.isQuiet || act.isFor?.(row, session) === false) return [];
      if ('leads' in act && !mayGo(act.leads(row).screen)) return [];
      return [
        {
          key,
          label: phrase(typeof act.label === 'function' ? act.label(row) : act.label),
          danger: isDangerous(act, row),
          because: act.because?.(row, session),
          onClick: () => begin(key, row),
        },
      ];
    });
  return { allowed, actsOf, begin, beginMany, show, overlay };
}

function isDangerous<Row>(act: Extract<Act<Row>, { on: 'row' }>, row: Row): boolean {
  return typeof act.danger === 'function' ? act.danger(row) : (act.danger ?? false);
}
