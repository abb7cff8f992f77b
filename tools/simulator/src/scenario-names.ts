export const scenarioNames = [
  'charge',
  'remote',
  'flap',
  'power-cut',
  'duplicates',
  'clock-1970',
  'rollback',
  'fleet',
] as const;
export type ScenarioName = (typeof scenarioNames)[number];
