/**
 * Puts the house together: platform, features, protocols, in this order, and takes it down in the reverse one.
 * Invariant: nothing is served before the engine and the market are ready, and after `close()` no process, socket,
 * timer or connection of this server is left.
 */
import { fileURLToPath } from 'node:url';
import { AppError, texts } from '@fulcrum/contract';
import { toNumber } from '@fulcrum/domain';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { createAccounts, createRecovery, seedDemo } from './features/accounts/index.ts';
import { createAnalytics } from './features/analytics/index.ts';
import { createContact, createReplyWriter } from './features/contact/index.ts';
import { createDashboard } from './features/dashboard/index.ts';
import { createFiles, recordViews } from './features/files/index.ts';
import { createKyc } from './features/kyc/index.ts';
import { createMarket, type GivenFeed, type MarketState } from './features/market/index.ts';
import { createStaff } from './features/staff/index.ts';
import { createSupport } from './features/support/index.ts';
import { createTrading } from './features/trading/index.ts';
import { ensureWallet } from './features/wallet/index.ts';
import { refuseUnfinishedDatabase, refuseUnfinishedDirectory } from './platform/backup/index.ts';
import { createBus } from './platform/bus/index.ts';
import { type Clock, realTimers, systemClock, type Timers } from './platform/clock/index.ts';
import type { Config } from './platform/config/index.ts';
import { loadSecrets } from './platform/config/secrets.ts';
import { ensureDataDir } from './platform/data-dir.ts';
import { createReadingTurns, openDatabase } from './platform/database/index.ts';
import { createProbe } from './platform/database/probe.ts';
import { createLog, type Log } from './platform/log/index.ts';
import { createMail } from './platform/mail/index.ts';
import type { Outbound } from './platform/outbound/index.ts';
import { newRequestId } from './platform/request/index.ts';
import { StartError } from './platform/start-error.ts';
import { registerAuth } from './protocols/auth/index.ts';
import { registerExports } from './protocols/exports/index.ts';
import { createDrain } from './protocols/http/drain.ts';
import { type Health, type Part, type PublicConfig, partOf, registerHttp } from './protocols/http/index.ts';
import { identifyRequests } from './protocols/http/request-ids.ts';
import { answerUnreadableUrl } from './protocols/http/unreadable-urls.ts';
import { type Limits as RealtimeLimits, registerRealtime, takesUpgrade } from './protocols/realtime/index.ts';
import { registerRest } from './protocols/rest/index.ts';
import { registerStorage } from './protocols/storage/index.ts';

const webRoot = fileURLToPath(new URL('../../web/dist', import.meta.url));
const healthWithinMs = 3000;
const bodyLimitBytes = 64 * 1024;

export interface Overrides {
  /** Prices under a test's control. */
  readonly feed?: GivenFeed;
  readonly clock?: Clock;
  /** What the market waits by; left out, Node's own beside the clock. */
  readonly timers?: Timers;
  /** The way to the providers of prices, which a test counts. */
  readonly outbound?: Outbound;
  readonly log?: Log;
  /** For measurements and tests: all of their sockets come from one address. */
  readonly realtimeLimits?: Partial<RealtimeLimits>;
  /** Folder of a built web app in place of ours, which a test may not have. */
  readonly webRoot?: string;
}

/** TRUST_PROXY as fastify takes it: a number is how many proxies stand between us and the client. */
function trustedHops(trust: Config['trustProxy']) {
  return typeof trust === 'number' ? (_address: string, hop: number) => hop < trust : trust;
}

/** What the browser is told of where prices come from; each price says it of itself. */
function feedOf({ priceFeed }: Config, { source, sources }: MarketState): PublicConfig['feed'] {
  return { kind: priceFeed.kind, source, simulated: sources.simulated !== undefined };
}

