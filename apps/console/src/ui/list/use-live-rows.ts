import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { ConsoleEvent } from '@voltdeck/contract/events';
import { useEffect, useEffectEvent } from 'react';
import { listen } from '../../api/events.ts';
import { fetchAgain } from '../../api/fetch-again.ts';
import type { ListRoute, LivePatches, RowOf } from './list-view.ts';
import { type AnyPatch, type LivePage, patchedPage } from './live-page.ts';

/** Minimum interval between fetches, since rows come and go in bursts. */
const refetchEveryMs = 3_000;

/** Updates the rows of the shown page by server push. */
export function useLiveRows<R extends ListRoute>(key: QueryKey, live: LivePatches<R> | undefined): void {
  const client = useQueryClient();
  const path = String(key[0]);
  const onEvent = useEffectEvent((event: ConsoleEvent, askSoon: (path: string) => void) => {
    const patch = live?.[event.kind] as AnyPatch<RowOf<R>> | undefined;
    const page = client.getQueryData<LivePage<RowOf<R>>>(key);
    if (patch === undefined) return;
    if (page === undefined) {
      // The first answer, which is under way, may have been read before it.
      if (client.getQueryState(key)?.fetchStatus === 'fetching') askSoon(path);
      return;
    }
    const after = patchedPage(page, event, patch);
    if (after !== page) client.setQueryData(key, after);
    const comes = after === page && patch.mayAdd?.(event) === true;
    if (comes) askSoon(path);
    if (comes || after.items.length < page.items.length) askSoon(`${path}/totals`);
  });
  const kinds = Object.keys(live ?? {}).join();
  useEffect(() => {
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
    const stops = kinds
      .split(',')
      .filter((kind) => kind !== '')
      .map((kind) => listen(kind as ConsoleEvent['kind'], (event) => onEvent(event, askSoon)));
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [client, kinds]);
}
