/**
 * A lock between processes of one clone, as a file that names its holder. It runs on the machine's own Node before
 * anything is installed, so it imports nothing and uses no newer syntax than Node 20 has.
 *
 * Invariant: at most one live process holds the file. It appears with its content at once (link), and a dead holder's
 * file is moved aside before it is deleted, so that no process deletes the lock of a faster contender.
 * Known limitations: outside Linux a reused pid keeps the lock until that process ends. Where three contend for the
 * lock of a dead holder, one may move a live lock aside and fail to restore it, because the third was faster. Two then
 * hold it.
 */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const pollEveryMs = 250;
/** Interval of the checks whether the holder has released the lock. */
const lookAgainMs = 5;

/**
 * Waits for the lock and resolves with the function that releases it. Calls `onWait` once, with the holder's pid.
 * Rejects after `limitMs`, or when the file system refuses.
 */
export async function takeLock(file, { limitMs, onWait }) {
  mkdirSync(dirname(file), { recursive: true });
  const mine = `${process.pid} ${startOf(process.pid)}\n`;
  const draft = `${file}.${process.pid}`;
  const deadline = Date.now() + limitMs;
  let announced = false;
  writeFileSync(draft, mine);
  try {
    for (;;) {
      if (tryLink(draft, file)) return () => release(file, mine);
      const seen = read(file);
      const holder = seen === null ? null : liveHolder(seen);
      if (seen !== null && holder === null) {
        removeStale(file, seen);
        continue;
      }
      if (Date.now() > deadline) {
        // A link that leads nowhere is there and cannot be read.
        throw new Error(
          holder === null
            ? `${file} cannot be taken; remove it`
            : `process ${holder} holds ${file}; end it or remove the file`,
        );
      }
      if (holder === null) {
        await sleep(lookAgainMs);
        continue;
      }
      if (!announced) onWait(holder);
      announced = true;
      await sleep(pollEveryMs);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

function tryLink(draft, file) {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Pid of the running process that the lock names; null when it has ended or its pid went to another one. */
function liveHolder(text) {
  const [pid = '', startedAt = ''] = text.trim().split(' ');
  if (!/^\d+$/.test(pid)) return null;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if (error.code !== 'EPERM') return null;
  }
  return startOf(Number(pid)) === startedAt ? pid : null;
}

/** Differs between two processes that had one pid; 'unknown' where there is no /proc. A zombie is no process. */
function startOf(pid) {
  if (process.platform !== 'linux') return 'unknown';
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc(5): after the name in parentheses come the state (field 3) and, as field 22, the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'ended' : fields[19];
  } catch {
    return 'ended';
  }
}

function removeStale(file, seen) {
  const aside = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  // What was moved may already be a faster contender's.
  if (read(aside) !== seen) tryLink(aside, file);
  rmSync(aside, { force: true });
}

function release(file, mine) {
  if (read(file) === mine) rmSync(file, { force: true });
}
