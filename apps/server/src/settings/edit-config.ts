import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Config, editConfig as route } from '@voltdeck/contract/settings';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { nameAfter } from '../http/shown-name.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { secretAndPublic } from './add-config.ts';
import { audited } from './audited-config.ts';
import { builtInConfigs } from './built-in-configs.ts';
import { findConfig } from './queries.ts';

/** Changes a parameter. Omitted fields stay; a secret becomes an open value only when its value is entered again. */
export async function editConfig(
  trx: Trx,
  box: SecretBox,
  caller: Caller,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Config, ApiError>> {
  const before = await trx
    .selectFrom('configs')
    .select([
      'id',
      'name',
      'key',
      'value',
      'sealed',
      'remark',
      'public',
      'secret',
      'built_in',
      'name_key',
      'remark_key',
    ])
    .where('id', '=', form.id)
    .forUpdate()
    .executeTakeFirst();
  if (before === undefined) return failed({ code: 'record.not_found' });
  const name = nameAfter(caller.language, { name: before.name, key: before.name_key }, form.name);
  const formerRemark = { name: before.remark, key: before.remark_key };
  const remark = form.remark === undefined ? formerRemark : nameAfter(caller.language, formerRemark, form.remark);
  const after = {
    name: name.name,
    key: form.key,
    remark: remark.name,
    public: form.public ?? before.public,
    secret: form.secret ?? before.secret,
  };
  if (after.public && after.secret) return failed(secretAndPublic);
  if (before.built_in) {
    const isSame = after.key === before.key && after.public === before.public && after.secret === before.secret;
    if (!isSame) return failed({ code: 'config.built_in' });
    const builtIn = builtInConfigs.find(({ key }) => key === before.key);
    if (form.value !== undefined && builtIn !== undefined && !builtIn.isUsable(form.value)) {
      return failed({ code: 'request.invalid', fields: [{ path: 'value', code: builtIn.fault ?? 'bad_format' }] });
    }
  }
  if (after.key !== before.key) {
    const taken = await trx.selectFrom('configs').select('id').where('key', '=', after.key).executeTakeFirst();
    if (taken !== undefined) return failed({ code: 'config.key_taken', params: { key: after.key } });
  }
  const former = before.sealed === null ? before.value : openedOrNull(box, before.key, before.sealed);
  const value = before.secret && !after.secret ? form.value : (form.value ?? former);
  if (value === undefined || value === null) {
    return failed({ code: 'request.invalid', fields: [{ path: 'value', code: 'required' }] });
  }
  await trx
    .updateTable('configs')
    .set({
      ...after,
      name_key: name.key,
      remark_key: remark.key,
      value: after.secret ? '' : value,
      sealed: after.secret ? box.seal(after.key, value) : null,
      changed_at: at,
    })
    .where('id', '=', before.id)
    .execute();
  await audit(trx, caller, at, {
    action: 'config.change',
    recordKind: 'config',
    recordId: before.id,
    before: audited({ ...shown(before), value: former ?? '' }),
    after: { ...audited({ ...after, value }), ...(form.value === undefined ? {} : { valueEntered: true }) },
  });
  return found(await findConfig(trx, box, before.id, caller.language));
}

function shown({
  name,
  key,
  value,
  remark,
  public: isPublic,
  secret,
}: {
  name: string;
  key: string;
  value: string;
  remark: string;
  public: boolean;
  secret: boolean;
}) {
  return { name, key, value, remark, public: isPublic, secret };
}

/** Null when the key that sealed it is lost: the value has to be entered again. */
function openedOrNull(box: SecretBox, key: string, sealed: Buffer): string | null {
  const opened = box.open(key, sealed);
  return opened.ok ? opened.value : null;
}
