/** SQLSTATE classes and codes that say "not now" rather than "not so" (PostgreSQL documentation, appendix A). */
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

/** Whether the same work may succeed later: the database is away, starting, full, or another transaction was in the way. */
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

/** What was decided upon has changed since it was read: the same work, begun again, reads it anew. */
export class TransactionConflict extends Error {
  readonly code = '40001';
}

/** What two transactions that read the same break, where the second would have decided otherwise had it read later. */
const racedConstraints: ReadonlySet<string> = new Set([
  // Money that was there when it was read and is spent by now.
  'ledger_accounts_floor',
  // The same start on two sockets, or two starts on one gun port.
  'orders_start_key_key',
  'orders_connector_charging',
]);

/** Whether another transaction was in the way, so that the same work, begun again at once, is likely to succeed. */
export function isConflict(error: unknown): boolean {
  if (error instanceof Error && 'constraint' in error && typeof error.constraint === 'string') {
    if (racedConstraints.has(error.constraint)) return true;
  }
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && conflictCodes.has(error.code);
}

/** Whether a statement took longer than it may (PostgreSQL: query_canceled). */
export function isOutOfTime(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014';
}
