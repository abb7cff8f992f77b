import type { Caller } from '@voltdeck/server/caller/caller';
import type { Context } from '@voltdeck/server/context';
import { isDatabaseAway } from '@voltdeck/server/database/is-database-away';
import { transact } from '@voltdeck/server/database/transact';
import { createRecharge } from '@voltdeck/server/payments/create-recharge';
import type { Random } from '@voltdeck/simulator/seeded';
import { secondMs } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { sql } from 'kysely';
import { demoUsers } from './people.ts';

export const topUpLimits = {
  everyMs: 45 * secondMs,
  atOnce: 5,
  /** Below this a card is recharged. */
  belowFen: 2_000,
} as const;
const amountsFen = [10_000, 10_000, 20_000, 30_000] as const;

/** Keeps the cards of live drivers filled until the returned function is called. */
export function keepCardsFilled(context: Context, cardIds: readonly number[], random: Random): () => void {
  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    topUpCards(context, cardIds, random)
      .catch((error: unknown) => {
        const level = isDatabaseAway(error) ? 'warn' : 'error';
        context.log[level]({ error: String(error) }, 'demo: cards were not topped up');
      })
      .finally(() => {
        running = false;
      });
  }, topUpLimits.everyMs);
  return () => clearInterval(timer);
}

/**
 * Recharges cards that have run out and are not charging, by the action behind `POST /api/recharges`, as the finance
 * desk would. Returns how many: `topUpLimits.atOnce` at most.
 */
export async function topUpCards(context: Context, cardIds: readonly number[], random: Random): Promise<number> {
  const caller = await deskCaller(context);
  if (caller === null) return 0;
  const { rows } = await sql<{ number: string }>`
    select c.number from cards c left join ledger_accounts a on a.key = 'card:' || c.id
     where c.id = any (${cardIds}::bigint[]) and c.state = 'active'
       and coalesce(a.balance_fen, 0) < ${topUpLimits.belowFen}
       and not exists (select 1 from orders o where o.card_number = c.number and o.state = 'charging')
     order by c.id limit ${topUpLimits.atOnce}`.execute(context.database.db);
  let filled = 0;
  for (const { number } of rows) {
    const form = { cardNumber: number, amountFen: fen(random.pick(amountsFen)) };
    const recharged = await transact(context.database.db, (trx) => createRecharge(trx, caller, form, context.now()));
    if (recharged.ok) filled += 1;
    else context.log.warn({ card: number, error: recharged.error }, 'demo: a card was not topped up');
  }
  return filled;
}

/** The demo's finance user; null if somebody removed it. */
async function deskCaller({ database }: Context): Promise<Caller | null> {
  const name = demoUsers('', '').find((user) => user.userName === 'finance')?.userName ?? '';
  const user = await database.db
    .selectFrom('users')
    .select(['id', 'user_name'])
    .where('user_name', '=', name)
    .where('enabled', '=', true)
    .executeTakeFirst();
  if (user === undefined) return null;
  return {
    userId: user.id,
    userName: user.user_name,
    admin: false,
    permissions: new Set(['recharge.create']),
    menuCodes: new Set(),
    dataScope: 'platform',
    customerId: null,
    dividerId: null,
    agents: 'all',
    language: 'zh-CN',
    remoteAddress: '127.0.0.1',
  };
}
