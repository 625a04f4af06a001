/**
 * Puts the house together: platform, features, protocols, in this order, and takes it down in the reverse one.
 * Invariant: nothing is served before the engine and the market are ready, and after `close()` no process, socket,
 * timer or connection of this server is left.
 */
import { fileURLToPath } from 'node:url';
import { AppError, texts } from '@fulcrum/contract';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { createAccounts, seedDemo } from './features/accounts/index.ts';
import { createMarket, type Feed } from './features/market/index.ts';
import { createTrading } from './features/trading/index.ts';
import { ensureWallet } from './features/wallet/index.ts';
import { createBus } from './platform/bus/index.ts';
import { type Clock, systemClock } from './platform/clock/index.ts';
import type { Config } from './platform/config/index.ts';
import { loadSecrets } from './platform/config/secrets.ts';
import { openDatabase } from './platform/database/index.ts';
import { createLog, type Log } from './platform/log/index.ts';
import { StartError } from './platform/start-error.ts';
import { registerAuth } from './protocols/auth/index.ts';
import { createDrain } from './protocols/http/drain.ts';
import { type Health, registerHttp } from './protocols/http/index.ts';
import { registerRealtime } from './protocols/realtime/index.ts';
import { registerRest } from './protocols/rest/index.ts';

const webRoot = fileURLToPath(new URL('../../web/dist', import.meta.url));
const bodyLimitBytes = 64 * 1024;

export interface Overrides {
  /** Prices under a test's control. */
  readonly feed?: Feed;
  readonly clock?: Clock;
  readonly log?: Log;
}

/** TRUST_PROXY as fastify takes it: a number is how many proxies stand between us and the client. */
function trustedHops(trust: Config['trustProxy']) {
  return typeof trust === 'number' ? (_address: string, hop: number) => hop < trust : trust;
}

/** @throws StartError when HOST and PORT cannot be had */
async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartError(
      code === 'EADDRINUSE'
        ? `port ${port} of ${host} is in use; stop what uses it or set PORT`
        : `cannot listen on HOST=${host} PORT=${port}: ${message}`,
      { cause: error },
    );
  }
}

/** What was started, taken down last-in first-out, so that a failed start leaves nothing behind either. */
class Teardown {
  readonly #steps: { name: string; close: () => unknown }[] = [];
  add(name: string, close: () => unknown): void {
    this.#steps.push({ name, close });
  }
  async run(log: Log): Promise<void> {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step.close();
      } catch (error) {
        log.error({ err: error }, `stopping ${step.name} failed`);
      }
    }
  }
}

/** Starts Fulcrum and resolves when it serves. Rejects with a clear error, leaving nothing running, when it cannot. */
export async function startServer(config: Config, overrides: Overrides = {}) {
  const log = overrides.log ?? createLog(config);
  const clock = overrides.clock ?? systemClock;
  const teardown = new Teardown();
  try {
    const secrets = loadSecrets(config.dataDir);
    const bus = createBus(log);
    const db = await openDatabase(config, log);
    teardown.add('database', () => db.close());

    const accounts = createAccounts({ db, config, secrets, clock, bus, log });
    await accounts.start();
    teardown.add('accounts', () => accounts.stop());

    const market = createMarket({
      db,
      config,
      clock,
      bus,
      log,
      ...(overrides.feed && { feed: overrides.feed }),
    });
    await market.start();
    teardown.add('market', () => market.stop());

    const trading = createTrading({ db, config, clock, bus, log, market });
    await trading.start();
    teardown.add('trading', () => trading.stop());

    if (config.demo) await seedDemo({ db, accounts, log });

    let { publicUrl } = config;
    const logger: FastifyBaseLogger = log;
    const app = fastify({
      loggerInstance: logger,
      logController: new LogController({ disableRequestLogging: true }),
      trustProxy: trustedHops(config.trustProxy),
      bodyLimit: bodyLimitBytes,
      forceCloseConnections: 'idle',
      requestTimeout: 30_000,
      http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
    });
    app.setErrorHandler((error: Error & { statusCode?: number; code?: string }, request, reply) => {
      if (error instanceof AppError) {
        return reply
          .code(error.status)
          .send({ code: error.code, message: error.message, details: error.details, hint: error.hint });
      }
      const status = error.statusCode ?? 500;
      if (status >= 500)
        request.log.error({ err: error, path: request.url.split('?', 1)[0] }, 'request failed');
      return reply.code(status).send({
        code: status >= 500 ? 'internal' : (error.code ?? 'invalid_request'),
        message: status >= 500 ? texts.unexpectedError : error.message,
        details: null,
        hint: null,
      });
    });

    const realtime = registerRealtime(app, {
      accounts,
      bus,
      market,
      clock,
      log,
      isAssigned: (managerId, userId) => accounts.isAssigned(managerId, userId),
    });
    teardown.add('realtime', () => realtime.stop());

    await registerHttp(app, {
      webRoot,
      secure: config.publicUrl.startsWith('https:'),
      publicConfig: () => ({
        anonKey: secrets.anonKey,
        publicUrl,
        rules: config.rules,
        feed: { source: market.state().source, simulated: market.state().source === 'simulated' },
        priceTolerancePct: config.priceTolerancePct,
        demo: config.demo,
      }),
      health: async (): Promise<Health> => {
        const database = await db.query('select 1').then(
          () => ({ ok: true }),
          (error: Error) => {
            log.error({ err: error }, 'the database does not answer');
            return { ok: false };
          },
        );
        const engine = trading.state();
        const feed = market.state();
        const invariants = trading.invariants();
        const trades = engine.halted === null && feed.live && invariants.ok;
        return {
          status: database.ok ? (trades ? 'ready' : 'degraded') : 'unavailable',
          database,
          feed,
          engine,
          realtime: realtime.state(),
          invariants,
        };
      },
    });
    await registerAuth(app, { accounts, config, secrets, log });
    await registerRest(app, {
      db,
      accounts,
      log,
      procedures: {
        open_position: trading.openPosition,
        close_position: trading.closePosition,
        get_candles: (_caller, args) => market.getCandles(args),
      },
      beforeSelect: { wallets: (caller) => ensureWallet(db, caller) },
    });

    const drain = createDrain(app);
    const url = await listen(app, config);
    teardown.add('http', drain);
    // With PORT=0 the address is known only now.
    if (new URL(publicUrl).port === '0') publicUrl = url;
    return {
      url,
      publicUrl,
      db,
      secrets,
      accounts,
      market,
      trading,
      log,
      /** Answers what is in flight, then stops everything, PostgreSQL last. */
      close: () => teardown.run(log),
    };
  } catch (error) {
    await teardown.run(log);
    throw error;
  }
}
export type RunningServer = Awaited<ReturnType<typeof startServer>>;
