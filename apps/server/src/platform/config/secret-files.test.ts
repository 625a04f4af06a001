import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, fileVariable, loadConfig, settings } from './index.ts';

type Name = keyof typeof settings;
const secretNames = (Object.keys(settings) as Name[]).filter((name) => settings[name].isSecret);
const key = 's'.repeat(32);

describe('a secret setting comes from the file that <name>_FILE names', () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'fulcrum-secret-files-'));
  });
  afterAll(() => rmSync(dir, { recursive: true }));
  const fileWith = (content: string): string => {
    const file = join(dir, `${content.length}`);
    writeFileSync(file, content);
    return file;
  };

  /** One valid value of each; a new secret setting needs its own here. */
  const values = {
    DATABASE_URL: 'postgresql://fulcrum:pass@db/fulcrum',
    DATABASE_REPLICA_URL: 'postgresql://fulcrum:pass@standby/fulcrum',
    NATS_URL: 'nats://fulcrum:pass@nats.example.org:4222',
    SMTP_URL: 'smtps://desk:pass@mail.example.org:465',
    MARKET_PROXIES: 'https://proxy.example/?key=abc&u=',
    METRICS_TOKEN: key,
    HEALTH_TOKEN: key,
    ALERT_WEBHOOK: 'https://ops.example/hooks/abc',
    ALERT_WEBHOOK_SECRET: key,
  } as Readonly<Record<Name, string>>;

  test('every secret setting can, with or without a line break at the end', () => {
    expect(secretNames.length).toBeGreaterThan(5);
    const direct = loadConfig(values);
    for (const end of ['', '\n', '\r\n']) {
      for (const name of secretNames) {
        const file = fileWith(values[name] + end);
        const rest = { ...values, [name]: undefined };
        expect(loadConfig({ ...rest, [fileVariable(name)]: file }), name).toEqual(direct);
      }
    }
  });

  test('spaces around the name and an empty name are as in any variable', () => {
    const file = fileWith(key);
    expect(loadConfig({ METRICS_TOKEN_FILE: ` ${file} ` }).metricsToken).toBe(key);
    expect(loadConfig({ METRICS_TOKEN: key, METRICS_TOKEN_FILE: ' ' }).metricsToken).toBe(key);
    expect(loadConfig({ METRICS_TOKEN: '', METRICS_TOKEN_FILE: file }).metricsToken).toBe(key);
  });

  test('a setting that is no secret is not read from a file', () => {
    expect(loadConfig({ PORT_FILE: join(dir, 'missing') })).toEqual(loadConfig({}));
  });

  const refusal = (env: Readonly<Record<string, string>>): string => {
    try {
      loadConfig(env);
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      return (error as Error).message;
    }
    throw new Error('it is accepted');
  };

  test('both at once are refused', () => {
    expect(refusal({ SMTP_URL: values.SMTP_URL, SMTP_URL_FILE: fileWith('x') })).toBe(
      'SMTP_URL and SMTP_URL_FILE are both set; unset one of them',
    );
  });

  test.each([
    ['missing', 'no such file or directory'],
    ['', 'illegal operation on a directory'],
    ['no\0name', 'not the name of a file'],
  ])(
    'a file that cannot be read is refused with the name of the setting and the reason: %j',
    (name, reason) => {
      expect(refusal({ HEALTH_TOKEN_FILE: join(dir, name) })).toBe(
        `HEALTH_TOKEN_FILE names a file that cannot be read: ${reason}`,
      );
    },
  );

  test('an empty file is refused: it would start the embedded database in place of another', () => {
    for (const content of ['', '\n', '  \n']) {
      expect(refusal({ DATABASE_URL_FILE: fileWith(content) })).toBe(
        'DATABASE_URL_FILE names a file that is empty',
      );
    }
  });

  test('a wrong content is not shown, nor is a secret in place of a name', () => {
    expect(refusal({ METRICS_TOKEN_FILE: fileWith('hunter2') })).toBe(
      `METRICS_TOKEN=(not shown) is not valid; allowed: ${settings.METRICS_TOKEN.allowed}`,
    );
    expect(refusal({ METRICS_TOKEN_FILE: 'hunter2-hunter2-hunter2' })).not.toContain('hunter2');
  });
});
