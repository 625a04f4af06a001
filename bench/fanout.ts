/**
 * `npm run bench -- fanout`: one price topic with 2,000 sockets at 4 frames/s, from the running product and from a bare
 * `ws` server that sends the same bytes at the same rate, alternately in one run. The measure is the server's processor
 * time per delivered frame in the cheapest of six rounds: other work on the machine can only add to a round.
 * Bounded: about 75 seconds, 4,001 sockets, loopback only.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { ask, messageOf, stop } from './children.ts';
import type { ClientCommand, DeliveryReport } from './fanout-clients.ts';
import type { FanoutPeerJob, FanoutPeerReady } from './fanout-peer.ts';
import type { FanoutServerJob, FanoutServerReady } from './fanout-server.ts';
import { machine, runOf, verdict } from './figures.ts';
import type { CpuReport, FanoutCommand } from './process-cost.ts';
import { withRig } from './rig.ts';

const sockets = 2000;
const framesPerSecond = 4;
const symbol = 'BTCUSDT';
const warmUpS = 2;
const roundS = 4;
/** Time for the last frame of a round to arrive; counted, for the servers work then too. */
const settleMs = 400;
const limitRatio = 0.9;
/** Each goes first as often as second. */
const pairs = ['Fulcrum', 'bare ws', 'bare ws', 'Fulcrum'] as const;
const order = [...pairs, ...pairs, ...pairs];
type Contender = (typeof order)[number];

const join = (token: string) =>
  JSON.stringify(['1', '1', `realtime:prices:${symbol}`, 'phx_join', { access_token: token }]);
const beat = JSON.stringify([null, '2', 'phoenix', 'heartbeat', {}]);

/** The text of one price frame as the product sends it. */
async function frameOf(url: string, token: string): Promise<string> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  try {
    const frame = new Promise<string>((resolve, reject) => {
      socket.on('message', (bytes: Buffer) => {
        if (bytes.includes('"broadcast"')) resolve(bytes.toString());
      });
      socket.on('close', () => reject(new Error('the server closed the socket')));
    });
    socket.send(join(token));
    return await frame;
  } finally {
    socket.terminate();
  }
}

interface Round {
  readonly cpuS: number;
  readonly delivery: DeliveryReport;
}

class Arena {
  readonly #clients: ChildProcess;
  readonly #servers: Readonly<Record<Contender, ChildProcess>>;

  constructor(clients: ChildProcess, servers: Readonly<Record<Contender, ChildProcess>>) {
    this.#clients = clients;
    this.#servers = servers;
  }

  async #ask<T>(command: ClientCommand): Promise<T> {
    return ask<T>(this.#clients, command);
  }

