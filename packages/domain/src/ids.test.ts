import { expect, test } from 'vitest';
import { isUuid } from './ids.ts';

test('an id has the form of a uuid, in small or capital letters, and nothing around it', () => {
  const id = '0192f3a4-5b6c-7d8e-9f01-23456789abcd';
  for (const one of [id, id.toUpperCase()]) expect(isUuid(one)).toBe(true);
  for (const other of [
    '',
    id.slice(1),
    ` ${id}`,
    `${id}\n`,
    id.replaceAll('-', ''),
    `g${id.slice(1)}`,
    `{${id}}`,
  ])
    expect(isUuid(other)).toBe(false);
});
