/**
 * Every liquidation, stop loss and take profit of a recorded day, compared with the auditor's. `npm test -- --all` generates a short
 * day. FULCRUM_RECORDED names a folder of real ones in the form of the replay feed (see the README), which
 * `npm run test:long` then runs with 10,000 positions.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../harness/index.ts';
import { recordSwings } from './made-recording.ts';
import { type RecordedDayReport, runRecordedDay } from './recorded-day.ts';

const recorded = process.env.FULCRUM_RECORDED;
const seed = Number(process.env.RECORDED_SEED ?? 4);
const rules = ['standard', 'as-specified', 'perpetual'] as const;

let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
});
afterEach(() => db.close());

function print(name: string, { ticks, opened, ended, warnings, differences }: RecordedDayReport): void {
  const ends = Object.entries(ended).map(([end, count]) => `${count} ${end}`);
  process.stdout.write(
    `${name}: ${ticks} ticks, ${opened} positions (${ends.join(', ')}), ${warnings} margin warnings, ${differences.length} differences from the auditor\n`,
  );
}

describe.each(rules)('a recorded day under %s rules', (ruleSet) => {
  test('A05, A21, A37: each position of a generated day ends as the auditor expects, and every wallet agrees', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fulcrum-day-'));
    try {
      const swings = [
        { symbol: 'BTCUSDT', price: 20_000, share: 0.015, minutes: 37 },
        { symbol: 'ETHUSDT', price: 1_500, share: 0.008, minutes: 23 },
      ];
      recordSwings(folder, swings, 90);
      const options = { folder, rules: ruleSet, positions: 400, traders: 8, seed };
      const report = await runRecordedDay(db, options);
      print('a generated day', report);
      expect(report.differences).toEqual([]);
      expect(report.opened).toBe(400);
      expect(Object.keys(report.ended)).toEqual(
        expect.arrayContaining(['liquidation', 'stop_loss', 'take_profit']),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 60_000);

  test.skipIf(recorded === undefined)(
    `A05, A21, A37: so does each of 10,000 positions of real days${recorded === undefined ? ' (left out: FULCRUM_RECORDED names no folder)' : ''}`,
    async () => {
      const options = { folder: recorded ?? '', rules: ruleSet, positions: 10_000, traders: 100, seed };
      const report = await runRecordedDay(db, options);
      print(`real days, ${ruleSet}, seed ${seed}`, report);
      expect(report.differences).toEqual([]);
      expect(report.opened).toBe(10_000);
    },
    1_200_000,
  );
});
