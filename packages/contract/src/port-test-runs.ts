import { chargeAnswers, testRunEnds, testRunLimits, testRunStages } from '@voltdeck/charging/port-test-run';
import { abnormalRules, connectorStates, orderStates, stopReasons } from '@voltdeck/charging/states';
import { rejectionReasons } from '@voltdeck/charging/station-command';
import * as z from 'zod/mini';
import { energyField, idField, idParameter, instantField, shown } from './fields.ts';
import { route } from './route.ts';

/** What a station said to a start or a stop. */
const stationAnswer = z.object({
  kind: z.enum(chargeAnswers),
  /** Why it refused, where its protocol says so. */
  reason: z.nullable(z.enum(rejectionReasons)),
  /** In the station's own words. */
  words: z.nullable(z.string()),
});

const testRun = z.object({
  /** Of the order that the test run is. */
  orderId: idField<'order'>(),
  orderNumber: z.string(),
  orderState: z.enum(orderStates),
  stage: z.enum(testRunStages),
  connectorId: idField<'connector'>(),
  minutes: z.int(),
  /** Who started it. */
  userName: shown.name(),
  askedAt: instantField,
  /** When it is given up if the station does not begin; null once it has. */
  waitsUntil: z.nullable(instantField),
  answer: z.nullable(stationAnswer),
  /** From our request to the station's answer. */
  answerMs: z.nullable(z.int()),
  /** When the charge began by our clock; null before. */
  begunAt: z.nullable(instantField),
  /** When its minutes are over; null before it begins. */
  endsAt: z.nullable(instantField),
  endedAt: z.nullable(instantField),
  energyWh: energyField,
  /** Live while it charges; null otherwise, or where the station reports none. */
  powerW: z.nullable(z.int()),
  peakPowerW: z.nullable(z.int()),
  stopReason: z.nullable(z.enum(stopReasons)),
  /** Why the charge ended, in the protocol's own spelling. */
  stopCode: z.nullable(z.string()),
  /** Null until it is to stop. The answer is the station's last one; null while it is awaited. */
  stop: z.nullable(
    z.object({ because: z.enum(testRunEnds), askedAt: instantField, answer: z.nullable(stationAnswer) }),
  ),
  /** The rules that flagged the charge. */
  flags: z.array(z.enum(abnormalRules)),
  port: z.object({
    state: z.enum(connectorStates),
    online: z.boolean(),
    faultCode: z.nullable(z.string()),
    faultInfo: z.nullable(z.string()),
  }),
});
export type TestRun = z.output<typeof testRun>;

const { minutesMin, minutesMax, minutesDefault } = testRunLimits;

export const startTestRun = route({
  method: 'POST',
  path: '/connectors/{id}/test-runs',
  summary:
    'Charge at a gun port for some minutes without a payer and at no price; a refusal of the station is a result',
  permission: 'connector.test',
  params: z.object({ id: idParameter<'connector'>() }),
  body: z.object({
    minutes: z._default(z.int().check(z.gte(minutesMin), z.lte(minutesMax)), minutesDefault),
  }),
  answer: testRun,
  errors: [
    'station.disabled',
    'site.closed',
    'station.offline',
    'connector.closed',
    'connector.busy',
    'connector.fault',
  ],
  idempotency: 'required',
});

export const getTestRun = route({
  method: 'GET',
  path: '/connectors/{id}/test-run',
  summary: "A gun port's latest test run as it is now; null where there was none",
  permission: 'connector.test',
  params: z.object({ id: idParameter<'connector'>() }),
  answer: z.object({ run: z.nullable(testRun) }),
  errors: [],
});

export const stopTestRun = route({
  method: 'POST',
  path: '/test-runs/{id}/stops',
  summary: 'End a test run before its minutes are over; the station is asked again until it has stopped',
  permission: 'connector.test',
  params: z.object({ id: idParameter<'order'>() }),
  answer: testRun,
  errors: ['order.already_ended'],
});
