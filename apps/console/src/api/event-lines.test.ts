import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventLengthMax, eventReader } from './event-lines.ts';
import { reconnectDelayMs } from './server-stream.ts';

const stream = ': hello\n\ndata: {"a":1}\n\nevent: x\ndata: first\ndata: second\n\n: still here\n\ndata:tight\r\n\r\n';
const events = ['{"a":1}', 'first\nsecond', 'tight'];

describe('eventReader', () => {
  test('the reader of events reads events and leaves comments out', () => {
    expect(eventReader()(stream)).toEqual(events);
  });

  test('the reader of events reads the same however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
        const read = eventReader();
        const places = [0, ...cuts.sort((a, b) => a - b), stream.length];
        const found = places.flatMap((place, index) => read(stream.slice(place, places[index + 1] ?? stream.length)));
        expect(found).toEqual(events);
      }),
    );
  });

  test('the reader of events gives up on a line that does not end', () => {
    const read = eventReader();
    expect(() => read(`data: ${'x'.repeat(eventLengthMax)}`)).toThrow(RangeError);
  });
});

test('reconnecting waits longer each time, half of it by chance, half a minute at the most', () => {
  expect(reconnectDelayMs(0, 0)).toBe(500);
  expect(reconnectDelayMs(0, 1)).toBe(1_000);
  expect(reconnectDelayMs(3, 0)).toBe(4_000);
  expect(reconnectDelayMs(100, 1)).toBe(30_000);
});
