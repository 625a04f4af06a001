/**
 * `npm run bench -- feed`: the cost of the ticks of the whole catalogue. First in memory: frames of an exchange parsed, taken
 * by the hub, passed to the engine's triggers and conflated and encoded for sockets, beside bare `JSON.parse` of the same
 * frames. Then as a whole: the real server with every pair at 10 updates a second and listeners on both price topics,
 * beside a process that reads the same socket and parses. The measure is processor time, candles and stored prices
 * included. Bounded: about two minutes.
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { normaliseSymbol } from '@fulcrum/domain';
import { createHub } from '../apps/server/src/features/market/hub.ts';
import { readFrame } from '../apps/server/src/features/market/providers/binance/frames.ts';
import { createBus } from '../apps/server/src/platform/bus/index.ts';
import { systemClock } from '../apps/server/src/platform/clock/index.ts';
import type { Channel } from '../apps/server/src/protocols/realtime/connection.ts';
import { beatsPerSecond, PriceStreams } from '../apps/server/src/protocols/realtime/prices.ts';
import { createArmedEngine } from './armed-engine.ts';
import { symbol as armedSymbol } from './armed-positions.ts';
import { ask, messageOf, stop } from './children.ts';
import { benchLog } from './cluster.ts';
import { joinOf, type ServerReady, socketUrlOf } from './endpoint.ts';
import type { ClientCommand } from './fanout-clients.ts';
import { pairs, tickerFrame } from './feed-frames.ts';
import type { FeedServerJob } from './feed-server.ts';
import { type FeedSourceReady, updatesPerSecond } from './feed-source.ts';
import { machine, verdict } from './figures.ts';
import type { CpuReport, FanoutCommand } from './process-cost.ts';
import { withRig } from './rig.ts';

const memoryRounds = 8;
const framesPerPair = 100;
const armedTriggers = 100_000;
/** Sockets on each of the two price topics. */
const listenersPerTopic = 20;
const warmUpS = 3;
const roundS = 10;
const serverRounds = 3;
const limitPct = 15;

const contenders = ['bare JSON', 'Fulcrum'] as const;
type Contender = (typeof contenders)[number];

/** A channel whose socket accepts everything at once; the frame is still encoded. */
function channelOf(topic: string): Channel {
  const symbol = topic.split(':')[1];
  const connection = {
    isBehind: () => false,
    sendPrices: (frame: { bytes(version: '2.0.0', joinRef: null): Buffer }) =>
      frame.bytes('2.0.0', null).length > 0,
  };
  const prices = symbol === undefined ? { kind: 'prices' } : { kind: 'prices-of-symbol', symbol };
  return { topic: `realtime:${topic}`, grant: { prices }, connection } as unknown as Channel;
}

interface Pipeline {
  take(frame: string, n: number): void;
  /** Waiting commands; none as long as nothing was crossed. */
  queued(): number;
}

/** Everything between a frame and a socket, in one process and without one. */
async function pipeline(): Promise<Pipeline> {
  const bus = createBus(benchLog);
  const clock = systemClock;
  const config = { sessions: '24x7', staleAfterS: null } as const;
  const hub = createHub({ pairs, config, clock, bus, log: benchLog });
  const symbolOf = new Map(pairs.map(({ symbol }) => [normaliseSymbol(symbol), symbol]));
  const engine = await createArmedEngine(hub, bus, armedTriggers);
  const streams = new PriceStreams(
    { ticks: hub.ticks, recordedClock: () => null, follow: () => () => {}, followAll: () => () => {} },
    () => false,
  );
  for (const topic of ['prices', ...pairs.map(({ symbol }) => `prices:${symbol}`)]) {
    streams.add(channelOf(topic), clock.now());
  }
  bus.subscribe('market.tick', (tick) => engine.tick(tick.symbol));
  bus.subscribe('market.tick', (tick) => streams.onTick(tick));
  const ticksPerBeat = (pairs.length * updatesPerSecond) / beatsPerSecond;
  let beat = 0;
  const take = (text: string, n: number): void => {
    const frame = readFrame(text);
    if (frame.kind !== 'ticker') throw new Error('a frame was not understood');
    hub.take({
      symbol: symbolOf.get(frame.symbol) ?? '',
      source: 'binance',
      price: frame.price as string,
      marketTime: frame.eventTime ?? 0,
      ...(frame.day && { day: frame.day }),
    });
    if (n >= (beat + 1) * ticksPerBeat) {
      beat += 1;
      streams.flush(beat, clock.now());
    }
  };
  return { take, queued: () => engine.state().queued };
}

