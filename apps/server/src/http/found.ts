import type { ApiError } from '@voltdeck/contract/errors';
import { failed, ok, type Result } from '@voltdeck/units/result';

/** The record, or one refusal for both "does not exist" and "is not yours to see". */
export function found<Row>(row: Row | null | undefined): Result<Row, ApiError> {
  return row === null || row === undefined ? failed({ code: 'record.not_found' }) : ok(row);
}
