import * as z from 'zod/mini';
import {
  fenField,
  fenFieldUpTo,
  filter,
  idField,
  idParameter,
  instantField,
  listAnswer,
  listFields,
  textField,
} from './fields.ts';
import { route } from './route.ts';

/** One filling of an agent's prepaid account: ten million yuan. */
export const agentRechargeFenMax = 1_000_000_000;

export const listAgents = route({
  method: 'GET',
  path: '/agents',
  summary: 'Agents',
  permission: ['agent.read', 'station.read', 'order.read', 'user.read', 'position.read'],
  query: z.object({ ...listFields(['name']), name: filter.text() }),
  answer: listAnswer(
    z.object({
      id: idField<'agent'>(),
      name: z.string(),
      stationCount: z.int(),
      /** What the agent can still recharge out of; null for callers who neither look after agents nor recharge. */
      prepaidFen: z.nullable(fenField),
    }),
  ),
  errors: ['list.too_deep'],
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
  body: z.object({ amountFen: fenFieldUpTo(agentRechargeFenMax), reason: textField(200, 2) }),
  answer: agentRecharge,
  errors: [],
  idempotency: 'required',
});
