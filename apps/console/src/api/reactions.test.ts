import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Verdict } from './envelope.ts';
import { inSession, reactTo, setReactions } from './reactions.ts';
import { Refused } from './refused.ts';

const refused = () => new Refused({ status: 50014, code: 50014, message: 'said' });
const lost = (): Verdict => ({ kind: 'session-lost', refused: refused() });
const accepted: Verdict = { kind: 'accepted', data: 1 };

type Asked = { isAct: boolean; token: string | null };

/** A user who answers the dialog in one way, and a browser with a cookie. */
function person(answer: boolean): { asked: Asked[]; toasts: string[] } {
  const asked: Asked[] = [];
  const toasts: string[] = [];
  vi.stubGlobal('document', { cookie: 'zhny_token=old' });
  setReactions({
    toast: (message) => toasts.push(message),
    signOut: () => {},
    sessionLost: async (isAct, token) => {
      asked.push({ isAct, token });
      return answer;
    },
  });
  return { asked, toasts };
}

/** Returns the verdicts in turn. */
const answers = (...verdicts: Verdict[]) => {
  let count = 0;
  return async () => verdicts[count++] ?? accepted;
};

afterEach(() => vi.unstubAllGlobals());

describe('a question in a lost session', () => {
  test('a question in a lost session is asked again when the same person has signed in', async () => {
    const { asked } = person(true);
    expect(await inSession(answers(lost(), accepted), true)).toEqual(accepted);
    expect(asked).toEqual([{ isAct: true, token: 'old' }]);
  });

  test('a question in a lost session stays refused when the person declines, and is not asked again', async () => {
    const { asked } = person(false);
    const verdict = await inSession(answers(lost(), accepted), false);
    expect(verdict.kind).toBe('session-lost');
    expect(asked).toEqual([{ isAct: false, token: 'old' }]);
  });

  test('a question in a lost session is asked again only once, whatever the answer', async () => {
    const { asked } = person(true);
    expect((await inSession(answers(lost(), lost(), accepted), true)).kind).toBe('session-lost');
    expect(asked).toHaveLength(1);
  });

  test('a question that was accepted or refused for another reason needs no sign-in', async () => {
    const { asked } = person(true);
    const other: Verdict = { kind: 'refused', refused: refused() };
    expect(await inSession(answers(accepted), true)).toEqual(accepted);
    expect(await inSession(answers(other), true)).toEqual(other);
    expect(asked).toEqual([]);
  });
});

describe('a refusal', () => {
  test('a refusal is shown once: the page does not repeat what a toast has said', () => {
    const { toasts } = person(true);
    const told = refused();
    reactTo({ kind: 'refused', refused: told }, false);
    expect([toasts, told.isShown]).toEqual([['said'], true]);
    const quiet = refused();
    reactTo({ kind: 'refused', refused: quiet }, true);
    expect([toasts, quiet.isShown]).toEqual([['said'], false]);
  });
});
