/** What a connection remembers of its pile's gun ports between frames. */
import type { CommandOutcome } from '@voltdeck/charging/station-command';
import type { MessageOf, PileMessage } from './messages/all.ts';
import { connectorNumberOf, type GunMemory, isChargingNow, liveSign } from './translate.ts';
import type { OutgoingCall } from './translate-commands.ts';

export type GunsHolder = { guns: GunMemory[] };

export function gunOf({ guns }: GunsHolder, connectorNumber: number): GunMemory {
  const known = guns.find((gun) => gun.connectorNumber === connectorNumber);
  if (known !== undefined) return known;
  const gun: GunMemory = { connectorNumber, told: null, isCharging: false, begun: null, awaitsPlug: null };
  guns.push(gun);
  return gun;
}

/** Call this only with what the business has taken. */
export function rememberLive(holder: GunsHolder, message: MessageOf<'realtime-data'>): GunMemory {
  const gun = gunOf(holder, connectorNumberOf(message));
  gun.told = liveSign(message);
  gun.isCharging = isChargingNow(message);
  return gun;
}

/** The pile has replied to a start; an accepted charge counts as running until the next live data. */
export function rememberStart(
  holder: GunsHolder,
  { connectorNumber, transaction }: NonNullable<OutgoingCall['startOf']>,
  outcome: CommandOutcome,
): void {
  const gun = gunOf(holder, connectorNumber);
  gun.awaitsPlug = outcome.kind === 'scheduled' ? transaction : null;
  if (outcome.kind === 'accepted') gun.isCharging = true;
}

/** The cable was plugged in after all: the second reply to the same start (section 3.3, rule 3). */
export function isLateStart({ guns }: GunsHolder, message: PileMessage | null): boolean {
  if (message?.kind !== 'remote-start-reply' && message?.kind !== 'remote-parallel-start-reply') return false;
  return guns.some(
    ({ connectorNumber, awaitsPlug }) => connectorNumber === message.gunNo && awaitsPlug === message.tradeNo,
  );
}
