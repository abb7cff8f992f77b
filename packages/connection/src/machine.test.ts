import type { StationCommand } from '@voltdeck/charging/station-command';
import type { ConnectionEffect, ConnectionInput } from '@voltdeck/charging/station-connection';
import { type Instant, instant, secondMs } from '@voltdeck/units/instant';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandQueueMax, commandWaitMs } from './calls.ts';
import { inboxMax, inboxPauseAt, inboxResumeAt } from './inbox.ts';
import { businessWaitMs, never } from './machine.ts';
import { noteRefused } from './refused-charges.ts';
import { conversationStart, converseBetween, type Decision } from './test-conversation.ts';
import {
  openToy,
  type ToyState,
  toyCallsMax,
  toyInboxChars,
  toyMachine,
  toySilenceMs,
  toyTimeoutMs,
} from './test-dialect.ts';

const noted = { kind: 'noted' } as const;
const step = (state: ToyState, input: ConnectionInput<string>, now: Instant) => toyMachine.step(state, input, now);

function converse({ isKnown = true, isSlow = false, decide = () => noted as Decision } = {}) {
  const state = openToy(conversationStart);
  state.isKnown = isKnown;
  return converseBetween<ToyState, string, string>({ state, step, read: (text) => text, decide, isSlow: () => isSlow });
}

const later = { decide: () => 'later' as Decision };
const kinds = (effects: readonly ConnectionEffect<string>[]) => effects.map(({ kind }) => kind);
const command = (kind: 'clear-cache' | 'set-clock' | 'reset', ref: string): ConnectionInput<string> => ({
  kind: 'command',
  ref,
  command: kind === 'reset' ? { kind, mode: 'soft' } : { kind },
});

describe('the inbox', () => {
  test('an answered message is logged with its reply, and the reply comes right after', () => {
    const talk = converse(later);
    expect(kinds(talk.feed({ kind: 'received', frame: 'ask a' }))).toEqual(['event']);
    expect(talk.decides(noted)).toMatchObject([
      { kind: 'exchange', exchange: { requestText: 'ask a', replyText: 'yes a' } },
      { kind: 'send', frame: 'yes a', isAnswer: true },
    ]);
  });

  test('a message that is repeated before its answer is heard once and answered each time', () => {
    const talk = converse(later);
    talk.receives('ask a');
    talk.receives('ask a');
    talk.receives('ask b');
    talk.decides(noted);
    expect(talk.sent).toEqual(['yes a', 'yes a']);
    expect(talk.events).toHaveLength(2);
  });

  test('a message of several events is answered after the last of them', () => {
    const talk = converse(later);
    talk.receives('both a');
    expect(kinds(talk.decides(noted))).toEqual(['event']);
    talk.decides(noted);
    expect(talk.sent).toEqual(['yes a']);
  });

  test('a message of several events goes on when one of them broke the business', () => {
    const talk = converse(later);
    talk.receives('both a');
    expect(kinds(talk.decides('failed'))).toEqual(['event']);
    talk.decides(noted);
    expect(talk.exchanges).toMatchObject([{ replyText: 'yes a', fault: { description: 'failed' } }]);
  });

  test('the socket pauses at one limit, resumes at another, and is cut off at the last', () => {
    const talk = converse(later);
    for (let count = 1; count < inboxPauseAt; count += 1) talk.receives(`ask ${count}`);
    expect(kinds(talk.effects)).not.toContain('pause');
    talk.receives('ask last');
    expect(kinds(talk.effects).filter((kind) => kind === 'pause')).toHaveLength(1);
    while (talk.state.inboxCount > inboxResumeAt + 1) talk.decides(noted);
    expect(kinds(talk.effects)).not.toContain('resume');
    expect(kinds(talk.decides(noted)).filter((kind) => kind === 'resume')).toHaveLength(1);
    for (let count = 0; talk.closed.length === 0; count += 1) talk.receives(`ask more ${count}`);
    expect(talk.state.inboxCount).toBe(inboxMax);
    expect(talk.closed).toEqual([{ code: 1008, reason: 'too many unanswered frames' }]);
  });

  test('text beyond the character limit is cut off as well', () => {
    const talk = converse(later);
    talk.receives(`ask ${'x'.repeat(toyInboxChars - 4)}`);
    expect(talk.closed).toEqual([]);
    talk.receives('ask b');
    expect(talk.closed).toEqual([{ code: 1008, reason: 'too many unanswered frames' }]);
  });

  test('a business that does not answer in time counts as unavailable', () => {
    const talk = converse(later);
    talk.receives('ask a');
    talk.wait(businessWaitMs - 1);
    expect(talk.closed).toEqual([]);
    talk.wait(1);
    expect(talk.closed).toEqual([{ code: 1013, reason: 'try again later' }]);
    expect(talk.exchanges).toMatchObject([{ requestText: 'ask a', replyText: null }]);
  });
});

