import { parseArgs } from 'node:util';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { ChargeKind } from './charging-curve.ts';
import { type ScenarioName, scenarioNames } from './scenario-names.ts';

export type Arguments = {
  scenario: ScenarioName;
  url: string;
  station: string;
  password: string | undefined;
  cards: readonly string[];
  connector: number;
  connectors: number;
  kind: ChargeKind;
  powerKw: number;
  /** How long a charge lasts, or a fleet lives. */
  minutes: number;
  intervalSeconds: number;
  count: number;
  speed: number;
  seed: number;
  frames: boolean;
};

export const usage = `Virtual charging stations (OCPP 1.6J)

  npm run sim -- <scenario> [options]

Scenarios
  charge      one charge from plugging in to leaving, step by step
  remote      a vehicle is plugged in and waits for a remote start
  flap        a charge while the link goes and comes
  power-cut   a power cut in the middle of a charge; the stop is told after the reboot
  duplicates  a charge whose every message is sent again under the same id and under a new one
  clock-1970  a charge of a station whose clock starts in 1970
  rollback    a charge in whose middle the meter runs backwards
  fleet       many stations with drivers who come and go

Options
  --url        ws://127.0.0.1:8080/ocpp   the central system's address without the station number
  --station    SIM-0001                   station number; a fleet counts up from it
  --password                              basic authentication; without it, none is sent
  --card       CARD-0001                  several for a fleet: --card A --card B
  --connector  1                          where the vehicle is plugged in
  --connectors 2                          connectors of the station (1 to 100)
  --kind       dc                         dc, ac or two-wheel
  --power      60                         kW of one connector (0.1 to 1000)
  --minutes    2                          length of the charge or of the fleet's life (0.1 to 1440)
  --interval   5                          seconds between samples (1 to 3600)
  --count      20                         stations of a fleet (1 to 5000)
  --speed      6                          fleet: how much faster drivers come and charges end (0.1 to 100)
  --seed       1                          the same seed repeats the same curves and visits
  --frames                                print every frame
  --help                                  this text
`;

/** Reads the command line. A failure is one line that names the option. */
export function readArguments(argv: readonly string[]): Result<Arguments | 'help', string> {
  const parsed = parse(argv);
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  if (values.help || (positionals.length === 0 && argv.length === 0)) return ok('help');
  const scenario = scenarioNames.find((name) => name === positionals[0]);
  if (scenario === undefined) return failed(`no scenario ${positionals[0] ?? ''}; one of ${scenarioNames.join(', ')}`);
  if (positionals.length > 1) return failed(`one scenario at a time, got ${positionals.join(' ')}`);
  const kind = (['dc', 'ac', 'two-wheel'] as const).find((each) => each === values.kind);
  if (kind === undefined) return failed(`--kind is dc, ac or two-wheel, got ${values.kind}`);
  if (!/^wss?:\/\/\S+$/.test(values.url)) return failed(`--url starts with ws:// or wss://, got ${values.url}`);
  if (values.station === '' || values.station.length > 48) return failed('--station has 1 to 48 characters');
  if (values.card.some((card) => card === '' || card.length > 20)) return failed('--card has 1 to 20 characters');

  const faults: string[] = [];
  const number = (name: 'connector' | 'connectors' | 'power' | 'minutes' | 'interval' | 'count' | 'speed' | 'seed') => {
    const { min, max, whole } = ranges[name];
    const value = values[name].trim() === '' ? Number.NaN : Number(values[name]);
    if (!(value >= min && value <= max) || (whole && !Number.isInteger(value))) {
      faults.push(`--${name} is a ${whole ? 'whole ' : ''}number from ${min} to ${max}, got ${values[name]}`);
    }
    return value;
  };
  const numbers = {
    connector: number('connector'),
    connectors: number('connectors'),
    powerKw: number('power'),
    minutes: number('minutes'),
    intervalSeconds: number('interval'),
    count: number('count'),
    speed: number('speed'),
    seed: number('seed'),
  };
  if (faults[0] !== undefined) return failed(faults[0]);
  return ok({
    scenario,
    url: values.url,
    station: values.station,
    password: values.password,
    cards: values.card,
    kind,
    frames: values.frames,
    ...numbers,
    connectors: Math.max(numbers.connectors, numbers.connector),
  });
}

const ranges = {
  connector: { min: 1, max: 100, whole: true },
  connectors: { min: 1, max: 100, whole: true },
  power: { min: 0.1, max: 1_000, whole: false },
  minutes: { min: 0.1, max: 1_440, whole: false },
  interval: { min: 1, max: 3_600, whole: true },
  count: { min: 1, max: 5_000, whole: true },
  speed: { min: 0.1, max: 100, whole: false },
  seed: { min: 0, max: 4_294_967_295, whole: true },
} as const;

function parse(argv: readonly string[]) {
  try {
    return ok(
      parseArgs({
        args: [...argv],
        allowPositionals: true,
        options: {
          url: { type: 'string', default: 'ws://127.0.0.1:8080/ocpp' },
          station: { type: 'string', default: 'SIM-0001' },
          password: { type: 'string' },
          card: { type: 'string', multiple: true, default: ['CARD-0001'] },
          connector: { type: 'string', default: '1' },
          connectors: { type: 'string', default: '2' },
          kind: { type: 'string', default: 'dc' },
          power: { type: 'string', default: '60' },
          minutes: { type: 'string', default: '2' },
          interval: { type: 'string', default: '5' },
          count: { type: 'string', default: '20' },
          speed: { type: 'string', default: '6' },
          seed: { type: 'string', default: '1' },
          frames: { type: 'boolean', default: false },
          help: { type: 'boolean', short: 'h', default: false },
        },
      }),
    );
  } catch (error) {
    // parseArgs reports a wrong option only by throwing.
    return failed(error instanceof Error ? error.message : String(error));
  }
}
