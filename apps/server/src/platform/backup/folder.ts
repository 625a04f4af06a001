/**
 * The folder of scheduled backups. A name holds the instant of its backup and the beginning of the installation's id:
 * `fulcrum-20261127T031500Z-3f2a9c01.fulcrum`. Invariant: what has another name is no backup of this server, and is neither
 * counted nor deleted.
 */
import { realpathSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { dayMs } from '@fulcrum/domain';
import type { Config } from '../config/index.ts';
import { StartError } from '../start-error.ts';
import { draftOf } from './publish.ts';

export interface StoredBackup {
  readonly file: string;
  /** ms since the epoch. */
  readonly at: number;
}

const pattern = /^fulcrum-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-([0-9a-f]{8})\.fulcrum$/;
const markOf = (instanceId: string) => instanceId.slice(0, 8);

export function backupName(at: number, instanceId: string): string {
  const instant = new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  return `fulcrum-${instant}Z-${markOf(instanceId)}.fulcrum`;
}

function instantOf(name: string, instanceId: string): number | null {
  const [, year, month, day, hour, minute, second, mark] = pattern.exec(name) ?? [];
  if (mark !== markOf(instanceId)) return null;
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at) ? null : at;
}

/**
 * The backups of this installation, the newest first. Those that a wrong clock dated after `now` are left out.
 * @throws Error of the file system
 */
export async function listBackups(dir: string, instanceId: string, now: number): Promise<StoredBackup[]> {
  return (await readdir(dir, { withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ file: join(dir, name), at: instantOf(name, instanceId) ?? Number.NaN }))
    .filter(({ at }) => at <= now)
    .sort((one, other) => other.at - one.at);
}

/**
 * Those that do not belong to the last `keepDays` days with a backup. Days without one do not count, so that nothing is
 * deleted while no backup succeeds.
 */
export function expiredBackups(newestFirst: readonly StoredBackup[], keepDays: number): StoredBackup[] {
  const days = new Set<number>();
  return newestFirst.filter(({ at }) => {
    days.add(Math.floor(at / dayMs));
    return days.size > keepDays;
  });
}

/** Deletes what killed backups of this installation left behind. None may be running. */
export async function removeUnfinished(dir: string, instanceId: string): Promise<void> {
  for (const name of await readdir(dir)) {
    const finished = name.slice(0, -draftOf('').length);
    if (draftOf(finished) === name && instantOf(finished, instanceId) !== null) await rm(join(dir, name));
  }
}

/** As `realpath`, also where the end of the path does not exist yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}

const isInside = (path: string, folder: string) =>
  `${realPath(path)}${sep}`.startsWith(`${realPath(folder)}${sep}`);

/** @throws StartError for a folder in which backups protect from nothing */
export function refuseUselessFolder({
  backups,
  backupKeyFile,
  dataDir,
}: Pick<Config, 'backups' | 'backupKeyFile' | 'dataDir'>): void {
  if (backups === null) return;
  if (isInside(backups.dir, dataDir)) {
    throw new StartError(
      `BACKUP_DIR=${backups.dir} lies in the data directory ${dataDir}, so both are lost together; set it to a folder elsewhere, best on another disk`,
    );
  }
  if (backupKeyFile !== null && isInside(backupKeyFile, backups.dir)) {
    throw new StartError(
      `BACKUP_KEY_FILE=${backupKeyFile} lies in BACKUP_DIR, so the key goes wherever the backups go; keep it elsewhere`,
    );
  }
}