/** A provider that does not answer leaves its markets without prices, unless they have been simulated from the start. */
function feedPartOf({ live, providers }: MarketState): Part {
  const silent = providers.filter(({ ok, symbols }) => !ok && symbols > 0).map(({ source }) => source);
  if (silent.length > 0) return partOf(false, `no prices come from ${silent.join(' and ')}`);
  return partOf(live, 'no prices come in');
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
  /** Noted before it starts: a start that fails half-way has timers and connections to give back as well. */
  async start(name: string, service: { start(): Promise<unknown>; stop(): unknown }): Promise<void> {
    this.add(name, () => service.stop());
    await service.start();
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
  const clock = overrides.clock ?? overrides.timers ?? systemClock;
  const timers = overrides.timers ?? realTimers(clock);
  const teardown = new Teardown();
  try {
    ensureDataDir(config.dataDir);
    refuseUnfinishedDirectory(config.dataDir);
    const secrets = loadSecrets(config.dataDir);
    const bus = createBus(log);
    const db = await openDatabase(config, log);
    teardown.add('database', () => db.close());
    await refuseUnfinishedDatabase(db);

    const accounts = createAccounts({ db, config, secrets, clock, bus, log });
    await teardown.start('accounts', accounts);

    const market = createMarket({
      db,
      config,
      timers,
      bus,
      log,
      ...(overrides.feed && { feed: overrides.feed }),
      ...(overrides.outbound && { outbound: overrides.outbound }),
      // A test that moves the time would hurry it.
      fillsDays: overrides.timers === undefined,
    });
    await teardown.start('market', market);

    const support = createSupport({ db, timers, bus, log });

    const trading = createTrading({
      db,
      config,
      clock,
      bus,
      log,
      market,
      deletions: {
        prepare: async (caller, userId) => {
          await accounts.deletions.prepare(caller, userId);
          await support.deletions.prepare(userId);
        },
        announce: async (userId) => {
          await accounts.deletions.announce(userId);
          await support.deletions.announce(userId);
        },
      },
    });
    await teardown.start('trading', trading);

    const files = createFiles({
      db,
      clock,
      secrets,
      log,
      isRevoked: accounts.isRevoked,
      beforeView: recordViews(db, clock),
    });
    await teardown.start('files', files);

    const kyc = createKyc({ db, clock, bus, log, files });
    await teardown.start('support', support);

    if (config.demo) await seedDemo({ db, accounts, log });

    let { publicUrl } = config;
    const recovery = createRecovery({
      db,
      accounts,
      mail: createMail({ config, log, clock }),
      publicUrl: () => publicUrl,
      letterWriters: { contact_reply: createReplyWriter(db, config) },
      clock,
      log,
    });
    teardown.add('mails', () => recovery.mails.stop());

    const logger: FastifyBaseLogger = log;
    const app = fastify({
      loggerInstance: logger,
      logController: new LogController({ disableRequestLogging: true }),
      genReqId: newRequestId,
      frameworkErrors: answerUnreadableUrl,
      // The log itself knows whose request a line belongs to.
      childLoggerFactory: (all) => all,
      trustProxy: trustedHops(config.trustProxy),
      bodyLimit: bodyLimitBytes,
      forceCloseConnections: 'idle',
      // The largest picture over a slow line; other bodies are small.
      requestTimeout: 120_000,
      // Of a client that takes nothing of its answer; sockets of realtime have left HTTP and beat by themselves.
      connectionTimeout: 120_000,
      http: {
        headersTimeout: 15_000,
        connectionsCheckingInterval: 5_000,
        shouldUpgradeCallback: takesUpgrade,
      },
    });
    identifyRequests(app);
    app.setErrorHandler((error: Error & { statusCode?: number; code?: string }, request, reply) => {
      if (error instanceof AppError) {
        return reply
          .code(error.status)
          .send({ code: error.code, message: error.message, details: error.details, hint: error.hint });
      }
      const status = error.statusCode ?? 500;
      if (status >= 500)
        log.error(
          { err: error, request_id: request.id, path: request.url.split('?', 1)[0] },
          'request failed',
        );
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
      ...(overrides.realtimeLimits && { limits: overrides.realtimeLimits }),
      isTradingHalted: () => trading.state().halted !== null,
      isAssigned: (managerId, userId) => accounts.isAssigned(managerId, userId),
      chatOwner: (sessionId) => support.ownerOf(sessionId),
    });
    teardown.add('realtime', () => realtime.stop());

    const databaseAnswers = createProbe(db, healthWithinMs, log);
    await registerHttp(app, {
      webRoot: overrides.webRoot ?? webRoot,
      secure: config.publicUrl.startsWith('https:'),
      publicConfig: () => ({
        anonKey: secrets.anonKey,
        publicUrl,
        rules: config.rules,
        feed: feedOf(config, market.state()),
        priceTolerancePct: config.priceTolerancePct,
        feeRate: toNumber(config.tradingFeeRate),
        allowReset: config.allowReset,
        staleAfterS: config.staleAfterS,
        mail: config.smtp === null ? 'outbox' : 'smtp',
        contactEmail: config.contactEmail,
        contactPhone: config.contactPhone,
        demo: config.demo,
      }),
      health: async (): Promise<Health> => {
        const answers = await databaseAnswers();
        const [engine, feed, invariants] = [trading.state(), market.state(), trading.invariants()];
        const parts = {
          database: partOf(answers, 'the database does not answer'),
          feed: { ...feedPartOf(feed), ...feed },
          engine: { ...partOf(engine.halted === null, 'trading is halted'), ...engine },
          invariants: { ...partOf(invariants.ok, 'the books are not whole'), ...invariants },
        };
        const trades = parts.feed.ok && parts.engine.ok && parts.invariants.ok;
        return {
          status: answers ? (trades ? 'ready' : 'degraded') : 'unavailable',
          ...parts,
          realtime: realtime.state(),
        };
      },
    });
    await registerAuth(app, { accounts, recovery, config, secrets, log });
    const dashboard = createDashboard({ db, market, timers, log, seed: secrets.instanceId });
    const analytics = createAnalytics({ db, market, timers });
    const contact = createContact({ db, config, clock, bus, mails: recovery.mails, log });
    const inTurn = createReadingTurns();
    const staff = createStaff({ db, inTurn, clock, timers, log, accounts, market, trading });
    teardown.add('exports', () => staff.exports.idle());
    teardown.add('days of the house', staff.start());
    await registerRest(app, {
      db,
      inTurn,
      accounts,
      bus,
      clock,
      log,
      writes: {
        ...accounts.writes,
        ...trading.writes,
        ...kyc.writes,
        ...support.writes,
        ...contact.writes,
      },
      procedures: {
        ...accounts.procedures,
        ...trading.procedures,
        ...market.procedures,
        ...dashboard.procedures,
        ...analytics.procedures,
        ...kyc.procedures,
        ...support.procedures,
        ...contact.procedures,
        ...staff.procedures,
      },
      beforeSelect: { wallets: (caller) => ensureWallet(db, caller) },
    });

    await registerStorage(app, { accounts, files, log });
    registerExports(app, { accounts, exports: staff.exports });

    const drain = createDrain(app);
    const url = await listen(app, config);
    teardown.add('http', drain);
    // First of all, so that who starts in the same directory waits for us.
    teardown.add('the readiness', () => db.leave());
    // With PORT=0 the address is known only now.
    if (new URL(publicUrl).port === '0') publicUrl = url;
    recovery.mails.start();
    return {
      url,
      publicUrl,
      db,
      secrets,
      accounts,
      market,
      trading,
      mails: recovery.mails,
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