describe('calls', () => {
  test('no call is sent while an answer is on its way, nor before the introduction is answered', () => {
    const talk = converse({ isKnown: false, isSlow: true, ...later });
    talk.feed(command('reset', 'early'));
    talk.receives('hello a');
    talk.decides(noted);
    expect(talk.sent).toEqual(['yes a']);
    talk.sends();
    expect(talk.sent).toEqual(['yes a', 'call 1']);
    talk.receives('hello b');
    expect(kinds(talk.feed(command('set-clock', 'meanwhile')))).toEqual([]);
  });

  test('rival calls wait for each other, others are sent together up to the limit', () => {
    const talk = converse();
    talk.feed(command('reset', 'first'));
    talk.feed(command('reset', 'rival'));
    talk.feed(command('set-clock', 'other'));
    talk.feed(command('clear-cache', 'over the limit'));
    expect(talk.sent).toEqual(['call 1', 'call 2']);
    talk.receives('reply 1');
    expect(talk.sent).toHaveLength(toyCallsMax + 1);
    expect(talk.settled).toEqual([{ ref: 'first', outcome: { kind: 'accepted' } }]);
  });

  test('a call without a reply times out, and so does one that waits too long for its turn', () => {
    const talk = converse();
    talk.feed(command('reset', 'first'));
    talk.wait(toyTimeoutMs - 1);
    expect(talk.settled).toEqual([]);
    talk.wait(1);
    expect(talk.settled).toEqual([{ ref: 'first', outcome: { kind: 'timed-out' } }]);
    expect(talk.exchanges).toMatchObject([{ fault: { code: 'TimedOut', description: 'no reply within 5 s' } }]);

    const unknown = converse({ isKnown: false });
    unknown.feed(command('reset', 'waits'));
    unknown.wait(commandWaitMs);
    expect(unknown.settled).toEqual([{ ref: 'waits', outcome: { kind: 'timed-out' } }]);
    expect(unknown.state.calls).toBeNull();
  });

  test('a call beyond the queue limit is refused as busy, and a command that cannot be sent fails', () => {
    const talk = converse({ isKnown: false });
    for (let count = 0; count < commandQueueMax; count += 1) talk.feed(command('reset', String(count)));
    talk.feed(command('reset', 'too many'));
    talk.feed({ kind: 'command', ref: 'raw', command: { kind: 'raw', action: '', payload: {} } });
    expect(talk.settled).toEqual([
      { ref: 'too many', outcome: { kind: 'busy' } },
      { ref: 'raw', outcome: { kind: 'failed' } },
    ]);
  });

  test('a call that may not be sent when its turn comes gets its outcome then', () => {
    const talk = converse();
    talk.feed({ kind: 'command', ref: 'clear', command: { kind: 'clear-cards', physicalNumbers: [] } });
    expect(talk.settled).toEqual([{ ref: 'clear', outcome: { kind: 'rejected' } }]);
    expect(talk.sent).toEqual([]);
  });

  test('a refused charge is asked to stop, with at most one such call waiting', () => {
    const talk = converse({ isKnown: false });
    noteRefused(talk.state, { connectorNumber: 1, transaction: 7, dueAt: talk.now });
    talk.feed({ kind: 'pong' });
    talk.wait(commandWaitMs - 1);
    expect(talk.state.calls?.queue).toHaveLength(1);
  });
});

