import { expect, test } from 'vitest';
import { defaultPushHosts, isPushEndpoint } from './push.ts';

test.each([
  'https://fcm.googleapis.com/fcm/send/abc:def',
  'https://updates.push.services.mozilla.com/wpush/v2/gAAA',
  'https://web.push.apple.com/QGd',
  'https://wns2-by3p.notify.windows.com/w/?token=BQY',
])('push: the services of the known browsers are called: %s', (endpoint) => {
  expect(isPushEndpoint(endpoint, defaultPushHosts)).toBe(true);
});

test.each([
  'http://fcm.googleapis.com/fcm/send/abc',
  'https://fcm.googleapis.com:8443/fcm/send/abc',
  'https://fcm.googleapis.com.example.org/',
  'https://evilfcm.googleapis.com/',
  'https://push.apple.com/',
  'https://evilpush.apple.com/',
  'https://fcm.googleapis.com@example.org/',
  'https://user@fcm.googleapis.com/',
  'https://169.254.169.254/latest/meta-data/',
  'wss://fcm.googleapis.com/',
  '//fcm.googleapis.com/',
  '',
])('push: no other address is: %s', (endpoint) => {
  expect(isPushEndpoint(endpoint, defaultPushHosts)).toBe(false);
});

test('push: a port is part of an entry, and no entry allows nothing', () => {
  expect(isPushEndpoint('https://push.lan:8443/x', ['push.lan:8443'])).toBe(true);
  expect(isPushEndpoint('https://push.lan/x', ['push.lan:8443'])).toBe(false);
  expect(isPushEndpoint('https://a.b.example.net:8443/x', ['*.example.net:8443'])).toBe(true);
  expect(isPushEndpoint('https://fcm.googleapis.com/', [])).toBe(false);
});
