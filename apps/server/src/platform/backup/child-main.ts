/**
 * The program of `child.ts`: writes one backup below the priority of the server and answers its parent. It stops, and removes its
 * draft, when the parent ends or a signal comes.
 */
import { rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { readSpace } from '../disk.ts';
import { createLog } from '../log/index.ts';
import { StartError } from '../start-error.ts';
import type { BackupAnswer, BackupRequest } from './child.ts';
import { backUp, readKey } from './index.ts';
import { draftOf } from './publish.ts';

/** How long an interrupted backup may take to end by itself: it may wait for a lock of PostgreSQL. */
const stopWithinMs = 2000;

const stop = new AbortController();
let draft: string | null = null;
function abort(): void {
  stop.abort();
  const end = () => {
    if (draft !== null) rmSync(draft, { force: true });
    process.exit(1);
  };
  setTimeout(end, stopWithinMs).unref();
}
process.once('disconnect', abort);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, abort);

async function answer({ location, file, keyFile }: BackupRequest): Promise<BackupAnswer> {
  try {
    const { bytes, checked, foot } = await backUp(location, file, {
      log: createLog({ logLevel: 'warn' }),
      key: await readKey(keyFile),
      signal: stop.signal,
      measure: readSpace,
    });
    return { written: { bytes, checked, ledgerHash: foot.ledger.sha256 } };
  } catch (error) {
    const { message, stack = message } = error as Error;
    return { failed: error instanceof StartError ? message : stack };
  }
}

// The threads of zlib and of the file system begin later and take it over. The lowest priority would hardly get on beside a
// busy server, and PostgreSQL keeps old rows until the end.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
process.once('message', async (request: BackupRequest) => {
  draft = draftOf(request.file);
  const reply = await answer(request);
  if (!process.connected) return;
  process.off('disconnect', abort);
  process.send?.(reply, undefined, undefined, () => process.disconnect());
});
