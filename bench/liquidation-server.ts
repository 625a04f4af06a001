/**
 * The running product as its own process for `liquidations.ts`: the real server, with a feed that emits one price until a
 * command makes it emit the other, once. Only the limits per address differ from production's, because all sockets share one.
 */
import type { Feed, FeedTick } from '../apps/server/src/features/market/index.ts';
import { checkInvariants } from '../apps/server/src/features/wallet/index.ts';
import { onJob } from './job.ts';
import { createTokens, limitsOf, startMeasured } from './measured-server.ts';
import { crossingPrice, positionsPerTrader, restingPrice, symbol } from './open-positions.ts';

export interface LiquidationServerJob {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly userIds: readonly string[];
}
export interface LiquidationServerReady {
  readonly url: string;
  readonly anonKey: string;
  /** Of each trader. */
  readonly tokens: readonly string[];
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
export interface LiquidationCheck {
  readonly violations: readonly string[];
}

const pollEveryMs = 2;
/** Then it prints how many there were. */
const crossingMaxMs = 60_000;
const emitEveryMs = 1_000;

function createTwoPriceFeed(): Feed & { cross(): void } {
  let price = restingPrice;
  let emit: ((tick: FeedTick) => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  // A jump of this size would be held back until it is confirmed; the feed vouches for it.
  const emitPrice = () =>
    emit?.({ symbol, source: 'simulated', price, marketTime: Date.now(), breaks: true });
  return {
    sourceOf: () => 'simulated',
    async start(emitTick) {
      emit = emitTick;
      emitPrice();
      timer = setInterval(emitPrice, emitEveryMs);
    },
    async stop() {
      clearInterval(timer);
    },
    candles: async () => [],
    cross() {
      price = crossingPrice;
      emitPrice();
    },
  };
}

async function serve({ userIds, ...location }: LiquidationServerJob): Promise<void> {
  const feed = createTwoPriceFeed();
  const server = await startMeasured(location, {}, { feed, ...limitsOf(userIds.length) });
  const tokenOf = createTokens(server);
  const tokens = userIds.map((userId) => tokenOf(userId));
  const { url, secrets, trading } = server;
  process.send?.({ url, anonKey: secrets.anonKey, tokens } satisfies LiquidationServerReady);

  const due = userIds.length * positionsPerTrader;
  const cross = (): void => {
    const before = process.cpuUsage();
    const started = trading.state();
    const at = Date.now();
    feed.cross();
    const polling = setInterval(() => {
      // What the last batch decides is neither queued nor armed while it is written.
      const { crossings, batches } = trading.state();
      if (crossings - started.crossings < due && Date.now() - at < crossingMaxMs) return;
      clearInterval(polling);
      const { user, system } = process.cpuUsage(before);
      process.send?.({
        armed: started.armed,
        at,
        committedAt: Date.now(),
        crossings: crossings - started.crossings,
        batches: batches - started.batches,
        cpuS: (user + system) / 1e6,
      } satisfies Crossed);
    }, pollEveryMs);
  };
  process.on('message', async (command: LiquidationCommand) => {
    if (command === 'cross') return cross();
    if (command === 'check') {
      const { violations } = await checkInvariants(server.db);
      const named = violations.map(({ invariant, detail }) => `${invariant}: ${detail}`);
      process.send?.({ violations: named } satisfies LiquidationCheck);
      return;
    }
    await server.close();
    process.disconnect();
  });
}

onJob(serve);
