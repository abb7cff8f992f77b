import { describe, expect, test } from 'vitest';
import { announcedIn, announcementText } from './announcement.ts';

const person = { userName: 'admin', password: 'in /data/admin-password' };

describe('what the server says when it has started', () => {
  test.each([
    { url: 'http://127.0.0.1:8080', ykcPort: 8768 },
    { url: 'https://localhost:443', ykcPort: null },
    { url: 'http://[::1]:40123', ykcPort: 1 },
  ])('an announcement begins with $url and is parsed whatever surrounds it', (listening) => {
    const text = announcementText({ ...listening, ...person });
    expect(text.split('\n', 1)).toEqual([`Voltdeck is at    ${listening.url}`]);
    expect(announcedIn(text)).toEqual(listening);
    expect(announcedIn(`database created\n${text}\n{"level":30}\n`)).toEqual(listening);
  });

  test('an announcement is parsed only once both addresses are there', () => {
    const text = announcementText({ url: 'http://127.0.0.1:40123', ykcPort: 40124, ...person });
    const whole = text.indexOf('Sign in as ') + 'Sign in as '.length;
    for (let length = 0; length < whole; length += 1) expect(announcedIn(text.slice(0, length))).toBeNull();
    expect(announcedIn(text.slice(0, whole))).toEqual({ url: 'http://127.0.0.1:40123', ykcPort: 40124 });
  });
});
