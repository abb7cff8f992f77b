/** What every protocol's connection must do alike, so that the business cannot tell protocols apart. */
import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import { authorizations, protocols } from '@voltdeck/charging/states';
import { commandKinds, type StationCommand } from '@voltdeck/charging/station-command';
import type { EventAnswer, StationEvent } from '@voltdeck/charging/station-event';
import { fen } from '@voltdeck/units/money';
import { describe, expect, test } from 'vitest';
import { ocppBench } from './ocpp-bench.ts';
import {
  agreeable,
  type Decide,
  type Decision,
  type Floor,
  type ProtocolBench,
  type Reply,
  type Saying,
} from './protocol-bench.ts';
import { ykcBench } from './ykc-bench.ts';

const benches: readonly ProtocolBench[] = [ocppBench, ykcBench];
const seed = Number(process.env.SEED ?? 20_261_124);

const kindsOf = (all: readonly { kind: string }[]) => all.map(({ kind }) => kind);
const faultsOf = ({ exchanges }: Floor) => exchanges.map(({ fault }) => fault?.code ?? null);
const stopsOf = ({ events }: Floor) => events.filter(({ kind }) => kind === 'charge-stopped');

test('every protocol has a bench', () => {
  expect(benches.map(({ protocol }) => protocol)).toEqual([...protocols]);
});

