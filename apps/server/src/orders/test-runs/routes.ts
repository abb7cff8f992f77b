import * as contract from '@voltdeck/contract/port-test-runs';
import type { OrderId } from '@voltdeck/units/id';
import type { Caller } from '../../caller/caller.ts';
import type { Context } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { found } from '../../http/found.ts';
import { findTestRun, findTestRunOfPort } from './queries.ts';
import { startTestRun } from './start-test-run.ts';
import { stopTestRun } from './stop-test-run.ts';

export function bindTestRuns({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const answer = async (caller: Caller, id: OrderId) => found(await findTestRun(db, caller, id));
  bind(
    contract.startTestRun,
    async ({ caller, params, body, transact }) => {
      const test = { connectorId: params.id, minutes: body.minutes };
      const started = await startTestRun(context.on('money'), caller, test, transact);
      return started.ok ? answer(caller, started.value.orderId) : started;
    },
    { replay: (recordId, { caller }) => answer(caller, recordId as OrderId) },
  );
  bind(contract.getTestRun, async ({ caller, params }) => found(await findTestRunOfPort(db, caller, params.id)));
  bind(contract.stopTestRun, async ({ caller, params }) => {
    const stopped = await stopTestRun(context.on('money'), caller, params.id);
    return stopped.ok ? answer(caller, params.id) : stopped;
  });
}
