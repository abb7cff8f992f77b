import type { PaymentChannelName } from '@voltdeck/contract/payment-channels';
import { billAwaitedDays } from '@voltdeck/contract/reconciliation';
import { dayMs, instant, shanghaiDate } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import { isDatabaseAway } from '../database/is-database-away.ts';
import type { ChannelRoom } from './channel-room.ts';
import { maskFields } from './mask-fields.ts';
import type { BillLine } from './payment-channel.ts';

const rowsAtOnce = 500;
const faultLengthMax = 500;
/** A bill that changes what the database knows about the lines enough to change how they are best compared. */
const linesAnalyzedMin = 2_000;

/**
 * Fetches the bills of past days that are missing, and keeps their lines as they came. What is not there yet, or does
 * not arrive, is left to the next run.
 * @returns how many bills came in.
 */
export async function fetchBills(room: Pick<ChannelRoom, 'db' | 'channels' | 'log' | 'now'>): Promise<number> {
  const { db, channels, log, now } = room;
  const days = Array.from({ length: billAwaitedDays }, (_, index) =>
    shanghaiDate(instant(now() - (index + 1) * dayMs)),
  );
  let fetched = 0;
  for (const [name, channel] of channels) {
    const known = await db
      .selectFrom('channel_bills')
      .select('day')
      .where('channel', '=', name)
      .where('day', 'in', days)
      .where('failure', 'is', null)
      .execute();
    const first = await firstDay(room, name);
    const missing = days.filter((day) => first !== null && day >= first && !known.some((bill) => bill.day === day));
    for (const day of missing) {
      const asked = await channel.downloadBill(day);
      if (asked.outcome !== 'answered') {
        log.warn({ channel: name, day, asked }, 'a bill of a payment channel could not be fetched');
        // Whatever is wrong is wrong with the other days too.
        break;
      }
      if (asked.answer === null) continue;
      const fault = Array.isArray(asked.answer)
        ? await keepUnlessRefused(room, name, day, asked.answer)
        : asked.answer.fault;
      if (fault === null) {
        fetched += 1;
        continue;
      }
      log.error({ channel: name, day, fault }, 'a bill of a payment channel does not agree and was not taken');
      await keepFault(room, name, day, fault);
    }
  }
  return fetched;
}

/** The day of the channel's first payment: before it there is nothing to fetch. */
async function firstDay({ db }: Pick<ChannelRoom, 'db'>, channel: PaymentChannelName): Promise<string | null> {
  const first = await db
    .selectFrom('channel_payments')
    .select('created_at')
    .where('channel', '=', channel)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return first === undefined ? null : shanghaiDate(first.created_at);
}

/** Why the bill was not kept, where it has what the database takes from nobody; null where it was kept. */
async function keepUnlessRefused(
  room: Pick<ChannelRoom, 'db' | 'now'>,
  channel: PaymentChannelName,
  day: string,
  lines: readonly BillLine[],
): Promise<string | null> {
  try {
    await keepBill(room, channel, day, lines);
    return null;
  } catch (error) {
    if (isDatabaseAway(error) || !(error instanceof Error)) throw error;
    return error.message;
  }
}

async function keepBill(
  { db, now }: Pick<ChannelRoom, 'db' | 'now'>,
  channel: PaymentChannelName,
  day: string,
  lines: readonly BillLine[],
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const bill = await trx
      .insertInto('channel_bills')
      .values({ channel, day, lines: lines.length, downloaded_at: now() })
      .onConflict((conflict) =>
        conflict
          .columns(['channel', 'day'])
          .doUpdateSet({ lines: lines.length, downloaded_at: now(), failure: null })
          .where('channel_bills.failure', 'is not', null),
      )
      .returning('day')
      .executeTakeFirst();
    // Another node was faster.
    if (bill === undefined) return;
    for (let index = 0; index < lines.length; index += rowsAtOnce) {
      const rows = lines.slice(index, index + rowsAtOnce).map((line, offset) => ({
        channel,
        day,
        line: index + offset + 1,
        kind: line.kind,
        number: line.number,
        third_party_number: line.thirdPartyNumber,
        amount_fen: line.amountFen,
        fee_fen: line.feeFen,
        at: line.at,
        raw: JSON.stringify(maskFields(line.raw)),
      }));
      await trx.insertInto('channel_bill_lines').values(rows).execute();
    }
    // The comparison follows at once, and would be planned for a table as empty as before.
    if (lines.length >= linesAnalyzedMin) await sql`analyze channel_bill_lines`.execute(trx);
  });
}

/** Why the bill of a day was not taken; the next run fetches it again. */
async function keepFault(
  { db, now }: Pick<ChannelRoom, 'db' | 'now'>,
  channel: PaymentChannelName,
  day: string,
  fault: string,
): Promise<void> {
  // It may quote the bill, and a text in PostgreSQL has no NUL.
  const failure = fault.replaceAll('\0', '').slice(0, faultLengthMax);
  await db
    .insertInto('channel_bills')
    .values({ channel, day, lines: 0, downloaded_at: now(), failure })
    .onConflict((conflict) =>
      conflict
        .columns(['channel', 'day'])
        .doUpdateSet({ downloaded_at: now(), failure })
        .where('channel_bills.failure', 'is not', null),
    )
    .execute();
}
