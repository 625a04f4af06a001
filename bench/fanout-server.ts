/**
 * The running product as its own process for `fanout.ts`: the real server with a feed that moves one symbol 20 times a
 * second while enabled, which the server conflates to its 4 frames a second. Only the limits per address differ
 * from production, because all clients of a measurement share one address.
 */
import { randomUUID } from 'node:crypto';
import { createBenchFeed } from './bench-feed.ts';
import type { ServerReady } from './endpoint.ts';
import { onCommands, onJob } from './job.ts';
import { createTokens, endpointOf, limitsOf, startMeasured } from './measured-server.ts';
import { cpuReport, type FanoutCommand } from './process-cost.ts';

export interface FanoutServerJob {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly sockets: number;
  readonly symbol: string;
  /** Settings of a member of a cluster. */
  readonly member?: Readonly<Record<string, string>>;
}
const ticksPerSecond = 20;

async function serve({ sockets, symbol, member, ...location }: FanoutServerJob): Promise<void> {
  let isSending = false;
  let count = 0;
  const feed = createBenchFeed(1000 / ticksPerSecond, () => {
    // The first price comes before the measurement.
    if (!isSending && count > 0) return {};
    count += 1;
    // Five digits and two decimals always, so that every frame has the same length.
    return { [symbol]: `${60_000 + (count % 9)}.${10 + (count % 89)}` };
  });
  const server = await startMeasured(location, member, { feed, ...limitsOf(sockets) });
  const tokenOf = createTokens(server);
  const tokens = Array.from({ length: sockets }, () => tokenOf(randomUUID()));
  process.send?.({ ...endpointOf(server), tokens } satisfies ServerReady);
  onCommands<FanoutCommand>({
    send: () => {
      isSending = true;
    },
    pause: () => {
      isSending = false;
    },
    report: () => cpuReport(),
    stop: () => server.close(),
  });
}

onJob(serve);
