import type { Instant } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import type { GroundLockState } from './states.ts';
import type { StationTariff } from './station-bill.ts';
import type { TransactionReference } from './transaction.ts';

/** Commands to a station, in our own words. */
export type StationCommand =
  | {
      kind: 'start-charge';
      connectorNumber: number;
      /** What the station shows us when it begins: the payer's card, or a number for this charge alone. */
      cardNumber: string;
      /** The number in the payer's chip, so that the card can stop the charge at the station. */
      physicalCardNumber?: string;
      /** The name of the charge from now on, for protocols that name it before it begins. */
      transaction?: string;
      /** The payer's balance in fen, for stations that stop by themselves when it is used up. */
      availableFen?: Fen;
      /** Of two gun ports that charge one vehicle together: the same text at both. */
      parallelKey?: string;
    }
  | { kind: 'stop-charge'; transaction: TransactionReference; connectorNumber?: number }
  | { kind: 'reset'; mode: 'soft' | 'hard' }
  | { kind: 'unlock-connector'; connectorNumber: number }
  /** Connector 0 is the whole station. */
  | { kind: 'change-availability'; connectorNumber: number; available: boolean }
  | { kind: 'read-configuration'; keys: readonly string[] }
  | { kind: 'write-configuration'; key: string; value: string }
  | { kind: 'clear-cache' }
  | { kind: 'trigger-message'; message: TriggeredMessage; connectorNumber?: number }
  | { kind: 'transfer-data'; vendor: string; message?: string; data?: string }
  | { kind: 'set-tariff'; tariff: StationTariff }
  | { kind: 'set-clock' }
  | { kind: 'update-balance'; connectorNumber: number; physicalCardNumber?: string; availableFen: Fen }
  /** Cards that may charge while the station is offline. */
  | { kind: 'store-cards'; cards: readonly { number: string; physicalNumber: string }[] }
  | { kind: 'clear-cards'; physicalNumbers: readonly string[] }
  | { kind: 'query-cards'; physicalNumbers: readonly string[] }
  /** 30 to 100 percent of the rated power; a station that is not `available` starts no charge. */
  | { kind: 'limit-power'; available: boolean; maxPowerPercent: number }
  | { kind: 'move-ground-lock'; connectorNumber: number; to: Exclude<GroundLockState, 'moving'> }
  | { kind: 'update-firmware'; firmware: FirmwareSource }
  /** One call of the station's own protocol, sent as given: a tool for experts. */
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
  'set-tariff',
  'set-clock',
  'update-balance',
  'store-cards',
  'clear-cards',
  'query-cards',
  'limit-power',
  'move-ground-lock',
  'update-firmware',
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

/** Where a station downloads new firmware, by FTP. */
export type FirmwareSource = {
  /** For a DC or an AC station, and its rated power in kW: stations refuse firmware for others. */
  current: 'dc' | 'ac';
  ratedPowerKw: number;
  host: string;
  port: number;
  user: string;
  password: string;
  path: string;
  when: 'now' | 'when_idle';
  /** 1 to 255. */
  timeoutMinutes: number;
};

/** Why a station refused, where its protocol says so. */
export const rejectionReasons = [
  'wrong_station',
  'already_charging',
  'fault',
  'offline',
  'not_plugged_in',
  'not_charging',
  'bad_card_number',
  'wrong_card',
  'storage_full',
  'wrong_model',
  'download_timeout',
  'other',
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

export type ConfigurationEntry = { key: string; value?: string; readonly: boolean };

/** What the station answered, or why there is no answer. */
export type CommandOutcome =
  | { kind: 'accepted' }
  | { kind: 'rejected'; reason?: RejectionReason }
  /** The station will do it when the running charge ends. */
  | { kind: 'scheduled' }
  | { kind: 'reboot-required' }
  | { kind: 'not-supported' }
  | { kind: 'failed' }
  | { kind: 'configuration'; entries: readonly ConfigurationEntry[]; unknownKeys: readonly string[] }
  | { kind: 'data'; status: string; data?: string }
  /** Offline cards one by one: is it stored now (store, query), is it gone now (clear). */
  | { kind: 'cards'; cards: readonly { physicalNumber: string; done: boolean; reason?: RejectionReason }[] }
  | { kind: 'clock'; stationTime: Instant | null }
  /** The answer to a raw call, as received. */
  | { kind: 'raw'; payload: unknown }
  /** The station refused with its protocol's error. */
  | { kind: 'station-error'; code: string; description: string; details?: unknown }
  | { kind: 'timed-out' }
  | { kind: 'offline' }
  /** Too many commands are already waiting for this station. */
  | { kind: 'busy' };

/** The commands that make sense for many stations at once: none for a single gun port, charge or payer. */
export const bulkCommandKinds = [
  'reset',
  'change-availability',
  'trigger-message',
  'set-clock',
  'set-tariff',
  'limit-power',
  'clear-cache',
  'read-configuration',
  'write-configuration',
  'store-cards',
  'query-cards',
  'clear-cards',
  'transfer-data',
  'update-firmware',
] as const satisfies readonly StationCommand['kind'][];
export type BulkCommandKind = (typeof bulkCommandKinds)[number];
