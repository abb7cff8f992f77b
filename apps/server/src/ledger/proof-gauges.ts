import type { Instant } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import { Gauge } from 'prom-client';
import type { Tables } from '../database/tables.generated.ts';
import { behind, provenTo } from './record-proofs.ts';

/** For alarms about the proof of the books. They have no value while the database is away. */
export function proofGauges(db: Kysely<Tables>, now: () => Instant): Gauge[] {
  return [
    gauge('voltdeck_ledger_differences', 'Accounts whose balance is not what their postings add up to', async () => {
      const { rows } = await sql<{ differences: number }>`
        select count(*)::int as differences from ledger_differences`.execute(db);
      return rows[0]?.differences;
    }),
    gauge(
      'voltdeck_ledger_proven_seconds_ago',
      'Seconds since the last proof that reached every transfer',
      async () => {
        const { rows } = await sql<{ at: Instant }>`
        select began_at as at from ledger_proof_runs where outcome = 'compared'
         order by began_at desc, id desc limit 1`.execute(db);
        return rows[0] === undefined ? undefined : Math.max(0, now() - rows[0].at) / 1000;
      },
    ),
    gauge('voltdeck_ledger_transfers_behind', 'Transfers that no proof has read yet, up to a million', async () => {
      const { rows } = await behind(await provenTo(db)).execute(db);
      return rows[0]?.behind;
    }),
  ];
}

function gauge(name: string, help: string, read: () => Promise<number | undefined>): Gauge {
  return new Gauge({
    name,
    help,
    registers: [],
    async collect() {
      this.set((await read().catch(() => undefined)) ?? Number.NaN);
    },
  });
}
