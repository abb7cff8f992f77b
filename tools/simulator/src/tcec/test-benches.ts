import type { PartnerKeys } from '@voltdeck/tcec102/envelope';
import { defaultProfile } from '@voltdeck/tcec102/profile';
import { liveClock } from '../clock.ts';
import { type Bench, openBench } from './bench.ts';
import type { BenchRole, BenchSettings } from './bench-settings.ts';
import type { CheckId } from './check.ts';
import type { CheckResult } from './checklist.ts';

export const operatorKeys: PartnerKeys = {
  operatorSecret: 'secret-of-the-operator',
  sigSecret: 'signature-of-the-operator',
  dataSecret: '0123456789abcdef',
  dataSecretIv: 'fedcba9876543210',
};
export const demandKeys: PartnerKeys = {
  operatorSecret: 'secret-of-the-demand-side',
  sigSecret: 'signature-of-the-demand-side',
  dataSecret: 'aaaabbbbccccdddd',
  dataSecretIv: 'ddddccccbbbbaaaa',
};

const codes = { operator: 'MA0BENCHO', demand: 'MA0BENCHD' } as const;

export function testSettings(role: BenchRole, overrides: Partial<BenchSettings> = {}): BenchSettings {
  const isOperator = role === 'operator';
  return {
    role,
    url: 'http://127.0.0.1:9/evcs/v1.0',
    operatorId: isOperator ? codes.operator : codes.demand,
    theirOperatorId: isOperator ? codes.demand : codes.operator,
    theirKeys: isOperator ? demandKeys : operatorKeys,
    ourKeys: isOperator ? operatorKeys : demandKeys,
    profile: defaultProfile,
    host: '127.0.0.1',
    port: 0,
    connectorId: null,
    sites: 2,
    connectors: 2,
    powerKw: 1_000,
    tokenSeconds: 7_200,
    pushSeconds: 1,
    hurry: 100,
    waitSeconds: 30,
    isOrderFirst: false,
    ...overrides,
  };
}

/** Both sides of the protocol, each with the address of the other. */
export async function openBothBenches(
  overrides: Partial<BenchSettings> = {},
): Promise<{ operator: Bench; demand: Bench; close(): Promise<void> }> {
  const clock = liveClock();
  // One of both must listen before the other knows its address.
  const operatorSettings = testSettings('operator', overrides);
  const operator = await openBench(operatorSettings, clock);
  const demand = await openBench({ ...testSettings('demand', overrides), url: operator.url }, clock);
  operatorSettings.url = demand.url;
  return {
    operator,
    demand,
    async close() {
      await operator.close();
      await demand.close();
    },
  };
}

/** Makes the checks whose names begin so, and returns how each came out. */
export async function verdictsOf(
  bench: Bench,
  is: (result: CheckResult) => boolean,
): Promise<Record<string, CheckResult['verdict']>> {
  const ids = bench.checklist.results.filter(is).map(({ id }): CheckId => id);
  await bench.checklist.run(ids, new AbortController().signal);
  return Object.fromEntries(bench.checklist.results.filter(is).map(({ id, verdict }) => [id, verdict]));
}
