/**
 * Assembles the system: platform, features, protocols, in this order; stops them in reverse order. Invariants: nothing is
 * served before the engine and the market are ready; after `close()` no process, socket, timer or connection of this server
 * is left.
 */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AppError, type PublicConfig, texts } from '@fulcrum/contract';
import { dayMs, toNumber } from '@fulcrum/domain';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { Registry } from 'prom-client';
import { createAccounts } from './features/accounts/index.ts';
import { createAlerts } from './features/alerts/index.ts';
import { createAnalytics } from './features/analytics/index.ts';
import { createApiKeys } from './features/api-keys/index.ts';
import { createAssistant } from './features/assistant/index.ts';
import { createClasses, createClassMailWriter } from './features/classes/index.ts';
import { createCoach } from './features/coach/index.ts';
import { createContact, createReplyWriter } from './features/contact/index.ts';
import { createDashboard } from './features/dashboard/index.ts';
import { createDemo, demoAgeDays } from './features/demo/index.ts';
import { createEnrolment } from './features/enrolment/index.ts';
import { createFiles, createViewAudit } from './features/files/index.ts';
import {
  createIdentity,
  createIdentityMails,
  createRecovery,
  type IdentityDependencies,
  seedDemo,
} from './features/identity/index.ts';
import { createKyc } from './features/kyc/index.ts';
import type { ClusterMarket } from './features/market/cluster/index.ts';
import {
  createMarket,
  createMarketProof,
  type InjectedFeed,
  type Market,
  type MarketState,
} from './features/market/index.ts';
import {
  type Condition,
  createStoredFigures,
  createWebhook,
  registerMetrics,
} from './features/monitoring/index.ts';
import { createPrograms } from './features/programs/index.ts';
import { createPush } from './features/push/index.ts';
import { createSignals } from './features/signals/index.ts';
import { createStaff } from './features/staff/index.ts';
import { createSupport } from './features/support/index.ts';
import {
  type CommandLogEntry,
  createEngineMetrics,
  createTrading,
  type Trading,
} from './features/trading/index.ts';
import { ensureWallet, type LedgerReport } from './features/wallet/index.ts';
import { joinCluster } from './membership.ts';
import {
  createBackupSchedule,
  refuseUnfinishedDatabase,
  refuseUnfinishedDirectory,
} from './platform/backup/index.ts';
import { createBus } from './platform/bus/index.ts';
import { createClusterClock } from './platform/clock/cluster-clock.ts';
import { type Clock, realTimers, systemClock, type Timers } from './platform/clock/index.ts';
import { verifySettings } from './platform/cluster/agreement.ts';
import { latestLedger, type Member } from './platform/cluster/members.ts';
import type { Config, ProcessRole } from './platform/config/index.ts';
import { loadSecrets } from './platform/config/secrets.ts';
import { ensureDataDir, restrictDataDir } from './platform/data-dir.ts';
import { createReadLimiter, openDatabase } from './platform/database/index.ts';
import { createProbe } from './platform/database/probe.ts';
import { createDiskMonitor } from './platform/disk.ts';
import { allDuties } from './platform/duties/shared-duties.ts';
import { createLog, type Log } from './platform/log/index.ts';
import { createMail } from './platform/mail/index.ts';
import { createMailSender } from './platform/mail/queue.ts';
import { createOutbound, type Outbound } from './platform/outbound/index.ts';
import { newRequestId } from './platform/request/index.ts';
import type { Services } from './platform/services.ts';
import { StartError } from './platform/start-error.ts';
import { Teardown } from './platform/teardown.ts';
import { version } from './platform/version.ts';
import { createAdmission } from './protocols/admission.ts';
import { registerAssistant } from './protocols/assistant/index.ts';
import { registerAuth } from './protocols/auth/index.ts';
import { isStreamPath, registerExchange } from './protocols/exchange/index.ts';
import { registerExports } from './protocols/exports/index.ts';
import { registerHooks, toLoggedPath } from './protocols/hooks/index.ts';
import { createDrain } from './protocols/http/drain.ts';
import {
  createHostCheck,
  detectUntrustedProxy,
  type Health,
  type HealthPart,
  registerHttp,
  registerOperatorRoutes,
  requireKnownHost,
  toHealthPart,
} from './protocols/http/index.ts';
import { identifyRequests } from './protocols/http/request-ids.ts';
import { answerUnreadableUrl } from './protocols/http/unreadable-urls.ts';
import { registerMcp } from './protocols/mcp/index.ts';
import { registerOpenApi } from './protocols/openapi/index.ts';
import {
  isRealtimePath,
  limitsFrom,
  type Limits as RealtimeLimits,
  registerRealtime,
} from './protocols/realtime/index.ts';
import { registerRest } from './protocols/rest/index.ts';
import { routeUpgrades, takesUpgradeAt } from './protocols/sockets/upgrades.ts';
import { registerStorage } from './protocols/storage/index.ts';

