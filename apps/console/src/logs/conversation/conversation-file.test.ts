import { type Conversation, conversationMax } from '@voltdeck/contract/logs';
import { describe, expect, test } from 'vitest';
import { logOf } from '../test-log.ts';
import { conversationFileName, conversationText, readConversation } from './conversation-file.ts';

const saved: Conversation = {
  version: 1,
  protocol: 'ykc',
  stationNumber: '55031412782305',
  from: '2026-11-22T05:16:00.000Z',
  to: '2026-11-22T05:26:00.000Z',
  isCut: false,
  exchanges: [logOf({ id: '1', atMs: 1_000 }), logOf({ id: '2', atMs: 2_000 })],
};
const faultOf = (text: string) => {
  const read = readConversation(text);
  return read.ok ? null : read.error;
};

describe('a conversation saved to a file', () => {
  test('a conversation saved to a file is read back as it was, oldest first', () => {
    expect(readConversation(conversationText(saved))).toEqual({ ok: true, value: saved });
    const turned = { ...saved, exchanges: saved.exchanges.toReversed() };
    expect(readConversation(conversationText(turned))).toEqual({ ok: true, value: saved });
  });

  test('a conversation saved to a file has a name that every file system accepts', () => {
    expect(conversationFileName(saved)).toBe('conversation-55031412782305-2026-11-22T05-16-00.json');
    expect(conversationFileName({ ...saved, stationNumber: 'A/B:C' })).toMatch(/^conversation-A_B_C-/);
  });

  test('a file that is not a conversation is refused with what is wrong with it', () => {
    expect(faultOf('{')).toEqual({ kind: 'not-json' });
    expect(faultOf('[1]')).toEqual({ kind: 'not-a-conversation' });
    expect(faultOf('null')).toEqual({ kind: 'not-a-conversation' });
    expect(faultOf(JSON.stringify({ ...saved, version: 2 }))).toEqual({ kind: 'other-version' });
    const long = { ...saved, exchanges: Array.from({ length: conversationMax + 1 }, () => 0) };
    expect(faultOf(JSON.stringify(long))).toEqual({ kind: 'too-long' });
    const wrong = { ...saved, exchanges: [{ ...logOf(), at: 'yesterday' }] };
    expect(faultOf(JSON.stringify(wrong))).toEqual({ kind: 'wrong-field', path: 'exchanges.0.at' });
  });
});
