import type { Message, PileMessage } from '@voltdeck/ykc/messages/all';
import type { ChargeKind } from '../charging-curve.ts';
import type { Clock } from '../clock.ts';
import type { NewsListeners } from '../news-listeners.ts';
import type { PowerSupply } from '../power-supply.ts';
import type { Random } from '../seeded.ts';
import type { BillingModel } from './billing-model.ts';
import type { Gun, startFlags } from './gun.ts';
import type { PileFaults } from './pile-faults.ts';
import type { UnconfirmedRecords } from './unconfirmed-records.ts';

/** A charge accepted by the platform or the whitelist. */
export type Authorized = {
  tradeNo: string;
  card: string;
  balanceFen: number | null;
  startedBy: keyof typeof startFlags;
};

/** The shared interface between the parts of a virtual pile. */
export type PileBoard = {
  readonly number: string;
  readonly kind: ChargeKind;
  readonly maxPowerKw: number;
  /** Event time between live data of a charge. */
  readonly sampleMs: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly news: NewsListeners;
  readonly power: PowerSupply;
  readonly records: UnconfirmedRecords;
  readonly guns: readonly Gun[];
  /** The whitelist: cards that may charge offline. */
  readonly offlineCards: ReadonlyMap<string, string>;
  readonly faults: PileFaults;
  readonly model: BillingModel | null;
  readonly powerPercent: number;
  readonly isSignedIn: boolean;
  /** Why no charge can start now. */
  refusal(): 'equipment-fault' | null;
  stationTime(): number;
  send(message: PileMessage, sequence?: number): void;
  /** Sends a request; resolves to null when no answer came in time. */
  ask(message: PileMessage, key: string): Promise<Message | null>;
  sendRealtime(gun: Gun): void;
  refresh(gun: Gun): void;
  cutPower(options: { offMs: number; stop: 'later' | 'never' }): void;
  chargeEnded(): void;
};
