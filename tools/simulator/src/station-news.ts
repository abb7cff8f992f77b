import type { CurvePoint } from './charging-curve.ts';
import type { ConnectorStatus, StopReason } from './connector.ts';
import type { PileStopReason } from './ykc/gun.ts';

/** What an observer may learn from a station. `at` is event time. */
export type StationNews = { station: string; at: number } & (
  | { kind: 'link-opened' }
  /** `httpStatus` is set when the handshake was refused. */
  | { kind: 'link-closed'; code: number; httpStatus: number | null }
  | { kind: 'frame-sent'; text: string }
  | { kind: 'frame-received'; text: string }
  | { kind: 'boot-answered'; decision: string; heartbeatSeconds: number }
  | { kind: 'status-changed'; connectorNumber: number; status: ConnectorStatus }
  | { kind: 'card-answered'; connectorNumber: number; card: string; status: string }
  | { kind: 'charge-started'; connectorNumber: number; card: string; meterStartWh: number }
  | { kind: 'charge-numbered'; connectorNumber: number; transactionId: number; status: string }
  /** For protocols in which a charge has a number before it begins. */
  | { kind: 'charge-named'; connectorNumber: number; tradeNo: string }
  | { kind: 'sampled'; connectorNumber: number; registerWh: number; energyWh: number; point: CurvePoint }
  | { kind: 'vehicle-full'; connectorNumber: number }
  | {
      kind: 'charge-ended';
      connectorNumber: number;
      reason: StopReason | PileStopReason;
      energyWh: number;
      meterStopWh: number;
    }
  | { kind: 'model-received'; modelNo: string }
  | { kind: 'record-answered'; tradeNo: string; verdict: string }
  | { kind: 'command-answered'; action: string; answer: string }
  | { kind: 'twin-answered'; action: string; same: boolean }
  | { kind: 'message-retried'; action: string; attempt: number; because: string }
  | { kind: 'message-dropped'; action: string; because: 'attempts' | 'full' }
  | { kind: 'power-lost' }
  | { kind: 'power-restored' }
  | { kind: 'stopped' }
);

/** News without the fields that all news share. */
export type NewsOf<News> = News extends StationNews ? Omit<News, 'station' | 'at'> : never;
