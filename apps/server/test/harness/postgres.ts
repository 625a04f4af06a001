/**
 * Global setup of the integration tests: one PostgreSQL in a throw-away directory with the migrated template that every
 * test file clones.
 *
 * Known limitation: it gives up durability for speed, so tests on it prove nothing about crashes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../../src/platform/database/embedded/index.ts';
import { prepare } from '../../src/platform/database/index.ts';
import { createLog } from '../../src/platform/log/index.ts';
import { sweepAbandoned } from './abandoned-clusters.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Directory of the Unix socket of the tests' PostgreSQL. */
    postgresSocketDir: string;
  }
}

const templateName = 'fulcrum_template';

const prefix = 'fulcrum-test-';
const fast = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  shared_buffers: '64MB',
  max_connections: '300',
};

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = createLog({ logLevel: 'warn' });
  for (const abandoned of [prefix, 'fulcrum-embedded-']) await sweepAbandoned(tmpdir(), abandoned, log);
  const dir = mkdtempSync(join(tmpdir(), prefix));
  const postgres = await startEmbedded({ dir, log, settings: fast });
  const teardown = async () => {
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    await makeTemplate(postgres.socketDir, log);
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide('postgresSocketDir', postgres.socketDir);
  return teardown;
}

async function makeTemplate(socketDir: string, log: ReturnType<typeof createLog>): Promise<void> {
  const as = (database: string) => new pg.Client({ host: socketDir, user: 'postgres', database });
  const admin = as('postgres');
  await admin.connect();
  await admin.query(`create database ${templateName}`);
  await admin.end();
  const owner = as(templateName);
  await owner.connect();
  await prepare(owner, 'logs in', log);
  await owner.end();
}
