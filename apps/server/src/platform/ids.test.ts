import { hourMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { idOfHour } from './ids.ts';

test('ENG-7: ids of one hour lie together, and eight digits distinguish them', () => {
  const hour = Date.UTC(2026, 10, 22, 18);
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  const ids = Array.from({ length: 1_000 }, (_, index) => idOfHour(hour + index * 3_599));
  for (const id of ids) expect(id).toMatch(form);
  expect(new Set(ids).size).toBe(1_000);
  expect(new Set(ids.map((id) => id.slice(0, 3))).size).toBe(1);
  // Out of more than a million that an hour has.
  expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBeGreaterThan(995);
  const [now, next] = [idOfHour(hour), idOfHour(hour + hourMs)].map((id) =>
    Number.parseInt(id.slice(0, 3), 16),
  );
  expect(next).toBe((now! + 1) % 4_096);
});
