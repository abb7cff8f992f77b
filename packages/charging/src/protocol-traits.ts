import type { Protocol } from './states.ts';
import { type StationCommand, type TriggeredMessage, triggeredMessages } from './station-command.ts';

/** What differs between protocols, for code that knows none of their words. */
export type ProtocolTraits = {
  /** Who names a charge: we before it begins, or we when the station reports that it has begun. */
  chargesNamed: 'before-start' | 'at-start';
  /** The station signs in with a password. */
  hasPassword: boolean;
  /** The station prices charges itself by the tariff we give it, and reports its own total at the end. */
  billsItself: boolean;
  /** What a frame is on the wire. */
  frames: 'text' | 'bytes';
  /** The WebSocket subprotocol that its stations offer; null where they do not use WebSocket. */
  subprotocol: string | null;
  /** The form of a station number, beyond the rules for all protocols. */
  stationNumber: RegExp;
  /** A station number has exactly so many digits; null where it is a text. */
  stationNumberDigits: number | null;
  /** The highest number that a gun port can have. */
  connectorNumberMax: number;
  /** `change-availability` reaches a single gun port, or the whole station only. */
  closesSinglePorts: boolean;
  /** The commands that this protocol has. */
  commands: readonly StationCommand['kind'][];
  /** The messages that can be requested, where `trigger-message` is among the commands. */
  triggeredMessages: readonly TriggeredMessage[];
};

export const protocolTraits: Readonly<Record<Protocol, ProtocolTraits>> = {
  'ocpp1.6': {
    chargesNamed: 'at-start',
    hasPassword: true,
    billsItself: false,
    frames: 'text',
    subprotocol: 'ocpp1.6',
    stationNumber: /^.{1,48}$/,
    stationNumberDigits: null,
    connectorNumberMax: 255,
    closesSinglePorts: true,
    commands: [
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
    ],
    triggeredMessages,
  },
  ykc: {
    chargesNamed: 'before-start',
    hasPassword: false,
    billsItself: true,
    frames: 'bytes',
    subprotocol: null,
    /** 桩编号: 14 digits, assigned by the platform (YKC 1.6, section 2.5 of our notes). */
    stationNumber: /^\d{14}$/,
    stationNumberDigits: 14,
    /** Two BCD digits. */
    connectorNumberMax: 99,
    closesSinglePorts: false,
    commands: [
      'start-charge',
      'stop-charge',
      'reset',
      'change-availability',
      'trigger-message',
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
    ],
    /** Live data (0x12, 0x13) contain both. */
    triggeredMessages: ['connector-state', 'readings'],
  },
};
