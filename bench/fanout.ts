/**
 * `npm run bench -- fanout`: one price topic with 2,000 sockets at 4 frames/s, from the running product and from a bare
 * `ws` server that sends the same bytes at the same rate, alternately in one run. The measure is the server's processor
 * time per delivered frame in the cheapest of six rounds: other work on the machine can only add to a round.
 * Bounded: about 75 seconds, 4,001 sockets, loopback only. `gateways.ts` compares two clusters in the same way.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { ask, stop } from './children.ts';
import { joinOf, type ServerReady, socketUrlOf } from './endpoint.ts';
import type { ClientCommand, DeliveryReport } from './fanout-clients.ts';
import type { FanoutPeerJob, FanoutPeerReady } from './fanout-peer.ts';
import type { FanoutServerJob } from './fanout-server.ts';
import { machine, runOf, verdict } from './figures.ts';
import type { CpuReport, FanoutCommand } from './process-cost.ts';
import { withRig } from './rig.ts';

const sockets = 2000;
const framesPerSecond = 4;
export const symbol = 'BTCUSDT';
const warmUpS = 2;
const roundS = 4;
/** Time for the last frame of a round to arrive; counted, for the servers work then too. */
const settleMs = 400;
export const limitRatio = 0.9;

const join = (token: string): string => joinOf(`prices:${symbol}`, token);
const beat = JSON.stringify([null, '2', 'phoenix', 'heartbeat', {}]);

/** Servers that are measured as one. The clients have a set of sockets of this name. */
export interface Contender {
  readonly name: string;
  readonly servers: readonly ChildProcess[];
  readonly sockets: number;
}

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

async function cpuSOf({ servers }: Contender): Promise<number> {
  const reports = await Promise.all(servers.map((server) => ask<CpuReport>(server, 'report')));
  return reports.reduce((sum, { cpuS }) => sum + cpuS, 0);
}

async function play(clients: ChildProcess, contender: Contender, seconds: number): Promise<Round> {
  const { name: set, servers } = contender;
  const order = (command: FanoutCommand) => {
    for (const server of servers) server.send(command);
  };
  await ask(clients, { kind: 'beat', set });
  await ask(clients, { kind: 'begin', set });
  const before = await cpuSOf(contender);
  order('send');
  await sleep(seconds * 1000);
  order('pause');
  await sleep(settleMs);
  const cpuS = (await cpuSOf(contender)) - before;
  return { cpuS, delivery: await ask<DeliveryReport>(clients, { kind: 'report', set }) };
}

/** Opens the sockets of a product, as many at each of its endpoints. */
export function openSockets(
  clients: ChildProcess,
  { name: set, sockets: count }: Contender,
  endpoints: readonly ServerReady[],
): Promise<void> {
  const tokens = endpoints[0]?.tokens ?? [];
  return ask(clients, {
    ...{ kind: 'open', set, urls: endpoints.map(socketUrlOf), sockets: count, beat },
    greetings: tokens.map(join),
  });
}

export interface Totals {
  cpuS: number;
  delivered: number;
  due: number;
  readonly latenciesMs: number[];
  /** Of the cheapest round: what else runs on the machine can only add to a round. */
  leastPerFrame: number;
}

const microsecondsPerFrame = ({ cpuS, delivered }: Pick<Totals, 'cpuS' | 'delivered'>) =>
  (cpuS * 1e6) / delivered;