describe('the line', () => {
  test('a line is closed after its silence, at the exact millisecond', () => {
    const talk = converse();
    talk.wait(toySilenceMs - 1);
    expect(talk.closed).toEqual([]);
    talk.wait(1);
    expect(talk.closed).toEqual([{ code: 1001, reason: 'no sign of life' }]);
    expect(talk.state.nextWakeAt).toBe(never);
  });

  test('a closing line takes no more messages or commands', () => {
    const talk = converse();
    talk.wait(toySilenceMs);
    expect(talk.feed({ kind: 'received', frame: 'ask a' })).toEqual([]);
    talk.feed(command('reset', 'late'));
    expect(talk.settled).toEqual([{ ref: 'late', outcome: { kind: 'offline' } }]);
  });
});

/** What may happen to a connection, in any order. */
const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant('frame' as const), frame: frames() }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('decide' as const), decision: decisions() }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('sent' as const) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('command' as const), kind: commands() }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('reply' as const), number: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('wait' as const), ms: fc.nat(20 * secondMs) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constantFrom('pong' as const, 'pinged' as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('burst' as const), frame: frames() }) },
);

function frames() {
  const verb = fc.constantFrom('hello', 'ask', 'ask', 'tell', 'both', 'nonsense');
  return fc.tuple(verb, fc.nat(9)).map(([said, name]) => `${said} ${name}`);
}

function decisions() {
  return fc.constantFrom<Exclude<Decision, 'later'>>(noted, noted, noted, 'failed');
}

function commands() {
  return fc.constantFrom<StationCommand>(
    { kind: 'clear-cache' },
    { kind: 'set-clock' },
    { kind: 'reset', mode: 'soft' },
    { kind: 'clear-cards', physicalNumbers: [] },
  );
}

type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

/** A gateway that keeps every rule: it reads nothing while paused, and sends each answer in its turn. */
class Gateway {
  readonly state = openToy(conversationStart);
  readonly effects: ConnectionEffect<string>[] = [];
  /** What the station sent and nobody has read. */
  readonly unread: string[] = [];
  readonly read: string[] = [];
  readonly commanded: string[] = [];
  now: Instant = conversationStart;
  isPaused = false;
  answersOut = 0;
  ref: number | null = null;

  feed(input: ConnectionInput<string>): void {
    if (input.kind === 'answered' || input.kind === 'refused') this.ref = null;
    if (input.kind === 'sent') this.answersOut -= 1;
    for (const effect of toyMachine.step(this.state, input, this.now).effects) {
      const before = this.effects.at(-1);
      this.effects.push(effect);
      if (effect.kind === 'pause' || effect.kind === 'resume') {
        expect(this.isPaused).toBe(effect.kind === 'resume');
        this.isPaused = effect.kind === 'pause';
      }
      if (effect.kind === 'event') {
        // The wait for a decision may end without one: then the next event comes with a tick.
        if (input.kind !== 'tick') expect(this.ref).toBeNull();
        this.ref = effect.ref;
      }
      if (effect.kind !== 'send') continue;
      if (effect.isAnswer) {
        expect(before).toMatchObject({ kind: 'exchange', exchange: { replyText: effect.frame } });
        this.answersOut += 1;
      } else expect(this.answersOut).toBe(0);
    }
    this.#keepsLimits();
    while (!this.isPaused && this.unread.length > 0 && this.state.phase === 'open') this.#readOne();
  }

