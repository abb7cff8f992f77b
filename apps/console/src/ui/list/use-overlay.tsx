import { useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { type AnyRoute, type CallArguments, call } from '../../api/call.ts';
import { keyOf } from '../../api/queries.ts';
import { phrase } from '../../phrases.ts';
import { useCan } from '../../session/use-can.ts';
import type { Act, ActOutcome, Acts, Show } from '../list-page.ts';

/** The parameter of a tab's address that names the open act and its records. */
const actParameter = 'do';
const recordsParameter = 'of';

type Identified = { id: string | number };
type Opened<Row> = { name: string; rows: readonly Row[]; carried: unknown };

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
 * closes with the browser's back button.
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
  const [search, setSearch] = useSearchParams();
  /** Kept while it closes, and until the records in the address are known. */
  const [opened, setOpened] = useState<Opened<Row> | null>(null);
  const carried = useRef<(Opened<Row> & { done: () => void }) | null>(null);
  const wanted = search.get(actParameter);
  const ids = search.get(recordsParameter);

  /** The latest target, before the address follows: one overlay may open another while closing. */
  const asked = useRef(wanted);
  useEffect(() => {
    asked.current = wanted;
  }, [wanted]);

  const close = (name: string) => {
    if (asked.current !== name) return;
    asked.current = null;
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        next.delete(actParameter);
        next.delete(recordsParameter);
        return next;
      },
      { replace: true },
    );
  };
  const show: Show<Row> = (name, of = [], what = null, done = () => {}) => {
    carried.current = { name, rows: of, carried: what, done };
    asked.current = name;
    const wantedIds = of.length === 0 ? null : of.map(({ id }) => id).join(',');
    if (wanted === name && ids === wantedIds) {
      // The address names it already, as after a reload, but could not carry what it is about.
      setOpened({ name, rows: of, carried: what });
      return;
    }
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        next.set(actParameter, name);
        if (wantedIds === null) next.delete(recordsParameter);
        else next.set(recordsParameter, wantedIds);
        return next;
      },
      { replace: wanted !== null },
    );
  };

  const find = useEffectEvent(async (name: string, of: readonly string[]): Promise<Opened<Row> | null> => {
    const act = acts[name];
    if (act === undefined || !('overlay' in act) || !mayDo(act, can)) return null;
    const given = carried.current;
    const known = [...(given?.name === name ? given.rows : []), ...(rows ?? [])];
    const found: Row[] = [];
    for (const id of of) {
      const row = known.find((candidate) => String(candidate.id) === id) ?? (await ask(id));
      if (row === null) return null;
      found.push(row);
    }
    if (found.length === 0 && act.on !== 'list') return null;
    return { name, rows: found, carried: given?.name === name ? given.carried : null };
  });
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
    message.warning(phrase('error.record.not_found'));
    if (wanted !== null) close(wanted);
  });
  // Without a route for a single record, wait for those of the page.
  const isReady = rows !== undefined || one !== undefined || ids === null || carried.current !== null;
  useEffect(() => {
    if (wanted === null || !isReady) return;
    let isCurrent = true;
    void find(wanted, ids === null ? [] : ids.split(',')).then((next) => {
      if (!isCurrent) return;
      if (next === null) leave();
      else setOpened(next);
    });
    return () => {
      isCurrent = false;
    };
  }, [wanted, ids, isReady]);

  const act = opened === null ? undefined : acts[opened.name];
  if (opened === null || act === undefined || !('overlay' in act)) return { overlay: null, show };
  const props = { open: wanted === opened.name, close: () => close(opened.name), show, carried: opened.carried, tell };
  const [first] = opened.rows;
  const drawn =
    act.on === 'list'
      ? act.overlay(props)
      : act.on === 'rows'
        ? act.overlay(opened.rows, { ...props, done: () => carried.current?.done() })
        : first === undefined
          ? null
          : act.overlay(first, props);
  const key = `${opened.name} ${opened.rows.map(({ id }) => id).join()}`;
  return { overlay: <Suspense key={key}>{drawn}</Suspense>, show };
}