/** Six rounds each, where each goes first as often as second; prints them. `width` is of the names. */
export async function compare(
  clients: ChildProcess,
  [first, second]: readonly [Contender, Contender],
  width: number,
): Promise<readonly [Totals, Totals]> {
  const none = (): Totals => ({
    ...{ cpuS: 0, delivered: 0, due: 0, latenciesMs: [], leastPerFrame: Number.POSITIVE_INFINITY },
  });
  const totals = [none(), none()] as const;
  for (const contender of [first, second]) await play(clients, contender, warmUpS);
  console.log(
    `${'round'.padEnd(width)}${'CPU µs/frame'.padStart(14)}${'frames/s'.padStart(10)}${'of all'.padStart(9)}`,
  );
  const order = [0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0] as const;
  for (const which of order) {
    const contender = which === 0 ? first : second;
    const { cpuS, delivery } = await play(clients, contender, roundS);
    const { delivered, most, closed } = delivery;
    if (closed > 0) throw new Error(`${contender.name} closed ${closed} sockets`);
    const total = totals[which];
    total.cpuS += cpuS;
    total.delivered += delivered;
    total.due += most * contender.sockets;
    total.leastPerFrame = Math.min(total.leastPerFrame, microsecondsPerFrame({ cpuS, delivered }));
    for (const latency of delivery.latenciesMs) total.latenciesMs.push(latency);
    console.log(
      contender.name.padEnd(width) +
        microsecondsPerFrame({ cpuS, delivered }).toFixed(2).padStart(14) +
        (delivered / roundS).toFixed(0).padStart(10) +
        `${((100 * delivered) / (most * contender.sockets)).toFixed(1)} %`.padStart(9),
    );
  }
  console.log('');
  for (const [n, { name, sockets: count }] of [first, second].entries()) {
    const { latenciesMs, delivered, due, leastPerFrame } = totals[n as 0 | 1];
    const { p50Ms, p99Ms } = runOf(name, count, latenciesMs, 1);
    console.log(
      `${name.padEnd(width)} ${leastPerFrame.toFixed(2)} µs of CPU a frame at best, ` +
        `${microsecondsPerFrame(totals[n as 0 | 1]).toFixed(2)} over all rounds; ` +
        `${((100 * delivered) / due).toFixed(2)} % delivered, after the first socket p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
    );
  }
  return totals;
}

/** How many frames `own` delivers for the processor time in which `peer` delivers one, and whether that is enough; prints it. */
export function judge(own: Totals, peer: Totals, peerName: string): void {
  const ratio = peer.leastPerFrame / own.leastPerFrame;
  const overall = microsecondsPerFrame(peer) / microsecondsPerFrame(own);
  const isMet = ratio >= limitRatio && own.delivered === own.due;
  console.log(
    `\n${ratio.toFixed(2)} x ${peerName}, best rounds (${overall.toFixed(2)} over all rounds); ` +
      `limit: at least ${limitRatio} and every frame delivered: ${verdict(isMet)}`,
  );
}

export async function benchFanout(): Promise<void> {
  await withRig(async ({ cluster, dataDir, begin }) => {
    const product = begin('./fanout-server.ts');
    const databaseUrl = await cluster.createDatabase('fanout');
    const job: FanoutServerJob = { databaseUrl, dataDir, sockets, symbol };
    const ready = await ask<ServerReady>(product, job);
    const frame = await frameOf(socketUrlOf(ready), ready.tokens[0] ?? '');

    const peer = begin('./fanout-peer.ts');
    const { port } = await ask<FanoutPeerReady>(peer, { frame, framesPerSecond } satisfies FanoutPeerJob);

    const clients = begin('./fanout-clients.ts');
    const own: Contender = { name: 'Fulcrum', servers: [product], sockets };
    const bare: Contender = { name: 'bare ws', servers: [peer], sockets };
    await openSockets(clients, own, [ready]);
    const bareSockets: ClientCommand = {
      ...{ kind: 'open', set: bare.name, urls: [`ws://127.0.0.1:${port}`], greetings: [], sockets },
      beat: null,
    };
    await ask(clients, bareSockets);

    console.log(machine);
    console.log(
      `${sockets} sockets, ${framesPerSecond} frames/s of ${Buffer.byteLength(frame)} bytes, ${roundS} s a round\n`,
    );
    judge(...(await compare(clients, [own, bare], 10)), 'a bare ws server');
    await stop(product);
  });
}
