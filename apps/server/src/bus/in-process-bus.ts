import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import type { StoredExchange } from '../journal/exchanges.ts';
import type { Bus, ScopedEvent } from './bus.ts';

/** The bus of a server that runs as one process. */
export function createInProcessBus(): Bus {
  const handlers = new Set<(scoped: ScopedEvent) => void>();
  const watchers = new Set<(exchanges: readonly StoredExchange[]) => void>();
  const holders = new Map<string, (command: StationCommand) => Promise<CommandOutcome>>();
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
    holdStation(stationNumber, carryOut) {
      holders.set(stationNumber, carryOut);
      return () => {
        if (holders.get(stationNumber) === carryOut) holders.delete(stationNumber);
      };
    },
    async commandStation(stationNumber, command) {
      const carryOut = holders.get(stationNumber);
      return carryOut === undefined ? { kind: 'offline' } : carryOut(command);
    },
  };
}
