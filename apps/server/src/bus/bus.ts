import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import type { ConsoleEvent } from '@voltdeck/contract/events';
import type { AgentId, ConnectorId, CustomerId, StationId, UserId } from '@voltdeck/units/id';
import type { StoredExchange } from '../journal/exchanges.ts';

/** An event and who may receive it: consoles of the platform get all, those of an agent their own. */
export type ScopedEvent =
  | {
      event: ConsoleEvent;
      agentId: AgentId | null;
      /** The station concerned, for the node that holds its socket. */
      stationId?: StationId;
      /** The customer whose charge it is, who may watch it. */
      customerId?: CustomerId | null;
    }
  /** Only this user receives it, whatever others may see. */
  | { event: ConsoleEvent; userId: UserId };

/** A gun port as the node that holds its station's socket knows it. */
export type HeldPort = { id: ConnectorId; number: number; isRegistered: boolean };

/** Carries out requests to a station: its link. */
export type StationHolder = {
  command(command: StationCommand): Promise<CommandOutcome>;
  /** The station's port with this number is another one now, or there is none. */
  setPort(number: number, port: HeldPort | null): void;
};

/** How parts of the server reach each other, on one node or on many. */
export type Bus = {
  /** Fire and forget: consoles that miss an event fetch again. */
  publish(scoped: ScopedEvent): void;
  /** Returns a function that unsubscribes. */
  subscribe(handler: (scoped: ScopedEvent) => void): () => void;
  /** Whether anybody watches exchanges, since nothing needs preparing otherwise. */
  areExchangesWatched(): boolean;
  /** Durable exchanges, with the stations they belong to. */
  tellExchanges(exchanges: readonly StoredExchange[]): void;
  /** Returns a function that ends the watch. */
  watchExchanges(handler: (exchanges: readonly StoredExchange[]) => void): () => void;
  /** Announces that this node holds the station's socket. A later holder replaces an earlier one. */
  holdStation(stationNumber: string, holder: StationHolder): void;
  /** The socket closed; ignored when another holder has replaced this one. */
  releaseStation(stationNumber: string, holder: StationHolder): void;
  /** Asks the node that holds the socket; `offline` when none does. */
  commandStation(stationNumber: string, command: StationCommand): Promise<CommandOutcome>;
  /** Tells the node that holds the socket which port has this number. Call it after the commit. */
  setPort(stationNumber: string, number: number, port: HeldPort | null): void;
};
