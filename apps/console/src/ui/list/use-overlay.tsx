import { useQueryClient } from '@tanstack/react-query';
import { openingParameters } from '@voltdeck/contract/screens';
import { App } from 'antd';
import { type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type AnyRoute, type CallArguments, call } from '../../api/call.ts';
import { keyOf } from '../../api/queries.ts';
import { phrase } from '../../phrases.ts';
import { useCan } from '../../session/use-can.ts';
import type { Act, ActOutcome, Acts, Show } from '../list-page.ts';
import { useAddress } from '../use-address.ts';

const { act: actParameter, records: recordsParameter, given: givenPrefix } = openingParameters;

type Identified = { id: string | number };
type Given = Readonly<Record<string, string>>;
type Opened<Row> = {
  name: string;
  rows: readonly Row[];
  carried: unknown;
  given: Given;
  /** It was closed: opened again, it waits for the records as they are by then. */
  isOver?: true;
};

function givenIn(search: URLSearchParams): Given {
  const given = [...search].filter(([name]) => name.startsWith(givenPrefix));
  return Object.fromEntries(given.map(([name, value]) => [name.slice(givenPrefix.length), value]));
}

/** The address without an open act. */
function withoutAct(search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete(actParameter);
  next.delete(recordsParameter);
  for (const [name] of search) if (name.startsWith(givenPrefix)) next.delete(name);
  return next;
}

export function mayDo<Row>(act: Act<Row>, can: ReturnType<typeof useCan>): boolean {
  if (act.may === undefined) return true;
  return typeof act.may === 'string' ? can(act.may) : act.may.some(can);
}

/** Shows what was done, as a warning if only part of it succeeded. */
export function useShowOutcome(): (told: ActOutcome) => void {
  const { message } = App.useApp();
  return (told) => {
    if (told === null) return;
    if (typeof told === 'string') message.success(told);
    else message.warning(told.warning);
  };
}

/**
 * The overlay of a list. Its name and records are in the address, so that it can be linked to, survives a reload and
 * closes with the browser's back button. A list within a page whose own acts open nothing leaves the address to the page.
 */
export function useOverlay<Row extends Identified>(
  acts: Acts<Row>,
  /** The page's rows; undefined until the first answer. */
  rows: readonly Row[] | undefined,
  /** Fetches a record that the page does not show. */
  one: AnyRoute | undefined,
): { overlay: ReactNode; show: Show<Row> } {
  const can = useCan();
  const client = useQueryClient();
  const { message } = App.useApp();
  const tell = useShowOutcome();
  const [search, setSearch] = useAddress();
  const opensAny = Object.values(acts).some((act) => 'overlay' in act);
  /** Kept while it closes, and until the records in the address are known. */
  const [opened, setOpened] = useState<Opened<Row> | null>(null);
  const carried = useRef<(Opened<Row> & { done: () => void }) | null>(null);
  const wanted = opensAny ? search.get(actParameter) : null;
  const ids = search.get(recordsParameter);
  /** As text, so that the same values are equal. */
  const values = JSON.stringify(givenIn(search));

  /** The latest target, before the address follows: one overlay may open another while closing. */
  const asked = useRef(wanted);
  useEffect(() => {
    asked.current = wanted;
  }, [wanted]);

  const close = (name: string) => {
    if (asked.current !== name) return;
    asked.current = null;
    setSearch(withoutAct, { replace: true });
  };
  const show: Show<Row> = (name, of = [], what = null, done = () => {}) => {
    carried.current = { name, rows: of, carried: what, given: {}, done };
    asked.current = name;
    const wantedIds = of.length === 0 ? null : of.map(({ id }) => id).join(',');
    if (wanted === name && ids === wantedIds) {
      // The address names it already, as after a reload, but could not carry what it is about.
      setOpened({ name, rows: of, carried: what, given: {} });
      return;
    }
    setSearch(
      (current) => {
        const next = withoutAct(current);
        next.set(actParameter, name);
        if (wantedIds !== null) next.set(recordsParameter, wantedIds);
        return next;
      },
      { replace: wanted !== null },
    );
  };

  const find = useEffectEvent(
    async (name: string, of: readonly string[], start: Given): Promise<Opened<Row> | null> => {
      const act = acts[name];
      if (act === undefined || !('overlay' in act) || !mayDo(act, can)) return null;
      // A link may open the same act for other records than the page did.
      const isCarried = carried.current?.name === name && carried.current.rows.map(({ id }) => id).join() === of.join();
      const given = isCarried ? carried.current : null;
      const known = [...(given?.rows ?? []), ...(rows ?? [])];
      const found: Row[] = [];
      for (const id of of) {
        const row = known.find((candidate) => String(candidate.id) === id) ?? (await ask(id));
        if (row === null) return null;
        found.push(row);
      }
      if (found.length === 0 && act.on !== 'list') return null;
      return { name, rows: found, carried: given?.carried ?? null, given: start };
    },
  );
  const ask = async (id: string): Promise<Row | null> => {
    if (one === undefined) return null;
    const input = { params: { id: Number(id) } };
    return client
      .fetchQuery({
        queryKey: keyOf(one, input as never),
        queryFn: () => call(one, ...([{ ...input, quiet: true }] as unknown as CallArguments<AnyRoute>)),
      })
      .then(
        (record) => record as Row,
        () => null,
      );
  };
  const leave = useEffectEvent(() => {
    message.warning(phrase('list.recordGone'));
    if (wanted !== null) close(wanted);
  });
  // Without a route for a single record, wait for those of the page.
  const isReady = rows !== undefined || one !== undefined || ids === null || carried.current !== null;
  useEffect(() => {
    if (wanted === null) setOpened((kept) => (kept === null ? null : { ...kept, isOver: true }));
    if (wanted === null || !isReady) return;
    let isCurrent = true;
    void find(wanted, ids === null ? [] : ids.split(','), JSON.parse(values) as Given).then((next) => {
      if (!isCurrent) return;
      if (next === null) leave();
      else setOpened(next);
    });
    return () => {
      isCurrent = false;
    };
  }, [wanted, ids, values, isReady]);

  const act = opened === null ? undefined : acts[opened.name];
  if (opened === null || act === undefined || !('overlay' in act)) return { overlay: null, show };
  const { given } = opened;
  const props = {
    open: wanted === opened.name && opened.isOver !== true,
    close: () => close(opened.name),
    show,
    carried: opened.carried,
    given,
    tell,
  };
  const [first] = opened.rows;
  const drawn =
    act.on === 'list'
      ? act.overlay(props)
      : act.on === 'rows'
        ? act.overlay(opened.rows, { ...props, done: () => carried.current?.done() })
        : first === undefined
          ? null
          : act.overlay(first, props);
  const key = `${opened.name} ${opened.rows.map(({ id }) => id).join()} ${JSON.stringify(given)}`;
  return { overlay: <Suspense key={key}>{drawn}</Suspense>, show };
}