  async #cpuS(server: ChildProcess): Promise<number> {
    server.send('report' satisfies FanoutCommand);
    return (await messageOf<CpuReport>(server)).cpuS;
  }

  async round(contender: Contender, seconds: number): Promise<Round> {
    const server = this.#servers[contender];
    await this.#ask({ kind: 'beat', set: contender });
    await this.#ask({ kind: 'begin', set: contender });
    const before = await this.#cpuS(server);
    server.send('send' satisfies FanoutCommand);
    await sleep(seconds * 1000);
    server.send('pause' satisfies FanoutCommand);
    await sleep(settleMs);
    const cpuS = (await this.#cpuS(server)) - before;
    return { cpuS, delivery: await this.#ask<DeliveryReport>({ kind: 'report', set: contender }) };
  }
}

interface Totals {
  cpuS: number;
  delivered: number;
  due: number;
  readonly latenciesMs: number[];
  /** Of the cheapest round: what else runs on the machine can only add to a round. */
  leastPerFrame: number;
}

const microsecondsPerFrame = ({ cpuS, delivered }: Pick<Totals, 'cpuS' | 'delivered'>) =>
  (cpuS * 1e6) / delivered;

async function measure(arena: Arena): Promise<Readonly<Record<Contender, Totals>>> {
  const none = (): Totals => ({
    cpuS: 0,
    delivered: 0,
    due: 0,
    latenciesMs: [],
    leastPerFrame: Number.POSITIVE_INFINITY,
  });
  const totals = { Fulcrum: none(), 'bare ws': none() };
  for (const contender of ['Fulcrum', 'bare ws'] as const) await arena.round(contender, warmUpS);
  console.log(
    `${'round'.padEnd(10)}${'CPU µs/frame'.padStart(14)}${'frames/s'.padStart(10)}${'of all'.padStart(9)}`,
  );
  for (const contender of order) {
    const { cpuS, delivery } = await arena.round(contender, roundS);
    const { delivered, most, closed } = delivery;
    if (closed > 0) throw new Error(`${contender} closed ${closed} sockets`);
    const total = totals[contender];
    total.cpuS += cpuS;
    total.delivered += delivered;
    total.due += most * sockets;
    total.leastPerFrame = Math.min(total.leastPerFrame, microsecondsPerFrame({ cpuS, delivered }));
    for (const latency of delivery.latenciesMs) total.latenciesMs.push(latency);
    console.log(
      contender.padEnd(10) +
        microsecondsPerFrame({ cpuS, delivered }).toFixed(2).padStart(14) +
        (delivered / roundS).toFixed(0).padStart(10) +
        `${((100 * delivered) / (most * sockets)).toFixed(1)} %`.padStart(9),
    );
  }
  return totals;
}

export async function benchFanout(): Promise<void> {
  await withRig(async ({ cluster, dataDir, begin }) => {
    const product = begin('./fanout-server.ts');
    const databaseUrl = await cluster.createDatabase('fanout');
    const { url, anonKey, tokens } = await ask<FanoutServerReady>(product, {
      databaseUrl,
      dataDir,
      sockets,
      symbol,
    } satisfies FanoutServerJob);
    const productUrl = `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${anonKey}&vsn=2.0.0`;
    const frame = await frameOf(productUrl, tokens[0] ?? '');

    const peer = begin('./fanout-peer.ts');
    const { port } = await ask<FanoutPeerReady>(peer, { frame, framesPerSecond } satisfies FanoutPeerJob);

    const clients = begin('./fanout-clients.ts');
    const open = async (
      set: Contender,
      at: string,
      greetings: readonly string[],
      beatFrame: string | null,
    ) => {
      const job: ClientCommand = { kind: 'open', set, url: at, greetings, sockets, beat: beatFrame };
      await ask(clients, job);
    };
    await open('Fulcrum', productUrl, tokens.map(join), beat);
    await open('bare ws', `ws://127.0.0.1:${port}`, [], null);

    console.log(machine);
    console.log(
      `${sockets} sockets, ${framesPerSecond} frames/s of ${Buffer.byteLength(frame)} bytes, ${roundS} s a round\n`,
    );
    const totals = await measure(new Arena(clients, { Fulcrum: product, 'bare ws': peer }));
    console.log('');
    for (const contender of ['Fulcrum', 'bare ws'] as const) {
      const { latenciesMs, delivered, due } = totals[contender];
      const { p50Ms, p99Ms } = runOf(contender, sockets, latenciesMs, 1);
      console.log(
        `${contender.padEnd(8)} ${totals[contender].leastPerFrame.toFixed(2)} µs of CPU a frame at best, ` +
          `${microsecondsPerFrame(totals[contender]).toFixed(2)} over all rounds; ` +
          `${((100 * delivered) / due).toFixed(2)} % delivered, after the first socket p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
      );
    }
    const { Fulcrum: own, 'bare ws': bare } = totals;
    const ratio = bare.leastPerFrame / own.leastPerFrame;
    const overall = microsecondsPerFrame(bare) / microsecondsPerFrame(own);
    const isMet = ratio >= limitRatio && own.delivered === own.due;
    console.log(
      `\n${ratio.toFixed(2)} x a bare ws server, best rounds (${overall.toFixed(2)} over all rounds); ` +
        `limit: at least ${limitRatio} and every frame delivered: ${verdict(isMet)}`,
    );
    await stop(product);
  });
}
