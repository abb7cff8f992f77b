import { minuteMs, secondMs } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Arguments } from './arguments.ts';
import type { ChargingStation, SwipeOutcome } from './charging-station.ts';
import { type Clock, TimerGroup } from './clock.ts';
import type { Faults } from './faults.ts';
import { startFleet } from './fleet.ts';
import { newsLine } from './news-line.ts';
import { playReplay } from './replay/play-replay.ts';
import type { ScenarioName } from './scenario-names.ts';
import { pause, type Stage } from './stage.ts';
import type { StationNews } from './station-news.ts';
import { VirtualStation } from './virtual-station.ts';
import type { PileFaults } from './ykc/pile-faults.ts';
import { VirtualPile } from './ykc/virtual-pile.ts';

const onlineWithinMs = 60 * secondMs;
const deliveredWithinMs = 2 * minuteMs;
const bootWaitMs = 3 * minuteMs;

type SharedFaults = Partial<
  Pick<Faults & PileFaults, 'clock' | 'duplicates' | 'flapping' | 'meterRollback' | 'powerCut' | 'silent'>
>;

const garbageEvery = 5;
const amountErrorHundredthsFen = 12_300;

/** The faults of the station in a scenario, in any protocol. */
function faultsOf(scenario: ScenarioName, minutes: number): SharedFaults {
  const middleMs = (minutes / 2) * minuteMs;
  switch (scenario) {
    case 'flap':
      return { flapping: { upMs: middleMs / 3, downMs: middleMs / 4 } };
    case 'power-cut':
      return { powerCut: { afterMs: middleMs, offMs: 15 * secondMs, stop: 'later' } };
    case 'duplicates':
      return { duplicates: 'both' };
    case 'clock-1970':
      return { clock: { kind: 'epoch' } };
    case 'rollback':
      return { meterRollback: { afterMs: middleMs, byWh: 5_000 } };
    case 'silent':
      return { silent: true };
    default:
      return {};
  }
}

/** Plays a scenario to its end. A failure is one line that says what did not happen. */
export function playScenario(chosen: Arguments, stage: Stage): Promise<Result<string, string>> {
  if (chosen.scenario === 'fleet') return playFleet(chosen, stage);
  if (chosen.scenario === 'replay') return playReplay(chosen, stage);
  return playStation(chosen, stage);
}

function makeStation(chosen: Arguments, clock: Clock): VirtualStation | VirtualPile {
  if (chosen.protocol === 'ykc') {
    return new VirtualPile({
      url: chosen.url,
      number: chosen.station,
      connectors: chosen.connectors,
      kind: chosen.kind,
      maxPowerKw: chosen.powerKw,
      seed: chosen.seed,
      clock,
      sampleMs: chosen.intervalSeconds * secondMs,
      hasGroundLocks: true,
      ...(chosen.vin === undefined ? {} : { vin: chosen.vin }),
      faults: {
        ...faultsOf(chosen.scenario, chosen.minutes),
        crcHighFirst: chosen.scenario === 'crc-high-first',
        garbageEvery: chosen.scenario === 'garbage' ? garbageEvery : null,
        amountErrorHundredthsFen: chosen.scenario === 'wrong-amount' ? amountErrorHundredthsFen : 0,
      },
    });
  }
  return new VirtualStation({
    url: chosen.url,
    number: chosen.station,
    ...(chosen.password === undefined ? {} : { password: chosen.password }),
    connectors: chosen.connectors,
    kind: chosen.kind,
    maxPowerKw: chosen.powerKw,
    seed: chosen.seed,
    clock,
    faults: faultsOf(chosen.scenario, chosen.minutes),
    configuration: {
      MeterValueSampleInterval: String(chosen.intervalSeconds),
      StopTxnSampledData: 'Energy.Active.Import.Register',
    },
  });
}

async function playStation(chosen: Arguments, stage: Stage): Promise<Result<string, string>> {
  const station = makeStation(chosen, stage.clock);
  station.on((news) => {
    const line = newsLine(news, chosen.frames);
    if (line !== null) stage.say(line);
  });
  const over = new AbortController();
  const timers = new TimerGroup(stage.clock);
  try {
    return await playCharge(station, chosen, timers, {
      ...stage,
      signal: AbortSignal.any([stage.signal, over.signal]),
    });
  } finally {
    over.abort();
    timers.cancelAll();
    await station.stop();
  }
}

