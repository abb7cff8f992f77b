import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Config, addConfig as route } from '@voltdeck/contract/settings';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { audited } from './audited-config.ts';
import { findConfig } from './queries.ts';

/** Adds a parameter. A secret is sealed before it reaches the database. */
export async function addConfig(
  trx: Trx,
  box: SecretBox,
  caller: Caller,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Config, ApiError>> {
  const { name, key, value, remark = '', public: isPublic = false, secret = false } = form;
  if (isPublic && secret) return failed(secretAndPublic);
  const added = await trx
    .insertInto('configs')
    .values({
      name,
      key,
      value: secret ? '' : value,
      sealed: secret ? box.seal(key, value) : null,
      remark,
      public: isPublic,
      secret,
      created_at: at,
      changed_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added === undefined) return failed({ code: 'config.key_taken', params: { key } });
  const after = audited({ name, key, value, remark, public: isPublic, secret });
  await audit(trx, caller, at, { action: 'config.create', recordKind: 'config', recordId: added.id, after });
  return found(await findConfig(trx, box, added.id, caller.language));
}

export const secretAndPublic: ApiError = { code: 'request.invalid', fields: [{ path: 'public', code: 'invalid' }] };
