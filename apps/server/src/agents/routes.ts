import * as contract from '@voltdeck/contract/agents';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { rechargeAgent } from './recharge-agent.ts';

export function bindAgents({ bind }: Binder, _context: Context<'console'>): void {
  bind(contract.rechargeAgent, ({ caller, params, body, at, transact }) =>
    transact((trx) => rechargeAgent(trx, caller, params.id, body, at)),
  );
}
