import * as z from 'zod/mini';
import { idParameter } from './fields.ts';
import { route } from './route.ts';

const refusals = [
  'order.not_charging',
  'order.already_ended',
  'station.offline',
  'station.busy',
  'station.no_answer',
  'station.refused',
  'station.refused_because',
] as const;
/** `agreed` is false when the station refused; the charge ends when the station says so. */
export const stopAnswers = { answer: z.object({ agreed: z.boolean() }), errors: refusals };

/** On its own, because lists of stations and gun ports stop charges and need nothing else of orders. */
export const stopOrder = route({
  method: 'POST',
  path: '/orders/{id}/stops',
  summary: 'Ask the station to stop this charge',
  permission: 'order.stop',
  params: z.object({ id: idParameter<'order'>() }),
  ...stopAnswers,
});
