import * as contract from '@voltdeck/contract/reconciliation';
import type { ReconciliationDifferenceId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { ChannelRoom } from '../channels/channel-room.ts';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { askAboutDifference } from './ask-about-difference.ts';
import { checkSeal } from './check-seal.ts';
import { endDifference, takeDifference } from './deal-with-difference.ts';
import { findDay, findDifference } from './queries.ts';
import { reconcileDay } from './reconcile-day.ts';
import { sealDay } from './seal-day.ts';

export function bindReconciliation({ bind }: Binder, context: Context<'console'>, room: ChannelRoom): void {
  const { db } = context.database;
  const dayAnswer = async (caller: Caller, day: string, at: Instant) => found(await findDay(db, caller, day, at));
  const answer = async (caller: Caller, id: ReconciliationDifferenceId) => found(await findDifference(db, caller, id));
  const replay = (recordId: number, { caller }: { caller: Caller }) =>
    answer(caller, recordId as ReconciliationDifferenceId);
  const isPlatforms = ({ agents }: Caller) => agents === 'all';

  bind(contract.getReconciliationDay, ({ caller, params, at }) => dayAnswer(caller, params.day, at));
  bind(contract.runReconciliation, async ({ caller, params: { day }, at, transact }) => {
    if (!isPlatforms(caller)) return failed({ code: 'record.not_found' });
    const ran = await reconcileDay(db, day, at);
    if (!ran.ok) return ran;
    const compared = await dayAnswer(caller, day, at);
    if (!compared.ok) return compared;
    const { id: recordId, openCount } = compared.value;
    const noted = await transact(async (trx) => {
      await audit(trx, caller, at, {
        action: 'reconciliation.run',
        recordKind: 'reconciliation_day',
        recordId,
        after: { day, openCount },
      });
      return ok(null);
    });
    return noted.ok ? compared : noted;
  });
  bind(
    contract.sealReconciliationDay,
    async ({ caller, params: { day }, body, at, transact }) => {
      const sealed = await transact((trx) => sealDay(trx, caller, day, body, at), { recordOf: (id) => id });
      return sealed.ok ? dayAnswer(caller, day, at) : sealed;
    },
    { replay: (_recordId, { caller, params, at }) => dayAnswer(caller, params.day, at) },
  );
  bind(contract.checkReconciliationSeal, async ({ caller, params, at }) =>
    isPlatforms(caller) ? checkSeal(db, params.day, at) : failed({ code: 'record.not_found' }),
  );
  bind(contract.getReconciliationDifference, ({ caller, params }) => answer(caller, params.id));
  bind(
    contract.takeReconciliationDifference,
    async ({ caller, params, at, transact }) => {
      const taken = await transact((trx) => takeDifference(trx, caller, params.id, at), { recordOf: (id) => id });
      return taken.ok ? answer(caller, params.id) : taken;
    },
    { replay },
  );
  bind(
    contract.endReconciliationDifference,
    async ({ caller, params, body, at, transact }) => {
      const ended = await transact((trx) => endDifference(trx, caller, params.id, body, at), { recordOf: (id) => id });
      return ended.ok ? answer(caller, params.id) : ended;
    },
    { replay },
  );
  bind(contract.askAboutReconciliationDifference, async ({ caller, params }) => {
    const asked = await askAboutDifference(room, caller, params.id);
    return asked.ok ? answer(caller, params.id) : asked;
  });
}
