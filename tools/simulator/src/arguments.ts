import { parseArgs } from 'node:util';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { ChargeKind } from './charging-curve.ts';
import { type ScenarioName, scenarioNames, ykcScenarios } from './scenario-names.ts';

export type Arguments = {
  scenario: ScenarioName;
  protocol: 'ocpp1.6' | 'ykc';
  /** The conversation to replay; empty for other scenarios. */
  file: string;
  /** Replay without the pauses between messages. */
  fast: boolean;
  /** Stations of a fleet that share one socket (YKC). */
  perSocket: number;
  /** Empty for a replay without --url: the conversation has its protocol, which has a usual address. */
  url: string;
  station: string;
  /** Whether `station` was given, rather than the default. */
  isStationGiven: boolean;
  password: string | undefined;
  /** 17 characters. */
  vin: string | undefined;
  cards: readonly string[];
  connector: number;
  connectors: number;
  kind: ChargeKind;
  powerKw: number;
  /** The duration of a charge, or of a fleet. */
  minutes: number;
  intervalSeconds: number;
  count: number;
  speed: number;
  seed: number;
  frames: boolean;
};

export const usage = `Virtual charging stations (OCPP 1.6J and YKC 1.6)

  npm run sim -- <scenario> [options]
  npm run sim -- replay <conversation.json> --url <address>
  npm run sim -- tcec --help              a partner of T/CEC 102, for joint tests

Scenarios
  charge      one charge from plugging in to leaving, step by step
  remote      a vehicle is plugged in and waits for a remote start
  flap        a charge while the link goes and comes
  power-cut   a power cut in the middle of a charge; the stop is told after the reboot
  duplicates  a charge whose every message is sent again under the same id and under a new one
  clock-1970  a charge of a station whose clock starts in 1970 (YKC: in 2000)
  rollback    a charge in whose middle the meter runs backwards
  unplug      the plug is pulled in the middle of a charge
  silent      a charge of a station that sends no heartbeats
  fleet       many stations with drivers who come and go
  replay      the station's side of a saved conversation; exit code 1 when answers differ in what matters

Scenarios with --protocol ykc only
  vin             a charge that the vehicle applies for with its VIN
  parallel        one card starts both guns for one vehicle
  offline-card    waits until the card is in the station's whitelist, then charges without the network
  crc-high-first  a charge of a vendor that sends the high byte of the CRC first
  garbage         a charge with bytes between the frames that belong to none
  wrong-amount    a charge whose record adds 1.23 yuan to the amount

Options
  --protocol   ocpp                       ocpp or ykc
  --url        ws://127.0.0.1:8080/ocpp   the central system's address without the station number
               tcp://127.0.0.1:8768       with --protocol ykc
  --station    SIM-0001                   station number; a fleet counts up from it
               44030601000001             with --protocol ykc: 14 digits
  --password                              basic authentication; without it, none is sent (OCPP)
  --card       CARD-0001                  several for a fleet: --card A --card B
               00000000D1C0FFEE           with --protocol ykc: the number of the card's chip, hexadecimal
  --vin                                   what the vehicle is called, 17 characters; default: drawn (YKC)
  --connector  1                          where the vehicle is plugged in
  --connectors 2                          connectors of the station (1 to 100)
  --kind       dc                         dc, ac or two-wheel
  --power      60                         kW of one connector (0.1 to 1000)
  --minutes    2                          length of the charge or of the fleet's life (0.1 to 1440)
  --interval   5                          seconds between samples (1 to 3600)
  --count      20                         stations of a fleet (1 to 5000)
  --per-socket 1                          fleet: stations that share a socket, as behind a concentrator (YKC)
  --speed      6                          fleet: how much faster drivers come and charges end (0.1 to 100)
  --seed       1                          the same seed repeats the same curves and visits
  --frames                                print every frame
  --fast                                  replay: without the pauses between messages
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
  const file = scenario === 'replay' ? (positionals[1] ?? '') : '';
  if (scenario === 'replay' && file === '') return failed('replay needs the file of a conversation');
  if (positionals.length > (scenario === 'replay' ? 2 : 1)) {
    return failed(`one scenario at a time, got ${positionals.join(' ')}`);
  }
  const protocol = values.protocol === 'ocpp' ? 'ocpp1.6' : values.protocol === 'ykc' ? 'ykc' : null;
  if (protocol === null) return failed(`--protocol is ocpp or ykc, got ${values.protocol}`);
  if (protocol !== 'ykc' && ykcScenarios.includes(scenario)) return failed(`${scenario} needs --protocol ykc`);
  const kind = (['dc', 'ac', 'two-wheel'] as const).find((each) => each === values.kind);
  if (kind === undefined) return failed(`--kind is dc, ac or two-wheel, got ${values.kind}`);
  if (values.vin !== undefined && !/^[A-HJ-NPR-Z0-9]{17}$/.test(values.vin)) {
    return failed(`--vin has 17 letters and digits without I, O and Q, got ${values.vin}`);
  }
  const isReplay = scenario === 'replay';
  const url = values.url ?? (isReplay ? '' : usual[protocol].url);
  const station = values.station ?? usual[protocol].station;
  const cards = values.card ?? [usual[protocol].card];
  const wrong = isReplay ? wrongReplayUrl(url) : wrongFor[protocol]({ url, station, cards, kind });
  if (wrong !== null) return failed(wrong);

  const faults: string[] = [];
  const number = (name: keyof typeof ranges) => {
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
    perSocket: number('per-socket'),
    speed: number('speed'),
    seed: number('seed'),
  };
  if (faults[0] !== undefined) return failed(faults[0]);
  return ok({
    scenario,
    protocol,
    file,
    fast: values.fast,
    url,
    station,
    isStationGiven: values.station !== undefined,
    password: values.password,
    vin: values.vin,
    cards,
    kind,
    frames: values.frames,
    ...numbers,
    connectors: Math.max(numbers.connectors, numbers.connector),
  });
}

export const usual = {
  'ocpp1.6': { url: 'ws://127.0.0.1:8080/ocpp', station: 'SIM-0001', card: 'CARD-0001' },
  ykc: { url: 'tcp://127.0.0.1:8768', station: '44030601000001', card: '00000000D1C0FFEE' },
} as const;

type Chosen = { url: string; station: string; cards: readonly string[]; kind: ChargeKind };

/** One line that says what is wrong, or null. */
const wrongFor: Readonly<Record<Arguments['protocol'], (chosen: Chosen) => string | null>> = {
  'ocpp1.6': ({ url, station, cards }) => {
    if (!/^wss?:\/\/\S+$/.test(url)) return `--url starts with ws:// or wss://, got ${url}`;
    if (station === '' || station.length > 48) return '--station has 1 to 48 characters';
    return cards.some((card) => card === '' || card.length > 20) ? '--card has 1 to 20 characters' : null;
  },
  ykc: ({ url, station, cards, kind }) => {
    if (!isTcp(url)) return `--url is tcp://host:port, got ${url}`;
    if (!/^\d{14}$/.test(station)) return `--station has 14 digits, got ${station}`;
    if (kind === 'two-wheel') return '--kind is dc or ac with --protocol ykc';
    const isWrong = cards.some((card) => !/^[0-9a-f]{1,16}$/i.test(card));
    return isWrong ? '--card has 1 to 16 hexadecimal digits' : null;
  },
};

