import { protocols } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { filter, idField, instantField } from './fields.ts';
import { route } from './route.ts';

export const exchangeDirections = ['from-station', 'to-station'] as const;

/** One call and its answer, exactly as they crossed the wire. */
export const interactionLog = z.object({
  id: z.string(),
  at: instantField,
  stationId: idField<'station'>(),
  stationNumber: z.string(),
  protocol: z.enum(protocols),
  direction: z.enum(exchangeDirections),
  action: z.nullable(z.string()),
  messageId: z.nullable(z.string()),
  request: z.string(),
  answer: z.nullable(z.string()),
  latencyMs: z.nullable(z.int()),
  fault: z.nullable(z.string()),
});
export type InteractionLog = z.output<typeof interactionLog>;

/** Newest first, by keyset: pass `before` from `nextBefore` to go on. */
export const listInteractionLogs = route({
  method: 'GET',
  path: '/interaction-logs',
  summary: 'Every frame exchanged with stations',
  permission: 'log.read',
  query: z.object({
    stationId: filter.id<'station'>(),
    stationNumber: filter.text(),
    direction: filter.choice(exchangeDirections),
    protocol: filter.choice(protocols),
    action: filter.text(),
    hideHeartbeats: filter.flag(),
    text: filter.text(),
    from: filter.instant(),
    to: filter.instant(),
    before: filter.text(),
    pageSize: z._default(
      z.coerce.number().check(z.int(), z.gte(1), z.lte(200)),
      50,
    ) as unknown as z.ZodMiniDefault<z.ZodMiniNumber>,
  }),
  answer: z.object({ items: z.array(interactionLog), nextBefore: z.nullable(z.string()) }),
  errors: [],
});
