/** Runs a program of `debian-parts.ts` beside the server. The test that starts one ends it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Program {
  end(): Promise<void>;
}

const readyWithinMs = 60_000;

/** Resolves when `isReady` says so. @throws Error with the program's output when it ends before, or takes too long */
export async function startProgram(
  [command, ...args]: readonly [string, ...string[]],
  isReady: () => Promise<boolean>,
  env: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-10_000);
    });
  }
  const ended = once(child, 'exit');
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill();
    await ended;
  };
  for (const startedAt = performance.now(); !(await isReady()); ) {
    if (child.exitCode !== null || performance.now() - startedAt > readyWithinMs) {
      await end();
      throw new Error(`${command} does not start: ${output}`);
    }
    await sleep(50);
  }
  return { end };
}

/** Whether the address answers with success. */
export const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
