import { type Kysely, sql } from 'kysely';
import { Gauge } from 'prom-client';
import type { Tables } from '../database/tables.generated.ts';

/** For an alarm: accounts whose balance differs from the sum of their postings. No value while the database is away. */
export function differencesGauge(db: Kysely<Tables>): Gauge {
  return new Gauge({
    name: 'voltdeck_ledger_differences',
    help: 'Accounts whose balance is not what their postings add up to',
    registers: [],
    async collect() {
      const counted = sql<{ differences: number }>`select count(*)::int as differences from ledger_differences`;
      const found = await counted.execute(db).catch(() => null);
      this.set(found?.rows[0]?.differences ?? Number.NaN);
    },
  });
}
