/**
 * A station and a business around one protocol's connection, in words that every protocol has. What must be true of all
 * of them is said once, in one-vocabulary.test.ts.
 */
import type { Exchange } from '@voltdeck/charging/exchange';
import type { Protocol } from '@voltdeck/charging/states';
import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import type { RefusalReason } from '@voltdeck/charging/station-connection';
import type { EventAnswer, StationEvent } from '@voltdeck/charging/station-event';
import type { TransactionReference } from '@voltdeck/charging/transaction';
import { type Fen, fen } from '@voltdeck/units/money';

/** What the business does with an event: answer it, refuse it, or think it over (`later`). */
export type Decision = EventAnswer | RefusalReason | 'later';
export type Decide = (event: StationEvent) => Decision;

/** A charge as its station knows it. */
export type BenchCharge = { connectorNumber: number; transaction: TransactionReference; cardNumber: string };

/** What a station may say in every protocol. */
export type Saying =
  | { kind: 'boot' }
  | { kind: 'heartbeat' }
  /** Somebody shows a card. */
  | { kind: 'card'; cardNumber: string }
  /** The gun port is free, or out of order. */
  | { kind: 'state'; connectorNumber: number; state: 'free' | 'fault' }
  | { kind: 'begin'; charge: BenchCharge }
  | { kind: 'reading'; charge: BenchCharge; energyWh: number }
  | { kind: 'end'; charge: BenchCharge; energyWh: number }
  /** No message at all. */
  | { kind: 'garbage' };

/** What the station was told because of it: to go on, or not to. */
export type Reply = 'yes' | 'no';

/** The commands that every protocol's station carries out. */
export type SharedCommand = 'start-charge' | 'stop-charge' | 'reset';

/** What a conversation of any protocol shows in our words. */
export type Talk = {
  readonly effects: readonly { kind: string }[];
  readonly events: readonly StationEvent[];
  readonly exchanges: readonly Exchange[];
  readonly settled: readonly { ref: string; outcome: CommandOutcome }[];
  readonly closed: readonly { code: number; reason: string }[];
  wait(milliseconds: number): unknown;
};

/** What one does on a floor, in the protocol's own way. */
export type FloorActs = {
  says(saying: Saying): readonly Reply[];
  /** The very last message comes again, as a station sends one that was not answered. */
  repeats(): readonly Reply[];
  /** How many calls went to the station because of it. */
  commands(command: StationCommand, ref?: string): number;
  /** The station answers the call that went out last. */
  answers(reply: Reply): void;
  decides(decision: Exclude<Decision, 'later'>): readonly Reply[];
  /** An event waits for its answer. */
  isThinking(): boolean;
  /** The socket is gone. */
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
  /** A card number as the station says it. */
  cardNumber: string;
  /** When a line without any frame is dead. */
  silenceMs: number;
  /** How long a call may stay unanswered. */
  callTimeoutMs: number;
  commandQueueMax: number;
  inboxPauseAt: number;
  command: Readonly<Record<SharedCommand, StationCommand>>;
  /** A new connection; `booted` when the station has introduced itself already. */
  open(decide: Decide, options?: { booted?: boolean }): Floor;
};

export const payersMoneyFen: Fen = fen(10_000);

/** Says yes to everything. */
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
