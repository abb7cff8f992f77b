import type { ApiError } from '@voltdeck/contract/errors';
import type { Result } from '@voltdeck/units/result';
import type { Kysely, Transaction } from 'kysely';
import { isConflict } from './is-database-away.ts';
import type { Tables } from './tables.generated.ts';

export type Trx = Transaction<Tables>;
/** A mutation's work inside its transaction. A refusal rolls everything back. */
export type Work<Answer> = (trx: Trx) => Promise<Result<Answer, ApiError>>;

class Refused extends Error {
  readonly error: ApiError;
  constructor(error: ApiError) {
    super(error.code);
    this.error = error;
  }
}

const attemptsMax = 3;

/**
 * Runs `work` in one transaction: committed when it answers, rolled back when it refuses or throws. After a conflict
 * with another transaction it runs again, so it must have no effect beyond the database.
 */
export async function transact<Answer>(db: Kysely<Tables>, work: Work<Answer>): Promise<Result<Answer, ApiError>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(async (trx) => {
        const result = await work(trx);
        if (!result.ok) throw new Refused(result.error);
        return result;
      });
    } catch (error) {
      if (error instanceof Refused) return { ok: false, error: error.error };
      if (attempt >= attemptsMax || !isConflict(error)) throw error;
    }
  }
}

/** Reads from one snapshot, for figures that stand side by side. */
export const atOneMoment = <Answer>(db: Kysely<Tables>, read: (trx: Trx) => Promise<Answer>): Promise<Answer> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
