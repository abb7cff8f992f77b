import { describe, expect, test } from 'vitest';
import { entryOf, loginAddress, safeRedirect } from './entry.ts';
import { secondsLeft } from './lockout.ts';
import { sessionAnswerOf } from './session-request.ts';

describe('entryOf (specification section 2)', () => {
  test('without a token every path leads to /login with the way back', () => {
    expect(entryOf({ path: '/orderListReal', search: '?page=2', hasToken: false })).toEqual({
      kind: 'sign-in',
      redirect: '/orderListReal?page=2',
      address: '/login?redirect=%2ForderListReal%3Fpage%3D2',
    });
  });

  test('without a token /login stays and knows where to go', () => {
    expect(entryOf({ path: '/login', search: '?redirect=%2Fhome', hasToken: false })).toEqual({
      kind: 'sign-in',
      redirect: '/home',
    });
  });

  test('with a token /login leads to /, and every other path stays', () => {
    expect(entryOf({ path: '/login', search: '', hasToken: true })).toEqual({ kind: 'console', address: '/' });
    expect(entryOf({ path: '/x', search: '', hasToken: true })).toEqual({ kind: 'console' });
  });
});

test('a redirect never leads to another site or back to the sign-in page', () => {
  const foreign = ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', '', null];
  const disguised = ['/\t/evil.example', '/\n\\evil.example', '/.//evil.example', '/%2e//evil.example', '/\u0000/x\t'];
  for (const bad of [...foreign, ...disguised.slice(0, 4)]) expect(safeRedirect(bad), String(bad)).toBe('/');
  for (const odd of disguised)
    expect(new URL(safeRedirect(odd), 'https://console.example').host).toBe('console.example');
  expect(safeRedirect('/login?redirect=/login')).toBe('/');
  expect(safeRedirect('/orderListHistory?number=1')).toBe('/orderListHistory?number=1');
  expect(loginAddress('/')).toBe('/login');
});

test('a lockout counts down to zero and not below', () => {
  expect(secondsLeft(10_000, 0)).toBe(10);
  expect(secondsLeft(10_000, 9_001)).toBe(1);
  expect(secondsLeft(10_000, 10_000)).toBe(0);
  expect(secondsLeft(10_000, 99_000)).toBe(0);
});

describe('sessionAnswerOf (specification section 5)', () => {
  const accepted = (data: unknown) => ({ kind: 'accepted', data }) as const;
  test('an empty user or no list of menus is no session', () => {
    expect(sessionAnswerOf(accepted(null), accepted([])).kind).toBe('unverified');
    expect(sessionAnswerOf(accepted({ id: 1 }), accepted(null)).kind).toBe('unverified');
  });

  test('a user without menus still has a session', () => {
    expect(sessionAnswerOf(accepted({ id: 1 }), accepted([]))).toEqual({ kind: 'session', user: { id: 1 }, menus: [] });
  });
});
