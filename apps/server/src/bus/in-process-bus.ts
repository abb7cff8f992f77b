import type { StoredExchange } from '../journal/exchanges.ts';
import type { Bus, ScopedEvent, StationHolder } from './bus.ts';

/** The bus of a server that runs as one process. */
export function createInProcessBus(): Bus {
  const handlers = new Set<(scoped: ScopedEvent) => void>();
  const watchers = new Set<(exchanges: readonly StoredExchange[]) => void>();
  const holders = new Map<string, StationHolder>();
  return {
    publish(scoped) {
      for (const handler of handlers) handler(scoped);
    },
    subscribe(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    areExchangesWatched: () => watchers.size > 0,
    tellExchanges(exchanges) {
      for (const watcher of watchers) watcher(exchanges);
    },
    watchExchanges(handler) {
      watchers.add(handler);
      return () => watchers.delete(handler);
    },
    holdStation(stationNumber, holder) {
      holders.set(stationNumber, holder);
    },
    releaseStation(stationNumber, holder) {
      if (holders.get(stationNumber) === holder) holders.delete(stationNumber);
    },
    async commandStation(stationNumber, command) {
      const holder = holders.get(stationNumber);
      return holder === undefined ? { kind: 'offline' } : holder.command(command);
    },
    setPort(stationNumber, number, port) {
      holders.get(stationNumber)?.setPort(number, port);
    },
  };
}
