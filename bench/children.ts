/** Child processes of a measurement, with messages both ways. */
import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts a module of this folder, or of an address, as a process of its own; `flags` are node's. */
export const start = (file: string | URL, flags: readonly string[] = []): ChildProcess =>
  fork(fileURLToPath(new URL(file, import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [...process.execArgv, ...flags],
  });

/** The next message of a child; rejects when it ends without one. */
export async function messageOf<T>(child: ChildProcess): Promise<T> {
  const ended = new AbortController();
  try {
    return await Promise.race([
      once(child, 'message', { signal: ended.signal }).then(([message]) => message as T),
      once(child, 'exit', { signal: ended.signal }).then(([code]) => {
        throw new Error(`a process of the measurement ended with ${code}`);
      }),
    ]);
  } finally {
    ended.abort();
  }
}

/** Sends a message and resolves with the answer to it. */
export async function ask<Answer>(child: ChildProcess, message: Serializable): Promise<Answer> {
  child.send(message);
  return messageOf<Answer>(child);
}

/** Starts a process for one job, which ends with its answer. */
export const runJob = <Answer>(file: string, job: Serializable): Promise<Answer> =>
  ask<Answer>(start(file), job);

/** Ends the child and resolves once it is gone. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Resolves once the child has ended by itself. */
export async function stop(child: ChildProcess): Promise<void> {
  if (!child.connected) return;
  const exited = once(child, 'exit');
  child.send('stop');
  await exited;
}