describe.each(benches)('$protocol', (bench) => {
  const { charge, cardNumber } = bench;
  const agree = agreeable(charge);
  const open = (decisions: Partial<Record<StationEvent['kind'], Decision>> = {}, options: { booted?: boolean } = {}) =>
    bench.open((event) => decisions[event.kind] ?? agree(event), options);
  const end = { kind: 'end', charge, energyWh: 5_000 } as const satisfies Saying;
  const allLater: Decide = () => 'later';

  describe('signing in', () => {
    test('a station that introduces itself is accepted and its messages are heard', () => {
      const floor = open({}, { booted: false });
      expect(floor.says({ kind: 'boot' })).toEqual(['yes']);
      expect(floor.says({ kind: 'heartbeat' })).toEqual(['yes']);
      expect(kindsOf(floor.events)).toEqual(['booted', 'heartbeat']);
      expect(faultsOf(floor)).toEqual([null, null]);
    });

    test('a refused station gets the refusal, and no charge of it begins', () => {
      const floor = open({ booted: { kind: 'boot', decision: 'rejected', heartbeatSeconds: 300 } }, { booted: false });
      expect(floor.says({ kind: 'boot' })).toEqual(['no']);
      expect(floor.says({ kind: 'card', cardNumber })).not.toContain('yes');
      expect(floor.says({ kind: 'begin', charge })).not.toContain('yes');
      expect(kindsOf(floor.events)).toEqual(['booted']);
    });

    test('a station gets no calls before it has introduced itself', () => {
      const floor = open({}, { booted: false });
      expect(floor.commands(bench.command.reset, 'early')).toBe(0);
      floor.says({ kind: 'boot' });
      floor.wait(2_000);
      floor.commands({ ...bench.command['stop-charge'] }, 'later');
      expect(floor.effects.filter(({ kind }) => kind === 'send').length).toBeGreaterThan(1);
    });
  });

  describe('a charge', () => {
    test.each(authorizations)('a card gets the answer: %s', (authorization) => {
      const floor = bench.open((event): EventAnswer => {
        if (event.kind === 'authorization-requested') return { kind: 'authorization', authorization };
        if (event.kind !== 'charge-requested') return agree(event);
        const named = authorization === 'accepted' ? { transaction: String(charge.transaction) } : {};
        return { kind: 'charge-decided', authorization, ...named, availableFen: fen(100) };
      });
      expect(floor.says({ kind: 'card', cardNumber })).toEqual([authorization === 'accepted' ? 'yes' : 'no']);
      const [event] = floor.events;
      const asked = event?.kind === 'charge-requested' ? event.by : event;
      expect(asked).toMatchObject({ cardNumber });
      expect(faultsOf(floor)).toEqual([null]);
    });

    test('a charge is heard from its start to its end, in our words', () => {
      const floor = open();
      expect(floor.says({ kind: 'begin', charge })).not.toContain('no');
      floor.says({ kind: 'reading', charge, energyWh: 1_250 });
      expect(floor.says({ kind: 'end', charge, energyWh: 2_500 })).toEqual(['yes']);
      const started = floor.events.find(({ kind }) => kind === 'charge-started');
      expect(started).toMatchObject({ connectorNumber: charge.connectorNumber, meterStartWh: 0 });
      const readings = floor.events.filter(({ kind }) => kind === 'readings-taken');
      expect(readings.at(-1)).toMatchObject({
        connectorNumber: charge.connectorNumber,
        transaction: charge.transaction,
        readings: [{ energyWh: 1_250 }],
      });
      expect(stopsOf(floor)).toMatchObject([{ transaction: charge.transaction, meterStopWh: 2_500, reason: 'local' }]);
      expect(faultsOf(floor)).toEqual([null, null, null]);
    });

    test.each(['blocked', 'expired', 'unknown', 'no_balance', 'station_closed'] as const)(
      'a charge that began and is %s may not go on',
      (authorization) => {
        const floor = open({ 'charge-started': { kind: 'charge-started', transactionNumber: 7, authorization } });
        expect(floor.says({ kind: 'begin', charge })).toEqual(['no']);
      },
    );

    test('a start repeated over a new connection is the same event', () => {
      const [first, second] = [open(), open()];
      first.says({ kind: 'begin', charge });
      second.says({ kind: 'begin', charge });
      const begun = (floor: Floor) => floor.events.find(({ kind }) => kind === 'charge-started');
      expect(begun(second)).toBeDefined();
      expect(begun(second)).toEqual(begun(first));
    });

    test('a start that could not be stored is repeated', () => {
      const away = open({ 'charge-started': 'unavailable' });
      expect(away.says({ kind: 'begin', charge })).not.toContain('yes');
      expect(faultsOf(away)).toEqual(['Unavailable']);
      // The same connection if it lives on, a new one if it was closed.
      const floor = away.closed.length > 0 ? open() : away;
      floor.says({ kind: 'begin', charge });
      expect(kindsOf(floor.events).filter((kind) => kind === 'charge-started').length).toBeGreaterThan(0);
    });
  });

  describe('the end of a charge', () => {
    test('an end is answered only after it is durable', () => {
      const floor = open({ 'charge-stopped': 'later' });
      expect(floor.says(end)).toEqual([]);
      expect(floor.effects.at(-1)?.kind).toBe('event');
      expect(floor.decides({ kind: 'charge-stopped' })).toEqual(['yes']);
      expect(kindsOf(floor.effects).slice(-2)).toEqual(['exchange', 'send']);
    });

    test('an end repeated while it is being decided is heard once and answered each time', () => {
      const floor = open({ 'charge-stopped': 'later' });
      floor.says(end);
      expect(floor.repeats()).toEqual([]);
      expect(floor.repeats()).toEqual([]);
      expect(floor.decides({ kind: 'charge-stopped' })).toEqual(['yes', 'yes', 'yes']);
      expect(stopsOf(floor)).toHaveLength(1);
      expect(floor.exchanges).toHaveLength(3);
    });

    test('an end repeated after its answer is the same event and gets the same answer', () => {
      const floor = open();
      expect(floor.says(end)).toEqual(['yes']);
      expect(floor.repeats()).toEqual(['yes']);
      const [first, second] = stopsOf(floor);
      expect(second).toEqual(first);
    });

    test('an end that comes late over a new connection needs no start', () => {
      const floor = open();
      floor.wait(bench.silenceMs - 1_000);
      expect(floor.says(end)).toEqual(['yes']);
      expect(stopsOf(floor)).toMatchObject([{ transaction: charge.transaction, meterStopWh: 5_000 }]);
    });

    test('an end of an unknown charge is decided by the business, and the station stops repeating it', () => {
      const unknown = typeof charge.transaction === 'number' ? 987_654 : `9${charge.transaction.slice(1)}`;
      const floor = open();
      expect(floor.says({ ...end, charge: { ...charge, transaction: unknown } })).toEqual(['yes']);
      expect(stopsOf(floor)).toMatchObject([{ transaction: unknown }]);
    });

    test('an end that breaks the business stays with the station, and the log has the fault', () => {
      const floor = open({ 'charge-stopped': 'failed' });
      expect(floor.says(end)).not.toContain('yes');
      expect(faultsOf(floor)).toEqual(['InternalError']);
      expect(floor.closed).toEqual([]);
    });

    test('an end that cannot be stored stays unanswered, and the station has to repeat it', () => {
      const floor = open({ 'charge-stopped': 'unavailable' });
      expect(floor.says(end)).toEqual([]);
      expect(floor.exchanges).toMatchObject([{ replyText: null, fault: { code: 'Unavailable' } }]);
      expect(floor.closed).toMatchObject([{ code: 1013 }]);
      const again = open();
      expect(again.says(end)).toEqual(['yes']);
    });
  });

  describe('commands', () => {
    const cases = Object.entries(bench.command);

    test.each(cases)('%s: a yes is the outcome', (_, command) => {
      const floor = open();
      expect(floor.commands(command)).toBe(1);
      floor.wait(250);
      floor.answers('yes');
      expect(floor.settled).toEqual([{ ref: 'command', outcome: { kind: 'accepted' } }]);
      expect(floor.exchanges).toMatchObject([{ direction: 'to-station', latencyMs: 250, fault: null }]);
    });

    test.each(cases)('%s: a no is the outcome', (_, command) => {
      const floor = open();
      floor.commands(command);
      floor.answers('no');
      expect(floor.settled).toMatchObject([{ ref: 'command', outcome: { kind: 'rejected' } }]);
    });

    test.each(cases)('%s: silence times out, and an answer that comes too late changes nothing', (_, command) => {
      const floor = open();
      floor.commands(command);
      floor.wait(bench.callTimeoutMs - 1);
      expect(floor.settled).toEqual([]);
      floor.wait(1);
      expect(floor.settled).toEqual([{ ref: 'command', outcome: { kind: 'timed-out' } }]);
      floor.answers('yes');
      expect(floor.settled).toHaveLength(1);
      expect(faultsOf(floor)).toEqual(['TimedOut', 'UnknownReply']);
      expect(floor.exchanges[0]).toMatchObject({ direction: 'to-station', replyText: null, latencyMs: null });
    });

    test('a second command of the same kind waits for the first', () => {
      const floor = open();
      expect(floor.commands(bench.command.reset, 'one')).toBe(1);
      expect(floor.commands(bench.command.reset, 'two')).toBe(0);
      floor.answers('yes');
      floor.answers('no');
      expect(floor.settled).toMatchObject([
        { ref: 'one', outcome: { kind: 'accepted' } },
        { ref: 'two', outcome: { kind: 'rejected' } },
      ]);
    });

    test('too many waiting commands are refused as busy', () => {
      const floor = open();
      for (let count = 0; count < bench.commandQueueMax + 2; count += 1)
        floor.commands(bench.command.reset, `${count}`);
      expect(floor.settled).toEqual([{ ref: `${bench.commandQueueMax + 1}`, outcome: { kind: 'busy' } }]);
    });

    test('a command that the traits do not name is not sent', () => {
      const may: readonly string[] = protocolTraits[bench.protocol].commands;
      for (const kind of commandKinds.filter((each) => !may.includes(each))) {
        const floor = open();
        expect(floor.commands(anyCommand(kind)), kind).toBe(0);
        expect(['failed', 'not-supported'], kind).toContain(floor.settled[0]?.outcome.kind);
      }
    });

    test('a lost line settles the command that is out, the waiting one and the next as offline', () => {
      const floor = open();
      floor.commands(bench.command.reset, 'out');
      floor.commands(bench.command.reset, 'waiting');
      floor.loses();
      floor.commands(bench.command.reset, 'after');
      expect(floor.settled).toEqual(['out', 'waiting', 'after'].map((ref) => ({ ref, outcome: { kind: 'offline' } })));
      expect(faultsOf(floor)).toEqual(['ConnectionClosed']);
    });
  });

  describe('the line', () => {
    test('a line is dead after its silence, and any frame breaks the silence', () => {
      const floor = open();
      floor.wait(bench.silenceMs - 1);
      floor.says({ kind: 'garbage' });
      floor.wait(bench.silenceMs - 1);
      expect(floor.closed).toEqual([]);
      floor.wait(1);
      expect(floor.closed).toMatchObject([{ code: 1001 }]);
    });

    test('garbage is logged unchanged, means nothing and harms nothing', () => {
      const floor = open();
      expect(floor.says({ kind: 'garbage' })).toEqual([]);
      expect(floor.exchanges).toMatchObject([{ action: null, replyText: null, fault: { code: 'Unreadable' } }]);
      expect(floor.events).toEqual([]);
      expect(floor.says({ kind: 'heartbeat' })).toEqual(['yes']);
    });

    test('a station that is faster than the business is not read until the business has caught up', () => {
      const floor = bench.open(allLater);
      for (let count = 0; count < bench.inboxPauseAt; count += 1) {
        floor.says({ kind: 'reading', charge, energyWh: count });
      }
      expect(kindsOf(floor.effects)).toContain('pause');
      expect(kindsOf(floor.effects)).not.toContain('resume');
      for (let left = 0; left < 3 * bench.inboxPauseAt && !kindsOf(floor.effects).includes('resume'); left += 1) {
        decideNext(floor, agree);
      }
      expect(kindsOf(floor.effects)).toContain('resume');
    });

    test('events are heard in order, one at a time', () => {
      const floor = bench.open(allLater);
      floor.says({ kind: 'state', connectorNumber: 1, state: 'fault' });
      floor.says({ kind: 'card', cardNumber });
      floor.says({ kind: 'heartbeat' });
      floor.says(end);
      expect(floor.events).toHaveLength(1);
      const replies: Reply[] = [];
      while (stopsOf(floor).length === 0) replies.push(...decideNext(floor, agree));
      replies.push(...decideNext(floor, agree));
      const asked = kindsOf(floor.events).map((kind) =>
        kind === 'charge-requested' ? 'authorization-requested' : kind,
      );
      expect(asked.filter((kind) => kind !== 'charge-started')).toEqual([
        'connector-state-changed',
        'authorization-requested',
        'heartbeat',
        'charge-stopped',
      ]);
      expect(replies.filter((reply) => reply === 'no')).toEqual([]);
      expect(floor.exchanges).toHaveLength(4);
    });

    test('a state is reported with its fault', () => {
      const floor = open();
      floor.says({ kind: 'state', connectorNumber: 2, state: 'fault' });
      floor.says({ kind: 'state', connectorNumber: 2, state: 'free' });
      expect(floor.events).toMatchObject([
        { kind: 'connector-state-changed', connectorNumber: 2, state: 'fault' },
        { kind: 'connector-state-changed', connectorNumber: 2, state: 'free' },
      ]);
    });
  });

  describe('shuffled and doubled', () => {
    const rounds = 100;

    test(`each message is logged, each end is answered, nothing is heard that was not said (SEED=${seed})`, () => {
      const random = randomFrom(seed);
      for (let round = 0; round < rounds; round += 1) {
        const energies = Array.from({ length: 6 }, () => random(50_000));
        const sayings: readonly Saying[] = [
          { kind: 'heartbeat' },
          { kind: 'garbage' },
          { kind: 'card', cardNumber },
          { kind: 'state', connectorNumber: 2, state: 'free' },
          { kind: 'state', connectorNumber: 2, state: 'fault' },
          { kind: 'begin', charge },
          ...energies.map((energyWh) => ({ kind: 'reading' as const, charge, energyWh })),
          end,
        ];
        const said = shuffled([...sayings, ...sayings], random);
        const floor = bench.open((event) => (random(3) === 0 ? 'later' : agree(event)));
        const replies: Reply[] = [];
        for (const saying of said) {
          replies.push(...floor.says(saying));
          while (floor.isThinking() && random(2) === 0) replies.push(...decideNext(floor, agree));
        }
        while (floor.isThinking()) replies.push(...decideNext(floor, agree));
        const label = `SEED=${seed}, round ${round}`;
        expect(floor.exchanges, label).toHaveLength(said.length);
        expect(
          faultsOf(floor).filter((code) => code !== null),
          label,
        ).toEqual(['Unreadable', 'Unreadable']);
        expect(replies, label).not.toContain('no');
        expect(floor.closed, label).toEqual([]);
        const stops = stopsOf(floor);
        expect(stops.length, label).toBeGreaterThan(0);
        expect(new Set(stops.map((stop) => JSON.stringify(stop))).size, label).toBe(1);
        const told = floor.events.flatMap((event) =>
          event.kind === 'readings-taken' ? event.readings.map(({ energyWh }) => Number(energyWh)) : [],
        );
        expect([...new Set([...told, 0])].toSorted(), label).toEqual([...new Set([...energies, 0])].toSorted());
        const begun = floor.events.filter(({ kind }) => kind === 'charge-started');
        expect(begun.length, label).toBeGreaterThan(0);
      }
    });

    test(`a line that breaks anywhere settles every command once (SEED=${seed})`, () => {
      const random = randomFrom(seed + 1);
      for (let round = 0; round < rounds; round += 1) {
        const floor = bench.open((event) => (random(4) === 0 ? 'later' : agree(event)));
        const asked: string[] = [];
        const commands = Object.values(bench.command);
        for (let count = 5 + random(40); count > 0; count -= 1) {
          const choice = random(5);
          const command = commands[random(commands.length)];
          if (choice === 0 && command !== undefined) {
            asked.push(`${round}/${count}`);
            floor.commands(command, `${round}/${count}`);
          } else if (choice === 1) floor.answers(random(2) === 0 ? 'yes' : 'no');
          else if (choice === 2) floor.wait(random(20_000));
          else if (choice === 3 && floor.isThinking()) decideNext(floor, agree);
          else floor.says(random(2) === 0 ? { kind: 'heartbeat' } : end);
        }
        floor.loses();
        expect(floor.settled.map(({ ref }) => ref).toSorted(), `SEED=${seed}, round ${round}`).toEqual(
          asked.toSorted(),
        );
      }
    });
  });
});

