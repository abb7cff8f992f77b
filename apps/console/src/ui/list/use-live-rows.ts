import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { ConsoleEvent } from '@voltdeck/contract/events';
import { useEffect, useEffectEvent } from 'react';
import { listen } from '../../api/events.ts';
import { fetchAgain } from '../../api/fetch-again.ts';
import type { ListRoute, LivePatches, RowOf } from './list-view.ts';
import { type AnyPatch, type LivePage, patchedPage } from './live-page.ts';
import { keepOvertaking } from './overtaking-events.ts';

/** Minimum interval between fetches, since rows come and go in bursts. */
const refetchEveryMs = 3_000;

/** Updates the rows of the shown page by server push. */
export function useLiveRows<R extends ListRoute>(key: QueryKey, live: LivePatches<R> | undefined): void {
  const client = useQueryClient();
  const path = String(key[0]);
  const onEvent = useEffectEvent((event: ConsoleEvent, askSoon: (path: string) => void) => {
    const patch = live?.[event.kind] as AnyPatch<RowOf<R>> | undefined;
    const page = client.getQueryData<LivePage<RowOf<R>>>(key);
    if (patch === undefined || page === undefined) return;
    const after = patchedPage(page, event, patch);
    if (after !== page) client.setQueryData(key, after);
    const comes = after === page && patch.mayAdd?.(event) === true;
    if (comes) askSoon(path);
    if (comes || after.items.length < page.items.length) askSoon(`${path}/totals`);
  });
  const keyNow = useEffectEvent(() => key);
  const kinds = Object.keys(live ?? {}).join();
  useEffect(() => {
    if (kinds === '') return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const due = new Set<string>();
    const askSoon = (asked: string) => {
      due.add(asked);
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const each of due) void fetchAgain(client, [each]);
        due.clear();
      }, refetchEveryMs);
    };
    const take = (event: ConsoleEvent) => onEvent(event, askSoon);
    const overtaking = keepOvertaking(client, { keyNow: () => keyNow(), take, onTooMany: () => askSoon(path) });
    const stops = kinds.split(',').map((kind) =>
      listen(kind as ConsoleEvent['kind'], (event) => {
        overtaking.note(event);
        take(event);
      }),
    );
    return () => {
      clearTimeout(timer);
      overtaking.stop();
      for (const stop of stops) stop();
    };
  }, [client, kinds, path]);
}
