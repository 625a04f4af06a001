/** What makes a server a member of a cluster: the link, duties, shared rates and its own figures for the others. */
import { hostname } from 'node:os';
import type { ClusterMarket } from './features/market/cluster/index.ts';
import { slotOf, type Trading } from './features/trading/index.ts';
import type { ProcessBus } from './platform/bus/index.ts';
import { type ClusterClock, readTime } from './platform/clock/cluster-clock.ts';
import { agreeOnSettings } from './platform/cluster/agreement.ts';
import { type Cluster, createCluster } from './platform/cluster/index.ts';
import { createMembers, type MemberFigures, type Members } from './platform/cluster/members.ts';
import type { Config } from './platform/config/index.ts';
import type { Secrets } from './platform/config/secrets.ts';
import type { Database, ServingDatabase } from './platform/database/index.ts';
import { createSharedDuties, type Duties } from './platform/duties/shared-duties.ts';
import { type SharedRates, shareRates } from './platform/rate-limit/shared-rates.ts';
import type { Services } from './platform/services.ts';
import type { Teardown } from './platform/teardown.ts';
import { version } from './platform/version.ts';
import type { Realtime } from './protocols/realtime/index.ts';

interface MembershipDependencies extends Pick<Services, 'timers' | 'log'> {
  readonly db: ServingDatabase;
  readonly config: Config;
  readonly nats: NonNullable<Config['nats']>;
  readonly secrets: Secrets;
  readonly clock: ClusterClock;
  readonly bus: ProcessBus;
  readonly teardown: Teardown;
}

export interface Membership {
  readonly cluster: Cluster;
  readonly duties: Duties;
  readonly dutyConnections: Database;
  readonly sharedRates: SharedRates;
  /** Gives the duties to other processes, before this one stops. */
  leaveDuties(): Promise<void>;
  /** From now on the others have these figures. */
  announce(own: () => MemberFigures): Members;
}

interface FiguresDependencies {
  readonly config: Pick<Config, 'roles'>;
  /** ISO 8601 UTC. */
  readonly startedAt: string;
  readonly trading: Trading;
  readonly duties: Duties;
  readonly realtime: Realtime;
  readonly clusterMarket: ClusterMarket | null;
}

/** What the other processes get of this one. */
export function readMemberFigures(deps: FiguresDependencies): MemberFigures {
  const { config, startedAt, trading, duties, realtime, clusterMarket } = deps;
  const { queued, batches, commands } = trading.state();
  const { checkedAt, fullCheckedAt } = trading.invariants();
  const heldSlots = trading.slots.held().flatMap(({ slots }) => slots);
  const isLedgerOurs = duties.isOurs('ledger');
  return {
    ...{ name: hostname(), version, startedAt, roles: [...config.roles] },
    duties: [
      ...(clusterMarket?.leads() != null ? ['market'] : []),
      ...(isLedgerOurs ? ['ledger'] : []),
      ...(duties.isOurs('chores') ? ['chores'] : []),
    ],
    slots: config.roles.includes('engine') ? heldSlots.length : 0,
    ...{ queued, batches, commands },
    sockets: realtime.state().sockets,
    ledger: isLedgerOurs ? { checkedAt, fullCheckedAt, checks: [...trading.checks()] } : null,
  };
}

/** @throws StartError for settings that differ, or when NATS cannot be used */
export async function joinCluster(deps: MembershipDependencies): Promise<Membership> {
  const { db, timers, log, config, nats, secrets, clock, bus, teardown } = deps;
  await agreeOnSettings(db, config, secrets);
  await clock.start(() => readTime(db.probeConnection));
  teardown.add('cluster time', () => clock.stop());
  const cluster = await createCluster({ nats, secrets, clock, bus, slotOf, log });
  await teardown.start('cluster', cluster);
  const { link } = cluster;
  const sharedRates = shareRates({ link, timers });
  teardown.add('shared rates', () => sharedRates.stop());
  const dutyConnections = db.openDutyConnections();
  teardown.add('duty connections', () => dutyConnections.close());
  const duties = createSharedDuties({ db: dutyConnections, timers, log, link });
  await teardown.start('duties', duties);
  return {
    ...{ cluster, duties, dutyConnections, sharedRates },
    leaveDuties: () => duties.stop(),
    announce(own) {
      const members = createMembers({ link, timers, own });
      teardown.add('figures of processes', () => members.stop());
      return members;
    },
  };
}
