import type { ConnectionEffect } from '@voltdeck/charging/station-connection';
import type { Instant } from '@voltdeck/units/instant';
import type { LoggedFrame } from './exchanges.ts';

/** The types of one protocol. */
export type Kinds = {
  /** What travels: text or bytes. */
  wire: unknown;
  /** A station's message as received. */
  arrival: LoggedFrame;
  /** What it says. */
  message: unknown;
  /** Our answer, not serialised yet. */
  reply: unknown;
  /** A call of ours. */
  call: unknown;
  /** What is kept of a call that is out. */
  sent: LoggedFrame;
};

export type Arrived<K extends Kinds> = { readonly arrival: K['arrival']; readonly message: K['message'] };

/** One step of one connection. */
export type Turn<K extends Kinds, State> = {
  readonly state: State;
  readonly now: Instant;
  readonly effects: ConnectionEffect<K['wire']>[];
};
