import { dayMs, type Instant, instant } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import { keptDays } from '../database/kept-days.ts';
import type { Tables } from '../database/tables.generated.ts';
import { idempotencyKeptMs } from '../http/idempotency.ts';

/** Partitions reach back as far as offline stations deliver, and ahead further than a server is likely to be down. */
const readingsSpan = { backDays: 90, aheadDays: 14 } as const;
const logsSpan = { backDays: 1, aheadDays: 7 } as const;
const auditSpan = { backDays: 1, aheadDays: 14 } as const;

/** Makes the partitions that do not exist yet. @returns how many were made. */
export async function makeTimePartitions(db: Kysely<Tables>, now: Instant): Promise<number> {
  const { rows } = await sql<{ made: number }>`
    select make_partitions('readings', interval '7 days', ${at(now, -readingsSpan.backDays)}, ${at(now, readingsSpan.aheadDays)})
         + make_partitions('charge_notes', interval '7 days', ${at(now, -logsSpan.backDays)}, ${at(now, readingsSpan.aheadDays)})
         + make_partitions('interaction_logs', interval '1 day', ${at(now, -logsSpan.backDays)}, ${at(now, logsSpan.aheadDays)})
         + make_partitions('audit_entries', interval '7 days', ${at(now, -auditSpan.backDays)}, ${at(now, auditSpan.aheadDays)})
        as made`.execute(db);
  return rows[0]?.made ?? 0;
}

/** Drops what is older than it is kept: whole partitions where there are any, rows elsewhere. */
export async function forgetOldRecords(db: Kysely<Tables>, now: Instant): Promise<void> {
  await sql`select drop_old_partitions('readings', ${at(now, -keptDays.readings)}),
                   drop_old_partitions('charge_notes', ${at(now, -keptDays.readings)}),
                   drop_old_partitions('interaction_logs', ${at(now, -keptDays.interactionLogs)}),
                   drop_old_partitions('audit_entries', ${at(now, -keptDays.auditEntries)})`.execute(db);
  await db
    .deleteFrom('interaction_logs_stray' as 'interaction_logs')
    .where('at', '<', before(now, keptDays.interactionLogs))
    .execute();
  await db
    .deleteFrom('charge_notes_stray' as 'charge_notes')
    .where('at', '<', before(now, keptDays.readings))
    .execute();
  await db
    .deleteFrom('readings_stray' as 'readings')
    .where('at', '<', before(now, keptDays.readings))
    .execute();
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', instant(now - idempotencyKeptMs))
    .execute();
  const sessionsBefore = before(now, keptDays.endedSessions);
  await db
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('ended_at', '<', sessionsBefore), eb('expires_at', '<', sessionsBefore)]))
    .execute();
  // The bytes go with the sweep of what no row names (sweep-files.ts).
  await db
    .deleteFrom('files')
    .where('purpose', '=', 'task')
    .where('created_at', '<', before(now, keptDays.taskFiles))
    .execute();
  await db.deleteFrom('tasks').where('created_at', '<', before(now, keptDays.tasks)).execute();
  await db.deleteFrom('sign_ins').where('at', '<', before(now, keptDays.signIns)).execute();
  await db.deleteFrom('captchas').where('expires_at', '<', now).execute();
  await db.deleteFrom('sms_codes').where('sent_at', '<', before(now, keptDays.smsCodes)).execute();
  await db.deleteFrom('unknown_stations').where('last_seen_at', '<', before(now, keptDays.unknownStations)).execute();
  await db.deleteFrom('login_failures').where('last_failed_at', '<', before(now, keptDays.loginFailures)).execute();
}

function before(now: Instant, days: number): Instant {
  return instant(now - days * dayMs);
}

function at(now: Instant, days: number) {
  return sql`to_timestamp(${instant(now + days * dayMs)} / 1000.0)`;
}
