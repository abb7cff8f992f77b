import { describe, expect, test } from 'vitest';
import { type DurableMessage, Outbox, outboxMax } from './outbox.ts';

const message = (action: DurableMessage['action'], order: number): DurableMessage => ({
  action,
  payload: () => ({}),
  order,
  id: null,
  attempts: 0,
  notBefore: 0,
  answered: () => {},
});

describe('the queue of messages about charges', () => {
  test('the queue of messages about charges returns them in order', () => {
    const outbox = new Outbox();
    for (const order of [1, 2, 3]) outbox.add(message('MeterValues', order));
    const orders: number[] = [];
    for (let head = outbox.head; head !== null; head = outbox.head) {
      orders.push(head.order);
      outbox.removeHead();
    }
    expect(orders).toEqual([1, 2, 3]);
  });

  test('the queue of messages about charges drops the oldest waiting sample when full, never a start, a stop or the message in flight', () => {
    const outbox = new Outbox();
    outbox.add(message('MeterValues', 0));
    outbox.add(message('StartTransaction', 1));
    for (let order = 2; order < outboxMax; order += 1) outbox.add(message('MeterValues', order));
    expect(outbox.add(message('StopTransaction', outboxMax))?.order).toBe(2);
    expect(outbox.head?.order).toBe(0);
    expect(outbox.size).toBe(outboxMax);
  });

  test('the queue of messages about charges refuses the newest when there is no sample to drop', () => {
    const outbox = new Outbox();
    for (let order = 0; order < outboxMax; order += 1) outbox.add(message('StopTransaction', order));
    expect(outbox.add(message('StartTransaction', outboxMax))?.action).toBe('StartTransaction');
    expect(outbox.size).toBe(outboxMax);
  });
});
