/**
 * The running product as its own process for `liquidations.ts`: the real server, with a feed that emits one price until a
 * command makes it emit the other, once. Only the limits per address differ from production's, because all sockets share one.
 */
import { createBenchFeed } from './bench-feed.ts';
import type { ServerReady } from './endpoint.ts';
import { onCommands, onJob } from './job.ts';
import { createTokens, endpointOf, limitsOf, startMeasured, violationsOf } from './measured-server.ts';
import { crossingPrice, positionsPerTrader, restingPrice, symbol } from './open-positions.ts';
import { cpuReport } from './process-cost.ts';

export interface LiquidationServerJob {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly userIds: readonly string[];
}
/** `cross`: the one tick; answered when all of them are closed. */
export type LiquidationCommand = 'cross' | 'check' | 'stop';
export interface Crossed {
  /** Triggers before the tick. */
  readonly armed: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly committedAt: number;
  readonly crossings: number;
  readonly batches: number;
  /** Processor time of this process meanwhile. */
  readonly cpuS: number;
}

const pollEveryMs = 2;
/** Then it prints how many there were. */
const crossingMaxMs = 60_000;
const emitEveryMs = 1_000;

async function serve({ userIds, ...location }: LiquidationServerJob): Promise<void> {
  let price = restingPrice;
  const feed = createBenchFeed(emitEveryMs, () => ({ [symbol]: price }));
  const server = await startMeasured(location, {}, { feed, ...limitsOf(userIds.length) });
  const tokenOf = createTokens(server);
  const tokens = userIds.map((userId) => tokenOf(userId));
  process.send?.({ ...endpointOf(server), tokens } satisfies ServerReady);

  const { trading } = server;
  const due = userIds.length * positionsPerTrader;
  const cross = (): void => {
    const before = process.cpuUsage();
    const started = trading.state();
    const at = Date.now();
    price = crossingPrice;
    feed.emit();
    const polling = setInterval(() => {
      // What the last batch decides is neither queued nor armed while it is written.
      const { crossings, batches } = trading.state();
      if (crossings - started.crossings < due && Date.now() - at < crossingMaxMs) return;
      clearInterval(polling);
      process.send?.({
        armed: started.armed,
        at,
        committedAt: Date.now(),
        crossings: crossings - started.crossings,
        batches: batches - started.batches,
        ...cpuReport(before),
      } satisfies Crossed);
    }, pollEveryMs);
  };
  onCommands<LiquidationCommand>({
    cross,
    check: () => violationsOf(server),
    stop: () => server.close(),
  });
}

onJob(serve);
