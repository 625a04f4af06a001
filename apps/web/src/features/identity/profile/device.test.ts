import { expect, test } from 'vitest';
import { parseDevice } from './device.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36`,
    'Chrome on Windows',
    'computer',
  ],
  [
    `Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/142.0.0.0 Safari/537.36`,
    'Chrome on Linux',
    'computer',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0`,
    'Edge on Windows',
    'computer',
  ],
  [
    `Mozilla/5.0 (X11; CrOS x86_64) ${webkit} Chrome/142.0.0.0 Safari/537.36 OPR/110`,
    'Opera on ChromeOS',
    'computer',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Firefox on macOS',
    'computer',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
    'phone',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1',
    'Chrome on iPad',
    'tablet',
  ],
  [
    `Mozilla/5.0 (Linux; Android 15; Pixel 9) ${webkit} Chrome/142.0.0.0 Mobile Safari/537.36`,
    'Chrome on Android',
    'phone',
  ],
  [
    `Mozilla/5.0 (Linux; Android 15; SM-X710) ${webkit} SamsungBrowser/28.0 Chrome/142.0 Safari/537.36`,
    'Samsung Internet on Android',
    'tablet',
  ],
  ['curl/8.5.0', 'curl', 'program'],
  ['node', 'node', 'program'],
  ['', 'Unknown device', 'unknown'],
  [null, 'Unknown device', 'unknown'],
] as const)('%s is %s', (userAgent, name, kind) => {
  expect(parseDevice(userAgent)).toEqual({ name, kind });
});

test('a long invented name is shortened', () => {
  expect(parseDevice('x'.repeat(256)).name).toHaveLength(40);
});
