import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { concernsSystem, integrationFolders, journeyPaths } from './changed-files.ts';
import { testTitles } from './citations.ts';
import { coreIntegration, coreSystem, filesOfOwnModules, longFiles, slowFiles } from './test-files.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

test('a test file that replaces a module or spies on a prototype has modules of its own', () => {
  const found = filesOfOwnModules(['apps/server/test/{storage,trading}/*.test.ts']);
  expect(found).toContain('apps/server/test/storage/costly-pictures.test.ts');
  expect(found).toContain('apps/server/test/trading/overload.test.ts');
  expect(found).not.toContain('apps/server/test/trading/partial.test.ts');
});

test('every file that is in the core, left to the long run or begins first exists', () => {
  expect(
    [...coreIntegration, ...coreSystem, ...longFiles, ...slowFiles].filter(
      (file) => !existsSync(join(root, file)),
    ),
  ).toEqual([]);
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

test('a changed feature selects the journeys that bear its name', () => {
  expect(
    journeyPaths([
      'apps/server/src/features/wallet/totals.ts',
      'apps/web/src/features/coach/OwnLimits.tsx',
      'apps/web/src/shared/table/DataTable.tsx',
      'e2e/harness/session.ts',
      'e2e/phone.spec.ts',
      'e2e/kyc/form.spec.ts',
    ]),
  ).toEqual([
    'wallet/',
    '/wallet.spec',
    'coach/',
    '/coach.spec',
    'analytics/',
    '/analytics.spec',
    'phone.spec.ts',
    'kyc/',
  ]);
});

test('every feature and protocol has tests that its changes select', () => {
  const filesIn = (pattern: string) =>
    globSync(pattern, { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  const without = (folders: readonly string[], select: (files: string[]) => string[], tests: string[]) =>
    folders.filter(
      (folder) => !select([`${folder}/x.ts`]).some((part) => tests.some((test) => test.includes(part))),
    );
  const server = filesIn('apps/server/src/{features,protocols}/*').filter((path) => !path.endsWith('.ts'));
  expect(without(server, integrationFolders, filesIn('apps/server/test/*/*.test.ts'))).toEqual([]);
  expect(without(filesIn('apps/web/src/features/*'), journeyPaths, filesIn('e2e/*/*.spec.ts'))).toEqual([]);
});

test('processes, the engine and its rules concern the system tests', () => {
  expect(concernsSystem(['apps/server/src/platform/database/pool.ts'])).toBe(true);
  expect(concernsSystem(['packages/domain/src/margin.ts'])).toBe(true);
  expect(concernsSystem(['apps/web/src/features/trading/TradingPage.tsx', 'docs/engine.md'])).toBe(false);
});
