import { type Divider, getDivider, listDividers } from '@voltdeck/contract/dividers';
import { useNavigate } from 'react-router';
import { phrase } from '../phrases.ts';
import { useSession } from '../session/session.ts';
import { useCan } from '../session/use-can.ts';
import { useMayGo } from '../session/use-go.ts';
import type { RowAction } from '../ui/list/list-view.ts';
import { useCarryOut } from '../ui/list/use-carry-out.ts';
import { mayDo } from '../ui/list/use-overlay.tsx';
import type { Act, Acts } from '../ui/list-page.ts';

type OfDivider = Extract<Act<Divider>, { on: 'row' }>;

const rowActs = (acts: Acts<Divider>): [string, OfDivider][] =>
  Object.entries(acts).flatMap(([key, act]) => (act.on === 'row' ? [[key, act]] : []));

const labelOf = ({ label }: OfDivider, divider: Divider) => (typeof label === 'function' ? label(divider) : label);

/**
 * The overlays of a divider's acts as acts of the list on its page: the address names one overlay, so the list opens
 * those of the whole page.
 */
export function overlaysOf<Row>(acts: Acts<Divider>, divider: Divider): Acts<Row> {
  const overlays = rowActs(acts).flatMap(([key, act]): [string, Act<Row>][] => {
    if (!('overlay' in act)) return [];
    const ofList: Act<Row> = {
      on: 'list',
      label: labelOf(act, divider),
      isQuiet: true,
      ...(act.may === undefined ? {} : { may: act.may }),
      overlay: ({ show, ...over }) =>
        act.overlay(divider, { ...over, show: (name, _of, carried, done) => show(name, [], carried, done) }),
    };
    return [[key, ofList]];
  });
  return Object.fromEntries(overlays);
}

/** The buttons of a divider's acts; `show` opens the overlay of one of them. */
export function useDividerButtons(acts: Acts<Divider>, divider: Divider, show: (name: string) => void): RowAction[] {
  const session = useSession();
  const can = useCan();
  const mayGo = useMayGo();
  const navigate = useNavigate();
  const carryOut = useCarryOut();
  return rowActs(acts).flatMap(([key, act]): RowAction[] => {
    if (!mayDo(act, can) || act.isQuiet || act.isFor?.(divider, session) === false) return [];
    if ('leads' in act && !mayGo(act.leads(divider).screen)) return [];
    const danger = typeof act.danger === 'function' ? act.danger(divider) : (act.danger ?? false);
    const onClick = () => {
      if ('overlay' in act) show(key);
      else if ('leads' in act) void navigate(act.leads(divider).address);
      else carryOut(act.deed(divider), [listDividers, getDivider, ...(act.changes ?? [])], danger);
    };
    return [{ key, label: phrase(labelOf(act, divider)), danger, because: act.because?.(divider, session), onClick }];
  });
}
