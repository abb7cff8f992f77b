/** What we may ask of a station, in our own words. */
export type StationCommand =
  | { kind: 'start-charge'; connectorNumber: number; cardNumber: string }
  | { kind: 'stop-charge'; transactionNumber: number }
  | { kind: 'reset'; mode: 'soft' | 'hard' }
  | { kind: 'unlock-connector'; connectorNumber: number }
  /** Connector 0 is the whole station. */
  | { kind: 'change-availability'; connectorNumber: number; available: boolean }
  | { kind: 'read-configuration'; keys: readonly string[] }
  | { kind: 'write-configuration'; key: string; value: string }
  | { kind: 'clear-cache' }
  | { kind: 'trigger-message'; message: TriggeredMessage; connectorNumber?: number }
  | { kind: 'transfer-data'; vendor: string; message?: string; data?: string }
  /** One call of the station's own protocol, sent as given: an expert's tool. */
  | { kind: 'raw'; action: string; payload: unknown };

export const commandKinds = [
  'start-charge',
  'stop-charge',
  'reset',
  'unlock-connector',
  'change-availability',
  'read-configuration',
  'write-configuration',
  'clear-cache',
  'trigger-message',
  'transfer-data',
  'raw',
] as const satisfies readonly StationCommand['kind'][];

export const triggeredMessages = [
  'boot',
  'heartbeat',
  'readings',
  'connector-state',
  'diagnostics-status',
  'firmware-status',
] as const;
export type TriggeredMessage = (typeof triggeredMessages)[number];

export type ConfigurationEntry = { key: string; value?: string; readonly: boolean };

/** What the station answered, or why there is no answer. */
export type CommandOutcome =
  | { kind: 'accepted' }
  | { kind: 'rejected' }
  /** The station will do it when the running charge ends. */
  | { kind: 'scheduled' }
  | { kind: 'reboot-required' }
  | { kind: 'not-supported' }
  | { kind: 'failed' }
  | { kind: 'configuration'; entries: readonly ConfigurationEntry[]; unknownKeys: readonly string[] }
  | { kind: 'data'; status: string; data?: string }
  /** The answer to a raw call, as received. */
  | { kind: 'raw'; payload: unknown }
  /** The station refused with its protocol's error. */
  | { kind: 'station-error'; code: string; description: string; details?: unknown }
  | { kind: 'timed-out' }
  | { kind: 'offline' }
  /** Too many commands wait for this station already. */
  | { kind: 'busy' };
