/**
 * The part of `npm run bench -- cluster` about prices: one topic with 6,000 sockets at 4 frames/s over one gateway and over three, by
 * turns, each with a market of its own. The measure is the processor time of all their processes for a delivered frame, as in `fanout.ts`:
 * what two further gateways cost on one machine.
 */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { ask } from './children.ts';
import type { Cluster } from './cluster.ts';
import type { ServerReady } from './endpoint.ts';
import { type Contender, compare, judge, openSockets, symbol } from './fanout.ts';
import type { FanoutServerJob } from './fanout-server.ts';
import { dataDirs } from './installation.ts';
import type { Processes } from './rig.ts';

/** What one gateway of three has is what `fanout.ts` gives to one process. */
const sockets = 6_000;

/** `member`: the settings of each member of a cluster. */
export async function compareGateways(
  postgres: Cluster,
  member: Readonly<Record<string, string>>,
  { dataDir, begin }: Processes,
): Promise<void> {
  const clients = begin('./fanout-clients.ts');

  async function startMembers(name: string, gateways: number) {
    const newDataDir = dataDirs(join(dataDir, `gateways-${gateways}`));
    const databaseUrl = await postgres.createDatabase(`gateways_${gateways}`);
    const servers: ChildProcess[] = [];
    const endpoints: ServerReady[] = [];
    for (const ROLES of ['market', ...Array<string>(gateways).fill('gateway')]) {
      const server = begin('./fanout-server.ts');
      const job: FanoutServerJob = {
        ...{ databaseUrl, dataDir: newDataDir(), sockets, symbol, member: { ROLES, ...member } },
      };
      const ready = await ask<ServerReady>(server, job);
      servers.push(server);
      if (ROLES === 'gateway') endpoints.push(ready);
    }
    return { contender: { name, servers, sockets } satisfies Contender, endpoints };
  }

  const [three, one] = [await startMembers('3 gateways', 3), await startMembers('1 gateway', 1)];
  for (const { contender, endpoints } of [three, one]) await openSockets(clients, contender, endpoints);
  judge(...(await compare(clients, [three.contender, one.contender], 12)), 'one gateway');
}
