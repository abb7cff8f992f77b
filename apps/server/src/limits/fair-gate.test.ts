import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FairGate, type FairGateLimits, type Leave } from './fair-gate.ts';

const limits: FairGateLimits = { atOnce: 3, atOncePerKey: 2, waiting: 6, waitingPerKey: 4, waitMsMax: 60_000 };

/** Enters, and records whether and in which order places were given. */
function openGate(over: Partial<FairGateLimits> = {}) {
  const gate = new FairGate({ ...limits, ...over });
  const given: string[] = [];
  const refused: string[] = [];
  const places: { name: string; leave: Leave }[] = [];
  const enter = (key: string, name = key, signal?: AbortSignal) =>
    gate.enter(key, signal).then((leave) => {
      if (leave === null) refused.push(name);
      else {
        given.push(name);
        places.push({ name, leave });
      }
    });
  const leave = async () => {
    places.shift()?.leave();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { gate, given, refused, places, enter, leave };
}

describe('a fair gate', () => {
  test('a fair gate gives one key no more than its share and keeps the rest for others', async () => {
    const { gate, given, enter } = openGate();
    void enter('a', 'a1');
    void enter('a', 'a2');
    void enter('a', 'a3');
    await enter('b', 'b1');
    expect(given).toEqual(['a1', 'a2', 'b1']);
    expect([gate.running, gate.waiting]).toEqual([3, 1]);
  });

  test('a fair gate lets waiting keys take turns', async () => {
    const { given, enter, leave } = openGate({ atOnce: 1, atOncePerKey: 1 });
    await enter('a', 'a1');
    for (const name of ['a2', 'a3', 'a4']) void enter('a', name);
    void enter('b', 'b1');
    for (let left = 0; left < 5; left += 1) await leave();
    expect(given).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
  });

  test('a fair gate refuses newcomers when too many of a key, or too many in all, wait', async () => {
    const { refused, enter } = openGate({ atOnce: 1, atOncePerKey: 1 });
    await enter('a');
    for (let count = 0; count < 4; count += 1) void enter('a');
    await enter('a', 'a too many');
    void enter('b');
    void enter('c');
    await enter('d', 'd too many');
    expect(refused).toEqual(['a too many', 'd too many']);
  });

  test('a fair gate refuses whoever has waited too long, and the place goes to the next', async () => {
    const { gate, given, refused, enter, leave } = openGate({ atOnce: 1, atOncePerKey: 1, waitMsMax: 5 });
    await enter('a');
    await enter('b');
    expect([refused, gate.waiting]).toEqual([['b'], 0]);
    await leave();
    await enter('c');
    expect(given).toEqual(['a', 'c']);
  });

  test('a fair gate forgets whoever gives up while waiting', async () => {
    const { gate, given, enter, leave } = openGate({ atOnce: 1, atOncePerKey: 1 });
    const left = new AbortController();
    await enter('a');
    const gone = enter('b', 'b', left.signal);
    void enter('c');
    left.abort();
    await gone;
    await leave();
    expect([given, gate.waiting]).toEqual([['a', 'c'], 0]);
  });

  test('a fair gate never exceeds a limit, and everybody gets a place or a refusal, whatever the order', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('enter' as const), key: fc.constantFrom('a', 'b', 'c') }),
      fc.record({ kind: fc.constant('leave' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
        const { gate, given, refused, places, enter, leave } = openGate();
        let entered = 0;
        for (const next of steps) {
          if (next.kind === 'leave') await leave();
          else {
            entered += 1;
            void enter(next.key);
            await Promise.resolve();
            await Promise.resolve();
          }
          expect(gate.running).toBe(places.length);
          expect(gate.running).toBeLessThanOrEqual(limits.atOnce);
          expect(gate.waiting).toBeLessThanOrEqual(limits.waiting);
          for (const key of ['a', 'b', 'c']) {
            expect(places.filter(({ name }) => name === key).length).toBeLessThanOrEqual(limits.atOncePerKey);
          }
        }
        while (places.length > 0) await leave();
        expect([given.length + refused.length, gate.running, gate.waiting]).toEqual([entered, 0, 0]);
      }),
    );
  });
});
