import { type Conversation, conversation, conversationMax } from '@voltdeck/contract/logs';
import { failed, ok, type Result } from '@voltdeck/units/result';

/** The console never saves a larger file. */
export const fileBytesMax = 64 * 1024 * 1024;

/** "conversation-HZ-1-2026-11-22T05-16-00.json": no colons, which some file systems refuse. */
export function conversationFileName({ stationNumber, from }: Pick<Conversation, 'stationNumber' | 'from'>): string {
  const name = stationNumber.replaceAll(/[^A-Za-z0-9._-]/g, '_');
  return `conversation-${name}-${new Date(from).toISOString().slice(0, 19).replaceAll(':', '-')}.json`;
}

export function conversationText(saved: Conversation): string {
  return `${JSON.stringify(saved, null, 2)}\n`;
}

/** Why a file cannot be shown; for `wrong-field` with the field. */
export type FileFault =
  | { kind: 'not-json' }
  | { kind: 'not-a-conversation' }
  | { kind: 'other-version' }
  | { kind: 'too-long' }
  | { kind: 'wrong-field'; path: string };

/** Reads a saved conversation, sorted oldest first. */
export function readConversation(text: string): Result<Conversation, FileFault> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failed({ kind: 'not-json' });
  }
  if (typeof value !== 'object' || value === null || !('exchanges' in value) || !Array.isArray(value.exchanges)) {
    return failed({ kind: 'not-a-conversation' });
  }
  if (!('version' in value) || value.version !== 1) return failed({ kind: 'other-version' });
  if (value.exchanges.length > conversationMax) return failed({ kind: 'too-long' });
  const read = conversation.safeParse(value);
  if (!read.success) return failed({ kind: 'wrong-field', path: (read.error.issues[0]?.path ?? []).join('.') });
  const exchanges = [...read.data.exchanges].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return ok({ ...read.data, exchanges });
}
