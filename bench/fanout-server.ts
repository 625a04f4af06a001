/**
 * The running product as its own process for `fanout.ts`: the real server with a feed that moves one symbol 20 times a
 * second while enabled, which the server conflates to its 4 frames a second. Only the limits per address differ
 * from production, because all clients of a measurement share one address.
 */
import { randomUUID } from 'node:crypto';
import type { Feed, FeedTick } from '../apps/server/src/features/market/index.ts';
import { onJob } from './job.ts';
import { createTokens, limitsOf, startMeasured } from './measured-server.ts';
import { cpuReport, type FanoutCommand } from './process-cost.ts';

export interface FanoutServerJob {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly sockets: number;
  readonly symbol: string;
  /** Settings of a member of a cluster. */
  readonly member?: Readonly<Record<string, string>>;
}
export interface FanoutServerReady {
  readonly url: string;
  readonly anonKey: string;
  /** Of as many traders. */
  readonly tokens: readonly string[];
}
const ticksPerSecond = 20;

function createSteadyFeed(symbol: string): Feed & { isSending: boolean } {
  let timer: NodeJS.Timeout | undefined;
  let count = 0;
  const feed: Feed & { isSending: boolean } = {
    sourceOf: () => 'simulated',
    isSending: false,
    async start(emit: (tick: FeedTick) => void) {
      const move = () => {
        count += 1;
        // Five digits and two decimals always, so that every frame has the same length.
        const price = `${60_000 + (count % 9)}.${10 + (count % 89)}`;
        emit({ symbol, source: 'simulated', price, marketTime: Date.now(), breaks: true });
      };
      move();
      timer = setInterval(() => feed.isSending && move(), 1000 / ticksPerSecond);
    },
    async stop() {
      clearInterval(timer);
    },
    candles: async () => [],
  };
  return feed;
}

async function serve({ sockets, symbol, member, ...location }: FanoutServerJob): Promise<void> {
  const feed = createSteadyFeed(symbol);
  const server = await startMeasured(location, member, { feed, ...limitsOf(sockets) });
  const tokenOf = createTokens(server);
  process.send?.({
    url: server.url,
    anonKey: server.secrets.anonKey,
    tokens: Array.from({ length: sockets }, () => tokenOf(randomUUID())),
  } satisfies FanoutServerReady);

  process.on('message', async (command: FanoutCommand) => {
    if (command === 'send') feed.isSending = true;
    if (command === 'pause') feed.isSending = false;
    if (command === 'report') process.send?.(cpuReport());
    if (command === 'stop') {
      await server.close();
      process.disconnect();
    }
  });
}

onJob(serve);
