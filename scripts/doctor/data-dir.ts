/** Checks the data directory: its owner, its content, the process that uses it, and the remains of a killed server. */
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { refuseUnfinishedDirectory } from '../../apps/server/src/platform/backup/index.ts';
import { findSecrets } from '../../apps/server/src/platform/config/secrets.ts';
import { findDatabaseOsUser } from '../../apps/server/src/platform/database/embedded/os-user.ts';
import { ownerFile } from '../../apps/server/src/platform/database/embedded/ownership.ts';
import { runningCluster } from '../../apps/server/src/platform/database/embedded/running.ts';
import { isPostmaster, readLockPid } from '../../apps/server/src/platform/database/embedded/stale-cluster.ts';
import { messageOf, type Report } from './report.ts';

export interface DataDirState {
  /** `usable`: its PostgreSQL runs or could be started. */
  readonly cluster: 'usable' | 'absent' | 'unusable';
  readonly ownerPid: number | null;
}

const MiB = 1024 * 1024;
/** A full WAL between two checkpoints is 2 GiB at most; below the lower bound PostgreSQL hardly starts. */
const freeMin = 100 * MiB;
const freeWished = 2048 * MiB;

/** `major` is the version of the embedded PostgreSQL, null when it is not used or not there. */
export function examineDataDir(dir: string, major: string | null, report: Report): DataDirState {
  const absent: DataDirState = { cluster: 'absent', ownerPid: null };
  if (!existsSync(dir)) {
    report.good(`the data directory ${dir} does not exist yet; the first start makes it`);
    examineSpace(nearestFolder(dir), report);
    return absent;
  }
  if (!examineAccess(dir, report)) return { ...absent, cluster: 'unusable' };
  examineSpace(dir, report);
  examineSecrets(dir, report);
  if (major === null) return absent;
  const cluster = examineCluster(dir, major, report);
  return { cluster, ownerPid: examineOwner(dir, report) };
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path));
}

function examineAccess(dir: string, report: Report): boolean {
  const entry = statSync(dir);
  const { uid, mode } = entry;
  if (!entry.isDirectory()) {
    report.bad(`the data directory ${dir} is a file`, 'set DATA_DIR to a folder');
    return false;
  }
  try {
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    report.bad(
      `the data directory cannot be used: ${messageOf(error)}`,
      `it belongs to user id ${uid} and this is ${process.getuid?.()}; start as its owner or set DATA_DIR`,
    );
    return false;
  }
  if ((mode & 0o022) !== 0) {
    report.hint(`other users may write into ${dir}`, `run: chmod go-w ${dir}`);
  } else {
    report.good(`the data directory ${dir} (user id ${uid}, mode ${(mode & 0o777).toString(8)})`);
  }
  return true;
}

function examineSpace(dir: string, report: Report): void {
  const { bavail, bsize } = statfsSync(dir);
  const free = bavail * bsize;
  const line = `${Math.floor(free / MiB)} MiB are free for ${dir}`;
  if (free < freeMin) report.bad(line, 'free some space: PostgreSQL stops on a full disk');
  else if (free < freeWished) report.hint(line, 'a busy database writes up to 2 GiB between two checkpoints');
  else report.good(line);
}

function examineSecrets(dir: string, report: Report): void {
  try {
    const secrets = findSecrets(dir);
    report.good(
      secrets === null
        ? 'no secrets yet; the first start makes them'
        : 'the secrets are whole and closed to others',
    );
  } catch (error) {
    report.bad(`the secrets: ${messageOf(error)}`, 'a backup holds them; see docs/operations.md');
  }
  try {
    refuseUnfinishedDirectory(dir);
  } catch (error) {
    report.bad(messageOf(error), 'npm run restore starts over');
  }
}

function examineCluster(dir: string, major: string, report: Report): DataDirState['cluster'] {
  const cluster = join(dir, 'postgres');
  if (!existsSync(cluster)) {
    report.good('no database yet; the first start makes it');
    return 'absent';
  }
  try {
    findDatabaseOsUser(cluster);
  } catch (error) {
    report.bad(messageOf(error), "the database's files belong to one user, and so does its PostgreSQL");
    return 'unusable';
  }
  const versionFile = join(cluster, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    if (readdirSync(cluster).length === 0) return 'absent';
    report.bad(`${cluster} is not empty and not a PostgreSQL cluster`, 'move it away or set DATA_DIR');
    return 'unusable';
  }
  const clusterVersion = readFileSync(versionFile, 'utf8').trim();
  if (clusterVersion !== major) {
    report.bad(
      `the database was made by PostgreSQL ${clusterVersion}, and this is ${major}`,
      'back it up with the version of Fulcrum that made it and restore it here, or move it away to start empty',
    );
    return 'unusable';
  }
  return 'usable';
}

/** Pid of the live process that has the directory; null when there is none, and then what a killed one left. */
function examineOwner(dir: string, report: Report): number | null {
  const running = runningCluster(dir);
  if (running !== null) {
    const { ownerPid, socketDir } = running;
    const since = statSync(`/proc/${ownerPid}`, { throwIfNoEntry: false })?.ctime.toISOString();
    const line = `process ${ownerPid} runs on it${since === undefined ? '' : ` since ${since}`}`;
    if (socketDir === null)
      report.hint(`${line}, and its PostgreSQL accepts no connections`, 'see postgres.log there');
    else report.good(`${line}, its PostgreSQL is at ${socketDir}`);
    return ownerPid;
  }
  const cluster = existsSync(join(dir, 'postgres'))
    ? realpathSync(join(dir, 'postgres'))
    : join(dir, 'postgres');
  const lock = join(cluster, 'postmaster.pid');
  const leftovers = [
    ...(existsSync(ownerFile(dir)) ? ['the note of a killed server'] : []),
    ...(existsSync(lock)
      ? [
          isPostmaster(readLockPid(lock), cluster)
            ? `its PostgreSQL, process ${readLockPid(lock)}, which still runs`
            : 'the lock of a killed PostgreSQL',
        ]
      : []),
    ...readdirSync(dir).filter((name) => name.startsWith('postgres.new-')),
  ];
  if (leftovers.length > 0)
    report.hint(`left behind: ${leftovers.join('; ')}`, 'the next start puts that right');
  else report.good('no server runs on it, and none left anything behind');
  return null;
}
