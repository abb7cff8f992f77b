import type { Kysely } from 'kysely';
import { type Parameter, readParameter } from '../database/parameter.ts';
import type { Tables } from '../database/tables.generated.ts';

/** The parameter with our own organization code: characters 9 to 17 of the unified social credit code. */
export const ownOperatorIdKey = 'own_operator_id';

const code = /^[0-9A-Z]{9}$/;
const normal = (text: string) => text.trim().toUpperCase();

/** Empty until somebody entered it. */
export const ownOperatorId: Parameter<string | null, typeof ownOperatorIdKey> = {
  key: ownOperatorIdKey,
  defaultValue: null,
  isUsable: (text) => text.trim() === '' || code.test(normal(text)),
  read: (text) => normal(text) || null,
};

/** Null until somebody entered it: nothing can be exchanged before. */
export function readOwnCode(db: Kysely<Tables>): Promise<string | null> {
  return readParameter(db, ownOperatorId);
}
