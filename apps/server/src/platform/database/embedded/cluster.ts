/**
 * The files of the embedded PostgreSQL: the cluster's location and its creation. Invariant: `initialise` leaves either a
 * complete cluster or none.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Log } from '../../log/index.ts';
import { StartError } from '../../start-error.ts';
import { type Binaries, sharedDir } from './binaries.ts';
import { canTraverse, type OsUser } from './os-user.ts';
import { endProcessesIn } from './stale-cluster.ts';

/**
 * Returns the cluster's real directory. It is `<dir>/postgres`, or the target of a link of that name when the account
 * cannot reach `dir` (root's clone in /root).
 */
export function locateCluster(dir: string, osUser: OsUser | null, log: Log): string {
  const cluster = join(dir, 'postgres');
  if (osUser !== null) {
    const { mode } = statSync(dir);
    // The data directory may be traversed; its files stay closed (secrets 0600, cluster 0700).
    if ((mode & 0o011) !== 0o011) chmodSync(dir, mode | 0o011);
    if (!canTraverse(osUser, dir)) return linkedCluster(cluster, osUser, log);
  }
  return existsSync(cluster) ? realpathSync(cluster) : cluster;
}

function linkedCluster(cluster: string, osUser: OsUser, log: Log): string {
  const entry = lstatSync(cluster, { throwIfNoEntry: false });
  if (entry !== undefined && !entry.isSymbolicLink()) {
    throw new StartError(
      `user id ${osUser.uid}, under which PostgreSQL runs, may not enter a directory above ${cluster}; move DATA_DIR to where it may`,
    );
  }
  if (entry === undefined) {
    const home = join(sharedDir, randomUUID());
    mkdirSync(home, { recursive: true });
    chmodSync(sharedDir, 0o755);
    chmodSync(home, 0o755);
    symlinkSync(join(home, 'postgres'), cluster);
    log.warn(
      { path: home },
      `${dirname(cluster)} is closed to PostgreSQL's account, so the database is stored in ${home}`,
    );
  }
  const target = realTarget(cluster);
  if (!existsSync(dirname(target))) {
    throw new StartError(
      `${cluster} leads to ${target}, which is gone; restore it, or remove the link to start empty`,
    );
  }
  if (!canTraverse(osUser, dirname(target))) {
    throw new StartError(`user id ${osUser.uid}, under which PostgreSQL runs, may not enter ${target}`);
  }
  return target;
}

/** Returns the target of the link, even when the target does not exist yet. */
function realTarget(link: string): string {
  return existsSync(link) ? realpathSync(link) : readlinkSync(link);
}

/**
 * PostgreSQL creates, zeros and flushes a log segment inside the commit that first needs it, and every commit waits: 50 ms
 * for its usual 16 MB, 4 ms for 1 MB.
 */
const walSegmentMb = 1;

/**
 * Returns the log segment size of an existing cluster in bytes, fixed at its creation; null when its log cannot be read.
 */
export function walSegmentBytes(cluster: string): number | null {
  try {
    const log = join(cluster, 'pg_wal');
    const segment = readdirSync(log).find((name) => /^[0-9A-F]{24}$/.test(name));
    return segment === undefined ? null : statSync(join(log, segment)).size;
  } catch {
    // Damaged or unreadable: PostgreSQL itself reports the reason.
    return null;
  }
}

/** Creates a missing cluster. Throws a StartError when another major version created the existing one. */
export async function initialise(
  cluster: string,
  binaries: Binaries,
  osUser: OsUser | null,
  log: Log,
  /** Segment size in MB; tests of older clusters pass another one. */
  segmentMb: number = walSegmentMb,
): Promise<void> {
  const versionFile = join(cluster, 'PG_VERSION');
  if (existsSync(versionFile)) {
    const major = readFileSync(versionFile, 'utf8').trim();
    if (major === binaries.major) return;
    throw new StartError(
      `${cluster} was made by PostgreSQL ${major} and this is PostgreSQL ${binaries.major}; restore it with the version of Fulcrum that made it, or move it away to start empty`,
    );
  }
  if (existsSync(cluster) && readdirSync(cluster).length > 0) {
    throw new StartError(
      `${cluster} is not empty and not a PostgreSQL cluster; move it away or set DATA_DIR`,
    );
  }
  log.info('creating the database (once, about a second)');
  const parent = dirname(cluster);
  for (const entry of readdirSync(parent)) {
    if (!entry.startsWith(`${basename(cluster)}.new-`)) continue;
    // The initdb of a killed server would continue to write.
    await endProcessesIn(join(parent, entry), 0);
    rmSync(join(parent, entry), { recursive: true });
  }
  const draft = `${cluster}.new-${process.pid}`;
  mkdirSync(draft, { mode: 0o700 });
  if (osUser !== null) chownSync(draft, osUser.uid, osUser.gid);
  await initdb(draft, binaries, osUser, segmentMb);
  renameSync(draft, cluster);
}

async function initdb(
  dir: string,
  binaries: Binaries,
  osUser: OsUser | null,
  segmentMb: number,
): Promise<void> {
  const child = spawn(
    binaries.initdb,
    [
      `--pgdata=${dir}`,
      '--username=postgres',
      `--wal-segsize=${segmentMb}`,
      // Only this account and root pass the socket's directory (mode 0700).
      '--auth=trust',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-instructions',
    ],
    { cwd: dir, env: programEnvironment(), stdio: ['ignore', 'ignore', 'pipe'], ...osUser },
  );
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-2000);
  });
  const endWithUs = () => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => process.off('exit', endWithUs));
  if (code !== 0) throw new StartError(`initdb failed: ${stderr.trim().replaceAll('\n', ' ')}`);
}

/** The environment of PostgreSQL's programs: no PG* variable and no locale of the operator's shell. */
export const programEnvironment = () => ({ PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' });
