import { afterEach, expect, test, vi } from 'vitest';
import { findObstacle } from './browser-push.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1';
const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15';

interface Browser {
  readonly isSecure?: boolean;
  readonly hasPush?: boolean;
  readonly userAgent?: string;
  readonly maxTouchPoints?: number;
}

test.each<[ReturnType<typeof findObstacle>, Browser]>([
  ['insecure', { isSecure: false }],
  [null, {}],
  ['unsupported', { hasPush: false }],
  ['install', { hasPush: false, userAgent: iPhone }],
  // An iPad that requests desktop pages.
  ['install', { hasPush: false, userAgent: mac, maxTouchPoints: 5 }],
  ['unsupported', { hasPush: false, userAgent: mac }],
  [null, { userAgent: iPhone }],
])(
  'push: what stands in the way of a browser: %s for %j',
  (expected, { isSecure = true, hasPush = true, userAgent = 'Chrome', maxTouchPoints = 0 }) => {
    vi.stubGlobal('isSecureContext', isSecure);
    vi.stubGlobal('navigator', { userAgent, maxTouchPoints, serviceWorker: {} });
    vi.stubGlobal('window', { Notification: {}, ...(hasPush && { PushManager: {} }) });
    expect(findObstacle()).toBe(expected);
  },
);
