import * as contract from '@voltdeck/contract/agents';
import { ok } from '@voltdeck/units/result';
import type { Sessions } from '../caller/sessions.ts';
import type { Context } from '../context.ts';
import type { Binder, Call } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { changeAgent } from './change-agent.ts';
import { createAgent } from './create-agent.ts';
import { deleteAgent } from './delete-agent.ts';
import { findIncomeByDay } from './find-income-by-day.ts';
import { freezeAgent } from './freeze-agent.ts';
import { handOverAgent, previewHandOver } from './hand-over-agent.ts';
import { findAgent, findAgentNames } from './queries.ts';
import { rechargeAgent } from './recharge-agent.ts';
import { resetAgentPassword } from './reset-agent-password.ts';

export function bindAgents({ bind }: Binder, context: Context<'console'>, sessions: Sessions): void {
  const { db } = context.database;
  bind(contract.findAgents, async ({ caller, query }) => ok({ items: await findAgentNames(db, caller, query) }));
  bind(contract.getAgent, async ({ caller, params, at }) => found(await findAgent(db, caller, params.id, at)));
  bind(contract.getAgentIncome, async ({ caller, params, query, at }) =>
    found(await findIncomeByDay(db, caller, params.id, query, at)),
  );
  bind(contract.createAgent, async ({ caller, body, at, transact }) => {
    const created = await transact((trx) => createAgent(trx, caller, body, at));
    if (created.ok) sessions.forgetRights();
    return created;
  });
  bind(contract.changeAgent, async ({ caller, params, body, at, transact }) => {
    const changed = await transact((trx) => changeAgent(trx, caller, params.id, body, at));
    if (changed.ok) sessions.forgetRights();
    return changed;
  });
  bind(contract.deleteAgent, async ({ caller, params, at, transact }) => {
    const deleted = await transact((trx) => deleteAgent(trx, caller, params.id, at));
    if (deleted.ok) sessions.forgetRights();
    return deleted;
  });

  type Freezing = Pick<Call<typeof contract.unfreezeAgent>, 'caller' | 'params' | 'at' | 'transact'>;
  const freeze = async ({ caller, params, at, transact }: Freezing, reason: string | null) => {
    const frozen = await transact((trx) => freezeAgent(trx, sessions, caller, params.id, reason, at), {
      answerOf: ({ agent }) => agent,
    });
    if (!frozen.ok) return frozen;
    for (const userId of frozen.value.signedOut) sessions.forgetCached(userId);
    return ok(frozen.value.agent);
  };
  bind(contract.freezeAgent, (call) => freeze(call, call.body.reason));
  bind(contract.unfreezeAgent, (call) => freeze(call, null));

  bind(contract.resetAgentPassword, async ({ caller, params, at, transact }) => {
    const reset = await transact((trx) => resetAgentPassword(trx, sessions, caller, params.id, at), {
      answerOf: ({ initialPassword }) => ({ initialPassword }),
    });
    if (!reset.ok) return reset;
    const { userId, initialPassword } = reset.value;
    sessions.forgetCached(userId);
    return ok({ initialPassword });
  });
  bind(contract.previewHandOver, ({ caller, params, body, transact }) =>
    transact((trx) => previewHandOver(trx, caller, params.id, body)),
  );
  bind(contract.handOverAgent, ({ caller, params, body, at, transact }) =>
    transact((trx) => handOverAgent(trx, caller, params.id, body, at)),
  );
  bind(contract.rechargeAgent, ({ caller, params, body, at, transact }) =>
    transact((trx) => rechargeAgent(trx, caller, params.id, body, at)),
  );
}
