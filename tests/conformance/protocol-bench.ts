/**
 * A station and a business around one protocol's connection, in words common to every protocol. What they all must do
 * is in one-vocabulary.test.ts.
 */
import type { Exchange } from '@voltdeck/charging/exchange';
import type { Protocol } from '@voltdeck/charging/states';
import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import type { RefusalReason } from '@voltdeck/charging/station-connection';
import type { EventAnswer, StationEvent } from '@voltdeck/charging/station-event';
import type { TransactionReference } from '@voltdeck/charging/transaction';
import { type Fen, fen } from '@voltdeck/units/money';

/** How the business treats an event: answers it, refuses it, or decides `later`. */
export type Decision = EventAnswer | RefusalReason | 'later';
export type Decide = (event: StationEvent) => Decision;

/** A charge as its station knows it. */
export type BenchCharge = { connectorNumber: number; transaction: TransactionReference; cardNumber: string };

/** What a station may send in every protocol. */
export type Saying =
  | { kind: 'boot' }
  | { kind: 'heartbeat' }
  /** A card is presented. */
  | { kind: 'card'; cardNumber: string }
  /** The gun port is free or out of order. */
  | { kind: 'state'; connectorNumber: number; state: 'free' | 'fault' }
  | { kind: 'begin'; charge: BenchCharge }
  | { kind: 'reading'; charge: BenchCharge; energyWh: number }
  | { kind: 'end'; charge: BenchCharge; energyWh: number }
  /** Not a message at all. */
  | { kind: 'garbage' };

/** Whether the answer lets the station go on. */
export type Reply = 'yes' | 'no';

/** Commands that stations of every protocol carry out. */
export type SharedCommand = 'start-charge' | 'stop-charge' | 'reset';

/** A conversation in our words, whatever the protocol. */
export type Talk = {
  readonly effects: readonly { kind: string }[];
  readonly events: readonly StationEvent[];
  readonly exchanges: readonly Exchange[];
  readonly settled: readonly { ref: string; outcome: CommandOutcome }[];
  readonly closed: readonly { code: number; reason: string }[];
  wait(milliseconds: number): unknown;
};

/** What a test does with a floor, in the protocol's own way. */
export type FloorActs = {
  says(saying: Saying): readonly Reply[];
  /** Sends the last message again, as a station does without an answer. */
  repeats(): readonly Reply[];
  /** Sends a command; returns how many calls went to the station. */
  commands(command: StationCommand, ref?: string): number;
  /** The station answers the last call. */
  answers(reply: Reply): void;
  decides(decision: Exclude<Decision, 'later'>): readonly Reply[];
  /** Whether an event waits for its answer. */
  isThinking(): boolean;
  /** The socket is lost. */
  loses(): void;
};

export type Floor = Talk & FloorActs;

export function floorOn(talk: Talk, acts: FloorActs): Floor {
  return {
    ...acts,
    get effects() {
      return talk.effects;
    },
    get events() {
      return talk.events;
    },
    get exchanges() {
      return talk.exchanges;
    },
    get settled() {
      return talk.settled;
    },
    get closed() {
      return talk.closed;
    },
    wait: (milliseconds) => talk.wait(milliseconds),
  };
}

export type ProtocolBench = {
  protocol: Protocol;
  charge: BenchCharge;
  /** A card number as the station sends it. */
  cardNumber: string;
  /** How long a line may be silent before it is dead. */
  silenceMs: number;
  /** How long a call may stay unanswered. */
  callTimeoutMs: number;
  commandQueueMax: number;
  inboxPauseAt: number;
  command: Readonly<Record<SharedCommand, StationCommand>>;
  /** Opens a new connection; `booted` if the station has already introduced itself. */
  open(decide: Decide, options?: { booted?: boolean }): Floor;
};

export const payersMoneyFen: Fen = fen(10_000);

/** Accepts everything. */
export function agreeable(charge: BenchCharge): (event: StationEvent) => EventAnswer {
  return (event) => {
    switch (event.kind) {
      case 'booted':
        return { kind: 'boot', decision: 'accepted', heartbeatSeconds: 300 };
      case 'authorization-requested':
        return { kind: 'authorization', authorization: 'accepted' };
      case 'charge-requested':
        return {
          kind: 'charge-decided',
          authorization: 'accepted',
          transaction: String(charge.transaction),
          availableFen: payersMoneyFen,
        };
      case 'charge-started':
        return { kind: 'charge-started', transactionNumber: Number(charge.transaction), authorization: 'accepted' };
      case 'charge-stopped':
        return { kind: 'charge-stopped' };
      case 'tariff-reported':
        return { kind: 'tariff-checked', isCurrent: true };
      case 'tariff-requested':
        return { kind: 'tariff', tariff: null };
      case 'data-transferred':
        return { kind: 'data-transferred', status: 'unknown_vendor' };
      case 'heartbeat':
      case 'connector-state-changed':
      case 'readings-taken':
      case 'charge-noted':
      case 'ground-lock-changed':
      case 'firmware-status-changed':
      case 'diagnostics-status-changed':
      case 'security-event-reported':
      case 'certificate-requested':
        return { kind: 'noted' };
    }
  };
}
