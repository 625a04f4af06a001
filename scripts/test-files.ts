/** Which test files share their worker's modules, which do not, which begin first, and which `npm run test:long` alone runs. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

export const unitFiles = [
  'packages/*/{src,test,scripts}/**/*.test.ts',
  'apps/server/src/**/*.test.ts',
  'apps/web/src/**/*.test.{ts,tsx}',
  'bench/**/*.test.ts',
  'scripts/**/*.test.ts',
];

/** What starts processes of its own, and what compares in volumes. */
export const systemFiles = [
  'apps/server/test/{platform,backup,cluster,long,simulation}/**/*.test.ts',
  'apps/server/test/support/{kill,storm}.test.ts',
];

/** Volumes as a whole: no requirement is proven here alone. Of the other volumes every run has a few cases (TEST_VOLUME). */
export const longFiles: readonly string[] = [
  'apps/server/test/backup/interrupted-restore.test.ts',
  'apps/server/test/backup/large-table.test.ts',
  'apps/server/test/backup/last-check.test.ts',
  'apps/server/test/long/cluster.long.test.ts',
  'apps/server/test/long/simulated-years.long.test.ts',
  'apps/server/test/platform/installation.test.ts',
  'apps/server/test/support/storm.test.ts',
];

/** Paths of server tests by their folder; a folder without names has all of its files. */
function testPaths(names: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(names).flatMap(([folder, files]) =>
    files.length === 0
      ? `apps/server/test/${folder}/`
      : files.map((file) => `apps/server/test/${folder}/${file}.test.ts`),
  );
}

/** What `npm test` runs of `integration` whatever has changed: who may do what, money, and the main path of each feature. */
export const coreIntegration = testPaths({
  authorization: [],
  accounts: ['accounts'],
  alerts: ['alerts'],
  analytics: ['overview', 'performance'],
  'api-keys': ['api-keys'],
  assistant: ['answers'],
  auth: [
    'cross-site-request',
    'ended-session',
    'forged-token',
    'protocol-sessions',
    'recovery',
    'refresh-race',
    'sign-in',
    'sign-up',
  ],
  classes: ['classes'],
  coach: ['reviews'],
  contact: ['contact'],
  dashboard: ['indices'],
  demo: ['demo'],
  enrolment: ['registration', 'user-import'],
  exchange: ['account', 'ccxt-trading', 'orders'],
  http: ['foreign-host', 'pages'],
  identity: ['impersonation', 'profiles', 'staff-commands'],
  journal: ['entries'],
  kyc: ['review', 'submission'],
  limits: ['before-the-database'],
  market: ['binance-stream', 'candles', 'holds', 'market', 'order-books', 'routes', 'states'],
  mcp: ['mcp'],
  monitoring: ['metrics'],
  openapi: ['openapi'],
  programs: ['challenges', 'contests'],
  push: ['push'],
  realtime: ['account-changes', 'broadcasts', 'joining', 'policies', 'whole-server'],
  rest: ['command-writes', 'grammar', 'rpc', 'select', 'update', 'write'],
  signals: ['signals'],
  staff: ['audit-chain', 'bulk', 'money', 'positions', 'users'],
  storage: ['bucket-access', 'hostile-upload', 'round-trip'],
  support: ['chat-sessions', 'chat-writing', 'team'],
  trading: [
    'amend',
    'columns',
    'concurrency',
    'conditions',
    'crossings',
    'delete',
    'fence',
    'funding',
    'idempotency',
    'orders',
    'partial',
    'perpetual',
    'positions',
    'protect',
    'resilience',
    'staff-edit',
    'staff-funds',
    'through-the-server',
    'triggers',
  ],
  wallet: [],
});

/** The same of `system`: a kill, a restore, two processes and the simulation. */
export const coreSystem = testPaths({
  backup: ['round-trip'],
  cluster: ['journey'],
  long: ['kill.long'],
  platform: ['process', 'restricted-role', 'server'],
  simulation: ['halt', 'net-scenarios', 'regressions', 'scenarios-1'],
});

/** Those of more than nine seconds on two quiet cores, the longest first: they begin before the others. */
export const slowFiles: readonly string[] = [
  'apps/server/test/market/cluster.test.ts',
  'apps/server/test/platform/stop.test.ts',
  'apps/server/test/cluster/members.test.ts',
  'apps/server/test/cluster/price-series.test.ts',
  'apps/server/src/features/market/feeds/simulated/day-cache.test.ts',
  'apps/server/test/platform/start-refused.test.ts',
  'apps/server/test/platform/process.test.ts',
  'apps/server/test/wallet/violations.test.ts',
  'apps/server/test/market/another-path.test.ts',
  'apps/server/test/backup/scheduled.test.ts',
  'apps/server/test/long/kill.long.test.ts',
  'apps/server/test/long/leases.long.test.ts',
  'apps/server/test/trading/leases.test.ts',
  'apps/server/test/long/ccxt-kill.test.ts',
  'apps/server/test/backup/refused-files.test.ts',
  'apps/server/test/authorization/tables.test.ts',
  'apps/server/test/auth/mail-after-kill.test.ts',
  'apps/server/test/support/presence.test.ts',
  'apps/server/test/auth/password-guessing.test.ts',
  'apps/server/test/realtime/limits.test.ts',
  'apps/server/test/trading/refused-writes.test.ts',
  'apps/server/src/features/market/feeds/simulated/path.test.ts',
  'apps/server/test/trading/triggers.test.ts',
  'apps/server/test/support/kill.test.ts',
  'apps/server/test/backup/round-trip.test.ts',
  'apps/server/test/simulation/replay.test.ts',
  'apps/server/test/platform/embedded.test.ts',
  'apps/server/test/platform/postgres-dies.test.ts',
  'apps/server/test/platform/doctor.test.ts',
  'apps/server/test/market/fair-prices.test.ts',
  'apps/server/test/duties/duties.test.ts',
  'apps/server/test/limits/building.test.ts',
  'apps/server/test/authorization/topics.test.ts',
  'apps/server/test/market/auto.test.ts',
  'apps/server/test/realtime/prices.test.ts',
  'apps/server/src/features/market/feeds/simulated/shocks.test.ts',
  'apps/server/test/realtime/joining.test.ts',
  'apps/server/test/realtime/presence.test.ts',
  'apps/server/test/market/simulated-days.test.ts',
  'apps/server/test/market/recorded-jumps.test.ts',
  'apps/server/test/backup/create-admin.test.ts',
  'apps/server/test/market/holds.test.ts',
  'apps/server/src/features/market/feeds/simulated/simulated.test.ts',
  'apps/server/test/wallet/ledger-verification.test.ts',
  'apps/server/test/market/controls.test.ts',
  'apps/server/test/realtime/recovery.test.ts',
];

const changesShared = /\bvi\.(?:do)?[mM]ock\(|\bspyOn\([\w.]+\.prototype\b|\bprocess\.env\.\w+ = /;

/**
 * The files among `patterns` that replace a module, spy on what all instances share, or change the environment. Each has
 * modules of its own, because the servers of an earlier file may still use the shared ones.
 */
export function filesOfOwnModules(patterns: readonly string[]): string[] {
  return globSync(patterns, { cwd: root, exclude: ['**/node_modules'] })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => changesShared.test(readFileSync(join(root, file), 'utf8')))
    .sort();
}
