import { roamingLimits } from '@voltdeck/charging/roaming-charge';
import { pollAfterMs } from '@voltdeck/tcec102/conversation';
import type { PartnerId } from '@voltdeck/units/id';
import { hourMs, instant, secondMs } from '@voltdeck/units/instant';
import { ok } from '@voltdeck/units/result';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { isDatabaseAway } from '../../database/is-database-away.ts';
import { transact } from '../../database/transact.ts';
import { callLimits, PartnerCaller, type PartnerLine } from '../deliver/partner-caller.ts';
import { findPartnerById } from '../partner.ts';
import { cancelRoaming, isRunningRoaming, noteStatus, writeRoaming } from './change-roaming.ts';
import { askStatus, askStop } from './roaming-calls.ts';
import { byId, lockRoaming, type RoamingRow } from './roaming-row.ts';

/** How often silent charges are looked for, and how many are asked for at once. */
const roundMs = 5 * secondMs;
const chargesAtOnce = 40;
/** Of one partner, so that one that is away holds up none of the others. */
const chargesOfPartner = 8;
/** A node that dies leaves a charge to another one after this: a stop and a question, each with its token renewed. */
const leaseMs = 7 * callLimits.timeoutMs;
/** A partner that does not know a charge this often never got its start. */
const unknownsMin = 2;
/** The same of one that it said has begun, and of which nothing was charged. */
const unknownsOfBegunMin = 5;

/**
 * Asks partners about charges of which nothing was heard, until the returned function is called. What was to be stopped
 * is asked to stop again.
 */
export function followRoaming(context: Context<'console'>): () => Promise<void> {
  const calls = new PartnerCaller(context);
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<unknown> = Promise.resolve();
  const run = async () => {
    try {
      await followOnce(context, calls);
    } catch (error) {
      if (!isDatabaseAway(error)) context.log.error({ err: error }, 'partners: charges could not be followed');
    }
    if (!isStopped) timer = setTimeout(start, roundMs);
  };
  const start = () => {
    round = run();
  };
  start();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await round;
  };
}

type Due = Pick<RoamingRow, 'id' | 'sequence' | 'partnerId' | 'portCode' | 'stopAskedAt' | 'state' | 'placedAt'>;

/** One round. @returns how many charges were asked for */
export async function followOnce(
  context: Context<'console'>,
  calls: PartnerCaller = new PartnerCaller(context),
): Promise<number> {
  const { db } = context.database;
  const now = context.now();
  const { rows } = await sql<Due>`
    update roaming_charges set poll_due_at = to_timestamp(${instant(now + leaseMs)} / 1000.0)
     where id in (select id from roaming_charges
                   where poll_due_at <= to_timestamp(${now} / 1000.0)
                     and id in (select id from (
                           select id, poll_due_at, row_number() over (partition by partner_id order by poll_due_at) as n
                             from roaming_charges where poll_due_at <= to_timestamp(${now} / 1000.0)) due
                          where n <= ${chargesOfPartner} order by poll_due_at limit ${chargesAtOnce})
                   for update skip locked)
    returning id, sequence, partner_id as "partnerId", port_code as "portCode", stop_asked_at as "stopAskedAt",
              state, placed_at as "placedAt"`.execute(db);
  const lines = new Map<PartnerId, Promise<PartnerLine | null>>();
  const lineOf = (id: PartnerId) => {
    const open = lines.get(id) ?? findPartnerById(db, id).then((partner) => partner && calls.open(partner));
    lines.set(id, open);
    return open;
  };
  const followed = await Promise.allSettled(
    rows.map(async (due) => {
      const line = await lineOf(due.partnerId);
      if (line !== null) await follow(context, calls, line, due);
    }),
  );
  // A charge that cannot be followed holds up no other; its lease brings it back.
  for (const one of followed) {
    if (one.status === 'rejected' && !isDatabaseAway(one.reason)) {
      context.log.error({ err: one.reason }, 'partners: a charge could not be followed');
    }
  }
  return rows.length;
}

async function follow(context: Context<'console'>, calls: PartnerCaller, line: PartnerLine, due: Due): Promise<void> {
  const startsTooLong = due.state === 'starting' && context.now() - due.placedAt >= roamingLimits.startsWithinMs;
  if ((due.stopAskedAt !== null && due.state === 'charging') || startsTooLong) await askStop(calls, line, due);
  const said = await askStatus(calls, line, due);
  await transact(context.database.db, async (trx) => {
    const now = context.now();
    const charge = await lockRoaming(trx, byId(due.id));
    if (charge === null || !isRunningRoaming(charge)) return ok(null);
    if (said.kind === 'said' && said.value.stage !== 'unknown') {
      const noted = await noteStatus(trx, charge, said.value, now);
      if (noted.state === 'starting' && startsTooLong) await cancelRoaming(trx, noted, 'no_answer', now);
      // A stop that was only wished now is asked for in the next round.
      if (noted.state === 'charging' && due.stopAskedAt !== null) {
        await writeRoaming(trx, noted, { poll_due_at: instant(now + pollAfterMs.start) });
      }
      return ok(null);
    }
    const polls = charge.polls + 1;
    const isUnknown = said.kind === 'unknown' || said.kind === 'said';
    const isNothing = charge.state === 'starting' || charge.energyWh === 0;
    if (isUnknown && isNothing && polls >= (charge.state === 'starting' ? unknownsMin : unknownsOfBegunMin)) {
      await cancelRoaming(trx, charge, 'no_answer', now);
      return ok(null);
    }
    const delayMs = Math.min(pollAfterMs.start * 2 ** Math.min(polls - 1, 10), hourMs, roamingLimits.silentMs);
    await writeRoaming(trx, charge, { polls, poll_due_at: instant(now + delayMs) });
    return ok(null);
  });
}
