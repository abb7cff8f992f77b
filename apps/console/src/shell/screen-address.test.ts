import { describe, expect, test } from 'vitest';
import { screenAddress } from './screen-address.ts';

const origin = 'https://console.example';

describe('the big-data screen', () => {
  test('the big-data screen is the built-in one by default', () => {
    for (const none of [null, undefined, '', '  ']) expect(screenAddress(none, origin, 't')).toBe('/screen');
  });

  test('the big-data screen gets no token where the cookie is sent', () => {
    expect(screenAddress('/screen?theme=2', origin, 't')).toBe('/screen?theme=2');
    expect(screenAddress('https://console.example/wall', origin, 't')).toBe('/wall');
  });

  test('a big-data screen on another origin gets the login token', () => {
    expect(screenAddress('https://wall.example/show?x=1', origin, 'a b')).toBe(
      'https://wall.example/show?x=1&token=a+b',
    );
    expect(screenAddress('https://wall.example/', origin, null)).toBe('https://wall.example/');
  });

  test('the big-data screen is never a script or a file', () => {
    for (const bad of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'https://']) {
      expect(screenAddress(bad, origin, 't')).toBe('/screen');
    }
  });
});
