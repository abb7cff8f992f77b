import * as z from 'zod/mini';
import { idParameter, instantField } from './fields.ts';
import { partnerFaults } from './partner-faults.ts';
import { route } from './route.ts';

/**
 * In their order: whether its address answers at all; whether what it answers is signed and encrypted with the keys that
 * we have of it; whether it gives us a token; whether it shows its stations. Each needs the one before.
 */
export const connectionSteps = ['address', 'signature', 'token', 'stations'] as const;
export const stepOutcomes = ['passed', 'failed', 'skipped'] as const;
/** Why a step was skipped. */
export const skipReasons = ['failed_before', 'no_stations'] as const;

const step = z.object({
  step: z.enum(connectionSteps),
  outcome: z.enum(stepOutcomes),
  /** 0 for what was skipped. */
  tookMs: z.int(),
  httpStatus: z.nullable(z.int()),
  /** Null where no answer came that could be verified. */
  ret: z.nullable(z.int()),
  /** The partner's Msg, or what came instead of an answer. */
  msg: z.string(),
  fault: z.nullable(z.enum(partnerFaults)),
  skipped: z.nullable(z.enum(skipReasons)),
  /** Stations that it shows. */
  stationCount: z.nullable(z.int()),
});
export type ConnectionStep = z.output<typeof step>;

export const connectionTest = z.object({
  at: instantField,
  passed: z.boolean(),
  steps: z.array(step),
});
export type ConnectionTest = z.output<typeof connectionTest>;

export const testConnection = route({
  method: 'POST',
  path: '/partners/{id}/connection-tests',
  summary: 'Call a partner step by step, and say where it fails and why',
  permission: 'partner.edit',
  idempotency: 'none',
  params: z.object({ id: idParameter<'partner'>() }),
  answer: connectionTest,
  errors: [],
});
