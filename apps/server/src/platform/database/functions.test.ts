import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { functionsDir, readFunctions } from './functions.ts';

test('a released function never changes: every file has the checksum of the list', () => {
  const list = readFileSync(new URL('checksums.txt', functionsDir), 'utf8').split('\n').slice(0, -1);
  expect(readFunctions().map(({ name, checksum }) => `${checksum}  ${name}`)).toEqual(list);
});
