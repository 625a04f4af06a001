import { expect, test } from 'vitest';
import { createStatementNames } from './statements.ts';

test('a shape that comes back gets a name, always the same one and its own', () => {
  const { nameOf } = createStatementNames();
  const uses = Array.from({ length: 6 }, () => nameOf('select 1'));
  expect(uses.slice(0, 3)).toEqual([undefined, undefined, undefined]);
  expect(new Set(uses.slice(3)).size).toBe(1);
  for (let i = 0; i < 3; i += 1) nameOf('select 2');
  expect(nameOf('select 2')).not.toBe(uses[5]);
  expect(uses[5]?.length).toBeLessThan(64);
});

test('a client that makes up shapes cannot fill PostgreSQL with prepared statements', () => {
  const { nameOf } = createStatementNames();
  const names = new Set<string | undefined>();
  for (let shape = 0; shape < 300; shape += 1) {
    for (let use = 0; use < 5; use += 1) names.add(nameOf(`select ${shape}`));
  }
  names.delete(undefined);
  expect(names.size).toBe(100);
});
