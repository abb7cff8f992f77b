import { listAgents } from '@voltdeck/contract/agents';
import type { Fen } from '@voltdeck/units/money';
import { sql } from 'kysely';
import { scoped } from '../caller/scope.ts';
import { mayCall } from '../http/bind.ts';
import { containing } from '../http/list-page.ts';
import { listSource } from '../http/list-source.ts';
import { accountKey } from '../ledger/account-key.ts';

/** Users who manage agents, and users who spend from the account. */
const seeingPrepaid = ['agent.read', 'agent.recharge', 'recharge.create'] as const;

const stationCount = sql<number>`(select count(*) from stations where agent_id = agents.id)`;
const prepaidFen = sql<Fen>`coalesce(
  (select balance_fen from ledger_accounts where key = ${accountKey('agent-prepaid', 'agents.id')}), 0)`;

export const agentList = listSource({
  route: listAgents,
  filtered(db, caller, filter) {
    const agents = scoped(db.selectFrom('agents'), caller, 'agents.id');
    return filter.name === undefined ? agents : agents.where('agents.name', 'ilike', containing(filter.name));
  },
  id: sql`agents.id`,
  sorts: { name: sql`agents.name collate "zh-x-icu"` },
  sums: { stationCount },
  rows: (db) =>
    db
      .selectFrom('agents')
      .select(['agents.id', 'agents.name', stationCount.as('stationCount'), prepaidFen.as('prepaidFen')]),
  toItem: (row, { caller }) => ({
    ...row,
    prepaidFen: mayCall({ permission: [...seeingPrepaid] }, caller) ? row.prepaidFen : null,
  }),
});
