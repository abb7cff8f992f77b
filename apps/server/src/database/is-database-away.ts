/** SQLSTATE classes and codes that mean "not now" rather than "never" (PostgreSQL documentation, appendix A). */
const awayClasses = ['08', '53', '57', '58'];
const awayCodes = new Set(['25006', '55P03']);
const conflictCodes = new Set(['40001', '40P01']);
const socketErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENOENT',
]);

/**
 * Whether the same work may succeed later: the database is away, starting or full, or another transaction interfered.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  if (code !== null && code.length === 5) {
    return awayCodes.has(code) || conflictCodes.has(code) || awayClasses.includes(code.slice(0, 2));
  }
  if (code !== null && socketErrors.has(code)) return true;
  return /Connection terminated|connection timeout|timeout exceeded when trying to connect|Cannot use a pool after|driver has already been destroyed/i.test(
    error.message,
  );
}

/** The facts behind a decision have changed since they were read; the same work, run again, reads them afresh. */
export class TransactionConflict extends Error {
  readonly code = '40001';
}

/**
 * Constraints that fail when two transactions read the same facts and the second would have decided otherwise later.
 */
const racedConstraints: ReadonlySet<string> = new Set([
  // Money that was available when it was read has been spent since.
  'ledger_accounts_floor',
  // The same start on two sockets, or two starts on one gun port.
  'orders_start_key_key',
  'orders_connector_charging',
]);

/** Whether another transaction interfered, so that the same work is likely to succeed when it is run again at once. */
export function isConflict(error: unknown): boolean {
  if (error instanceof Error && 'constraint' in error && typeof error.constraint === 'string') {
    if (racedConstraints.has(error.constraint)) return true;
  }
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && conflictCodes.has(error.code);
}

/** Whether a statement exceeded its timeout (PostgreSQL: query_canceled). */
export function isOutOfTime(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014';
}

/**
 * Until when the sums of statements reach, like "2026-11-28 09:30" in China, where they are too far behind for what was
 * read; null for any other error.
 */
export function sumsReach(error: unknown): string | null {
  if (!(error instanceof Error && 'code' in error && error.code === 'VS001')) return null;
  return 'detail' in error && typeof error.detail === 'string' ? error.detail : '';
}
