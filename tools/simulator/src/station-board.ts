import type { ChargeKind } from './charging-curve.ts';
import type { Clock } from './clock.ts';
import type { Configuration } from './configuration.ts';
import type { Connector } from './connector.ts';
import type { Delivery } from './delivery.ts';
import type { Faults } from './faults.ts';
import type { NewsListeners } from './news-listeners.ts';
import type { PowerSupply } from './power-supply.ts';
import type { Random } from './seeded.ts';

/** The shared interface between the parts of a virtual station. */
export type StationBoard = {
  readonly number: string;
  readonly kind: ChargeKind;
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly random: Random;
  readonly news: NewsListeners;
  readonly power: PowerSupply;
  readonly delivery: Delivery;
  readonly connectors: readonly Connector[];
  readonly faults: Faults;
  /** What one connector can deliver now. */
  readonly powerMaxW: number;
  readonly isOnline: boolean;
  /** By the station's clock; `at` is event time, now by default. */
  timestamp(at?: number): string;
  refresh(connector: Connector): void;
  cutPower(options: { offMs: number; stop: 'later' | 'never' }): void;
};
