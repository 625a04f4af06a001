/**
 * The files of the embedded PostgreSQL: where the cluster and its socket lie, and how the cluster is made. Invariant:
 * `initialise` leaves either a whole cluster or none.
 */
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
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
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Log } from '../../log/index.ts';
import { StartError } from '../../start-error.ts';
import { type Account, canReach } from './account.ts';
import { type Binaries, sharedDir } from './binaries.ts';
import { endProcessesIn } from './remains.ts';

/**
 * The cluster's real directory. It is `<dir>/postgres`; where the account cannot get there (root's clone in /root), that
 * is a link to a directory that it can reach.
 */
export function locateCluster(dir: string, account: Account | null, log: Log): string {
  const cluster = join(dir, 'postgres');
  if (account !== null) {
    const { mode } = statSync(dir);
    // Our own directory may be passed through; its files stay closed (secrets 0600, cluster 0700).
    if ((mode & 0o011) !== 0o011) chmodSync(dir, mode | 0o011);
    if (!canReach(account, dir)) return linkedCluster(cluster, account, log);
  }
  return existsSync(cluster) ? realpathSync(cluster) : cluster;
}

function linkedCluster(cluster: string, account: Account, log: Log): string {
  const entry = lstatSync(cluster, { throwIfNoEntry: false });
  if (entry !== undefined && !entry.isSymbolicLink()) {
    throw new StartError(
      `user id ${account.uid}, under which PostgreSQL runs, may not enter a directory above ${cluster}; move DATA_DIR to where it may`,
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
      `${dirname(cluster)} is closed to PostgreSQL's account, so the database is kept in ${home}`,
    );
  }
  const target = realTarget(cluster);
  if (!existsSync(dirname(target))) {
    throw new StartError(
      `${cluster} leads to ${target}, which is gone; restore it, or remove the link to start empty`,
    );
  }
  if (!canReach(account, dirname(target))) {
    throw new StartError(`user id ${account.uid}, under which PostgreSQL runs, may not enter ${target}`);
  }
  return target;
}

/** Where the link points, also while nothing is there yet. */
function realTarget(link: string): string {
  return existsSync(link) ? realpathSync(link) : readlinkSync(link);
}

/** Makes the cluster when there is none. Throws a StartError when it was made by another major version. */
export async function initialise(cluster: string, binaries: Binaries, account: Account | null, log: Log) {
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
    // The initdb of a killed server would go on writing.
    await endProcessesIn(join(parent, entry), 0);
    rmSync(join(parent, entry), { recursive: true });
  }
  const draft = `${cluster}.new-${process.pid}`;
  mkdirSync(draft, { mode: 0o700 });
  if (account !== null) chownSync(draft, account.uid, account.gid);
  await initdb(draft, binaries, account);
  renameSync(draft, cluster);
}

async function initdb(dir: string, binaries: Binaries, account: Account | null): Promise<void> {
  const child = spawn(
    binaries.initdb,
    [
      `--pgdata=${dir}`,
      '--username=postgres',
      // Only this account and root get past the socket's directory (mode 0700).
      '--auth=trust',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-instructions',
    ],
    { cwd: dir, env: programEnvironment(), stdio: ['ignore', 'ignore', 'pipe'], ...account },
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

/** What PostgreSQL's programs see of our environment: no PG* variable and no locale of the operator's shell. */
export const programEnvironment = () => ({ PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' });

/**
 * A fresh directory of mode 0700 for the socket, outside the cluster because a socket's path holds at most 107 bytes.
 * Its name is derived from the cluster, so a killed predecessor's is found again and replaced.
 */
export function makeSocketDir(cluster: string, account: Account | null): string {
  const hash = createHash('sha256').update(`${process.getuid?.()}:${cluster}`).digest('hex').slice(0, 16);
  const inTmp = join(tmpdir(), `fulcrum-${hash}`);
  const dir = Buffer.byteLength(join(inTmp, '.s.PGSQL.5432')) <= 107 ? inTmp : `/tmp/fulcrum-${hash}`;
  try {
    rmSync(dir, { recursive: true, force: true });
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    throw new StartError(`cannot make the socket directory ${dir}: ${(error as Error).message}`);
  }
  if (account !== null) chownSync(dir, account.uid, account.gid);
  return dir;
}
