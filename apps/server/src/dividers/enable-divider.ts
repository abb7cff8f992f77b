import type { Divider, enableDivider as route } from '@voltdeck/contract/dividers';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { DividerId, UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Sessions } from '../caller/sessions.ts';
import type { Trx } from '../database/transact.ts';
import { endTermsAt, lockTermsOf, takeBackTerms } from './end-terms.ts';
import { accountOf, lockDivider } from './lock-divider.ts';
import { findDivider } from './queries.ts';

export type DividerEnabled = {
  divider: Divider;
  /** Whose sessions ended: call `forgetCached` for them after the commit. */
  signedOut: UserId | null;
};

/**
 * Enables or disables a divider, who does not sign in meanwhile. Its terms go on, because what was agreed holds until it
 * is ended; with `endTerms` they end now, and those to come are taken back.
 */
export async function enableDivider(
  trx: Trx,
  sessions: Sessions,
  caller: Caller,
  id: DividerId,
  { enabled, endTerms = false }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<DividerEnabled, ApiError>> {
  const locked = await lockDivider(trx, caller, id);
  if (!locked.ok) return locked;
  let signedOut: UserId | null = null;
  if (locked.value.enabled !== enabled) {
    await trx.updateTable('dividers').set({ enabled }).where('id', '=', id).execute();
    const account = await accountOf(trx, id);
    if (!enabled && account !== null) {
      await sessions.endAll(trx, account.id, at, 'disabled');
      signedOut = account.id;
    }
    await audit(trx, caller, at, {
      action: enabled ? 'divider.enable' : 'divider.disable',
      recordKind: 'divider',
      recordId: id,
      before: { enabled: locked.value.enabled },
      after: { enabled },
    });
  }
  if (!enabled && endTerms) await endAllTerms(trx, caller, id, at);
  const divider = await findDivider(trx, caller, id, at);
  return divider === null ? failed({ code: 'record.not_found' }) : ok({ divider, signedOut });
}

async function endAllTerms(trx: Trx, caller: Caller, id: DividerId, at: Instant): Promise<void> {
  for (const terms of await lockTermsOf(trx, id, at)) {
    const ended =
      terms.fromAt < at ? await endTermsAt(trx, caller, terms, at, at) : await takeBackTerms(trx, caller, terms.id, at);
    if (!ended.ok) throw new Error(`terms ${terms.id} cannot be ended: ${ended.error.code}`);
  }
}
