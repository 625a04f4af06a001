/**
 * The product on a database of a measurement: the running server as its own process, loaded by another one, with the cost
 * of a phase of load beside its figures.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, runJob, start, stop } from './children.ts';
import { type Run, row, runOf } from './figures.ts';
import type { LoadJob, LoadReport } from './load.ts';
import type { ProductReady, ServerCheck, ServerCommand, ServerCost, ServerJob } from './server.ts';
import type { Measure } from './traders.ts';

export const measure: Measure = { traders: 1000, warmUpS: 1, seconds: 4 };

export type Job = Pick<LoadJob, 'connections' | 'perSecond' | 'rowsPerInsert'> &
  // Another length than `measure` has.
  Partial<Pick<LoadJob, 'seconds'>> & {
    /** Orders go to `/fapi`, signed; the product has to have API keys. */
    readonly isSigned?: boolean;
  };

/** A phase of load; `orders` counts those of the warm-up too, and so does the server's processor time. */
export interface Load extends Run {
  readonly orders: number;
  readonly serverCpuS: number;
}

export interface ProductSettings {
  /** `ENGINE_LANES`; 1 by default. */
  readonly lanes?: number;
  /** Another checkout's `bench/server.ts`. */
  readonly server?: URL;
  /** Orders of accounts with net positions. */
  readonly isNet?: boolean;
  /** API keys of these accounts. */
  readonly hasApiKeys?: boolean;
}

/** The product on one database, until it is stopped. */
export class Product {
  readonly #server: ChildProcess;
  readonly #lanes: number;
  readonly #isNet: boolean;
  readonly #hasApiKeys: boolean;
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'fulcrum-bench-server-'));
  #ready: ProductReady | undefined;
  #orders = 0;

  constructor({ lanes = 1, server, isNet = false, hasApiKeys = false }: ProductSettings = {}) {
    this.#isNet = isNet;
    this.#hasApiKeys = hasApiKeys;
    this.#server = start(server ?? './server.ts');
    this.#lanes = lanes;
  }

  async start(databaseUrl: string): Promise<void> {
    const { traders } = measure;
    const job: ServerJob = {
      databaseUrl,
      dataDir: this.#dataDir,
      traders,
      lanes: this.#lanes,
      isNet: this.#isNet,
      hasApiKeys: this.#hasApiKeys,
    };
    this.#ready = await ask<ProductReady>(this.#server, job);
  }

  async #ask<Answer>(command: ServerCommand): Promise<Answer> {
    return ask<Answer>(this.#server, command);
  }

  /** Orders per second under that load, printed. @throws Error when one was not accepted. */
  async load(name: string, job: Job): Promise<Load> {
    if (!this.#ready) throw new Error('the product has not started');
    const { url, anonKey, tokens } = this.#ready;
    const { isSigned = false, ...phase } = job;
    const apiKeys = isSigned ? this.#ready.apiKeys : undefined;
    const before = await this.#ask<ServerCost>('cost');
    const { warmUpS } = measure;
    const seconds = job.seconds ?? measure.seconds;
    const { latenciesMs, statuses, firstFailure, cpuS } = await runJob<LoadReport>('./load.ts', {
      url,
      anonKey,
      tokens,
      apiKeys,
      warmUpS,
      ...phase,
      seconds,
    } satisfies LoadJob);
    if (firstFailure !== null) {
      throw new Error(`${JSON.stringify(statuses)}; the first failure:\n${firstFailure}`);
    }
    const after = await this.#ask<ServerCost>('cost');
    const requests = runOf(name, job.connections, latenciesMs, seconds);
    const rows = job.rowsPerInsert ?? 1;
    const orders = Object.values(statuses).reduce((sum, count) => sum + count, 0) * rows;
    const serverCpuS = after.cpuS - before.cpuS;
    const run = { ...requests, perSecond: requests.perSecond * rows, orders, serverCpuS };
    this.#orders += orders;
    const batch = (after.commands - before.commands) / (after.batches - before.batches);
    const cores = serverCpuS / (warmUpS + seconds);
    console.log(
      `${row(run)}   ${batch.toFixed(0)} orders a commit; cores: server ${cores.toFixed(2)}, client ${(cpuS / (warmUpS + seconds)).toFixed(2)}`,
    );
    return run;
  }

  /** @throws Error when the ledger are not whole, or an accepted order is not there. */
  async verifyLedger(): Promise<void> {
    const { violations, positions: fills, rejected, ledgerRows } = await this.#ask<ServerCheck>('check');
    if (violations.length > 0 || rejected > 0 || fills !== this.#orders) {
      throw new Error(
        `the ledger after the run: ${fills} fills of ${this.#orders} orders, ${rejected} rejected; ${violations.join('; ')}`,
      );
    }
    console.log(`  after ${fills} orders, with ${ledgerRows} ledger rows in all: every invariant holds\n`);
  }

  async stop(): Promise<void> {
    await stop(this.#server);
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  kill(): void {
    this.#server.kill();
  }
}

export async function withProduct<T>(
  databaseUrl: string,
  work: (product: Product) => Promise<T>,
  settings: ProductSettings = {},
): Promise<T> {
  const product = new Product(settings);
  try {
    await product.start(databaseUrl);
    const result = await work(product);
    await product.verifyLedger();
    await product.stop();
    return result;
  } finally {
    product.kill();
  }
}
