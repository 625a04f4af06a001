/** The state of the whole server: for `/health`, for load balancers, and for the operator's webhook. */
import type { ClusterMarket } from './features/market/cluster/index.ts';
import type { Market, MarketState } from './features/market/index.ts';
import type { Condition } from './features/monitoring/index.ts';
import type { Trading } from './features/trading/index.ts';
import type { createBackupSchedule } from './platform/backup/index.ts';
import type { Cluster } from './platform/cluster/index.ts';
import type { Members } from './platform/cluster/members.ts';
import type { Config } from './platform/config/index.ts';
import type { ServingDatabase } from './platform/database/index.ts';
import { createProbe } from './platform/database/probe.ts';
import type { DiskMonitor } from './platform/disk.ts';
import type { Duties } from './platform/duties/shared-duties.ts';
import type { Log } from './platform/log/index.ts';
import { type Health, type HealthPart, toHealthPart } from './protocols/http/index.ts';
import type { Realtime } from './protocols/realtime/index.ts';

const databaseWithinMs = 3_000;

interface HealthDependencies {
  readonly config: Pick<Config, 'roles'>;
  readonly db: Pick<ServingDatabase, 'probeConnection' | 'replicaState'>;
  readonly log: Log;
  readonly disk: DiskMonitor;
  readonly backups: Awaited<ReturnType<typeof createBackupSchedule>>;
  readonly market: Market;
  readonly trading: Trading;
  readonly realtime: Realtime;
  readonly addresses: () => HealthPart;
  /** Null where this process is alone. */
  readonly cluster: Cluster | null;
  readonly clusterMarket: ClusterMarket | null;
  readonly duties: Duties;
  readonly members: Members | undefined;
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

export function createHealth(deps: HealthDependencies) {
  const { config, db, log, disk, backups, market, trading, realtime } = deps;
  const { addresses, duties, cluster, clusterMarket, members } = deps;
  let isStopping = false;
  /** What keeps a load balancer from this process; null where it is alone. */
  const findClusterTrouble = (): HealthPart | null => {
    if (cluster !== null && isStopping) return toHealthPart(false, 'this process stops');
    if (cluster?.link.isConnected() === false) return toHealthPart(false, 'NATS is not connected');
    return clusterMarket?.isCutOff()
      ? toHealthPart(false, 'the prices of the market do not arrive here')
      : null;
  };
  const probeDatabase = createProbe(db.probeConnection, databaseWithinMs, log);
  const read = async (): Promise<Health> => {
    const isDatabaseUp = await probeDatabase();
    const [space, backup] = [disk.state(), backups?.state() ?? null];
    const [engine, feed, invariants] = [trading.state(), market.state(), trading.invariants()];
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
        processes: members?.list().map(({ ledger: _, ...member }) => member),
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
  return {
    read,
    /** Whether a load balancer sends requests here. A halt of trading is no reason: traders read on, and staff resume it here. */
    readiness: async (): Promise<HealthPart> =>
      (await probeDatabase())
        ? (findClusterTrouble() ??
          toHealthPart(trading.state().haltCause !== 'epoch', 'another server writes to this database'))
        : toHealthPart(false, 'the database does not answer'),
    readConditions: async (): Promise<Condition[]> => toConditions(await read()),
    /** From now on a load balancer of a cluster finds that this process stops. */
    announceStop(): void {
      isStopping = true;
    },
  };
}
