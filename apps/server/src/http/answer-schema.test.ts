import { orWaits } from '@voltdeck/contract/approvals';
import { shown } from '@voltdeck/contract/fields';
import { route } from '@voltdeck/contract/route';
import fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { maskerOf } from '../personal/masker.ts';
import { answerSchema } from './answer-schema.ts';

const record = z.object({
  id: z.int(),
  phone: z.nullable(shown.phone()),
  value: z.nullable(z.union([z.int(), z.string()])),
  lines: z.array(z.object({ amountFen: z.int(), note: z.optional(z.string()) })),
});
const answer = orWaits(record);
const refund = route({
  method: 'POST',
  path: '/refunds',
  summary: 'A refund',
  permission: 'order.refund',
  answer,
  errors: [],
});

async function sent(data: unknown): Promise<unknown> {
  const app = fastify();
  app.get('/', { schema: { response: { 200: answerSchema(refund) } } }, async () => ({
    message: { status: 200, code: 0, message: 'OK' },
    data,
  }));
  const response = await app.inject('/');
  await app.close();
  return response.json().data;
}

describe('an answer that is a record, or what its act waits for', () => {
  test('both alternatives are sent as they are', async () => {
    const waits = { waitsFor: { id: 7, number: 'P20261121000000000007', hasDecider: true } };
    expect(await sent(waits)).toEqual(waits);
    const made = { id: 1, phone: null, value: null, lines: [{ amountFen: 5 }] };
    expect(await sent(made)).toEqual(made);
  });

  test('a record that carries more than its schema says is sent without the rest', async () => {
    const made = {
      id: 1,
      phone: '13800000000',
      value: 3,
      secret: 'x',
      lines: [{ amountFen: 5, note: 'n', secret: 'y' }],
    };
    expect(await sent(made)).toEqual({ id: 1, phone: '13800000000', value: 3, lines: [{ amountFen: 5, note: 'n' }] });
  });

  test('the personal data of the record is masked, and what an act waits for is not touched', () => {
    const mask = maskerOf(answer);
    const waits = { waitsFor: { id: 7, number: 'P20261121138000000007', hasDecider: false } };
    expect(mask?.(waits, null)).toEqual(waits);
    expect(mask?.({ id: 1, phone: '13800000000', value: 'x', lines: [] }, null)).toMatchObject({
      phone: '138****0000',
    });
  });
});