const webRoot = fileURLToPath(new URL('../../web/dist', import.meta.url));
const healthWithinMs = 3000;
/** A load balancer finds within it that this process stops. */
const balancerMs = 3_000;
const bodyLimitBytes = 64 * 1024;
const takesUpgrade = takesUpgradeAt((path) => isRealtimePath(path) || isStreamPath(path));

export interface Overrides {
  /** Prices under the control of a test. */
  readonly feed?: InjectedFeed;
  readonly clock?: Clock;
  /** Timers of the market; by default Node's own. */
  readonly timers?: Timers;
  /** The HTTP client for price providers and push services; a test counts its requests. */
  readonly outbound?: Outbound;
  readonly log?: Log;
  /** Records what the engine decides, for an audit of a test. */
  readonly commandLog?: (entry: CommandLogEntry) => void;
  /** For tests, which sign up hundreds of users. */
  readonly passwordCost?: NonNullable<IdentityDependencies['passwordCost']>;
  /** For measurements and tests, whose sockets share one address. */
  readonly realtimeLimits?: Partial<RealtimeLimits>;
  /** Folder of a built web app, for a test that has none. */
  readonly webRoot?: string;
}

/** TRUST_PROXY in fastify's form: a number is the count of proxies between the server and the client. */
function trustedHops(trust: Config['trustProxy']) {
  return typeof trust === 'number' ? (_address: string, hop: number) => hop < trust : trust;
}

/** The price feed as the browser's configuration states it; each price has its own source. */
function toPublicFeed({ priceFeed }: Config, market: Market): PublicConfig['feed'] {
  const { source, sources } = market.state();
  const simulated = sources.simulated !== undefined;
  return { kind: priceFeed.kind, source, simulated, recorded: market.recordedSymbols() };
}

/** A provider that does not answer leaves its markets without prices, unless they were simulated from the start. */
function getFeedHealth({ live, providers, replay }: MarketState): HealthPart {
  if (replay?.jump) return toHealthPart(false, 'the recording waits for a decision');
  const silent = providers.filter(({ ok, symbols }) => !ok && symbols > 0).map(({ source }) => source);
  if (silent.length > 0) return toHealthPart(false, `no prices come from ${silent.join(' and ')}`);
  return toHealthPart(live, 'no prices come in');
}

/** A halt outranks a database that temporarily cannot write. */
function getEngineHealth({ halted, refusal }: ReturnType<Trading['state']>): HealthPart {
  if (halted !== null) return toHealthPart(false, 'trading is halted');
  return toHealthPart(refusal === null, `the database refuses writes: ${refusal}`);
}

/** What the holder of the duty `ledger` states about it, as its own report has it. */
function toLedgerReport({ checkedAt, fullCheckedAt, checks }: NonNullable<Member['ledger']>): LedgerReport {
  const violations = checks.flatMap(({ ok, number, title, detail }) =>
    ok ? [] : { number, invariant: title, detail },
  );
  return { ok: violations.length === 0, checkedAt, fullCheckedAt, violations };
}

