/**
 * Writes `src/generated/database.ts` from the contract. With `--check` it writes nothing and exits 1 when the file
 * does not match the contract.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { databaseTypes } from './database-types.ts';

const target = new URL('../src/generated/database.ts', import.meta.url);
const expected = databaseTypes();

function current(): string | null {
  try {
    return readFileSync(target, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

if (process.argv.includes('--check')) {
  if (current() !== expected) {
    console.error('packages/contract/src/generated/database.ts is out of date: run `npm run generate`');
    process.exitCode = 1;
  }
} else {
  mkdirSync(new URL('.', target), { recursive: true });
  writeFileSync(target, expected);
  console.log(`wrote ${fileURLToPath(target)}`);
}