async function benchInMemory(): Promise<void> {
  const now = Date.now();
  const frames = Array.from({ length: framesPerPair }, (_, n) =>
    pairs.map((pair) => tickerFrame(pair, n, now + n)),
  ).flat();
  const least: Record<Contender, number> = { 'bare JSON': Infinity, Fulcrum: Infinity };
  let parsed = 0;
  for (let round = 0; round < memoryRounds; round += 1) {
    const { take, queued } = await pipeline();
    const runs: Record<Contender, (frame: string, n: number) => void> = {
      'bare JSON': (frame) => {
        if (JSON.parse(frame).c !== undefined) parsed += 1;
      },
      Fulcrum: take,
    };
    for (const contender of contenders) {
      const from = performance.now();
      for (const [n, frame] of frames.entries()) runs[contender](frame, n);
      least[contender] = Math.min(least[contender], (performance.now() - from) / frames.length);
    }
    if (queued() > 0) throw new Error('a tick crossed something');
  }
  if (parsed !== frames.length * memoryRounds) throw new Error('not every frame was parsed');
  console.log(
    `${frames.length} frames of ${pairs.length} pairs, ${armedTriggers} armed triggers, a listener on every topic`,
  );
  console.log(`${'one core'.padEnd(12)}${'µs/tick'.padStart(10)}${'ticks/s'.padStart(12)}`);
  for (const contender of contenders) {
    const ms = least[contender];
    console.log(
      contender.padEnd(12) +
        (ms * 1000).toFixed(2).padStart(10) +
        Math.round(1000 / ms)
          .toString()
          .padStart(12),
    );
  }
  const share = least['bare JSON'] / least.Fulcrum;
  console.log(`${(share * 100).toFixed(0)} % of the rate of bare parsing\n`);
}

const cpuOf = async (child: ChildProcess): Promise<number> => {
  child.send('report' satisfies FanoutCommand);
  return (await messageOf<CpuReport>(child)).cpuS;
};

async function benchServer(): Promise<boolean> {
  return withRig(async ({ cluster, dataDir, begin }) => {
    const source = begin('./feed-source.ts');
    const { url: sourceUrl } = await messageOf<FeedSourceReady>(source);
    const databaseUrl = await cluster.createDatabase('feed');
    const listeners = 2 * listenersPerTopic;
    const servers = { 'bare JSON': begin('./feed-server.ts'), Fulcrum: begin('./feed-server.ts') };
    const ready = async (kind: Contender): Promise<ServerReady> => {
      const job: FeedServerJob = { kind, sourceUrl, databaseUrl, dataDir, listeners, demo: false };
      return ask<ServerReady>(servers[kind], job);
    };
    await ready('bare JSON');
    const endpoint = await ready('Fulcrum');

    const clients = begin('./fanout-clients.ts');
    const topics = ['prices', `prices:${armedSymbol}`];
    const open: ClientCommand = {
      kind: 'open',
      set: 'Fulcrum',
      urls: [socketUrlOf(endpoint)],
      greetings: endpoint.tokens.map((token, i) => joinOf(topics[i % 2] ?? '', token)),
      sockets: listeners,
      beat: null,
    };
    await ask(clients, open);

    const costOf = async (seconds: number): Promise<Record<Contender, number>> => {
      const before = {
        'bare JSON': await cpuOf(servers['bare JSON']),
        Fulcrum: await cpuOf(servers.Fulcrum),
      };
      await sleep(seconds * 1000);
      const share = async (kind: Contender) => ((await cpuOf(servers[kind])) - before[kind]) / seconds;
      return { 'bare JSON': await share('bare JSON'), Fulcrum: await share('Fulcrum') };
    };
    const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
    const line = (name: string, cost: Record<Contender, number>): void =>
      console.log(
        name.padEnd(12) + percent(cost['bare JSON']).padStart(12) + percent(cost.Fulcrum).padStart(12),
      );
    console.log(
      `${pairs.length} pairs at ${updatesPerSecond} updates/s, ${listeners} sockets, ${roundS} s a round; share of one core`,
    );
    console.log(''.padEnd(12) + 'bare JSON'.padStart(12) + 'Fulcrum'.padStart(12));
    line('quiet', await costOf(warmUpS));
    source.send('send' satisfies FanoutCommand);
    await sleep(warmUpS * 1000);
    let least = Infinity;
    for (let round = 0; round < serverRounds; round += 1) {
      const cost = await costOf(roundS);
      line('ticking', cost);
      least = Math.min(least, cost.Fulcrum);
    }
    source.send('pause' satisfies FanoutCommand);
    const isMet = least * 100 < limitPct;
    console.log(
      `\n${percent(least)} of one core in the cheapest round; limit: less than ${limitPct} %: ${verdict(isMet)}`,
    );
    clients.send({ kind: 'stop' } satisfies ClientCommand);
    for (const child of [servers.Fulcrum, servers['bare JSON'], source]) await stop(child);
    return isMet;
  });
}

export async function benchFeed(): Promise<void> {
  console.log(`${machine}\n`);
  await benchInMemory();
  if (!(await benchServer())) process.exitCode = 1;
}
