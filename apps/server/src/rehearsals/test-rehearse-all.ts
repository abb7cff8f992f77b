import { text } from 'node:stream/consumers';
import { billingTypes } from '@voltdeck/charging/states';
import type { UnpricedReason } from '@voltdeck/contract/rehearsals';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import type { Database } from '../database/database.ts';
import { type WrittenRehearsal, writeRehearsal } from './write-rehearsal.ts';

type Charges = { charges: number; amountFen: number };

const ever = { from: '1970-01-01T00:00:00Z', to: '9999-01-01T00:00:00Z' };

/** Rehearses every settled charge of a database: what was settled, and what the rules of the charges give again. */
export async function rehearseAll({
  db,
}: Pick<Database, 'db'>): Promise<{ settled: Charges; again: Charges; unpriced: [UnpricedReason, number][] }> {
  const settled = { charges: 0, amountFen: 0 };
  const again = { charges: 0, amountFen: 0 };
  const unpriced: [UnpricedReason, number][] = [];
  for (const kind of billingTypes) {
    const orders = await db
      .selectFrom('orders')
      .select(['amount_fen', 'tariff'])
      .where('state', '=', 'completed')
      .where('ended_at', 'is not', null)
      .where('billing_type', '=', kind)
      .execute();
    const tariff = orders.find((order) => order.tariff !== null)?.tariff as Tariff | undefined;
    if (tariff === undefined) continue;
    settled.charges += orders.length;
    settled.amountFen += orders.reduce((sum, order) => sum + order.amount_fen, 0);
    const caller = { agents: 'all', customerId: null } as never;
    const written = await text(writeRehearsal(db, { caller, rehearsal: { tariff, filter: ever } }));
    const { result } = JSON.parse(written) as WrittenRehearsal;
    again.charges += result.charges;
    again.amountFen += result.beforeFen;
    for (const { reason, charges } of result.unpriced) unpriced.push([reason, charges]);
  }
  return { settled, again, unpriced };
}
