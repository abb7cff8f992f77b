import type { ConnectorChange } from './connectors.ts';
import type { LoggedExchange } from './exchanges.ts';
import type { OrderFigures } from './figures.ts';
import type { GroundLockChange } from './ground-locks.ts';
import type { JournalNote } from './notes.ts';
import type { JournalReading } from './readings.ts';
import type { StationChange } from './stations.ts';

/** Records that become durable together. `onStored` runs after the commit, `onLost` when they can never be stored. */
export type JournalEntry = {
  exchange?: LoggedExchange;
  readings?: readonly JournalReading[];
  connectorChanges?: readonly ConnectorChange[];
  groundLockChanges?: readonly GroundLockChange[];
  notes?: readonly JournalNote[];
  stationChange?: StationChange;
  figures?: OrderFigures;
  onStored?: () => void;
  onLost?: () => void;
};
