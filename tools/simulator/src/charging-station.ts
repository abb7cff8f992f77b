import type { ChargeKind, CurvePoint, Vehicle } from './charging-curve.ts';
import type { ConnectorFault, ConnectorStatus } from './connector.ts';
import type { StationNews } from './station-news.ts';

/** The result of presenting a card to the reader. */
export type SwipeOutcome = 'started' | 'waiting-for-plug' | 'stopped' | 'refused';

export type ConnectorFacts = {
  number: number;
  status: ConnectorStatus;
  registerWh: number;
  pluggedIn: boolean;
  charge: {
    card: string;
    energyWh: number;
    point: CurvePoint;
    startedAt: number;
    /** The transaction id, if the central system assigns one; null before. */
    transactionId?: number | null;
  } | null;
};

/** A virtual station as drivers and fleets see it, in any protocol. */
export type ChargingStation = {
  readonly number: string;
  readonly kind: ChargeKind;
  /** Connected, signed in and able to charge. */
  readonly isOnline: boolean;
  readonly isPowered: boolean;
  /** No message about a charge is waiting to be delivered. */
  readonly isDelivered: boolean;
  readonly connectors: readonly ConnectorFacts[];
  connector(number: number): ConnectorFacts;
  on(listener: (news: StationNews) => void): () => void;
  start(): void;
  stop(): Promise<void>;
  dropLink(forMs: number): void;
  cutPower(options: { offMs: number; stop: 'later' | 'never' }): void;
  plugIn(connectorNumber: number, vehicle?: Vehicle): void;
  unplug(connectorNumber: number): void;
  swipeCard(connectorNumber: number, card: string): Promise<SwipeOutcome>;
  interrupt(connectorNumber: number, reason: 'Local'): void;
  setConnectorFault(connectorNumber: number, fault: ConnectorFault | null): void;
};
