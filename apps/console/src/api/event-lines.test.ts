import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventLengthMax, eventReader } from './event-lines.ts';
import { reconnectDelayMs } from './server-stream.ts';

const stream = ': hello\n\ndata: {"a":1}\n\nevent: x\ndata: first\ndata: second\n\n: still here\n\ndata:tight\r\n\r\n';
const events = ['{"a":1}', 'first\nsecond', 'tight'];

describe('eventReader', () => {
  test('the event reader returns events and skips comments', () => {
    expect(eventReader()(stream)).toEqual(events);
  });

  test('the event reader gives the same events wherever the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
        const read = eventReader();
        const places = [0, ...cuts.sort((a, b) => a - b), stream.length];
        const found = places.flatMap((place, index) => read(stream.slice(place, places[index + 1] ?? stream.length)));
        expect(found).toEqual(events);
      }),
    );
  });

  test('the event reader gives up on an endless line', () => {
    const read = eventReader();
    expect(() => read(`data: ${'x'.repeat(eventLengthMax)}`)).toThrow(RangeError);
  });

  test('the event reader gives up on an event of endless lines', () => {
    const read = eventReader();
    const lines = `data: ${'x'.repeat(1_000)}\n`.repeat(eventLengthMax / 1_000);
    expect(() => {
      for (const half of [lines, lines]) read(half);
    }).toThrow(RangeError);
  });

  test('the event reader takes any number of events', () => {
    const read = eventReader();
    for (let round = 0; round < 3; round += 1) {
      expect(read(`data: ${'x'.repeat(eventLengthMax / 2)}\n\n`)).toHaveLength(1);
    }
  });
});

test('reconnect delays grow up to half a minute, half of each at random', () => {
  expect(reconnectDelayMs(0, 0)).toBe(500);
  expect(reconnectDelayMs(0, 1)).toBe(1_000);
  expect(reconnectDelayMs(3, 0)).toBe(4_000);
  expect(reconnectDelayMs(100, 1)).toBe(30_000);
});
