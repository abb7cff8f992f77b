import { expect, test } from 'vitest';
import { readUserAgent } from './user-agent.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [
    'Chrome on Windows',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36`,
    'Chrome 142',
    'Windows',
  ],
  [
    'Edge on macOS',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`,
    'Edge 141',
    'macOS',
  ],
  [
    'Firefox on Linux',
    'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    'Firefox 145',
    'Linux',
  ],
  [
    'Safari on macOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
    'Safari 26',
    'macOS',
  ],
  [
    'Safari on an iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    'Safari 18',
    'iOS 18',
  ],
  [
    'Chrome on Android',
    `Mozilla/5.0 (Linux; Android 15; K) ${webkit} Chrome/142.0.0.0 Mobile Safari/537.36`,
    'Chrome 142',
    'Android 15',
  ],
  [
    'WeChat on Android',
    `Mozilla/5.0 (Linux; Android 14; V2307A) ${webkit} Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0.62.2880(0x28003E35) WeChat/arm64`,
    'WeChat 8',
    'Android 14',
  ],
  [
    'a Huawei phone',
    `Mozilla/5.0 (Phone; OpenHarmony 5.0) ${webkit} Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1 Mobile`,
    'Chrome 114',
    'HarmonyOS 5',
  ],
  ['a script', 'curl/8.5.0', 'curl/8.5.0', ''],
  ['nothing at all', '', '', ''],
])('%s is recognised from its user agent', (_, text, browser, system) => {
  expect(readUserAgent(text)).toEqual({ browser, system });
});