/** The parts of the health report, as the operator's webhook gets them. */
function toConditions({ database, engine, invariants, feed, disk, backup }: Health): Condition[] {
  const part = (name: Condition['name'], { ok, reason }: HealthPart): Condition => ({ name, ok, reason });
  return [
    part('database', database),
    part('engine', engine),
    part('ledger', invariants),
    part('feed', feed),
    part('disk', disk),
    part('backup', backup),
  ];
}

/** @throws StartError when HOST and PORT are not available */
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

/** Starts Fulcrum and resolves when it serves. Rejects with a clear error, and leaves nothing running, when it cannot. */
export async function startServer(config: Config, overrides: Overrides = {}) {
  const log = overrides.log ?? createLog(config);
  const clusterClock = config.nats && createClusterClock({ log });
  const clock = overrides.clock ?? overrides.timers ?? clusterClock ?? systemClock;
  const timers = overrides.timers ?? realTimers(clock);
  const teardown = new Teardown();
  try {
    ensureDataDir(config.dataDir);
    restrictDataDir(config.dataDir, log);
    refuseUnfinishedDirectory(config.dataDir);
    const disk = createDiskMonitor(config.dataDir, log);
    await teardown.start('disk monitor', disk);
    const secrets = loadSecrets(config.dataDir);
    const backups = await createBackupSchedule({ timers, log, config, instanceId: secrets.instanceId });
    const bus = createBus(log);
    const db = await openDatabase(config, log);
    teardown.add('database', () => db.close());
    await refuseUnfinishedDatabase(db);

    const { nats } = config;
    const membership =
      nats && clusterClock
        ? await joinCluster({ db, timers, log, config, nats, secrets, clock: clusterClock, bus, teardown })
        : null;
    const cluster = membership?.cluster ?? null;
    const duties = membership?.duties ?? allDuties;
    const plays = (role: ProcessRole): boolean => config.roles.includes(role);

    const services: Services = {
      ...{ db, clock, timers, bus, log },
      ...(membership && { sharedRates: membership.sharedRates }),
    };

    const identity = createIdentity({
      ...services,
      config,
      secrets,
      link: cluster?.link,
      ...(overrides.passwordCost && { passwordCost: overrides.passwordCost }),
    });
    await teardown.start('accounts', identity);

    const marketDependencies = {
      ...services,
      config,
      marketKey: Buffer.from(secrets.marketKey, 'base64url'),
      ...(overrides.feed && { feed: overrides.feed }),
      ...(overrides.outbound && { outbound: overrides.outbound }),
      // A test that moves the time would run it too fast.
      backfillDays: overrides.timers === undefined,
    };
    let clusterMarket: ClusterMarket | null = null;
    if (cluster && membership) {
      const { createClusterMarket } = await import('./features/market/cluster/index.ts');
      const { link } = cluster;
      clusterMarket = createClusterMarket({
        ...{ ...marketDependencies, link, dutyConnections: membership.dutyConnections },
        mayLead: plays('market'),
      });
    }
    const market: Market = clusterMarket ?? createMarket(marketDependencies);
    await teardown.start('market', market);

    const admission = createAdmission(config.limits, membership?.sharedRates);

    const metrics = new Registry();
    const trading = createTrading({
      ...services,
      config,
      market,
      chargeRate: admission.owe,
      ...(overrides.commandLog && { commandLog: overrides.commandLog }),
      observer: createEngineMetrics(metrics, clock),
      ...(cluster && {
        ...{ link: cluster.link, duties, hasEngines: plays('engine') },
        member: {
          ...{ processId: cluster.link.processId, name: hostname(), version },
          openBeatConnection: db.openBeatConnection,
        },
      }),
    });
    await teardown.start('trading', trading);
    if (cluster) await verifySettings(db, config, secrets);

    const accounts = createAccounts({ ...services, config, market, reload: trading.reload });
    // The mails are made later, because their writers read what other features have stored.
    const wakeMails = (): void => mails.wake();
    const withReadSlot = createReadLimiter();
    const classes = createClasses({
      ...{ ...services, config, market, reload: trading.reload, wakeMails, withReadSlot },
    });
    const marketProof = createMarketProof(marketDependencies);
    const programs = createPrograms({
      ...{ ...services, config, secrets, duties, market, marketProof, trading },
    });
    await teardown.start('contests', programs);
    const apiKeys = createApiKeys({ ...services, config, secrets, identity });
    await teardown.start('API keys', apiKeys);
    const alerts = createAlerts({ ...services, market, duties });
    await teardown.start('alerts', alerts);

    const files = createFiles({
      ...services,
      secrets,
      isRevoked: identity.isRevoked,
      beforeView: createViewAudit(db, clock),
    });
    await teardown.start('files', files);

    const kyc = createKyc({ ...services, config, files, duties });
    teardown.add('pictures of identity checks', kyc.retention.start());
    const support = createSupport({ ...services, files });
    await teardown.start('support', support);

    if (config.demo) {
      const since = config.demoHistory ? new Date(clock.now() - demoAgeDays * dayMs) : null;
      await seedDemo({ db, identity, log, since });
    }

    let { publicUrl } = config;
    const identityMails = createIdentityMails({ db, publicUrl: () => publicUrl, clock });
    const mails = createMailSender({
      ...services,
      mail: createMail({ config, log, clock }),
      writers: {
        ...identityMails.writers,
        contact_reply: createReplyWriter(db, config),
        class_message: createClassMailWriter(db, () => publicUrl),
      },
      prune: identityMails.prune,
    });
    teardown.add('mails', () => mails.stop());
    const recovery = createRecovery({ db, identity, mails, limits: config.limits, clock });

    const enrolment = createEnrolment({
      ...services,
      config,
      joinClass: classes.joinClass,
      publicUrl: () => publicUrl,
      wakeMails,
    });

    // A client of its own, so that a slow push service takes no connection from the prices.
    const outbound =
      overrides.outbound ?? createOutbound({ allowPrivate: config.providers.allowPrivate, timers, log });
    if (overrides.outbound === undefined) teardown.add('push services', () => outbound.close());
    const push = createPush({ ...services, config, secrets, outbound });
    teardown.add('pushes', () => push.sender.stop());
    const signals = createSignals({
      ...services,
      config,
      duties,
      identity,
      market,
      trading,
      publicUrl: () => publicUrl,
    });
    await teardown.start('signals', signals);

    const logger: FastifyBaseLogger = log;
    const app = fastify({
      loggerInstance: logger,
      logController: new LogController({ disableRequestLogging: true }),
      genReqId: newRequestId,
      frameworkErrors: answerUnreadableUrl,
      // The log itself adds the request of a line.
      childLoggerFactory: (all) => all,
      trustProxy: trustedHops(config.trustProxy),
      bodyLimit: bodyLimitBytes,
      forceCloseConnections: 'idle',
      // Allows the largest picture over a slow line; other bodies are small.
      requestTimeout: 120_000,
      // For a client that does not read its response; realtime sockets have left HTTP and use heartbeats.
      connectionTimeout: 120_000,
      http: {
        headersTimeout: 15_000,
        connectionsCheckingInterval: 5_000,
        shouldUpgradeCallback: takesUpgrade,
      },
    });
    identifyRequests(app);
    requireKnownHost(app, createHostCheck(config.publicUrl, config.hosts));
    const addresses = detectUntrustedProxy(app, config, log);
    app.setErrorHandler((error: Error & { statusCode?: number; code?: string }, request, reply) => {
      if (error instanceof AppError) {
        return reply
          .code(error.status)
          .send({ code: error.code, message: error.message, details: error.details, hint: error.hint });
      }
      const status = error.statusCode ?? 500;
      if (status >= 500)
        log.error({ err: error, request_id: request.id, path: toLoggedPath(request.url) }, 'request failed');
      return reply.code(status).send({
        code: status >= 500 ? 'internal' : (error.code ?? 'invalid_request'),
        message: status >= 500 ? texts.unexpectedError : error.message,
        details: null,
        hint: null,
      });
    });

    const upgrades = routeUpgrades(app, takesUpgrade);
    const realtime = registerRealtime(app, {
      ...services,
      upgrades,
      identity,
      market,
      limits: { ...limitsFrom(config.limits), ...overrides.realtimeLimits },
      isTradingHalted: () => trading.state().halted !== null,
      isAssigned: (managerId, userId) => identity.isAssigned(managerId, userId),
      chatOwner: (sessionId) => support.ownerOf(sessionId),
      ...(cluster && { cluster: { link: cluster.link, db } }),
    });
    teardown.add('realtime', () => realtime.stop());

    const startedAt = new Date(clock.now()).toISOString();
    const members = membership?.announce(() => {
      const [engine, ledger] = [trading.state(), trading.invariants()];
      const held = { market: clusterMarket?.leads() != null };
      const isLedgerOurs = duties.isOurs('ledger');
      return {
        ...{ name: hostname(), version, startedAt, roles: [...config.roles] },
        duties: [
          ...(held.market ? ['market'] : []),
          ...(isLedgerOurs ? ['ledger'] : []),
          ...(duties.isOurs('chores') ? ['chores'] : []),
        ],
        slots: plays('engine') ? trading.slots.held().reduce((sum, { slots }) => sum + slots.length, 0) : 0,
        ...{ queued: engine.queued, batches: engine.batches, commands: engine.commands },
        sockets: realtime.state().sockets,
        ledger: isLedgerOurs
          ? {
              checkedAt: ledger.checkedAt,
              fullCheckedAt: ledger.fullCheckedAt,
              checks: [...trading.checks()],
            }
          : null,
      };
    });
    const { responded } = registerMetrics(metrics, {
      clock,
      trading,
      market,
      realtime: () => realtime.state(),
      disk: () => disk.state(),
      stored: createStoredFigures({ ...services, config }),
      backups: () => backups?.state() ?? null,
      cluster:
        cluster && members
          ? () => {
              const { nats: link } = cluster.state();
              return { ...link, dropped: { ...link.dropped }, members: members.list() };
            }
          : null,
    });
    let isStopping = false;
    /** What keeps a load balancer from this process; null where it is alone. */
    const findClusterTrouble = (): HealthPart | null => {
      if (cluster !== null && isStopping) return toHealthPart(false, 'this process stops');
      if (cluster?.link.isConnected() === false) return toHealthPart(false, 'NATS is not connected');
      return clusterMarket?.isCutOff()
        ? toHealthPart(false, 'the prices of the market do not arrive here')
        : null;
    };
    const probeDatabase = createProbe(db.probeConnection, healthWithinMs, log);
    const readHealth = async (): Promise<Health> => {
      const isDatabaseUp = await probeDatabase();
      const [space, backup] = [disk.state(), backups?.state() ?? null];
      const [engine, feed] = [trading.state(), market.state()];
      const processes = members?.list();
      const ledger = latestLedger(processes ?? []);
      const invariants = ledger ? toLedgerReport(ledger) : trading.invariants();
      const parts = {
        database: {
          ...toHealthPart(isDatabaseUp, 'the database does not answer'),
          replica: db.replicaState(),
        },
        feed: { ...getFeedHealth(feed), ...feed },
        engine: { ...getEngineHealth(engine), ...engine },
        invariants: { ...toHealthPart(invariants.ok, 'the ledger violates an invariant'), ...invariants },
        disk: { ...toHealthPart(!space.low, 'the disk is nearly full'), ...space },
        // Without BACKUP_DIR nothing can fail.
        backup: { ok: (backup?.trouble ?? null) === null, reason: backup?.trouble ?? null, ...backup },
      };
      const member = cluster?.state();
      const clusterPart = member && {
        cluster: {
          ...{ ok: member.trouble === null, reason: member.trouble, ...member, commands: trading.routing() },
          ...{ roles: config.roles, leadsMarket: clusterMarket?.leads() ?? null },
          duties: { ledger: duties.isOurs('ledger'), chores: duties.isOurs('chores') },
          processes: processes?.map(({ ledger: _, ...member }) => member),
        },
      };
      const isHealthy = [
        ...[parts.feed, parts.engine, parts.invariants, parts.disk, parts.backup],
        ...(clusterPart ? [clusterPart.cluster] : []),
      ].every(({ ok }) => ok);
      return {
        status: isDatabaseUp ? (isHealthy ? 'ready' : 'degraded') : 'unavailable',
        ...parts,
        ...clusterPart,
        addresses: addresses(),
        realtime: realtime.state(),
      };
    };
    await registerHttp(app, {
      webRoot: overrides.webRoot ?? webRoot,
      secure: config.publicUrl.startsWith('https:'),
      publicConfig: () => ({
        anonKey: secrets.anonKey,
        publicUrl,
        rules: config.rules,
        feed: toPublicFeed(config, market),
        priceTolerancePct: config.priceTolerancePct,
        feeRate: toNumber(config.tradingFeeRate),
        allowReset: config.allowReset,
        staleAfterS: config.staleAfterS,
        registration: config.registration,
        mail: config.smtp === null ? 'outbox' : 'smtp',
        pushKey: push.publicKey,
        contactEmail: config.contactEmail,
        contactPhone: config.contactPhone,
        demo: config.demo,
      }),
    });
    registerOperatorRoutes(app, {
      healthToken: config.healthToken,
      metricsToken: config.metricsToken,
      metrics,
      responded,
      // A halt of trading is no reason: traders read on, and staff resume it here.
      readiness: async () =>
        (await probeDatabase())
          ? (findClusterTrouble() ??
            toHealthPart(trading.state().haltCause !== 'epoch', 'another server writes to this database'))
          : toHealthPart(false, 'the database does not answer'),
      health: readHealth,
    });
    await registerAuth(app, { identity, enrolment, recovery, config, secrets, admission, log });
    const dashboard = createDashboard({ ...services, market, seed: secrets.instanceId });
    const analytics = createAnalytics({ reader: db.reader, market, timers });
    const coach = createCoach({ ...services, market, duties });
    teardown.add('weekly recaps', coach.recaps.start());
    // The operator names the address of the model, so it may be on a private network.
    const toModel = createOutbound({ allowPrivate: true, timers, log });
    teardown.add('calls of the language model', () => toModel.close());
    const assistant = createAssistant({
      ...services,
      config,
      market,
      outbound: toModel,
      allowReset: config.allowReset,
      procedures: { ...accounts.procedures, ...analytics.procedures, ...coach.procedures },
    });
    const contact = createContact({ ...services, config, mails });
    const staff = createStaff({
      ...services,
      reader: db.reader,
      config,
      classes,
      backups: () => backups?.state() ?? null,
      processes: () => members?.list() ?? null,
      withReadSlot,
      identity,
      market,
      trading,
      deletions: {
        prepare: async (caller, userId) => {
          // The first only reads; what the second began has to be announced or abandoned.
          await support.deletions.prepare(userId);
          await identity.deletions.prepare(caller, userId);
          await apiKeys.deletions.prepare(userId);
        },
        abandon: identity.deletions.abandon,
        announce: async (userId) => {
          apiKeys.deletions.announce(userId);
          await identity.deletions.announce(userId);
          await support.deletions.announce(userId);
        },
      },
    });
    teardown.add('exports', () => staff.exports.idle());
    teardown.add('daily totals', staff.start());
    await registerRest(app, {
      ...services,
      reader: db.reader,
      admission,
      withReadSlot,
      identity,
      apiKeys,
      writes: {
        ...identity.writes,
        ...trading.writes,
        ...kyc.writes,
        ...support.writes,
        ...contact.writes,
      },
      procedures: {
        ...identity.procedures,
        ...enrolment.procedures,
        ...trading.procedures,
        ...accounts.procedures,
        ...classes.procedures,
        ...programs.procedures,
        ...apiKeys.procedures,
        ...alerts.procedures,
        ...market.procedures,
        ...dashboard.procedures,
        ...analytics.procedures,
        ...coach.procedures,
        ...assistant.procedures,
        ...kyc.procedures,
        ...support.procedures,
        ...contact.procedures,
        ...push.procedures,
        ...signals.procedures,
        ...staff.procedures,
      },
      beforeSelect: { wallets: (caller) => ensureWallet(db, caller) },
      upToDate: { trading_pairs: market.syncStoredPrices },
    });

    const exchange = await registerExchange(app, {
      ...services,
      market,
      trading,
      withReadSlot,
      secrets,
      upgrades,
      duties,
      keys: apiKeys,
    });
    teardown.add('the exchange door', () => exchange.stop());
    exchange.start();

    await registerStorage(app, { identity, files, admission, log });
    registerAssistant(app, { identity, assistant, admission });
    registerExports(app, { identity, exports: staff.exports });
    await registerHooks(app, { signals, admission, log });
    const stopMcp = await registerMcp(app, {
      ...services,
      apiKeys,
      admission,
      publicUrl: config.publicUrl,
      metrics,
    });
    teardown.add('orders of tools', async () => stopMcp());

    registerOpenApi(app);

    const drain = createDrain(app);
    const url = await listen(app, config);
    teardown.add('http', drain);
    // Before it: a text may take a minute.
    teardown.add('texts of the assistant', () => assistant.stop());
    // With PORT=0 the address is known only now.
    if (new URL(publicUrl).port === '0') publicUrl = url;
    mails.start();
    push.sender.start();
    if (backups !== null) {
      teardown.add('backups', () => backups.stop());
      backups.start();
    }
    if (config.alertWebhook !== null) {
      const { alertWebhook } = config;
      // The operator names the address, so it may be on a private network.
      const toWebhook = createOutbound({ allowPrivate: true, timers, log });
      teardown.add('calls of the alert webhook', () => toWebhook.close());
      const webhook = createWebhook({
        ...services,
        config: { ...config, publicUrl, alertWebhook },
        outbound: toWebhook,
        readConditions: async () => toConditions(await readHealth()),
      });
      webhook.start();
      teardown.add('alert webhook', () => webhook.stop());
    }
    const demo = createDemo({ ...services, config, market, trading });
    teardown.add('the past of the demo', () => demo.stop());
    if (config.demoHistory) demo.start();
    // The first step, so that a start in the same directory waits for this stop.
    teardown.add('the readiness', async () => {
      isStopping = true;
      db.announceStop();
      await membership?.leaveDuties();
      if (cluster && plays('gateway')) await sleep(balancerMs);
    });
    return {
      url,
      publicUrl,
      db,
      secrets,
      accounts: identity,
      market,
      trading,
      apiKeys,
      alerts,
      mails,
      push: push.sender,
      backups,
      demo,
      log,
      /** Finishes running requests, then stops everything, PostgreSQL last. */
      close: () => teardown.run(log),
    };
  } catch (error) {
    await teardown.run(log);
    throw error;
  }
}
export type RunningServer = Awaited<ReturnType<typeof startServer>>;
