/**
 * The fixture of every journey: a separate Fulcrum (own data folder, own port, its own PostgreSQL) as a real child
 * process, and a real Chromium. `fulcrum.restart()` looks to the browser like a deploy or a crash.
 *
 * A worker keeps its browser and its common server for all its journeys. It starts a server of another configuration for
 * the first journey that asks for one.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as base } from '@playwright/test';
import { childEnv } from '../../apps/server/test/harness/child-env.ts';
import { freePort } from '../../apps/server/test/harness/free-port.ts';
import type { Providers } from './provider-servers.ts';

const main = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url));
const startWithinMs = 120_000;
/**
 * Journeys use sizes and margins that a balance of 10,000 can pay. A market of a first start may have Bitcoin at 30,000 or
 * at 120,000; this one stays between 60,000 and 75,000 into the summer of 2027.
 */
const seed = 'journeys-47';

/** What a first start writes into its data folder depends on these; such a server begins with an empty folder. */
const firstStartSettings = ['PRICE_FEED', 'DEMO', 'DEMO_HISTORY', 'SIGNUP_BALANCE', 'RULES'];

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
      ...childEnv,
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      DEMO: 'true',
      // Journeys begin with empty accounts; the demo's own asks for its past.
      DEMO_HISTORY: 'false',
      PRICE_FEED: `simulated:${seed}`,
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

const newDataDir = (): string => mkdtempSync(join(tmpdir(), 'fulcrum-e2e-'));

/** A data folder after one first start, for the servers of all workers to copy; `FULCRUM_PREPARED` names it to them. */
export async function prepareDataDir(): Promise<() => void> {
  const dataDir = newDataDir();
  const discard = () => rmSync(dataDir, { recursive: true, force: true });
  const fulcrum = new Fulcrum(await freePort(), dataDir, {});
  try {
    await fulcrum.start();
  } catch (error) {
    discard();
    throw error;
  } finally {
    await fulcrum.stop();
  }
  process.env.FULCRUM_PREPARED = dataDir;
  return discard;
}

type ServerEnv = Readonly<Record<string, string>>;

/** A new server; its data folder is a copy of the prepared one where its settings allow that. */
async function startFulcrum(env: ServerEnv): Promise<Fulcrum> {
  const dataDir = newDataDir();
  const prepared = process.env.FULCRUM_PREPARED;
  const isPrepared = !firstStartSettings.some((name) => name in env);
  // Owners and modes are preserved: the files of PostgreSQL may belong to another user of the system.
  if (prepared && isPrepared) execFileSync('cp', ['-a', `${prepared}/.`, dataDir]);
  const fulcrum = new Fulcrum(await freePort(), dataDir, env);
  try {
    await fulcrum.start();
  } catch (error) {
    await discard(fulcrum);
    throw error;
  }
  return fulcrum;
}

async function discard(fulcrum: Fulcrum): Promise<void> {
  await fulcrum.stop();
  rmSync(fulcrum.dataDir, { recursive: true, force: true });
}

const keyOf = (name: string, env: ServerEnv) => JSON.stringify([name, env]);
const commonName = 'all';
const commonKey = keyOf(commonName, {});

/** The servers of one worker: the common one, and at most one of another configuration. */
class WorkerServers {
  readonly #running = new Map<string, Promise<Fulcrum>>();
  readonly #ends: Promise<void>[] = [];

  /** The server of a configuration, which ends the previous server of a third one. */
  get(name: string, env: ServerEnv): Promise<Fulcrum> {
    const key = keyOf(name, env);
    const running = this.#running.get(key);
    if (running) return running;
    for (const other of this.#running.keys())
      if (key !== commonKey && other !== commonKey) this.#ends.push(this.#end(other));
    const started = startFulcrum(env);
    this.#running.set(key, started);
    return started;
  }

  async close(): Promise<void> {
    await Promise.all([...[...this.#running.keys()].map((key) => this.#end(key)), ...this.#ends]);
  }

  async #end(key: string): Promise<void> {
    const ended = this.#running.get(key);
    this.#running.delete(key);
    // A server that did not start has failed its journey.
    const fulcrum = await ended?.catch(() => null);
    if (fulcrum) await discard(fulcrum);
  }
}

interface Served {
  readonly leavesNoPage: undefined;
  readonly serverEnv: ServerEnv;
  /** A name that no other file has gives a file a server that no other journey of its worker has used. */
  readonly serverFor: string;
  readonly fulcrum: Fulcrum;
}

interface OfWorker {
  readonly servers: WorkerServers;
  /** The price providers of the servers of that name (`providers.ts`). */
  readonly providersFor: (serverFor: string) => Promise<Providers>;
}

/** All journeys have the same fixtures of the worker: those with others would each begin with a new worker. */
export const test = base.extend<Served, OfWorker>({
  page: async ({ page }, use) => {
    // When its last route is removed (`unroute`, `times`), the browser drops a pending request, which then never gets an
    // answer. A route that matches nothing keeps the interception active.
    const route = page.route.bind(page);
    let isOn = false;
    page.route = async (...rule) => {
      if (!isOn) await page.context().route('**/matches-nothing', (route) => route.continue());
      isOn = true;
      return route(...rule);
    };
    await use(page);
  },
  leavesNoPage: [
    async ({ browser }, use) => {
      const before = new Set(browser.contexts());
      await use(undefined);
      // Playwright closes its own context alone: the page of a second user would keep polling during all later journeys.
      const left = browser.contexts().filter((context) => !before.has(context));
      await Promise.all(left.map((context) => context.close()));
    },
    { auto: true },
  ],
  serverEnv: [{}, { option: true }],
  serverFor: [commonName, { option: true }],
  servers: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from this pattern
    async ({}, use) => {
      const servers = new WorkerServers();
      await use(servers);
      await servers.close();
    },
    { scope: 'worker' },
  ],
  providersFor: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const started = new Map<string, Promise<Providers>>();
      const start = async () => (await import('./provider-servers.ts')).startProviders();
      await use((name) => {
        const providers = started.get(name) ?? start();
        started.set(name, providers);
        return providers;
      });
      for (const providers of started.values()) await (await providers).close();
    },
    { scope: 'worker' },
  ],
  fulcrum: [
    async ({ servers, serverFor, serverEnv }, use) => use(await servers.get(serverFor, serverEnv)),
    { timeout: startWithinMs + 30_000 },
  ],
  baseURL: async ({ fulcrum }, use) => use(fulcrum.url),
});
export { expect } from '@playwright/test';
