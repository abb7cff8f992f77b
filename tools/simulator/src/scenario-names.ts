export const scenarioNames = [
  'charge',
  'remote',
  'flap',
  'power-cut',
  'duplicates',
  'clock-1970',
  'rollback',
  'unplug',
  'silent',
  'vin',
  'parallel',
  'offline-card',
  'crc-high-first',
  'garbage',
  'wrong-amount',
  'fleet',
  'replay',
] as const;
export type ScenarioName = (typeof scenarioNames)[number];

/** Scenarios that only YKC stations support. */
export const ykcScenarios: readonly ScenarioName[] = [
  'vin',
  'parallel',
  'offline-card',
  'crc-high-first',
  'garbage',
  'wrong-amount',
];
