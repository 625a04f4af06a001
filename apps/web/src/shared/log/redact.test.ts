import { describe, expect, test } from 'vitest';
import type { Entry } from './log.ts';
import { formatLog, logFileName } from './log-file.ts';
import { redact, redactText } from './redact.ts';

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1MSJ9.c2lnbmF0dXJl';

describe('A105: exported text contains no secrets', () => {
  test.each([
    ['a token by its shape', `refused ${jwt} at sign-in`, 'refused [redacted] at sign-in'],
    ['an authorization header', `authorization: Bearer ${jwt}`, /^authorization: \[redacted\]/],
    ['a bearer', 'sent Bearer abc.def-ghi', 'sent Bearer [redacted]'],
    ['an address', 'no profile for jane.doe+x@example.test today', 'no profile for [redacted] today'],
    ['a phone number', 'call +12345678900 now', 'call [redacted] now'],
    ['the public key', 'apikey sb_publishable_AbC-12', 'apikey [redacted]'],
    [
      'a code in a link',
      'GET /auth/callback?code=a1b2&next=%2F failed',
      'GET /auth/callback?[redacted] failed',
    ],
    [
      'tokens behind a hash',
      'https://x.test/cb#access_token=1&type=recovery',
      'https://x.test/cb#[redacted]',
    ],
    [
      'a password in JSON',
      '{"email":"a@b.co","password":"hunter 2"}',
      '{"email":[redacted],"password":[redacted]}',
    ],
    ['a pair', 'refresh_token=abc; path=/', 'refresh_token=[redacted]; path=/'],
    [
      'JSON within JSON',
      String.raw`body {\"refresh_token\":\"abc\",\"n\":1}`,
      String.raw`body {\"refresh_token\":[redacted],\"n\":1}`,
    ],
    [
      'a quote within a password',
      String.raw`{"password":"a\"hunter","n":1}`,
      '{"password":[redacted],"n":1}',
    ],
    [
      'a secret name as part of a longer one',
      'newPassword=hunter "token_hash":"hunter"',
      'newPassword=[redacted] "token_hash":[redacted]',
    ],
    ['a code behind a flag', '/auth/callback?x&code=a1b2 failed', '/auth/callback?[redacted] failed'],
    ['all of a cookie', 'Cookie: theme=dark; fulcrum-refresh=hunter', 'Cookie: [redacted]'],
    ['an address of any script', 'for jane@exämple.de and jane@localhost', 'for [redacted] and [redacted]'],
    ['a written phone number', 'call +49 1234 567-890', 'call [redacted]'],
  ])('%s', (_what, text, clean) => {
    if (clean instanceof RegExp) expect(redactText(text)).toMatch(clean);
    else expect(redactText(text)).toBe(clean);
    expect(redactText(text)).not.toMatch(/eyJ|hunter|a1b2|sb_pub|jane|1234567/);
  });

  test('other text is unchanged', () => {
    for (const text of [
      'BTCUSDT at 64000.50',
      'Code 42501: permission denied',
      'What? a = b',
      'Long +255.97 USDT',
      'draw@http://x.test/a.js:1:2',
    ]) {
      expect(redactText(text)).toBe(text);
    }
  });

  test('nested fields are redacted by name, errors including their causes', () => {
    const cause = Object.assign(new Error(`bad ${jwt}`), { status: 401, access_token: 'x1' });
    const error = new Error('The request failed', { cause });
    const clean = redact({
      request: {
        headers: { Authorization: 'zzz', apikey: 'yyy' },
        url: new URL('https://x.test/a?code=qqq'),
      },
      users: [{ email: 'a@b.co', phone_number: '+4912345678', username: 'jane' }],
      session: { refresh_token: 'rrr' },
      error,
    });
    const text = JSON.stringify(clean);
    expect(text).not.toMatch(/zzz|yyy|qqq|rrr|x1|a@b|49123|eyJ/);
    expect(clean).toMatchObject({
      users: [{ username: 'jane' }],
      error: { message: 'The request failed', cause: { status: 401, message: 'bad [redacted]' } },
    });
  });

  test('truncating a long text leaves no part of a secret', () => {
    const filler = 'x '.repeat(994);
    expect(redactText(`${filler}jane.doe@example.test`)).not.toContain('jane');
    expect(redactText(`${filler}"password":"hunter two"`)).not.toContain('hunter');
  });

  test('a pair is redacted by its name, and an unreadable value does not break the file', () => {
    expect(redact([['authorization', 'hunter']])).toEqual([['authorization', '[redacted]']]);
    const hostile = {
      get boom() {
        throw new Error('hunter');
      },
    };
    expect(redact(hostile)).toEqual({ unreadable: true });
    expect(redact({ bytes: new Uint8Array(5_000_000), run: () => 'hunter' })).toEqual({
      bytes: '[bytes]',
      run: '[function]',
    });
  });

  test('cycles, depth, length and number of items are limited', () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(redact(circle)).toEqual({ self: '[circular]' });
    expect(JSON.stringify(redact({ a: { b: { c: { d: { e: { f: 1 } } } } } }))).toContain('[deeper]');
    expect(redactText('x'.repeat(9_000)).length).toBeLessThan(2_100);
    expect(redact(Array.from({ length: 900 }, () => 1))).toHaveLength(50);
    expect(redact(new Map([['password', 'p']]))).toEqual({ password: '[redacted]' });
    expect(redact(10n)).toBe('10');
  });
});

describe('A105: the file', () => {
  const circumstances = { now: new Date('2026-11-21T09:05:59Z'), path: '/trading', browser: 'test' };
  const entry = (message: string, data?: unknown): Entry => ({
    timestamp: '2026-11-21T09:00:00.000Z',
    level: 'warn',
    category: 'app',
    message,
    data,
  });

  test('is named after the minute, in UTC', () => {
    expect(logFileName(circumstances.now)).toBe('fulcrum-log-20261121-0905.txt');
  });
  test('ENT-27: has a line per entry with timestamp, level, category, message and data', () => {
    const [head, ...lines] = formatLog([entry('a'), entry('b', { n: 1 })], circumstances)
      .trim()
      .split('\n');
    expect(JSON.parse(head!)).toMatchObject({ entries: 2, left_out: 0, path: '/trading' });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { timestamp: '2026-11-21T09:00:00.000Z', level: 'warn', category: 'app', message: 'a' },
      { timestamp: '2026-11-21T09:00:00.000Z', level: 'warn', category: 'app', message: 'b', data: { n: 1 } },
    ]);
  });
  test('has a size limit: the oldest entries are left out', () => {
    const many = Array.from({ length: 1000 }, (_, at) => entry(`${at} ${'x'.repeat(1_500)}`));
    const text = formatLog(many, circumstances);
    expect(text.length).toBeLessThan(510_000);
    const [head, ...lines] = text.trim().split('\n');
    expect(JSON.parse(head!).left_out).toBe(1000 - lines.length);
    expect(lines.at(-1)).toContain('"999 ');
  });
});