async function playCharge(
  station: VirtualStation | VirtualPile,
  chosen: Arguments,
  timers: TimerGroup,
  stage: Stage,
): Promise<Result<string, string>> {
  const { connector } = chosen;
  const card = chosen.cards[0] ?? '';
  const hear = (wanted: (news: StationNews) => boolean, withinMs: number) => hearing(station, stage, wanted, withinMs);

  const online = hear(
    (news) =>
      chosen.protocol === 'ykc'
        ? news.kind === 'model-received'
        : news.kind === 'boot-answered' && news.decision === 'Accepted',
    onlineWithinMs,
  );
  station.start();
  if ((await online) === null) return failed(`${station.number} was not accepted at ${chosen.url}`);

  const started = hear((news) => news.kind === 'charge-started', chosen.minutes * minuteMs);
  const ended = hear((news) => news.kind === 'charge-ended', 2 * chosen.minutes * minuteMs + bootWaitMs);
  station.plugIn(connector);
  if (chosen.scenario === 'remote') {
    stage.say(`waiting for a remote start of ${station.number}, connector ${connector}`);
    if ((await started) === null) return failed('nobody started a charge');
  } else {
    const outcome = await begin(station, chosen, hear, stage);
    if (outcome !== 'started') return failed(`card ${card} was ${outcome}`);
  }
  if (chosen.scenario === 'unplug') timers.after((chosen.minutes / 2) * minuteMs, () => station.unplug(connector));

  timers.after(chosen.minutes * minuteMs, () => {
    for (const { number, charge } of station.connectors) {
      if (charge === null || !station.isPowered) continue;
      if (chosen.scenario === 'vin') station.interrupt(number, 'Local');
      else void station.swipeCard(number, charge.card);
    }
  });
  const stop = await ended;
  if (stop === null || stop.kind !== 'charge-ended') return failed('the charge did not end');
  if (station.isPowered) for (const { number } of station.connectors) station.unplug(number);
  // News are published before the messages that they are about are answered.
  if (!(await delivered(station, stage))) return failed('the central system did not take every message');
  station.unplug(connector);
  return ok(`${station.number} charged ${stop.energyWh} Wh and everything was delivered`);
}

type Hear = (wanted: (news: StationNews) => boolean, withinMs: number) => Promise<StationNews | null>;

/** A person at the station starts the charge. */
async function begin(
  station: VirtualStation | VirtualPile,
  { scenario, connector, cards, minutes }: Arguments,
  hear: Hear,
  stage: Stage,
): Promise<SwipeOutcome> {
  const card = cards[0] ?? '';
  if (!(station instanceof VirtualPile)) return station.swipeCard(connector, card);
  switch (scenario) {
    case 'vin':
      return station.applyByVin(connector);
    case 'parallel':
      for (const { number } of station.connectors) station.plugIn(number);
      return station.swipeCardForAll(card);
    case 'offline-card': {
      stage.say(`waiting until a card is stored in the whitelist of ${station.number}`);
      const stored = await hear(
        (news) => news.kind === 'command-answered' && news.action === 'offline-card-sync',
        minutes * minuteMs,
      );
      if (stored === null) return 'refused';
      station.dropLink((minutes / 2) * minuteMs);
      return station.swipeCard(connector, card);
    }
    default:
      return station.swipeCard(connector, card);
  }
}

async function playFleet(chosen: Arguments, stage: Stage): Promise<Result<string, string>> {
  const first = /^(.*?)(\d+)$/.exec(chosen.station);
  const prefix = first?.[1] ?? `${chosen.station}-`;
  const digits = first?.[2] ?? '0001';
  const stations = Array.from({ length: chosen.count }, (_, index) => ({
    number: `${prefix}${String(Number(digits) + index).padStart(digits.length, '0')}`,
    ...(chosen.password === undefined ? {} : { password: chosen.password }),
    connectors: chosen.connectors,
    kind: chosen.kind,
    maxPowerKw: chosen.powerKw,
  }));
  const fleet = startFleet({
    url: chosen.url,
    stations,
    stationsPerSocket: chosen.perSocket,
    cards: chosen.cards,
    seed: chosen.seed,
    speed: chosen.speed,
    clock: stage.clock,
  });
  let charges = 0;
  let refused = 0;
  fleet.on((news) => {
    if (news.kind === 'charge-started') charges += 1;
    if (news.kind === 'link-closed' && news.httpStatus !== null) refused += 1;
    const isChatter = news.kind === 'sampled' || news.kind === 'stopped';
    const line = isChatter ? null : newsLine(news, chosen.frames);
    if (line !== null) stage.say(line);
  });
  await pause(stage, chosen.minutes * minuteMs);
  const online = fleet.stations.filter((station) => station.isOnline).length;
  await fleet.stop();
  if (charges === 0 && online === 0) return failed(`no station was accepted at ${chosen.url} (${refused} refusals)`);
  return ok(`${online} of ${chosen.count} stations were online, ${charges} charges`);
}

/** The first matching news, or null when none comes in time. */
function hearing(
  station: ChargingStation,
  stage: Stage,
  wanted: (news: StationNews) => boolean,
  withinMs: number,
): Promise<StationNews | null> {
  return new Promise((resolve) => {
    const finish = (news: StationNews | null) => {
      cancel();
      stop();
      stage.signal.removeEventListener('abort', abort);
      resolve(news);
    };
    const abort = () => finish(null);
    const cancel = stage.clock.after(withinMs, abort);
    const stop = station.on((news) => {
      if (wanted(news)) finish(news);
    });
    stage.signal.addEventListener('abort', abort);
    if (stage.signal.aborted) abort();
  });
}

async function delivered(station: ChargingStation, stage: Stage): Promise<boolean> {
  const until = stage.clock.now() + deliveredWithinMs;
  while (!(station.isDelivered && station.isOnline)) {
    if (stage.clock.now() >= until || stage.signal.aborted) return false;
    await pause(stage, 200);
  }
  return true;
}
