import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../limits/index.ts';
import { ConfigError, loadConfig, settings } from './index.ts';

const recorded = {
  ...{ kind: 'replay', folder: '/r', speed: 1, loop: false },
  ...{ onJump: 'pause', historyMinutes: 50 },
} as const;

describe('loadConfig', () => {
  test('without any variable: the demo on this machine, with simulated prices', () => {
    expect(loadConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      dataDir: resolve('.data'),
      databaseUrl: null,
      replicaUrl: null,
      engineLanes: 1,
      nats: null,
      roles: ['gateway', 'engine', 'market'],
      publicUrl: 'http://127.0.0.1:3000',
      hosts: [],
      trustProxy: false,
      rules: 'standard',
      registration: 'open',
      registrationDomains: [],
      signupBalance: 1_000_000_000_000n,
      tradingFeeRate: 0n,
      allowReset: true,
      priceFeed: { kind: 'simulated', seed: null },
      providers: {
        binanceUrl: 'https://data-api.binance.vision',
        binanceStreamUrl: 'wss://data-stream.binance.vision',
        yahooUrl: 'https://query1.finance.yahoo.com',
        proxies: [],
        allowPrivate: false,
        quotesPerS: 1,
      },
      candleDays: 30,
      sessions: null,
      priceTolerancePct: 0.5,
      staleAfterS: null,
      smtp: null,
      mailFrom: { name: 'Fulcrum', address: 'no-reply@fulcrum.local' },
      pushHosts: [
        'fcm.googleapis.com',
        'updates.push.services.mozilla.com',
        '*.push.apple.com',
        '*.notify.windows.com',
      ],
      contactEmail: null,
      contactPhone: null,
      limits: defaultLimits,
      minAge: 18,
      kycKeepDays: 0,
      backups: null,
      backupKeyFile: null,
      metricsToken: null,
      healthToken: null,
      alertWebhook: null,
      languageModel: null,
      logLevel: 'info',
      demo: true,
      demoHistory: true,
    });
  });

  test('an empty variable is an unset one', () => {
    expect(loadConfig({ PORT: '', SIGNUP_BALANCE: '  ' })).toEqual(loadConfig({}));
  });

  test.each([
    ['PORT', '8080', { port: 8080, publicUrl: 'http://127.0.0.1:8080' }],
    ['HOST', '::1', { host: '::1', publicUrl: 'http://[::1]:3000' }],
    ['DATA_DIR', '/srv/fulcrum', { dataDir: '/srv/fulcrum' }],
    ['DATABASE_URL', 'postgresql://me@/db?host=/tmp/x', { databaseUrl: 'postgresql://me@/db?host=/tmp/x' }],
    ['PUBLIC_URL', 'https://trade.example.org/', { publicUrl: 'https://trade.example.org' }],
    ['HOSTS', 'Trade.example.org, school.lan.', { hosts: ['trade.example.org', 'school.lan'] }],
    ['PUSH_HOSTS', 'none', { pushHosts: [] }],
    [
      'PUSH_HOSTS',
      'Push.example.org, *.example.net,push.lan:8443',
      { pushHosts: ['push.example.org', '*.example.net', 'push.lan:8443'] },
    ],
    ['HOSTS', 'münchen.example', { hosts: ['xn--mnchen-3ya.example'] }],
    ['TRUST_PROXY', '1', { trustProxy: 1 }],
    ['TRUST_PROXY', '10.0.0.0/8, fd00::/8', { trustProxy: ['10.0.0.0/8', 'fd00::/8'] }],
    ['REGISTRATION', 'invited', { registration: 'invited' }],
    [
      'REGISTRATION_DOMAINS',
      'School.example, *.uni.example',
      { registrationDomains: ['school.example', '*.uni.example'] },
    ],
    ['SIGNUP_BALANCE', '0.00000001', { signupBalance: 1n }],
    ['TRADING_FEE_RATE', '0.0006', { tradingFeeRate: 60_000n }],
    ['TRADING_FEE_RATE', '0.005', { tradingFeeRate: 500_000n }],
    ['ALLOW_RESET', 'false', { allowReset: false }],
    ['PRICE_FEED', 'simulated:2026-demo', { priceFeed: { kind: 'simulated', seed: '2026-demo' } }],
    ['PRICE_FEED', 'replay:/r', { priceFeed: recorded }],
    ['PRICE_FEED', 'replay:/r?speed=60&loop=1', { priceFeed: { ...recorded, speed: 60, loop: true } }],
    [
      'PRICE_FEED',
      'replay:/r?on_jump=gap&history=0',
      { priceFeed: { ...recorded, onJump: 'gap', historyMinutes: 0 } },
    ],
    ['PRICE_FEED', 'auto', { priceFeed: { kind: 'auto', seed: null } }],
    ['PRICE_FEED', 'auto:class-7', { priceFeed: { kind: 'auto', seed: 'class-7' } }],
    ['PRICE_FEED', 'live', { priceFeed: { kind: 'live' } }],
    ['ENGINE_LANES', '2', { engineLanes: 2 }],
    ['CANDLE_DAYS', '90', { candleDays: 90 }],
    ['SESSIONS', 'honour', { sessions: 'honour' }],
    ['PRICE_TOLERANCE_PCT', '0.25', { priceTolerancePct: 0.25 }],
    ['STALE_AFTER_S', '30', { staleAfterS: 30 }],
    ['CONTACT_EMAIL', 'Desk@Example.org', { contactEmail: 'desk@example.org' }],
    ['CONTACT_PHONE', '+12345678900', { contactPhone: '+12345678900' }],
    ['MIN_AGE', '0', { minAge: 0 }],
    ['KYC_KEEP_DAYS', '365', { kycKeepDays: 365 }],
    ['METRICS_TOKEN', 'x'.repeat(20), { metricsToken: 'x'.repeat(20) }],
    ['HEALTH_TOKEN', 'x'.repeat(20), { healthToken: 'x'.repeat(20) }],
    ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
    ['DEMO', 'false', { demo: false, demoHistory: false, signupBalance: 0n, allowReset: false }],
    ['DEMO_HISTORY', 'false', { demo: true, demoHistory: false }],
    ['PRICE_FEED', 'auto', { demo: true, demoHistory: false }],
    ['NODE_ENV', 'production', { demo: false, signupBalance: 0n }],
  ])('%s=%s', (name, text, expected) => {
    expect(loadConfig({ [name]: text })).toMatchObject(expected);
  });

  test('A01, A13: the start balance of a sign-up is 10000 in the standard demo and 0 with the stated rules', () => {
    expect(loadConfig({ RULES: 'standard' }).signupBalance).toBe(10_000_00000000n);
    expect(loadConfig({ RULES: 'as-specified' }).signupBalance).toBe(0n);
    expect(loadConfig({ RULES: 'as-specified', SIGNUP_BALANCE: '5' }).signupBalance).toBe(5_00000000n);
  });

  test.each([
    ['PORT', '70000'],
    ['PORT', '3000.5'],
    ['MIN_AGE', '100'],
    ['PUSH_HOSTS', 'https://push.example.org'],
    ['PUSH_HOSTS', '*'],
    ['PUSH_HOSTS', '*.com'],
    ['PUSH_HOSTS', 'push.example.org,,none'],
    ['KYC_KEEP_DAYS', '-1'],
    ['PORT', '0x10'],
    ['HOST', 'a b'],
    ['DATABASE_URL', 'mysql://x'],
    ['DATABASE_REPLICA_URL', 'db:5432'],
    ['PUBLIC_URL', 'trade.example.org'],
    ['PUBLIC_URL', 'https://x.org/?a=1'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '1.2'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '::/0'],
    ['TRUST_PROXY', '10.0.0.1,,10.0.0.2'],
    ['RULES', 'Standard'],
    ['REGISTRATION', 'maybe'],
    ['REGISTRATION_DOMAINS', 'school'],
    ['REGISTRATION_DOMAINS', '@school.example'],
    ['SIGNUP_BALANCE', '-1'],
    ['SIGNUP_BALANCE', '1.000000001'],
    ['TRADING_FEE_RATE', '0.00500001'],
    ['TRADING_FEE_RATE', '0.06%'],
    ['ALLOW_RESET', '1'],
    ['PRICE_FEED', 'binance'],
    ['PRICE_FEED', 'replay:'],
    ['PRICE_FEED', 'replay:/r?speed=0'],
    ['PRICE_FEED', 'replay:/r?speed=3601'],
    ['PRICE_FEED', 'replay:/r?loop=yes'],
    ['PRICE_FEED', 'replay:/r?on_jump=skip'],
    ['PRICE_FEED', 'replay:/r?history=1441'],
    ['PRICE_FEED', 'replay:/r?sped=60'],
    ['PRICE_FEED', 'live:seed'],
    ['BINANCE_URL', 'wss://stream.example'],
    ['BINANCE_STREAM_URL', 'https://stream.example'],
    ['YAHOO_URL', 'https://quotes.example/?a=1'],
    ['QUOTES_PER_S', '0'],
    ['MARKET_PROXIES', 'https://a.example/,ftp://b.example/'],
    ['MARKET_PROXIES', 'https://a.example/,https://b.example/,https://c.example/,https://d.example/'],
    ['ALLOW_PRIVATE_PROVIDERS', 'yes'],
    ['ENGINE_LANES', '0'],
    ['ENGINE_LANES', '5'],
    ['NATS_URL', 'nats.example:4222'],
    ['NATS_URL', 'http://127.0.0.1:4222'],
    ['NATS_URL', 'nats://nats.example:4222'],
    ['NATS_URL', 'nats://127.0.0.1,tls://127.0.0.1'],
    ['NATS_URL', 'nats://token@127.0.0.1'],
    ['NATS_URL', 'nats://a:b@one.example,nats://a:c@two.example'],
    ['NATS_URL', 'nats://a:b@one.example,'],
    ['NATS_URL', 'nats://a:b@one.example/path'],
    ['ROLES', 'gateway,worker'],
    ['ROLES', 'engine,engine'],
    ['CANDLE_DAYS', '0'],
    ['SESSIONS', 'always'],
    ['PRICE_TOLERANCE_PCT', '1e3'],
    ['STALE_AFTER_S', '0'],
    ['CONTACT_EMAIL', 'desk'],
    ['CONTACT_EMAIL', 'Desk <desk@example.org>'],
    ['CONTACT_EMAIL', 'a@example.org, b@example.org'],
    ['CONTACT_PHONE', '12345678900'],
    ['CONTACT_PHONE', '+1 234 567 8900'],
    ['CONTACT_PHONE', '+0123456789'],
    ['BACKUP_AT', '24:00'],
    ['BACKUP_AT', '3:15'],
    ['BACKUP_AT', '03:15;15:15'],
    ['BACKUP_KEEP_DAYS', '0'],
    ['METRICS_TOKEN', 'too-short'],
    ['HEALTH_TOKEN', 'with a space in it, alas'],
    ['ALERT_WEBHOOK', 'ops@example.com'],
    ['ALERT_WEBHOOK_SECRET', 'short'],
    ['AI_URL', '127.0.0.1:11434'],
    ['AI_MODEL', 'two names'],
    ['AI_KEY', 'with a space'],
    ['AI_ANSWERS_PER_USER_D', '0'],
    ['LOG_LEVEL', 'verbose'],
    ['DEMO', 'yes'],
  ] as const)('refuses %s=%s with one line that states the allowed values', (name, text) => {
    const isSecret =
      /^(DATABASE_URL|DATABASE_REPLICA_URL|NATS_URL|MARKET_PROXIES|ALERT_WEBHOOK.*|AI_KEY|.*_TOKEN)$/.test(
        name,
      );
    expect(Boolean(settings[name].isSecret)).toBe(isSecret);
    const shown = isSecret ? '(not shown)' : text;
    const message = `${name}=${shown} is not valid; allowed: ${settings[name].allowed}`;
    expect(message).not.toContain('\n');
    expect(() => loadConfig({ [name]: text })).toThrow(new ConfigError(message));
  });

  test('a cluster needs what all of its processes share, and roles a cluster', () => {
    const shared = { DATABASE_URL: 'postgresql://db/fulcrum', SMTP_URL: 'smtp://mail:587' };
    const NATS_URL = 'tls://app:p%40ss@one.example, tls://app:p%40ss@[2001:db8::1]:5222';
    expect(loadConfig({ ...shared, NATS_URL, ROLES: 'market, gateway' })).toMatchObject({
      nats: {
        addresses: [
          { host: 'one.example', port: 4222 },
          { host: '2001:db8::1', port: 5222 },
        ],
        tls: true,
        login: { user: 'app', password: 'p@ss' },
      },
      roles: ['gateway', 'market'],
    });
    expect(loadConfig({ ...shared, NATS_URL: 'nats://127.0.0.1' }).nats).toEqual({
      ...{ addresses: [{ host: '127.0.0.1', port: 4222 }], tls: false, login: null },
    });
    for (const name of ['DATABASE_URL', 'SMTP_URL'] as const)
      expect(() => loadConfig({ ...shared, NATS_URL, [name]: '' })).toThrow(
        new ConfigError(`NATS_URL needs ${name}, the same for every process`),
      );
    expect(loadConfig({ ...shared, NATS_URL }).demo).toBe(false);
    expect(() => loadConfig({ ...shared, NATS_URL, DEMO: 'true' })).toThrow(
      new ConfigError('NATS_URL has no demo: leave DEMO out or set it to false'),
    );
    const recorded = (speed: number) => ({ ...shared, NATS_URL, PRICE_FEED: `replay:/tapes?speed=${speed}` });
    expect(loadConfig(recorded(60)).priceFeed).toMatchObject({ kind: 'replay', speed: 60 });
    expect(() => loadConfig(recorded(61))).toThrow(
      new ConfigError(
        'a recording plays at most at 60x in a cluster: lower the speed of PRICE_FEED, or unset NATS_URL',
      ),
    );
    expect(() => loadConfig({ ROLES: 'gateway' })).toThrow(
      new ConfigError('ROLES needs NATS_URL: without it one process does everything'),
    );
  });

  test('a replica needs its primary', () => {
    const [DATABASE_URL, DATABASE_REPLICA_URL] = [
      'postgresql://one:5432,two:5433/fulcrum',
      'postgresql://two/fulcrum',
    ];
    expect(loadConfig({ DATABASE_URL, DATABASE_REPLICA_URL })).toMatchObject({
      databaseUrl: DATABASE_URL,
      replicaUrl: DATABASE_REPLICA_URL,
    });
    expect(loadConfig({ DATABASE_URL }).replicaUrl).toBeNull();
    expect(() => loadConfig({ DATABASE_REPLICA_URL })).toThrow(
      new ConfigError('DATABASE_REPLICA_URL needs DATABASE_URL, the primary that it follows'),
    );
  });

  test('ALERT_WEBHOOK needs the key of its signature', () => {
    const url = 'https://ops.example/fulcrum?team=7';
    expect(() => loadConfig({ ALERT_WEBHOOK: url })).toThrow('ALERT_WEBHOOK needs ALERT_WEBHOOK_SECRET');
    const secret = 's'.repeat(20);
    const { alertWebhook } = loadConfig({ ALERT_WEBHOOK: url, ALERT_WEBHOOK_SECRET: secret });
    expect(alertWebhook).toEqual({ url, secret });
  });

  test('a language model has an address and a name, on a private network too', () => {
    expect(loadConfig({}).languageModel).toBeNull();
    const model = { AI_URL: 'http://127.0.0.1:11434/v1/', AI_MODEL: 'llama3.2:3b' };
    expect(loadConfig(model).languageModel).toEqual({
      ...{ url: 'http://127.0.0.1:11434/v1', name: 'llama3.2:3b', key: null },
    });
    expect(loadConfig({ ...model, AI_KEY: 'sk-1' }).languageModel?.key).toBe('sk-1');
    for (const host of ['10.0.0.7:1', '[::1]:1', 'ollama:11434', 'gpu.lan']) {
      const near = { ...model, AI_URL: `http://${host}/v1`, AI_KEY: 'sk-1' };
      expect(loadConfig(near).languageModel?.key, host).toBe('sk-1');
    }
    for (const host of ['api.example.com', '8.8.8.8', '[2606:4700::1]', 'local.example.com']) {
      const far = { ...model, AI_URL: `http://${host}/v1` };
      expect(loadConfig(far).languageModel?.key, host).toBeNull();
      expect(() => loadConfig({ ...far, AI_KEY: 'sk-1' }), host).toThrow(
        'AI_KEY would be sent in clear text',
      );
      const safe = { ...far, AI_URL: `https://${host}/v1`, AI_KEY: 'sk-1' };
      expect(loadConfig(safe).languageModel?.key, host).toBe('sk-1');
    }
    expect(() => loadConfig({ AI_URL: model.AI_URL })).toThrow('AI_URL needs AI_MODEL');
    expect(() => loadConfig({ AI_MODEL: model.AI_MODEL })).toThrow('AI_MODEL needs AI_URL');
  });

  test.each([
    ['BINANCE_URL', 'http://127.0.0.1:9', '127.0.0.1'],
    ['BINANCE_STREAM_URL', 'ws://[::1]:9', '::1'],
    ['YAHOO_URL', 'http://localhost:9', 'localhost'],
    ['YAHOO_URL', 'http://0x7f.1/', '127.0.0.1'],
    ['MARKET_PROXIES', 'https://a.example/?u=,http://192.168.0.7/?key=abc&u=', '192.168.0.7'],
  ] as const)('calls %s=%s only after an explicit opt-in', (name, text, host) => {
    const message = `${name} has an address of this machine or of a private network (${host}), which is called only with ALLOW_PRIVATE_PROVIDERS=true`;
    for (const feed of ['auto', 'live'])
      expect(() => loadConfig({ PRICE_FEED: feed, [name]: text })).toThrow(new ConfigError(message));
    const allowed = { PRICE_FEED: 'auto', ALLOW_PRIVATE_PROVIDERS: 'true', [name]: text };
    expect(loadConfig(allowed).providers.allowPrivate).toBe(true);
    // The simulated feed calls no provider.
    expect(loadConfig({ [name]: text }).priceFeed.kind).toBe('simulated');
  });

  test('the past of the demo is refused in production, on real prices and without the demo', () => {
    const requested = { DEMO_HISTORY: 'true' };
    for (const env of [{ DEMO: 'true', NODE_ENV: 'production' }, { PRICE_FEED: 'live' }, { DEMO: 'false' }]) {
      expect(() => loadConfig({ ...requested, ...env })).toThrow(/DEMO_HISTORY/);
    }
    expect(loadConfig({ DEMO: 'true', NODE_ENV: 'production' })).toMatchObject({
      demo: true,
      demoHistory: false,
    });
    expect(loadConfig(requested).demoHistory).toBe(true);
  });

  test('the known demo passwords work from other machines only with an explicit opt-in', () => {
    expect(() => loadConfig({ HOST: '0.0.0.0' })).toThrow(/DEMO=true/);
    expect(loadConfig({ HOST: '0.0.0.0', DEMO: 'true' }).demo).toBe(true);
    expect(loadConfig({ HOST: '0.0.0.0', DEMO: 'false' }).demo).toBe(false);
    expect(loadConfig({ HOST: '0.0.0.0', NODE_ENV: 'production' }).demo).toBe(false);
  });
});
