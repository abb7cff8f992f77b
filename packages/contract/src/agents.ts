import * as z from 'zod/mini';
import { orWaits } from './approvals.ts';
import { fenField, fenFieldUpTo, filter, idField, idParameter, instantField, linesField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** Limit of one top-up of an agent's prepaid account: ten million yuan. */
export const agentRechargeFenMax = 1_000_000_000;

export const agent = z.object({
  id: idField<'agent'>(),
  name: z.string(),
  stationCount: z.int(),
  /** What the agent can still pay recharges from; null for callers who neither manage agents nor recharge. */
  prepaidFen: z.nullable(fenField),
});
export type Agent = z.output<typeof agent>;

export const listAgents = listRoute({
  name: 'listAgents',
  path: '/agents',
  summary: 'Agents',
  permission: ['agent.read', 'station.read', 'order.read', 'user.read', 'position.read'],
  sorts: ['name'],
  first: 'name',
  filters: { name: filter.text() },
  item: agent,
  columns: columnsOf<Agent>()({
    name: { kind: 'text', title: 'agents.name' },
    stationCount: { kind: 'count', title: 'agents.stations', summed: true },
    prepaidFen: { kind: 'money', title: 'agents.prepaid' },
  }),
});

export const agentRecharge = z.object({
  id: idField<'agent_recharge'>(),
  number: z.string(),
  agentId: idField<'agent'>(),
  agentName: z.string(),
  amountFen: fenField,
  balanceBeforeFen: fenField,
  balanceAfterFen: fenField,
  reason: z.string(),
  createdAt: instantField,
});
export type AgentRecharge = z.output<typeof agentRecharge>;

export const rechargeAgent = route({
  method: 'POST',
  path: '/agents/{id}/recharges',
  summary: "Fill an agent's prepaid account, which its own recharges are paid out of",
  permission: 'agent.recharge',
  params: z.object({ id: idParameter<'agent'>() }),
  body: z.object({ amountFen: fenFieldUpTo(agentRechargeFenMax), reason: linesField(200, 2) }),
  answer: orWaits(agentRecharge),
  errors: ['recharge.day_limit'],
  idempotency: 'required',
});
