/** Writes a backup in a process of its own, with its own memory and below the priority of trading (`child-main.ts`). */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { DatabaseLocation } from '../database/index.ts';
import { BackupRefusal } from './format.ts';
import type { WrittenBackup } from './write.ts';

export interface BackupRequest {
  readonly location: DatabaseLocation;
  readonly file: string;
  readonly keyFile: string | null;
}

interface BackupReport extends Pick<WrittenBackup, 'bytes' | 'checked'> {
  readonly ledgerHash: string;
}

export type BackupAnswer = { readonly written: BackupReport } | { readonly failed: string };

const program = fileURLToPath(new URL('./child-main.ts', import.meta.url));

/**
 * Resolves once the file has its name and the process has ended.
 * @throws BackupRefusal with the reason of the process, or with how it ended; after `signal` too
 */
export function backUpInChild(request: BackupRequest, signal: AbortSignal): Promise<BackupReport> {
  return new Promise((resolve, reject) => {
    // Flags of this process, such as a port of the inspector, are its own.
    const child = fork(program, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    let answer: BackupAnswer | null = null;
    const disconnect = () => child.connected && child.disconnect();
    signal.addEventListener('abort', disconnect, { once: true });
    child.once('message', (message: BackupAnswer) => {
      answer = message;
    });
    child.once('error', reject);
    child.once('exit', (code, killedBy) => {
      signal.removeEventListener('abort', disconnect);
      if (answer !== null && 'written' in answer) resolve(answer.written);
      else
        reject(new BackupRefusal(answer?.failed ?? `the process of the backup ended by ${killedBy ?? code}`));
    });
    child.send(request);
  });
}
