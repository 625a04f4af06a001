import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadConfig, settings } from '../config/index.ts';
import { type Limit, limitSettings } from './declarations.ts';
import { defaultLimits, limitsWith } from './index.ts';

const limits = Object.entries<Limit>(defaultLimits);
const root = new URL('../../../../../', import.meta.url);

describe('the table of limits', () => {
  test('A118: docs/limits.md lists every limit and setting', () => {
    execFileSync(process.execPath, ['scripts/configuration.ts', '--check'], { cwd: root, stdio: 'pipe' });
    const page = readFileSync(new URL('docs/limits.md', root), 'utf8');
    for (const name of Object.keys(limitSettings)) expect(page).toContain(`| \`${name}\` |`);
  });

  test.each(limits)('A118: the file that the table names enforces %s', (name, { file }) => {
    expect(readFileSync(new URL(`apps/server/src/${file}`, root), 'utf8')).toContain(name);
  });

  test('A118: the limits of an account stand, whatever is set', () => {
    const most = Object.fromEntries(Object.keys(limitSettings).map((name) => [name, 999]));
    const set = limitsWith(most);
    expect(set.signInOfAccountFromAddress).toMatchObject({ attemptsMax: 10, windowMs: 15 * 60_000 });
    expect(set.signInOfAccount).toMatchObject({ attemptsMax: 100, windowMs: 15 * 60_000 });
    for (const [name, limit] of limits) {
      if (limit.setting === undefined) expect(set[name as keyof typeof set]).toEqual(limit);
      else expect(set[name as keyof typeof set]).not.toEqual(limit);
    }
  });

  test('A118: no two windows share the key of their counters', () => {
    const names = limits.flatMap(([, limit]) => (limit.kind === 'window' ? [limit.name] : []));
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(Object.keys(limitSettings) as (keyof typeof limitSettings)[])(
    'OPS-D2: %s is read from the environment',
    (name) => {
      const { limits: chosen } = loadConfig({ [name]: '77' });
      expect(chosen).toEqual(limitsWith({ [name]: 77 }));
      expect(chosen).not.toEqual(defaultLimits);
      expect(loadConfig({}).limits).toEqual(defaultLimits);
      expect(settings[name].byDefault).toBe(String(limitSettings[name].byDefault));
      for (const wrong of ['0', '-1', '1.5', '100001', 'many']) {
        expect(() => loadConfig({ [name]: wrong })).toThrow(`${name}=${wrong} is not valid`);
      }
    },
  );

  test('OPS-D3: a day has ten times the contact messages of an hour', () => {
    const { contactFromAddress, contactFromAddressOfDay } = limitsWith({ CONTACT_PER_ADDRESS_H: 5 });
    expect([contactFromAddress.attemptsMax, contactFromAddressOfDay.attemptsMax]).toEqual([5, 50]);
  });
});
