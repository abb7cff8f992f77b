import { describe, expect, test } from 'vitest';
import { benchNames, readArguments, usage } from './arguments.ts';

describe('the command line of the benches', () => {
  test('without a name means all of them', () => {
    expect(readArguments([])).toEqual({ ok: true, value: { benches: benchNames, quick: false, seed: 1 } });
  });

  test('bench names are taken once, in order', () => {
    expect(readArguments(['settle', '--quick', 'ingest', 'settle'])).toEqual({
      ok: true,
      value: { benches: ['settle', 'ingest'], quick: true, seed: 1 },
    });
  });

  test.each([['--help'], ['-h', 'nonsense']])('%s asks for help', (...words) => {
    expect(readArguments(words)).toEqual({ ok: true, value: 'help' });
  });

  test('a bench run takes the seed of the first story', () => {
    expect(readArguments(['charge-rules', '--seed', '42'])).toMatchObject({ ok: true, value: { seed: 42 } });
    expect(readArguments(['--seed', 'x'])).toEqual({ ok: false, error: 'a seed is a whole number, not "x"' });
  });

  test('an unknown bench is named in the refusal', () => {
    expect(readArguments(['toString'])).toEqual({ ok: false, error: 'there is no bench "toString"' });
    expect(readArguments(['--fast'])).toMatchObject({ ok: false, error: expect.stringContaining('--fast') });
  });

  test('the help names every bench', () => {
    for (const name of benchNames) expect(usage).toContain(`  ${name} `);
  });
});
