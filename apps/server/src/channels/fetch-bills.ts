import type { PaymentChannelName } from '@voltdeck/contract/payment-channels';
import { dayMs, instant, shanghaiDate } from '@voltdeck/units/instant';
import type { ChannelRoom } from './channel-room.ts';
import { maskFields } from './mask-fields.ts';
import type { BillLine } from './payment-channel.ts';

/** How many past days are looked after: a holiday week without a server, and a day on which a channel was late. */
const daysLookedBack = 10;
const rowsAtOnce = 500;
const faultLengthMax = 500;

/**
 * Fetches the bills of past days that are missing, and keeps their lines as they came. What is not there yet, or does
 * not arrive, is left to the next run.
 * @returns how many bills came in.
 */
export async function fetchBills(room: Pick<ChannelRoom, 'db' | 'channels' | 'log' | 'now'>): Promise<number> {
  const { db, channels, log, now } = room;
  const days = Array.from({ length: daysLookedBack }, (_, index) => shanghaiDate(instant(now() - (index + 1) * dayMs)));
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
      if (!Array.isArray(asked.answer)) {
        const { fault } = asked.answer;
        log.error({ channel: name, day, fault }, 'a bill of a payment channel does not agree and was not taken');
        await keepFault(room, name, day, fault);
        continue;
      }
      await keepBill(room, name, day, asked.answer);
      fetched += 1;
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
  });
}

/** Why the bill of a day was not taken; the next run fetches it again. */
async function keepFault(
  { db, now }: Pick<ChannelRoom, 'db' | 'now'>,
  channel: PaymentChannelName,
  day: string,
  fault: string,
): Promise<void> {
  const failure = fault.slice(0, faultLengthMax);
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
