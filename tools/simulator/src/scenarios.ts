import { minuteMs, secondMs } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Arguments } from './arguments.ts';
import { type Clock, TimerGroup } from './clock.ts';
import type { Faults } from './faults.ts';
import { startFleet } from './fleet.ts';
import { newsLine } from './news-line.ts';
import type { ScenarioName } from './scenario-names.ts';
import type { StationNews } from './station-news.ts';
import { VirtualStation } from './virtual-station.ts';

export type Stage = {
  clock: Clock;
  say(line: string): void /** Ends a scenario early (Ctrl-C). */;
  signal: AbortSignal;
};

const onlineWithinMs = 60 * secondMs;
const deliveredWithinMs = 2 * minuteMs;
const bootWaitMs = 3 * minuteMs;

/** What is wrong with the station in a scenario; `null` for a station in good health. */
function faultsOf(scenario: ScenarioName, minutes: number): Partial<Faults> {
  const middleMs = (minutes / 2) * minuteMs;
  switch (scenario) {
    case 'charge':
    case 'remote':
    case 'fleet':
      return {};
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
  }
}

/** Plays a scenario to its end. A failure says in one line what did not happen. */
export function playScenario(chosen: Arguments, stage: Stage): Promise<Result<string, string>> {
  if (chosen.scenario === 'fleet') return playFleet(chosen, stage);
  return playStation(chosen, stage);
}

async function playStation(chosen: Arguments, stage: Stage): Promise<Result<string, string>> {
  const station = new VirtualStation({
    url: chosen.url,
    number: chosen.station,
    ...(chosen.password === undefined ? {} : { password: chosen.password }),
    connectors: chosen.connectors,
    kind: chosen.kind,
    maxPowerKw: chosen.powerKw,
    seed: chosen.seed,
    clock: stage.clock,
    faults: faultsOf(chosen.scenario, chosen.minutes),
    configuration: {
      MeterValueSampleInterval: String(chosen.intervalSeconds),
      StopTxnSampledData: 'Energy.Active.Import.Register',
    },
  });
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
  station: VirtualStation,
  chosen: Arguments,
  timers: TimerGroup,
  stage: Stage,
): Promise<Result<string, string>> {
  const { connector } = chosen;
  const card = chosen.cards[0] ?? '';
  const hear = (wanted: (news: StationNews) => boolean, withinMs: number) => hearing(station, stage, wanted, withinMs);

  const online = hear((news) => news.kind === 'boot-answered' && news.decision === 'Accepted', onlineWithinMs);
  station.start();
  if ((await online) === null) return failed(`${station.number} was not accepted at ${chosen.url}`);

  const started = hear((news) => news.kind === 'charge-started', chosen.minutes * minuteMs);
  const ended = hear((news) => news.kind === 'charge-ended', 2 * chosen.minutes * minuteMs + bootWaitMs);
  station.plugIn(connector);
  if (chosen.scenario === 'remote') {
    stage.say(`waiting for a remote start of ${station.number}, connector ${connector}`);
    if ((await started) === null) return failed('nobody started a charge');
  } else {
    const outcome = await station.swipeCard(connector, card);
    if (outcome !== 'started') return failed(`card ${card} was ${outcome}`);
  }

  timers.after(chosen.minutes * minuteMs, () => {
    const charge = station.connector(connector).charge;
    if (charge !== null && station.isPowered) void station.swipeCard(connector, charge.card);
  });
  const stop = await ended;
  if (stop === null || stop.kind !== 'charge-ended') return failed('the charge did not end');
  if (station.isPowered) station.unplug(connector);
  // News come before the messages they are about are answered.
  if (!(await delivered(station, stage))) return failed('the central system did not take every message');
  station.unplug(connector);
  return ok(`${station.number} charged ${stop.energyWh} Wh and everything was delivered`);
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

/** The first news that is wanted, or null when it does not come in time. */
function hearing(
  station: VirtualStation,
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

async function delivered(station: VirtualStation, stage: Stage): Promise<boolean> {
  const until = stage.clock.now() + deliveredWithinMs;
  while (!(station.isDelivered && station.isOnline)) {
    if (stage.clock.now() >= until || stage.signal.aborted) return false;
    await pause(stage, 200);
  }
  return true;
}

function pause(stage: Stage, durationMs: number): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      cancel();
      stage.signal.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = stage.clock.after(durationMs, finish);
    stage.signal.addEventListener('abort', finish);
    if (stage.signal.aborted) finish();
  });
}
