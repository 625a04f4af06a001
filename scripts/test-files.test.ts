import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { integrationFolders } from './changed-files.ts';
import { testTitles } from './citations.ts';
import { filesOfOwnModules, longFiles, slowFiles } from './test-files.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

test('a test file that replaces a module or spies on a prototype has modules of its own', () => {
  const found = filesOfOwnModules(['apps/server/test/{storage,trading}/*.test.ts']);
  expect(found).toContain('apps/server/test/storage/costly-pictures.test.ts');
  expect(found).toContain('apps/server/test/trading/overload.test.ts');
  expect(found).not.toContain('apps/server/test/trading/partial.test.ts');
});

test('every file that is left to the long run or begins first exists', () => {
  expect([...longFiles, ...slowFiles].filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test('a test of the long run alone cites nothing', () => {
  const source = `
    test('A-01', { tag: '@long' }, () => { run(); });
    test('A-02', { tag: ['@slow', '@long'] }, () => { run(); });
    test.describe('a walk', { tag: '@long' }, () => { test('A-03', () => { run(); }); });
    test('A-04', { tag: '@slow' }, () => { run(); });
  `;
  expect(testTitles(source, false)).toEqual(['A-04']);
});

test('a changed part of the server selects the integration tests that bear its name', () => {
  expect(
    integrationFolders([
      'apps/server/src/features/wallet/totals.ts',
      'apps/server/test/wallet/totals.test.ts',
      'apps/server/src/protocols/rest/parse.ts',
      'apps/server/test/harness/server.ts',
      'apps/web/src/features/wallet/WalletPage.tsx',
    ]),
  ).toEqual(['apps/server/test/wallet/', 'apps/server/test/rest/']);
});
