import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { Protocol } from '@voltdeck/charging/states';
import { type BulkCommandKind, bulkCommandKinds } from '@voltdeck/charging/station-command';
import { phrase } from '../phrases.ts';
import type { AnyField } from '../ui/form/form-fields.ts';

const onOff = (on: 'stations.worksYes', off: 'stations.worksNo') => ({
  kind: 'radio' as const,
  options: [
    { value: true as unknown as number, label: phrase(on) },
    { value: false as unknown as number, label: phrase(off) },
  ],
});

/** What each command asks for, in the order of its form; a function, since words load with the screen. */
export const commandFields: Readonly<Record<BulkCommandKind, () => Readonly<Record<string, AnyField>>>> = {
  reset: () => ({
    mode: {
      label: 'stations.resetMode',
      word: (mode: 'soft' | 'hard') => phrase(mode === 'soft' ? 'stations.resetSoft' : 'stations.resetHard'),
      hint: ({ mode }: { mode?: string }) =>
        phrase(mode === 'hard' ? 'stations.resetHardHint' : 'stations.resetSoftHint'),
    },
  }),
  'change-availability': () => ({
    available: { label: 'stations.availability', ...onOff('stations.worksYes', 'stations.worksNo') },
  }),
  'trigger-message': () => ({
    message: {
      label: 'stations.messageToTrigger',
      word: (message: 'readings') => phrase(`triggered-message.${message}`),
    },
  }),
  'set-clock': () => ({}),
  'set-tariff': () => ({}),
  'clear-cache': () => ({}),
  'limit-power': () => ({
    available: { label: 'stations.workLimits', ...onOff('stations.worksYes', 'stations.worksNo') },
    maxPowerPercent: { label: 'stations.maxPowerPercent' },
  }),
  'read-configuration': () => ({
    keys: { label: 'stations.configurationKeys', hint: 'stations.configurationKeysHint', requiredIf: () => true },
  }),
  'write-configuration': () => ({
    key: { label: 'stations.configurationKey', kind: 'code' },
    value: { label: 'stations.configurationValue', kind: 'code' },
  }),
  'store-cards': cards,
  'query-cards': cards,
  'clear-cards': cards,
  'transfer-data': () => ({
    vendor: { label: 'stations.transferVendor', kind: 'code' },
    message: { label: 'stations.transferMessage', kind: 'code' },
    data: { label: 'stations.transferData', kind: 'code-lines' },
  }),
  'update-firmware': () => ({
    host: { label: 'stations.ftpHost', kind: 'code', isShort: true },
    port: { label: 'stations.serverPort', isShort: true },
    user: { label: 'stations.ftpUser', kind: 'code', isShort: true, autoComplete: 'off' },
    password: { label: 'stations.password', isShort: true, autoComplete: 'new-password' },
    path: { label: 'stations.ftpPath', kind: 'code' },
    when: {
      label: 'stations.firmwareWhen',
      word: (when: 'now' | 'when_idle') => phrase(`stations.firmware_${when}`),
    },
    timeoutMinutes: { label: 'stations.ftpTimeout' },
  }),
};

function cards(): Readonly<Record<string, AnyField>> {
  return { cardNumbers: { label: 'stations.offlineCards', placeholder: 'stations.cardsPlaceholder' } };
}

/** The values that every form of a command begins with. */
export const commandDefaults = {
  mode: 'soft',
  available: true,
  message: 'connector-state',
  maxPowerPercent: 100,
  port: 21,
  when: 'when_idle',
  timeoutMinutes: 30,
} as const;

/** The commands that at least one of these stations has, in the order in which they are needed. */
export function commandsOf(protocols: readonly Protocol[]): readonly BulkCommandKind[] {
  return bulkCommandKinds.filter((kind) =>
    protocols.some((protocol) => protocolTraits[protocol].commands.includes(kind)),
  );
}

/** What ends charges or keeps stations from charging. */
export function isDisruptive(kind: BulkCommandKind): boolean {
  return kind === 'reset' || kind === 'change-availability' || kind === 'limit-power' || kind === 'update-firmware';
}
