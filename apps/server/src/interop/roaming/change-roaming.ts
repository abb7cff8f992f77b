/** Every write to a running roaming charge goes through this file; each takes it locked. */

import { moneyLimits } from '@voltdeck/charging/charge/decide-authorization';
import type { PartnerChargeStatus } from '@voltdeck/charging/partner-charge';
import {
  believedSoFar,
  decideRoamingHold,
  openRoamingStates,
  roamingLimits,
  runningRoamingStates,
  stateAfterStage,
} from '@voltdeck/charging/roaming-charge';
import type { roamingRefusals } from '@voltdeck/contract/roaming';
import { takeFrom, totalOf } from '@voltdeck/ledger/parts';
import { roamingHoldTransfer, voidRoamingHoldTransfer } from '@voltdeck/ledger/roaming';
import { pollDueAt } from '@voltdeck/tcec102/conversation';
import { type Instant, instant } from '@voltdeck/units/instant';
import { addFen, type Fen, fen, subtractFen, zeroFen } from '@voltdeck/units/money';
import type { Updateable } from 'kysely';
import type { RoamingChargesTable } from '../../database/tables.generated.ts';
import type { Trx } from '../../database/transact.ts';
import { postTransfer } from '../../ledger/post-transfer.ts';
import { lockParts } from '../../ledger/wallet-parts.ts';
import { soundTransfer } from '../../orders/hold-money.ts';
import { tellWalletLater } from '../../orders/tell-balance.ts';
import { heldOf, type RoamingRow, walletOfRoaming } from './roaming-row.ts';

export type RoamingRefusal = (typeof roamingRefusals)[number];

export const isOpenRoaming = ({ state }: RoamingRow) => openRoamingStates.some((open) => open === state);
export const isRunningRoaming = ({ state }: RoamingRow) => runningRoamingStates.some((running) => running === state);

export async function writeRoaming(trx: Trx, charge: RoamingRow, set: Updateable<RoamingChargesTable>): Promise<void> {
  await trx.updateTable('roaming_charges').set(set).where('id', '=', charge.id).execute();
}

/** Holds up to `upToFen` more. @returns what is held then */
export async function holdMore(trx: Trx, charge: RoamingRow, upToFen: Fen, at: Instant): Promise<RoamingRow> {
  const wallet = walletOfRoaming(charge);
  const held = takeFrom(await lockParts(trx, wallet), upToFen);
  if (totalOf(held) <= 0) return charge;
  const number = charge.holds + 1;
  await postTransfer(trx, soundTransfer(roamingHoldTransfer({ chargeId: charge.id, wallet, held, number })), at);
  await tellWalletLater(trx, wallet);
  const heldFen = addFen(charge.heldFen, totalOf(held));
  const heldGiftFen = addFen(charge.heldGiftFen, held.giftFen);
  await writeRoaming(trx, charge, { held_fen: heldFen, held_gift_fen: heldGiftFen, holds: number });
  return { ...charge, heldFen, heldGiftFen, holds: number };
}

/** The charge never began: its hold goes back. */
export async function cancelRoaming(
  trx: Trx,
  charge: RoamingRow,
  refusal: RoamingRefusal,
  at: Instant,
): Promise<RoamingRow> {
  const held = heldOf(charge);
  if (totalOf(held) > 0) {
    const wallet = walletOfRoaming(charge);
    const release = { chargeId: charge.id, number: charge.holds, wallet, held };
    await postTransfer(trx, soundTransfer(voidRoamingHoldTransfer(release)), at);
    await tellWalletLater(trx, wallet);
  }
  await writeRoaming(trx, charge, {
    state: 'cancelled',
    refusal,
    held_fen: zeroFen,
    held_gift_fen: zeroFen,
    poll_due_at: null,
    ended_at: at,
  });
  return { ...charge, state: 'cancelled', heldFen: zeroFen, heldGiftFen: zeroFen };
}

/**
 * The partner says that it has begun. One that was given up after a silence runs in truth: money is held again, as far as
 * there is any, and the partner is asked to stop. What it refused itself, what was given up long ago, and what has its
 * bill, over nothing, stays as it is; another bill of it waits for a person.
 */
export async function beginRoaming(trx: Trx, charge: RoamingRow, startedAt: Instant, at: Instant): Promise<RoamingRow> {
  const wasGivenUp =
    charge.state === 'cancelled' &&
    charge.refusal === 'no_answer' &&
    charge.bill === null &&
    at - charge.placedAt < roamingLimits.revivedWithinMs;
  if (charge.state !== 'starting' && !wasGivenUp) return charge;
  await writeRoaming(trx, charge, {
    state: 'charging',
    started_at: startedAt,
    heard_at: at,
    refusal: null,
    ended_at: null,
    polls: 0,
    // Due at once, where it is to be stopped.
    poll_due_at: wasGivenUp || charge.stopAskedAt !== null ? at : pollDueAt({ startedAt: at, heardAt: at }),
    ...(wasGivenUp && { stop_asked_at: at }),
  });
  const begun: RoamingRow = { ...charge, state: 'charging', startedAt, heardAt: at, polls: 0 };
  if (!wasGivenUp) return begun;
  return holdMore(trx, { ...begun, stopAskedAt: at }, moneyLimits.holdStepFen, at);
}

