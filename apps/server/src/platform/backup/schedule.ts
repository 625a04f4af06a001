/**
 * Scheduled backups into BACKUP_DIR. Invariants: one backup at a time; the files alone say when the last one was, so a restart
 * loses and repeats nothing; a file is deleted only after a newer one was written and read back; a failure stops nothing but
 * the backup, and is reported until the next success.
 *
 * A backup that was missed while the server was off follows a minute after its start. One that lasts beyond the next due time is followed by that
 * one at once.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { minuteMs } from '@fulcrum/domain';
import type { Config } from '../config/index.ts';
import type { Services } from '../services.ts';
import { backUpInChild } from './child.ts';
import { type BackupKey, readKey } from './encryption.ts';
import {
  backupName,
  expiredBackups,
  listBackups,
  refuseUselessFolder,
  removeUnfinished,
  type StoredBackup,
} from './folder.ts';
import { ageMaxMs, lastDue, nextDue } from './timetable.ts';

const checkEveryMs = minuteMs;
/** Waits after the first, second, … failed try; the last one repeats. */
const backOffMs = [10, 30, 60].map((minutes) => minutes * minuteMs);

export interface BackupState {
  readonly dir: string;
  /** Public key; null: not encrypted. */
  readonly encryptedFor: string | null;
  readonly isRunning: boolean;
  /** ISO 8601; null without a backup. */
  readonly lastAt: string | null;
  readonly nextAt: string;
  /** Of the last try, where that failed; for operators only, because it names folders. */
  readonly failure: { readonly at: string; readonly reason: string } | null;
  /** What is wrong, in words for everybody; null while all is well. */
  readonly trouble: 'the last backup failed' | 'the last backup is too old' | null;
  /** The last one of this process. */
  readonly lastBytes: number | null;
  readonly lastSeconds: number | null;
}

interface ScheduleDependencies extends Pick<Services, 'timers' | 'log'> {
  readonly config: Pick<Config, 'databaseUrl' | 'dataDir' | 'backups' | 'backupKeyFile'>;
  readonly instanceId: string;
}

interface BackupSchedule {
  state(): BackupState;
  /** Writes a backup if one is due. Never rejects. */
  pass(): Promise<void>;
  start(): void;
  /** Ends a running backup without leaving anything of it. */
  stop(): Promise<void>;
}

/** Null without BACKUP_DIR. @throws StartError for a folder or a key that cannot do their work */
export async function createBackupSchedule(deps: ScheduleDependencies): Promise<BackupSchedule | null> {
  const { backups, backupKeyFile } = deps.config;
  if (backups === null) return null;
  refuseUselessFolder(deps.config);
  return scheduleWith(deps, backups, await readKey(backupKeyFile));
}

function scheduleWith(
  { timers, log, config, instanceId }: ScheduleDependencies,
  { dir, times, keepDays }: NonNullable<Config['backups']>,
  key: BackupKey | null,
): BackupSchedule {
  const { databaseUrl, dataDir, backupKeyFile } = config;
  const stopping = new AbortController();
  const beganAt = timers.now();
  let newest: StoredBackup | null = null;
  let failure: BackupState['failure'] = null;
  let failures = 0;
  let nextTryAt = 0;
  let last: { readonly bytes: number; readonly seconds: number } | null = null;
  let isRunning = false;
  let running: Promise<void> | null = null;
  let firstListing = Promise.resolve();
  let cancel = () => {};

  async function write(): Promise<void> {
    const file = join(dir, backupName(timers.now(), instanceId));
    const startedAt = performance.now();
    await removeUnfinished(dir, instanceId);
    const request = { location: { databaseUrl, dataDir }, file, keyFile: backupKeyFile };
    isRunning = true;
    const { bytes, checked, ledgerHash } = await backUpInChild(request, stopping.signal).finally(() => {
      isRunning = false;
    });
    last = { bytes, seconds: (performance.now() - startedAt) / 1000 };
    log.info(
      { file, ...last, checked, ledgerHash, encryptedFor: key?.recipient ?? null },
      'a backup is written',
    );
  }

  async function list(): Promise<StoredBackup[]> {
    const found = await listBackups(dir, instanceId, timers.now());
    newest = found[0] ?? null;
    return found;
  }

  async function check(): Promise<void> {
    if (timers.now() < nextTryAt) return;
    const [latest] = await list();
    if ((latest?.at ?? 0) < lastDue(times, timers.now())) await write();
    for (const { file } of expiredBackups(await list(), keepDays)) {
      await rm(file);
      log.info({ file }, 'an old backup is deleted');
    }
    failure = null;
    failures = 0;
  }

  /** What `work` throws is the state of the backups until a later check succeeds. */
  async function attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (stopping.signal.aborted) return;
      const wait = backOffMs[Math.min(failures, backOffMs.length - 1)] ?? 0;
      failures += 1;
      nextTryAt = timers.now() + wait;
      failure = { at: new Date(timers.now()).toISOString(), reason: (error as Error).message };
      log.error({ err: error, dir, retryInMs: wait }, 'the backup failed');
    }
  }

  /** One at a time: who comes while a backup runs waits for its end. */
  function pass(): Promise<void> {
    running ??= firstListing
      .then(() => attempt(check))
      .finally(() => {
        running = null;
      });
    return running;
  }

  function troubleOf(): BackupState['trouble'] {
    if (failure !== null) return 'the last backup failed';
    const since = Math.max(newest?.at ?? 0, beganAt);
    return timers.now() - since > ageMaxMs(times) ? 'the last backup is too old' : null;
  }

  return {
    state: () => ({
      dir,
      encryptedFor: key?.recipient ?? null,
      isRunning,
      lastAt: newest && new Date(newest.at).toISOString(),
      nextAt: new Date(nextDue(times, timers.now())).toISOString(),
      failure,
      trouble: troubleOf(),
      lastBytes: last?.bytes ?? null,
      lastSeconds: last?.seconds ?? null,
    }),
    pass,
    start: () => {
      // A folder that cannot be read is reported at once; a backup that was missed waits for the end of the start.
      firstListing = attempt(list);
      cancel = timers.every(checkEveryMs, () => void pass());
    },
    stop: async () => {
      cancel();
      stopping.abort();
      await firstListing;
      await running;
    },
  };
}