/** The conversation has its protocol. */
function wrongReplayUrl(url: string): string | null {
  return url === '' || isTcp(url) || /^wss?:\/\/\S+$/.test(url)
    ? null
    : `--url starts with ws://, wss:// or tcp://, got ${url}`;
}

function isTcp(url: string): boolean {
  return /^tcp:\/\/(\[[^\]]+\]|[^:/]+):\d{1,5}\/?$/.test(url);
}

const ranges = {
  connector: { min: 1, max: 100, whole: true },
  connectors: { min: 1, max: 100, whole: true },
  power: { min: 0.1, max: 1_000, whole: false },
  minutes: { min: 0.1, max: 1_440, whole: false },
  interval: { min: 1, max: 3_600, whole: true },
  count: { min: 1, max: 5_000, whole: true },
  'per-socket': { min: 1, max: 1_000, whole: true },
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
          protocol: { type: 'string', default: 'ocpp' },
          url: { type: 'string' },
          station: { type: 'string' },
          password: { type: 'string' },
          vin: { type: 'string' },
          card: { type: 'string', multiple: true },
          connector: { type: 'string', default: '1' },
          connectors: { type: 'string', default: '2' },
          kind: { type: 'string', default: 'dc' },
          power: { type: 'string', default: '60' },
          minutes: { type: 'string', default: '2' },
          interval: { type: 'string', default: '5' },
          count: { type: 'string', default: '20' },
          'per-socket': { type: 'string', default: '1' },
          speed: { type: 'string', default: '6' },
          seed: { type: 'string', default: '1' },
          frames: { type: 'boolean', default: false },
          fast: { type: 'boolean', default: false },
          help: { type: 'boolean', short: 'h', default: false },
        },
      }),
    );
  } catch (error) {
    // parseArgs reports a wrong option only by throwing.
    return failed(error instanceof Error ? error.message : String(error));
  }
}