/**
 * What the partner says of a running charge. Messages may overtake each other: a charge only goes on, and its energy and
 * fees only grow.
 */
export async function noteStatus(
  trx: Trx,
  charge: RoamingRow,
  status: PartnerChargeStatus,
  at: Instant,
): Promise<RoamingRow> {
  const isBegun = status.stage === 'charging' || status.stage === 'stopping';
  const begun =
    isBegun && (charge.state === 'starting' || charge.state === 'cancelled')
      ? await beginRoaming(trx, charge, status.startedAt ?? at, at)
      : charge;
  if (!isRunningRoaming(begun)) return begun;
  if (begun.state === 'starting' && status.stage === 'ended' && status.energyWh === 0) {
    return cancelRoaming(trx, begun, 'other', at);
  }
  const { reading } = status;
  const believed = status.energyWh >= begun.energyWh ? believedSoFar(begun, status, at) : null;
  const isNewest = believed !== null;
  const heard: RoamingRow = {
    ...begun,
    heardAt: at,
    ...(isNewest && { ...believed, energyWh: status.energyWh, heardWh: status.energyWh }),
  };
  const soc = reading.socPercent ?? null;
  await writeRoaming(trx, begun, {
    heard_at: at,
    polls: 0,
    poll_due_at: nextPoll(begun, at),
    ...(isNewest && {
      energy_wh: heard.energyWh,
      heard_wh: heard.energyWh,
      electricity_fee_fen: heard.electricityFeeFen,
      service_fee_fen: heard.serviceFeeFen,
      amount_fen: addFen(heard.electricityFeeFen, heard.serviceFeeFen),
      ...(soc !== null && {
        soc_end_percent: Math.round(soc),
        soc_begin_percent: begun.socBeginPercent ?? Math.round(soc),
      }),
    }),
  });
  const next = stateAfterStage(heard.state, status.stage);
  if (next === 'settling') return endRoaming(trx, heard, reading.at, at);
  // It ended before anybody heard that it had begun.
  if (status.stage === 'ended') {
    return endRoaming(trx, await beginRoaming(trx, heard, status.startedAt ?? at, at), reading.at, at);
  }
  return heard.state === 'charging' ? keepHeld(trx, heard, at) : heard;
}

/** A stop that was asked for has its own time; a start that takes too long is looked at in time. */
function nextPoll({ state, stopAskedAt, placedAt }: RoamingRow, at: Instant): Instant | undefined {
  const dueAt = pollDueAt({ startedAt: at, heardAt: at });
  switch (state) {
    case 'charging':
      return stopAskedAt === null ? dueAt : undefined;
    case 'starting':
      return instant(Math.min(dueAt, placedAt + roamingLimits.startsWithinMs));
    default:
      return dueAt;
  }
}

/** It ended; its bill is awaited. */
export async function endRoaming(trx: Trx, charge: RoamingRow, endedAt: Instant, at: Instant): Promise<RoamingRow> {
  if (charge.state !== 'charging') return charge;
  await writeRoaming(trx, charge, { state: 'settling', ended_at: endedAt, heard_at: at, poll_due_at: null });
  return { ...charge, state: 'settling' };
}

/** Holds more before the hold is used up; where nothing is left, or after a week, the partner is asked to stop. */
async function keepHeld(trx: Trx, charge: RoamingRow, at: Instant): Promise<RoamingRow> {
  if (at - charge.placedAt >= roamingLimits.lastsMaxMs && charge.stopAskedAt === null)
    return askToStop(trx, charge, at);
  const feeFen = addFen(charge.electricityFeeFen, charge.serviceFeeFen);
  const isLow = subtractFen(charge.heldFen, feeFen) < roamingLimits.extendBelowFen;
  if (!isLow) return charge;
  const availableFen = totalOf(await lockParts(trx, walletOfRoaming(charge)));
  const known = { heldFen: charge.heldFen, feeFen, isStopAsked: charge.stopAskedAt !== null };
  const decision = decideRoamingHold({ ...known, availableFen });
  const upToFen = fen(Math.max(moneyLimits.holdStepFen, feeFen - charge.heldFen));
  const held = decision === 'extend' ? await holdMore(trx, charge, upToFen, at) : charge;
  const mustStop =
    decision === 'stop' || decideRoamingHold({ ...known, heldFen: held.heldFen, availableFen: zeroFen }) === 'stop';
  return mustStop ? askToStop(trx, held, at) : held;
}

/** The partner is asked in the next round of `followRoaming`. */
async function askToStop(trx: Trx, charge: RoamingRow, at: Instant): Promise<RoamingRow> {
  await writeRoaming(trx, charge, { stop_asked_at: at, poll_due_at: at });
  return { ...charge, stopAskedAt: at };
}
