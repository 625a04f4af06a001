/**
 * The fixture of every journey: a Fulcrum of its own (own data folder, own port, its own PostgreSQL) as a real child
 * process, and a real Chromium. `fulcrum.restart()` is what a deploy or a crash looks like from the browser.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as base } from '@playwright/test';

const main = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url));
const startWithinMs = 120_000;

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

export class Fulcrum {
  readonly url: string;
  readonly dataDir: string;
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | null = null;

  constructor(port: number, dataDir: string, env: Record<string, string>) {
    this.url = `http://127.0.0.1:${port}`;
    this.dataDir = dataDir;
    this.#env = {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      DEMO: 'true',
      ...env,
    };
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [main], { env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    const deadline = Date.now() + startWithinMs;
    while (Date.now() < deadline) {
      if (child.exitCode !== null) throw new Error(`Fulcrum ended with ${child.exitCode}:\n${output}`);
      const ready = await fetch(`${this.url}/health`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (ready) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`Fulcrum was not ready within ${startWithinMs / 1000} s:\n${output}`);
  }

  /** Ends the process with `signal` and resolves with its exit code. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return child?.exitCode ?? null;
    const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    child.kill(signal);
    return ended;
  }

  async restart(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    await this.stop(signal);
    await this.start();
  }
}

interface Served {
  readonly serverEnv: Record<string, string>;
  /** A name that no other file has gives a file a server that no other journey has left anything on. */
  readonly serverFor: string;
  readonly fulcrum: Fulcrum;
}

export const test = base.extend<{ leavesNoPage: undefined }, Served>({
  leavesNoPage: [
    async ({ browser }, use) => {
      const before = new Set(browser.contexts());
      await use(undefined);
      // Playwright closes its own context alone: the page of a second person would go on asking beside all later journeys.
      const left = browser.contexts().filter((context) => !before.has(context));
      await Promise.all(left.map((context) => context.close()));
    },
    { auto: true },
  ],
  serverEnv: [{}, { option: true, scope: 'worker' }],
  serverFor: ['all', { option: true, scope: 'worker' }],
  fulcrum: [
    async ({ serverEnv }, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'fulcrum-e2e-'));
      const fulcrum = new Fulcrum(await freePort(), dataDir, serverEnv);
      try {
        await fulcrum.start();
        await use(fulcrum);
      } finally {
        await fulcrum.stop();
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
    { scope: 'worker', timeout: startWithinMs + 30_000 },
  ],
  baseURL: async ({ fulcrum }, use) => use(fulcrum.url),
});
export { expect } from '@playwright/test';