function decideNext(floor: Floor, agree: (event: StationEvent) => EventAnswer): readonly Reply[] {
  const event = floor.events.at(-1);
  return event === undefined || !floor.isThinking() ? [] : floor.decides(agree(event));
}

function anyCommand(kind: StationCommand['kind']): StationCommand {
  const price = { electricityE5: 1, serviceE5: 1 };
  const examples: { readonly [Kind in StationCommand['kind']]: Extract<StationCommand, { kind: Kind }> } = {
    'start-charge': { kind: 'start-charge', connectorNumber: 1, cardNumber: '1' },
    'stop-charge': { kind: 'stop-charge', transaction: 1 },
    reset: { kind: 'reset', mode: 'soft' },
    'unlock-connector': { kind: 'unlock-connector', connectorNumber: 1 },
    'change-availability': { kind: 'change-availability', connectorNumber: 0, available: true },
    'read-configuration': { kind: 'read-configuration', keys: [] },
    'write-configuration': { kind: 'write-configuration', key: 'a', value: 'b' },
    'clear-cache': { kind: 'clear-cache' },
    'trigger-message': { kind: 'trigger-message', message: 'boot' },
    'transfer-data': { kind: 'transfer-data', vendor: 'v' },
    'set-tariff': {
      kind: 'set-tariff',
      tariff: {
        version: '0001',
        prices: { sharp: price, peak: price, flat: price, valley: price },
        slots: Array.from({ length: 48 }, () => 'flat' as const),
      },
    },
    'set-clock': { kind: 'set-clock' },
    'update-balance': { kind: 'update-balance', connectorNumber: 1, availableFen: fen(1) },
    'store-cards': { kind: 'store-cards', cards: [{ number: '1', physicalNumber: 'AA' }] },
    'clear-cards': { kind: 'clear-cards', physicalNumbers: ['AA'] },
    'query-cards': { kind: 'query-cards', physicalNumbers: ['AA'] },
    'limit-power': { kind: 'limit-power', available: true, maxPowerPercent: 50 },
    'move-ground-lock': { kind: 'move-ground-lock', connectorNumber: 1, to: 'raised' },
    'update-firmware': {
      kind: 'update-firmware',
      firmware: {
        current: 'dc',
        ratedPowerKw: 60,
        host: 'h',
        port: 21,
        user: 'u',
        password: 'p',
        path: '/f',
        when: 'now',
        timeoutMinutes: 5,
      },
    },
    raw: { kind: 'raw', action: 'x', payload: {} },
  };
  return examples[kind];
}

/** A repeatable random integer from 0 to below `below` (mulberry32). */
function randomFrom(from: number): (below: number) => number {
  let state = from >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function shuffled<Item>(items: readonly Item[], random: (below: number) => number): Item[] {
  const left = [...items];
  const result: Item[] = [];
  while (left.length > 0) result.push(...left.splice(random(left.length), 1));
  return result;
}
