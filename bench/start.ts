/**
 * `npm run bench -- start`: the cost of `npm start` on an installation in use, and the downtime after `kill -9`:
 * every round kills all of it but PostgreSQL, which becomes an orphan, starts again at once and polls until the
 * first answer. Linux only (/proc). Bounded: about half a minute, loopback only.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../apps/server/test/harness/free-port.ts';
import { machine, quantile, verdict } from './figures.ts';
import { isHealthy, root } from './installed-server.ts';
import { allStats } from './process-stat.ts';

const rounds = 7;
const aim = { cpuS: 1.5, answerS: 3 };
/** The very first start creates the database, and builds the web app. */
const firstWithinMs = 180_000;
const againWithinMs = 60_000;
const askEveryMs = 10;
/** npm, its shell and the server; PostgreSQL has a group of its own. */
const cpuOfGroup = (group: number): number =>
  allStats().reduce((sum, stat) => sum + (stat.group === group ? stat.cpuS : 0), 0);

class Installation {
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'fulcrum-bench-start-'));
  readonly #port: number;
  #npm: ChildProcess | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** Resolves with what it cost until the first answer. @throws Error when none comes in time. */
  async start(withinMs: number): Promise<{ readonly cpuS: number; readonly seconds: number }> {
    const startedAt = performance.now();
    const npm = spawn('npm', ['start', '--silent'], {
      cwd: root,
      env: { ...process.env, PORT: String(this.#port), DATA_DIR: this.#dataDir, LOG_LEVEL: 'error' },
      stdio: 'ignore',
      detached: true,
    });
    this.#npm = npm;
    const deadline = startedAt + withinMs;
    while (!(await isHealthy(this.#port))) {
      if (npm.exitCode !== null || performance.now() > deadline) throw new Error('npm start does not serve');
      await sleep(askEveryMs);
    }
    const seconds = (performance.now() - startedAt) / 1000;
    return { cpuS: cpuOfGroup(npm.pid ?? -1), seconds };
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const npm = this.#npm;
    if (!npm?.pid || npm.exitCode !== null || npm.signalCode !== null) return;
    const exited = once(npm, 'exit');
    process.kill(-npm.pid, signal);
    await exited;
  }

  async dispose(): Promise<void> {
    await this.end('SIGTERM');
    rmSync(this.#dataDir, { recursive: true, force: true });
  }
}

export async function benchStart(): Promise<void> {
  console.log(machine);
  const installation = new Installation(await freePort());
  try {
    await installation.start(firstWithinMs);
    await sleep(1000);
    const cpu: number[] = [];
    const answer: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const killedAt = performance.now();
      await installation.end('SIGKILL');
      const gone = (performance.now() - killedAt) / 1000;
      const { cpuS, seconds } = await installation.start(againWithinMs);
      cpu.push(cpuS);
      answer.push(gone + seconds);
      console.log(
        `round ${round + 1}: ${cpuS.toFixed(2)} s of processor time, ${(gone + seconds).toFixed(2)} s from kill -9 to the first answer`,
      );
      // What it does in the background after the start is not to slow the next one.
      await sleep(1000);
    }
    console.log(
      `a start costs ${quantile(cpu, 0.5).toFixed(2)} s of processor time (npm included); aim at most ${aim.cpuS}: ${verdict(quantile(cpu, 0.5) <= aim.cpuS)}`,
    );
    console.log(
      `from kill -9 to the first answer ${quantile(answer, 0.5).toFixed(2)} s; aim at most ${aim.answerS}: ${verdict(quantile(answer, 0.5) <= aim.answerS)}`,
    );
  } finally {
    await installation.dispose();
  }
}
