/**
 * The running product as its own process for `feed.ts` and `web.ts`: the real server, fed by the exchange of `feed-source.ts` through a
 * websocket and the product's own reader of its frames. The bare peer reads the same socket and parses the JSON.
 */
import { randomUUID } from 'node:crypto';
import { normaliseSymbol } from '@fulcrum/domain';
import { WebSocket } from 'ws';
import type { Feed, FeedTick } from '../apps/server/src/features/market/index.ts';
import { readFrame } from '../apps/server/src/features/market/providers/binance/frames.ts';
import type { ServerReady } from './endpoint.ts';
import { pairs, syntheticBars } from './feed-frames.ts';
import { onCommands, onJob } from './job.ts';
import { createTokens, endpointOf, limitsOf, startMeasured } from './measured-server.ts';
import { cpuReport } from './process-cost.ts';

export interface FeedServerJob {
  readonly kind: 'Fulcrum' | 'bare JSON';
  readonly sourceUrl: string;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly listeners: number;
  /** With the demo accounts, for a measurement that signs in. */
  readonly demo: boolean;
}

/** One socket, all pairs; the others than crypto come as quotes do. */
function createSocketFeed(sourceUrl: string): Feed {
  const pairOf = new Map(pairs.map((pair) => [normaliseSymbol(pair.symbol), pair]));
  const sourceOf = (type: string) => (type === 'crypto' ? 'binance' : 'yahoo');
  let socket: WebSocket | undefined;
  return {
    sourceOf: (symbol) => sourceOf(pairOf.get(normaliseSymbol(symbol))?.type ?? 'stock'),
    async start(emit: (tick: FeedTick) => void) {
      const opened = new WebSocket(sourceUrl, { perMessageDeflate: false });
      socket = opened;
      opened.on('message', (bytes: Buffer) => {
        const frame = readFrame(bytes.toString());
        const pair = frame.kind === 'ticker' ? pairOf.get(frame.symbol) : undefined;
        if (frame.kind !== 'ticker' || !pair) return;
        emit({
          symbol: pair.symbol,
          source: sourceOf(pair.type),
          price: frame.price as string,
          marketTime: frame.eventTime ?? Date.now(),
          ...(frame.day && { day: frame.day }),
        });
      });
      await new Promise((resolve, reject) => {
        opened.once('message', resolve);
        opened.once('error', reject);
      });
    },
    async stop() {
      socket?.terminate();
    },
    candles: async (symbol, timeframe, query) => syntheticBars(symbol, timeframe, query, Date.now()),
  };
}

function serveBare({ sourceUrl }: FeedServerJob): void {
  const socket = new WebSocket(sourceUrl, { perMessageDeflate: false });
  let last: unknown;
  socket.on('message', (bytes: Buffer) => {
    last = JSON.parse(bytes.toString());
  });
  socket.once('message', () => process.send?.({ url: '', anonKey: '', tokens: [] } satisfies ServerReady));
  onCommands<'report'>({
    report: () => cpuReport(),
    stop: () => {
      if (last === undefined) throw new Error('nothing was read');
      socket.terminate();
    },
  });
}

async function serve(job: FeedServerJob): Promise<void> {
  if (job.kind === 'bare JSON') return serveBare(job);
  const settings = {
    DEMO: String(job.demo),
    DEMO_HISTORY: 'false',
    LOG_LEVEL: 'error',
    // Round the clock, so that every update is a price whatever the hour of the measurement.
    SESSIONS: '24x7',
  };
  const feed = createSocketFeed(job.sourceUrl);
  const server = await startMeasured(job, settings, { feed, ...limitsOf(job.listeners) });
  const tokenOf = createTokens(server);
  const tokens = Array.from({ length: job.listeners }, () => tokenOf(randomUUID()));
  process.send?.({ ...endpointOf(server), tokens } satisfies ServerReady);
  onCommands<'report'>({ report: () => cpuReport(), stop: () => server.close() });
}

onJob(serve);
