import { describe, expect, test } from 'vitest';
import { explain } from './explain.ts';
import { writeFrame } from './frame.ts';
import { fromHex, toHex } from './hex.ts';
import { withCardsHidden } from './hide-cards.ts';
import { definitions } from './messages/all.ts';

const pileNo = '32010200000001';
const card = '00000000D14B0A54';
const hide = (text: string) => 'x'.repeat(text.length);
const shown = (bytes: Uint8Array) => explain(bytes).flatMap(({ spans }) => withCardsHidden(spans, hide));
const textOf = (spans: readonly { raw: string }[]) => spans.map(({ raw }) => raw).join('');

describe('a frame for callers who may not see cards', () => {
  test('loses its cards and its checksum, and keeps everything else in place', () => {
    const bytes = writeFrame({ kind: 'offline-card-query', pileNo, cards: [{ physCardNo: card }] }, 7);
    const spans = shown(bytes);
    const whole = toHex(bytes);
    expect(textOf(spans)).toBe(whole.replace(card, '*'.repeat(16)).replace(/.{4}$/, '****'));
    expect(spans.find(({ path }) => path === 'cards.0.physCardNo')?.value).toBe('xxxxxxxxxxxxxxxx');
  });

  test('stays unchanged without a card', () => {
    const bytes = writeFrame({ kind: 'heartbeat', pileNo, gunNo: 1, gunState: 1 }, 1);
    expect(textOf(shown(bytes))).toBe(toHex(bytes));
  });

  test('loses an unreadable body', () => {
    const bytes = fromHex(`680C00010077${card}0000`) ?? new Uint8Array();
    expect(textOf(shown(bytes))).not.toContain('D14B');
  });

  test('covers every card field of the protocol', () => {
    const names = Object.values(definitions).flatMap(({ fields, list }) =>
      [...fields, ...(list?.fields ?? [])].map(({ name }) => name),
    );
    const cards = [...new Set(names)].filter((name) => /card|account/i.test(name));
    const hidden = (path: string) =>
      withCardsHidden([{ part: 'field', path, raw: 'AB', value: 'AB' }], hide)[0]?.raw === '**';
    expect(cards.filter(hidden).sort()).toEqual(['account', 'logicCardNo', 'physCardNo']);
    expect(cards.filter((name) => !hidden(name))).toEqual([]);
  });
});
