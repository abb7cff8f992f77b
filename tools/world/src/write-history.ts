import { setTimeout as wait } from 'node:timers/promises';
import { type AccountKey, heldAccount, keyOf, parseAccountKey } from '@voltdeck/ledger/account';
import { rechargeTransfer } from '@voltdeck/ledger/recharge';
import { CopyRows } from '@voltdeck/server/database/copy-rows';
import { createPool } from '@voltdeck/server/database/pool';
import { soundTransfer } from '@voltdeck/server/orders/hold-money';
import { dayMs, instant, shanghaiDate } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import type pg from 'pg';
import { bookTransfers, type Overdraft } from './book-transfers.ts';
import { copyInto } from './copy-into.ts';
import { buildPeople } from './customers.ts';
import { buildNetwork, historyDays } from './network.ts';
import { copyStatements, type DeskUsers, rowsOfOrders } from './order-rows.ts';
import { type BookedTransfer, transferOfRecharge, transfersOfOrder } from './order-transfers.ts';
import { type History, planHistory } from './plan-history.ts';
import { copyMovements, movementsOf, type WalletMovements } from './wallet-movements.ts';
import { readMark, type WorldMark, worldVersion, writeMark } from './world-mark.ts';
import { rechargeNumber } from './write-network.ts';
import { writePower } from './write-power.ts';

export type HistoryNews =
  | { kind: 'planned'; orders: number; recharges: number; tookMs: number }
  | { kind: 'written'; date: string; daysLeft: number; orders: number; readings: number }
  | { kind: 'done'; orders: number; tookMs: number }
  /** Nothing to do: no network, already complete, or being written by another process. */
  | { kind: 'nothing'; because: 'no-world' | 'whole' | 'elsewhere' | 'other-version' };

/** A day with its orders, readings and transfers takes a second or two on a slow disk. */
const statementTimeoutMs = 120_000;
/** The last day and the one that runs: the curve of power goes back 24 hours. */
const daysOfPower = 1;
const historyLock = 0x68697374;
const turnWaitMs = 500;
const turnTriesMax = 240;

/**
 * Writes the missing part of the demo network's history: all recharges, then day by day from newest to oldest, each day
 * in one transaction with the mark that records it. If killed, it resumes with the next day: ids follow from the plan,
 * so no order can be written twice.
 */
export async function writeHistory(
  databaseUrl: string,
  options: { tell(news: HistoryNews): void; isStopping(): boolean; plan?: (mark: WorldMark) => History },
): Promise<void> {
  const startedAt = performance.now();
  const pool = createPool(databaseUrl, { connectionsMax: 1, statementTimeoutMs, applicationName: 'voltdeck demo' });
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const isMine = await takeTurn(client, options.isStopping);
    const mark = await readMark(client);
    const nothing = reasonForNothing(mark, isMine);
    if (mark === null || nothing !== null) {
      options.tell({ kind: 'nothing', because: nothing ?? 'no-world' });
      return;
    }
    const history = (options.plan ?? planOf)(mark);
    options.tell({
      kind: 'planned',
      orders: history.orders.length,
      recharges: history.recharges.length,
      tookMs: performance.now() - startedAt,
    });
    const desk = await deskUsers(client);
    const movements = movementsOf(history, mark.bases);
    let state = mark;
    if (!state.hasRecharges) {
      state = { ...state, hasRecharges: true };
      await inTransaction(client, () => writeRecharges(client, history, movements, desk, state));
    }
    while (state.daysLeft > 0 && !options.isStopping()) {
      const day = state.daysLeft - 1;
      state = { ...state, daysLeft: day };
      const written = await inTransaction(client, async () => {
        const rows = await writeDay(client, history, movements, day, desk, state);
        if (historyDays - day === daysOfPower) await writePower(client, mark.now);
        return rows;
      });
      const date = shanghaiDate(instant(mark.now - (historyDays - day) * dayMs));
      options.tell({ kind: 'written', date, daysLeft: day, ...written });
    }
    if (state.daysLeft > 0) return;
    // Without this the planner guesses the number of rows until the next autovacuum.
    await client.query(
      'analyze orders, order_lines, ledger_transfers, ledger_postings, ledger_accounts, movements, readings',
    );
    options.tell({ kind: 'done', orders: history.orders.length, tookMs: performance.now() - startedAt });
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(broken ?? true);
    await pool.end();
  }
}

export function planOf({ seed, now, bases }: WorldMark): History {
  const network = buildNetwork(seed, now);
  return planHistory(network, buildPeople(network), bases);
}

/** One process writes at a time. Another may be writing now, or was killed and its connection lingers. */
async function takeTurn(client: pg.ClientBase, isStopping: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < turnTriesMax && !isStopping(); tries += 1) {
    if (tries > 0) await wait(turnWaitMs);
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [historyLock]);
    if (rows[0]?.taken === true) return true;
  }
  return false;
}

function reasonForNothing(mark: WorldMark | null, isMine: boolean) {
  if (mark === null) return 'no-world';
  if (mark.hasRecharges && mark.daysLeft === 0) return 'whole';
  if (mark.version !== worldVersion) return 'other-version';
  return isMine ? null : 'elsewhere';
}

async function inTransaction<Answer>(client: pg.PoolClient, work: () => Promise<Answer>): Promise<Answer> {
  await client.query('begin');
  const answer = await work();
  await client.query('commit');
  return answer;
}

async function deskUsers(client: pg.ClientBase): Promise<DeskUsers> {
  const { rows } = await client.query<{ id: number; user_name: string }>(
    `select id, user_name from users where user_name in ('finance', 'ops') or admin order by admin, id`,
  );
  // Somebody may have removed a demo user: the administrator always exists.
  const find = (name: string) => rows.find((user) => user.user_name === name) ?? rows.at(-1);
  const finance = find('finance');
  const operations = find('ops');
  if (finance === undefined || operations === undefined) throw new Error('there is no user at all');
  return {
    finance: { id: finance.id, userName: finance.user_name },
    operations: { id: operations.id, userName: operations.user_name },
  };
}

