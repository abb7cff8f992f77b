import { isKnownAction } from '@voltdeck/ocpp16/messages/actions';
import { definitions } from '@voltdeck/ykc/messages/all';
import type { Definition } from '@voltdeck/ykc/messages/field';
import { describe, expect, test } from 'vitest';
import { isHeartbeat, messageKinds, waitsForAnswer } from './message-kinds.ts';

const hex = (type: number) => `0x${type.toString(16).toUpperCase().padStart(2, '0')}`;

describe('the types of messages that the log offers', () => {
  test("the log's message types of YKC are those that it records, with the names and answers of the protocol's tables", () => {
    const answers = new Set(Object.values<Definition>(definitions).map(({ answer }) => answer));
    const logged = Object.values<Definition>(definitions)
      .filter(({ kind, sender }) => sender === 'pile' || !answers.has(kind))
      .map(({ kind, type, answer }) => ({ action: hex(type), word: kind, isAnswered: answer !== null }))
      .sort((a, b) => a.action.localeCompare(b.action));
    const offered = messageKinds
      .filter(({ protocol }) => protocol === 'ykc')
      .map(({ action, word, isAnswered }) => ({ action, word, isAnswered }));
    expect(offered).toEqual(logged);
  });

  test("the log's message types of OCPP 1.6 are real actions", () => {
    const actions = messageKinds.filter(({ protocol }) => protocol === 'ocpp1.6').map(({ action }) => action);
    expect(actions.length).toBeGreaterThan(10);
    expect(actions.filter((action) => !isKnownAction(action))).toEqual([]);
  });

  test("the log's message types distinguish heartbeats and calls that need an answer", () => {
    expect(isHeartbeat({ protocol: 'ykc', action: '0x03' })).toBe(true);
    expect(isHeartbeat({ protocol: 'ocpp1.6', action: 'Heartbeat' })).toBe(true);
    expect(isHeartbeat({ protocol: 'ocpp1.6', action: '0x03' })).toBe(false);
    expect(waitsForAnswer({ protocol: 'ykc', action: '0x13' })).toBe(false);
    expect(waitsForAnswer({ protocol: 'ykc', action: '0x3B' })).toBe(true);
    expect(waitsForAnswer({ protocol: 'ocpp1.6', action: 'ReserveNow' })).toBe(true);
    expect(waitsForAnswer({ protocol: 'ocpp1.6', action: null })).toBe(false);
  });
});
