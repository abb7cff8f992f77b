import * as contract from '@voltdeck/contract/agents';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { spanOf } from '../http/list-page.ts';
import { listAgentPage } from './queries.ts';
import { rechargeAgent } from './recharge-agent.ts';

export function bindAgents({ bind }: Binder, context: Context<'console'>): void {
  bind(contract.listAgents, async ({ caller, query }) => {
    const span = spanOf(query);
    return span.ok ? ok(await listAgentPage(context.database.db, caller, query, span.value)) : span;
  });
  bind(contract.rechargeAgent, ({ caller, params, body, at, transact }) =>
    transact((trx) => rechargeAgent(trx, caller, params.id, body, at)),
  );
}
