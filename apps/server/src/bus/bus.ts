import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import type { ConsoleEvent } from '@voltdeck/contract/events';
import type { AgentId, StationId, UserId } from '@voltdeck/units/id';
import type { StoredExchange } from '../journal/exchanges.ts';

/** An event with whom it concerns: consoles of the platform see all, those of an agent see their own. */
export type ScopedEvent =
  | {
      event: ConsoleEvent;
      agentId: AgentId | null;
      /** The station that it is about, where the node that holds its socket has to know. */
      stationId?: StationId;
    }
  /** Of nobody's concern but this one user's, whatever others may see. */
  | { event: ConsoleEvent; userId: UserId };

/** Who carries out what a station is to be asked for: its link. */
export type StationHolder = { command(command: StationCommand): Promise<CommandOutcome> };

/** How the parts of the server reach each other, on one node or on many. */
export type Bus = {
  /** Fire and forget: consoles that miss an event fetch again. */
  publish(scoped: ScopedEvent): void;
  /** Returns the end of the subscription. */
  subscribe(handler: (scoped: ScopedEvent) => void): () => void;
  /** Whether anybody watches exchanges: nothing is prepared for nobody. */
  areExchangesWatched(): boolean;
  /** Exchanges with stations that are durable by now, with whom they were. */
  tellExchanges(exchanges: readonly StoredExchange[]): void;
  /** Returns the end of the watch. */
  watchExchanges(handler: (exchanges: readonly StoredExchange[]) => void): () => void;
  /** Says that this node holds the station's socket. A later holder replaces an earlier one. */
  holdStation(stationNumber: string, holder: StationHolder): void;
  /** The socket has ended; nothing to a station that another holds by now. */
  releaseStation(stationNumber: string, holder: StationHolder): void;
  /** Asks whichever node holds the socket; `offline` when none does. */
  commandStation(stationNumber: string, command: StationCommand): Promise<CommandOutcome>;
};
