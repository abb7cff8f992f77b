import * as z from 'zod/mini';
import { filter, idField, listAnswer, listFields } from './fields.ts';
import { route } from './route.ts';

export const listAgents = route({
  method: 'GET',
  path: '/agents',
  summary: 'Agents',
  permission: ['agent.read', 'station.read', 'order.read', 'user.read', 'position.read'],
  query: z.object({ ...listFields(['name']), name: filter.text() }),
  answer: listAnswer(z.object({ id: idField<'agent'>(), name: z.string(), stationCount: z.int() })),
  errors: ['list.too_deep'],
});
