/**
 * Assembles the system: platform, features, protocols, in this order; stops them in reverse order. Invariants: nothing is
 * served before the engine and the market are ready; after `close()` no process, socket, timer or connection of this server
 * is left.
 */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { dayMs } from '@fulcrum/domain';
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
import { createMarket, createMarketProof, type InjectedFeed, type Market } from './features/market/index.ts';
import { createStoredFigures, createWebhook, registerMetrics } from './features/monitoring/index.ts';
import { createPrograms } from './features/programs/index.ts';
import { createPush } from './features/push/index.ts';
import { createSignals } from './features/signals/index.ts';
import { createStaff } from './features/staff/index.ts';
import { createSupport } from './features/support/index.ts';
import { type CommandLogEntry, createEngineMetrics, createTrading } from './features/trading/index.ts';
import { ensureWallet } from './features/wallet/index.ts';
import { createHealth } from './health-report.ts';
import { createHttpApp, listen } from './http-app.ts';
import { joinCluster, readMemberFigures } from './membership.ts';
import {
  createBackupSchedule,
  refuseUnfinishedDatabase,
  refuseUnfinishedDirectory,
} from './platform/backup/index.ts';
import { createBus } from './platform/bus/index.ts';
import { createClusterClock } from './platform/clock/cluster-clock.ts';
import { type Clock, realTimers, systemClock, type Timers } from './platform/clock/index.ts';
import { verifySettings } from './platform/cluster/agreement.ts';
import type { Config, ProcessRole } from './platform/config/index.ts';
import { loadSecrets } from './platform/config/secrets.ts';
import { ensureDataDir, restrictDataDir } from './platform/data-dir.ts';
import { createReadLimiter, openDatabase } from './platform/database/index.ts';
import { createDiskMonitor } from './platform/disk.ts';
import { allDuties } from './platform/duties/shared-duties.ts';
import { createLog, type Log } from './platform/log/index.ts';
import { createMail } from './platform/mail/index.ts';
import { createMailSender } from './platform/mail/queue.ts';
import { createOutbound, type Outbound } from './platform/outbound/index.ts';
import type { Services } from './platform/services.ts';
import { Teardown } from './platform/teardown.ts';
import { version } from './platform/version.ts';
import { createAdmission } from './protocols/admission.ts';
import { registerAssistant } from './protocols/assistant/index.ts';
import { registerAuth } from './protocols/auth/index.ts';
import { registerExchange } from './protocols/exchange/index.ts';
import { registerExports } from './protocols/exports/index.ts';
import { registerHooks } from './protocols/hooks/index.ts';
import { createDrain } from './protocols/http/drain.ts';
import { registerHttp, registerOperatorRoutes } from './protocols/http/index.ts';
import { registerMcp } from './protocols/mcp/index.ts';
import { registerOpenApi } from './protocols/openapi/index.ts';
import { limitsFrom, type Limits as RealtimeLimits, registerRealtime } from './protocols/realtime/index.ts';
import { registerRest } from './protocols/rest/index.ts';
import { registerStorage } from './protocols/storage/index.ts';
import { toPublicConfig } from './public-config.ts';

const webRoot = fileURLToPath(new URL('../../web/dist', import.meta.url));
/** A load balancer finds within it that this process stops. */
const balancerMs = 3_000;

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

    const { app, upgrades, addresses } = createHttpApp(config, log);
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
    const members = membership?.announce(() =>
      readMemberFigures({ config, startedAt, trading, duties, realtime, clusterMarket }),
    );
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
    const health = createHealth({
      ...{ config, db, log, disk, backups, market, trading, realtime, addresses },
      ...{ cluster, clusterMarket, duties, members },
    });
    await registerHttp(app, {
      webRoot: overrides.webRoot ?? webRoot,
      secure: config.publicUrl.startsWith('https:'),
      publicConfig: () =>
        toPublicConfig(config, market, { anonKey: secrets.anonKey, publicUrl, pushKey: push.publicKey }),
    });
    registerOperatorRoutes(app, {
      healthToken: config.healthToken,
      metricsToken: config.metricsToken,
      metrics,
      responded,
      readiness: health.readiness,
      health: health.read,
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
        readConditions: health.readConditions,
      });
      webhook.start();
      teardown.add('alert webhook', () => webhook.stop());
    }
    const demo = createDemo({ ...services, config, market, trading });
    teardown.add('the past of the demo', () => demo.stop());
    if (config.demoHistory) demo.start();
    // The first step, so that a start in the same directory waits for this stop.
    teardown.add('the readiness', async () => {
      health.announceStop();
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
