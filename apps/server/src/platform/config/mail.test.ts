import { describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from './index.ts';

const smtp = (url: string) => loadConfig({ SMTP_URL: url }).smtp;

describe('SMTP_URL', () => {
  test('without it mails are files', () => expect(loadConfig({}).smtp).toBeNull());

  test.each([
    ['smtps://mail.example.test', 465, 'implicit'],
    ['smtps://mail.example.test:4465/', 4465, 'implicit'],
    ['smtp://mail.example.test', 587, 'required'],
    ['smtp://mail.example.test:25?tls=none', 25, 'none'],
    ['smtp://127.0.0.1:1025', 1025, 'none'],
    ['smtp://localhost:1025?tls=required', 1025, 'required'],
    ['smtp://[::1]:1025', 1025, 'none'],
  ])('%s means port %i with TLS %s', (url, port, tls) => {
    expect(smtp(url)).toMatchObject({ port, tls, login: null });
  });

  test('name and password are decoded; the host of an IPv6 address loses its brackets', () => {
    expect(smtp('smtp://me%40example.test:p%3Aq%2F@[2001:db8::1]:587')).toEqual({
      host: '2001:db8::1',
      port: 587,
      tls: 'required',
      login: { user: 'me@example.test', password: 'p:q/' },
    });
  });

  test.each([
    'mail.example.test:587',
    'http://mail.example.test',
    'smtp://',
    'smtp://me@mail.example.test',
    'smtp://me:%@mail.example.test',
    'smtp://mail.example.test/path',
    'smtp://mail.example.test?tls=maybe',
    'smtp://mail.example.test?ignoreTLS=true',
    'smtps://mail.example.test?tls=none',
    'smtp://mail.example.test?tls=none&tls=required',
  ])('%s is refused without being shown', (url) => {
    expect(() => smtp(url)).toThrow(ConfigError);
    expect(() => smtp(url)).toThrow('SMTP_URL=(not shown)');
  });
});

describe('MAIL_FROM', () => {
  const from = (env: Record<string, string>) => loadConfig(env).mailFrom;

  test('is at the host of PUBLIC_URL unless that is no name', () => {
    expect(from({})).toEqual({ name: 'Fulcrum', address: 'no-reply@fulcrum.local' });
    expect(from({ PUBLIC_URL: 'http://localhost:3000' }).address).toBe('no-reply@fulcrum.local');
    expect(from({ PUBLIC_URL: 'https://trade.example.test/app' }).address).toBe(
      'no-reply@trade.example.test',
    );
  });

  test('takes an address with or without a name', () => {
    expect(from({ MAIL_FROM: 'desk@example.test' })).toEqual({
      name: 'Fulcrum',
      address: 'desk@example.test',
    });
    expect(from({ MAIL_FROM: 'The Desk <desk@example.test>' })).toEqual({
      name: 'The Desk',
      address: 'desk@example.test',
    });
  });

  test.each(['desk', 'a@b.test, c@d.test', 'A <a@b.test> B', 'A\r\nBcc: c <a@b.test>', '"A" <a@b.test>'])(
    '%j is refused',
    (text) => {
      expect(() => from({ MAIL_FROM: text })).toThrow(ConfigError);
    },
  );
});
