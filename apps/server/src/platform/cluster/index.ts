/**
 * Membership of this process in a cluster (`NATS_URL`): the link to the other processes and the events between their buses. A process
 * without a cluster loads no client of NATS.
 */
import { hkdfSync } from 'node:crypto';
import type { ProcessBus } from '../bus/index.ts';
import type { ClusterClock, ClusterClockState } from '../clock/cluster-clock.ts';
import type { Config } from '../config/index.ts';
import type { Secrets } from '../config/secrets.ts';
import type { Log } from '../log/index.ts';
import type { ClusterLink } from './link.ts';
import type { NatsLinkState } from './nats-link.ts';

interface ClusterState {
  /** A new one at each start of the process. */
  readonly processId: string;
  readonly nats: NatsLinkState;
  readonly clock: ClusterClockState;
  /** Why this process is no sound member; null while it is. */
  readonly trouble: string | null;
}

export interface Cluster {
  readonly link: ClusterLink;
  /** @throws StartError when NATS cannot be used */
  start(): Promise<void>;
  stop(): Promise<void>;
  state(): ClusterState;
}

interface ClusterDependencies {
  readonly nats: NonNullable<Config['nats']>;
  readonly secrets: Pick<Secrets, 'jwtSecret' | 'instanceId'>;
  readonly clock: ClusterClock;
  readonly bus: ProcessBus;
  readonly slotOf: (accountId: string) => number;
  readonly log: Log;
}

/** What the messages of an installation are signed with. */
export const messageKey = ({ jwtSecret }: Pick<Secrets, 'jwtSecret'>): Buffer =>
  Buffer.from(hkdfSync('sha256', jwtSecret, '', 'fulcrum messages of a cluster', 32));

export async function createCluster(deps: ClusterDependencies): Promise<Cluster> {
  const { nats, secrets, clock, bus, slotOf, log } = deps;
  const [{ createNatsLink }, { connectBus }] = await Promise.all([
    import('./nats-link.ts'),
    import('./hints.ts'),
  ]);
  const link = createNatsLink({
    ...{ nats, clock, log },
    installation: secrets.instanceId,
    key: messageKey(secrets),
  });
  let disconnectBus = (): void => {};
  return {
    link,
    async start() {
      await link.start();
      disconnectBus = connectBus({ bus, link, slotOf, log });
    },
    async stop() {
      disconnectBus();
      await link.stop();
    },
    state() {
      const [connection, time] = [link.state(), clock.state()];
      return {
        processId: link.processId,
        nats: connection,
        clock: time,
        trouble: !connection.isConnected
          ? 'NATS is not connected'
          : time.ok
            ? null
            : 'the clock of this machine is off, or PostgreSQL’s is unknown',
      };
    },
  };
}