  #readOne(): void {
    const frame = this.unread.shift() ?? '';
    this.read.push(frame);
    this.feed({ kind: 'received', frame });
  }

  #keepsLimits(): void {
    const { inbox, inboxCount, inboxChars, calls, phase, nextWakeAt } = this.state;
    expect(inboxCount).toBeLessThanOrEqual(inboxPauseAt);
    expect(inboxCount).toBe(inbox?.reduce((sum, { repeats }) => sum + 1 + (repeats?.length ?? 0), 0) ?? 0);
    expect(inboxChars).toBeLessThanOrEqual(toyInboxChars);
    expect(calls?.out.length ?? 0).toBeLessThanOrEqual(toyCallsMax);
    expect(calls?.queue.length ?? 0).toBeLessThanOrEqual(commandQueueMax);
    expect(calls === null || calls.out.length + calls.queue.length > 0).toBe(true);
    if (phase === 'open') expect(nextWakeAt).toBeLessThanOrEqual(this.now + toySilenceMs);
  }

  does(one: Act): void {
    switch (one.act) {
      case 'frame':
        this.says(one.frame);
        break;
      case 'burst':
        for (let count = 0; count < 2 * inboxPauseAt; count += 1) this.says(`${one.frame}-${count}`);
        break;
      case 'decide':
        this.decides(one.decision);
        break;
      case 'sent':
        if (this.answersOut > 0) this.feed({ kind: 'sent' });
        break;
      case 'command': {
        const ref = String(this.commanded.length);
        this.commanded.push(ref);
        this.feed({ kind: 'command', ref, command: one.kind });
        break;
      }
      case 'reply':
        this.says(`reply ${one.number}`);
        break;
      case 'wait':
        this.now = instant(this.now + one.ms);
        if (this.now >= this.state.nextWakeAt) this.feed({ kind: 'tick' });
        break;
      case 'pong':
      case 'pinged':
        this.feed({ kind: one.act });
    }
  }

  says(frame: string): void {
    this.unread.push(frame);
    this.feed({ kind: 'pong' });
  }

  decides(decision: Exclude<Decision, 'later'>): void {
    const { ref } = this;
    if (ref === null) return;
    if (typeof decision === 'string') this.feed({ kind: 'refused', ref, because: decision });
    else this.feed({ kind: 'answered', ref, answer: decision });
  }

  /** The business and the database catch up. */
  settles(): void {
    while (this.ref !== null || this.answersOut > 0) {
      this.decides(noted);
      if (this.answersOut > 0) this.feed({ kind: 'sent' });
    }
  }

  exchanges(direction: 'from-station' | 'to-station') {
    return this.effects.flatMap((effect) =>
      effect.kind === 'exchange' && effect.exchange.direction === direction ? [effect.exchange] : [],
    );
  }
}

function played(acts: readonly Act[]): Gateway {
  const gateway = new Gateway();
  for (const one of acts) gateway.does(one);
  return gateway;
}

const stories = fc.array(act, { minLength: 20, maxLength: 80, size: 'max' });
const runs = { numRuns: 60 };

describe('in any order', () => {
  test('in any order each request has at most one answer, no call overtakes a due answer, and every limit holds', () => {
    fc.assert(
      fc.property(stories, (acts) => {
        const gateway = played(acts);
        const asked = gateway.read.length;
        const answers = gateway.effects.filter((effect) => effect.kind === 'send' && effect.isAnswer).length;
        expect(answers).toBeLessThanOrEqual(asked);
        expect(gateway.exchanges('from-station').length + gateway.state.inboxCount).toBeLessThanOrEqual(asked);
      }),
      runs,
    );
  });

  test('a paused connection reads and loses nothing: once the business catches up, each frame is logged', () => {
    let paused = 0;
    fc.assert(
      fc.property(stories, (acts) => {
        const gateway = played(acts);
        if (gateway.isPaused) paused += 1;
        gateway.settles();
        fc.pre(gateway.state.phase === 'open');
        expect(gateway.unread).toEqual([]);
        expect(gateway.isPaused).toBe(false);
        const logged = gateway.effects.flatMap((effect) => {
          if (effect.kind !== 'exchange') return [];
          const { direction, requestText, replyText } = effect.exchange;
          if (direction === 'from-station') return [requestText];
          return replyText === null ? [] : [replyText];
        });
        expect(logged.toSorted()).toEqual(gateway.read.toSorted());
      }),
      runs,
    );
    expect(paused).toBeGreaterThan(0);
  });

  test('a line that breaks anywhere settles every command once and logs every call and message', () => {
    fc.assert(
      fc.property(stories, (acts) => {
        const gateway = played(acts);
        gateway.feed({ kind: 'closed' });
        const settled = gateway.effects.flatMap((effect) => (effect.kind === 'command-settled' ? [effect.ref] : []));
        expect(settled.toSorted()).toEqual(gateway.commanded.toSorted());
        expect(gateway.exchanges('to-station')).toHaveLength(gateway.state.callsSent);
        expect(gateway.state).toMatchObject({ inbox: null, inboxCount: 0, inboxChars: 0, calls: null, handed: null });
      }),
      runs,
    );
  });
});