async function writeRecharges(
  client: pg.ClientBase,
  history: History,
  movements: WalletMovements,
  desk: DeskUsers,
  mark: WorldMark,
): Promise<void> {
  const rows = new CopyRows(history.recharges.length * 120);
  for (const { id, purse, amountFen, balanceBeforeFen, channel, at } of history.recharges) {
    rows.row(10);
    rows.bigint(id);
    rows.text(rechargeNumber(at, id));
    rows.bigint(purse.card?.id);
    rows.bigint(purse.card === null ? purse.customer?.id : null);
    rows.bigint(amountFen);
    rows.bigint(balanceBeforeFen);
    rows.bigint(balanceBeforeFen + amountFen);
    rows.bigint(channel === 'back-office' ? desk.finance.id : null);
    rows.text(channel);
    rows.instant(at);
  }
  await copyInto(
    client,
    `copy recharges (id, number, card_id, customer_id, amount_fen, balance_before_fen, balance_after_fen, user_id,
       channel, created_at) from stdin (format binary)`,
    rows,
  );
  await bookTransfers(client, history.recharges.map(transferOfRecharge));
  await copyMovements(client, movements, history.recharges, desk.finance.id);
  await writeMark(client, mark);
}

/** Rows first, accounts last: live charges wait for locked accounts only briefly. */
async function writeDay(
  client: pg.ClientBase,
  history: History,
  movements: WalletMovements,
  day: number,
  desk: DeskUsers,
  mark: WorldMark,
): Promise<{ orders: number; readings: number }> {
  const span = history.days[day];
  const orders = span === undefined ? [] : history.orders.slice(span.from, span.to);
  const rows = rowsOfOrders(orders, mark.bases, desk);
  await copyInto(client, copyStatements.orders, rows.orders);
  await copyInto(client, copyStatements.lines, rows.lines);
  await copyInto(client, copyStatements.flags, rows.flags);
  await copyInto(client, copyStatements.refunds, rows.refunds);
  await copyInto(client, copyStatements.readings, rows.readings);
  await bookTransfers(client, orders.flatMap(transfersOfOrder), (overdrafts) => rescue(client, overdrafts, mark));
  await copyMovements(client, movements, orders, desk.finance.id);
  const stations = [...rows.energyWhByStation.keys()].sort((a, b) => a - b);
  await client.query('select id from stations where id = any ($1::bigint[]) order by id for no key update', [stations]);
  await client.query(
    `update stations s set total_energy_wh = s.total_energy_wh + e.energy_wh
       from unnest($1::bigint[], $2::bigint[]) as e (id, energy_wh) where s.id = e.id`,
    [stations, stations.map((id) => rows.energyWhByStation.get(id))],
  );
  await writeMark(client, mark);
  return { orders: orders.length, readings: rows.readings.rows };
}

/**
 * Somebody has spent money of a wallet whose older charges were not written yet. It is replaced by a recharge, posted
 * like any other, so that the history can go on.
 */
async function rescue(
  client: pg.ClientBase,
  overdrafts: readonly Overdraft[],
  mark: WorldMark,
): Promise<BookedTransfer[]> {
  const booked: BookedTransfer[] = [];
  for (const { account, missingFen } of overdrafts) {
    const wallet = walletOf(account);
    const amountFen = fen(Math.ceil(missingFen / 5_000) * 5_000);
    const { rows } = await client.query<{ id: number; number: string; transfer: number }>(
      `insert into recharges (number, card_id, customer_id, amount_fen, balance_before_fen, balance_after_fen, created_at)
       select 'R' || to_char($5::timestamptz at time zone 'Asia/Shanghai', 'YYYYMMDD')
                  || lpad((nextval('order_numbers') % 1000000000000)::text, 12, '0'),
              $1, $2, $3, coalesce(a.balance_fen, 0), coalesce(a.balance_fen, 0) + $3, $5
         from (select 1) one left join ledger_accounts a on a.key = $4
       returning id, number, nextval(pg_get_serial_sequence('ledger_transfers', 'id'))::bigint as transfer`,
      [
        wallet.kind === 'card' ? wallet.owner : null,
        wallet.kind === 'customer' ? wallet.owner : null,
        amountFen,
        account,
        new Date(mark.now),
      ],
    );
    const { id = 0, number = '', transfer = 0 } = rows[0] ?? {};
    await client.query(
      `insert into movements (transfer_id, number, type, card_id, customer_id, paid_fen, gift_fen, paid_after_fen,
                              gift_after_fen, recharge_id, channel, created_at)
       select $1, $2, 'system_recharge', $3, $4, $5::bigint, 0, $5::bigint + coalesce(sum(balance_fen), 0), 0, $6, 'back-office', $7
         from ledger_accounts where key in ($8, $9)`,
      [
        transfer,
        number,
        wallet.kind === 'card' ? wallet.owner : null,
        wallet.kind === 'customer' ? wallet.owner : null,
        amountFen,
        id,
        new Date(mark.now),
        account,
        keyOf(heldAccount(wallet)),
      ],
    );
    booked.push({
      id: transfer,
      at: mark.now,
      transfer: soundTransfer(rechargeTransfer({ id, channel: 'back-office', wallet, amountFen })),
    });
  }
  return booked;
}

function walletOf(account: AccountKey) {
  const parsed = parseAccountKey(account);
  if (parsed?.kind !== 'card' && parsed?.kind !== 'customer') throw new Error(`${account} would be below zero`);
  return parsed;
}
