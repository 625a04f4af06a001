/**
 * Agents and traders of `chat.ts` in a process of their own: a socket each, and messages of both sides at a steady rate that
 * does not wait for answers. For each message it records the times of the request, of the answer, and of its arrival at each
 * socket of the other side.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { cpuReport } from './process-cost.ts';

export interface Party {
  /** The first message of its socket. */
  readonly greeting: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The session of a trader; null for an agent, who writes into each in rotation. */
  readonly sessionId: string | null;
}
export interface ChatOpenJob {
  readonly kind: 'open';
  readonly set: string;
  readonly socketUrl: string;
  readonly postUrl: string;
  readonly agents: readonly Party[];
  readonly traders: readonly Party[];
}
export interface ChatRoundJob {
  readonly kind: 'round';
  readonly set: string;
  readonly seconds: number;
  readonly agentsPerSecond: number;
  readonly tradersPerSecond: number;
}
export type ChatClientCommand = ChatOpenJob | ChatRoundJob;
export interface ChatReport {
  readonly sent: number;
  readonly due: number;
  /** From the answer to the sender until a socket of the other side has the message; 0 when that was first. */
  readonly afterAnswerMs: readonly number[];
  /** From the sending until then. */
  readonly wholeMs: readonly number[];
  readonly answerMs: readonly number[];
  readonly firstFailure: string | null;
  /** Frames that came to all sockets, and their bytes without the WebSocket's own. */
  readonly frames: number;
  readonly bytes: number;
  /** User and system time of this process in the round. */
  readonly cpuS: number;
}

interface Message {
  readonly sentAt: number;
  readonly side: 'agent' | 'trader';
  answeredAt: number | null;
  readonly arrivals: number[];
}
interface Arena extends ChatOpenJob {
  readonly messages: Map<string, Message>;
  /** Messages that each side has sent. */
  readonly count: Record<Message['side'], number>;
  readonly expectedArrivals: { frames: number; bytes: number };
}

const arenas = new Map<string, Arena>();
const openAtOnce = 50;
/** For what is under way at the end of a round. */
const settleMs = 1_000;
const content =
  'My order of this morning was not filled, although the price was there. Could you have a look at it?';

function join(arena: Arena, { greeting }: Party, side: Message['side']): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(arena.socketUrl, { perMessageDeflate: false });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a socket')));
    socket.on('open', () => socket.send(greeting));
    socket.on('message', (bytes: Buffer) => {
      const at = performance.now();
      arena.expectedArrivals.frames += 1;
      arena.expectedArrivals.bytes += bytes.length;
      const frame = bytes.toString();
      if (frame.includes('"status":"error"')) reject(new Error(frame.slice(0, 300)));
      const clientId = frame.includes('"INSERT"') ? /"client_id":"([^"]+)"/.exec(frame)?.[1] : undefined;
      if (clientId === undefined) return frame.includes('postgres_changes') ? resolve() : undefined;
      const message = arena.messages.get(clientId);
      if (message && message.side !== side) message.arrivals.push(at);
    });
  });
}

async function open(job: ChatOpenJob): Promise<void> {
  const arena: Arena = {
    ...job,
    messages: new Map(),
    count: { agent: 0, trader: 0 },
    expectedArrivals: { frames: 0, bytes: 0 },
  };
  arenas.set(job.set, arena);
  const all = [
    ...job.agents.map((party) => [party, 'agent'] as const),
    ...job.traders.map((party) => [party, 'trader'] as const),
  ];
  for (let from = 0; from < all.length; from += openAtOnce) {
    await Promise.all(all.slice(from, from + openAtOnce).map(([party, side]) => join(arena, party, side)));
  }
}

async function round(arena: Arena, job: ChatRoundJob): Promise<ChatReport> {
  arena.messages.clear();
  const before = { ...arena.expectedArrivals, cpuS: cpuReport().cpuS };
  let firstFailure: string | null = null;
  const post = async (side: Message['side'], n: number) => {
    const trader = arena.traders[n % arena.traders.length];
    const sender = side === 'trader' ? trader : arena.agents[n % arena.agents.length];
    if (!trader || !sender) throw new Error('no client writes');
    const clientId = `${arena.set}-${side}-${n}`;
    const message: Message = { sentAt: performance.now(), side, answeredAt: null, arrivals: [] };
    arena.messages.set(clientId, message);
    const response = await fetch(arena.postUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...sender.headers },
      body: JSON.stringify({
        session_id: trader.sessionId,
        content,
        client_id: clientId,
        ...(arena.set === 'Fulcrum' ? {} : { role: side === 'agent' ? 'support' : 'trader' }),
      }),
    });
    const text = await response.text();
    message.answeredAt = performance.now();
    if (response.status !== 201) firstFailure ??= `${response.status} ${text.slice(0, 300)}`;
  };
  const stream = async (side: Message['side'], perSecond: number): Promise<void> => {
    const under: Promise<void>[] = [];
    const begin = performance.now();
    for (let i = 0; i < job.seconds * perSecond; i += 1) {
      await sleep(Math.max(0, begin + (i * 1000) / perSecond - performance.now()));
      arena.count[side] += 1;
      under.push(post(side, arena.count[side]));
    }
    await Promise.all(under);
  };
  await Promise.all([stream('agent', job.agentsPerSecond), stream('trader', job.tradersPerSecond)]);
  await sleep(settleMs);
  const sent = [...arena.messages.values()];
  const answeredAtOf = ({ answeredAt }: Message) => answeredAt ?? Number.POSITIVE_INFINITY;
  return {
    sent: sent.length,
    due: sent.reduce((sum, { side }) => sum + (side === 'agent' ? 1 : arena.agents.length), 0),
    afterAnswerMs: sent.flatMap((m) => m.arrivals.map((at) => Math.max(0, at - answeredAtOf(m)))),
    wholeMs: sent.flatMap(({ sentAt, arrivals }) => arrivals.map((at) => at - sentAt)),
    answerMs: sent.map((m) => answeredAtOf(m) - m.sentAt),
    firstFailure,
    frames: arena.expectedArrivals.frames - before.frames,
    bytes: arena.expectedArrivals.bytes - before.bytes,
    cpuS: cpuReport().cpuS - before.cpuS,
  };
}

process.on('message', async (command: ChatClientCommand) => {
  try {
    if (command.kind === 'open') {
      await open(command);
      process.send?.('open');
      return;
    }
    const arena = arenas.get(command.set);
    if (!arena) throw new Error(`${command.set} is not open`);
    process.send?.(await round(arena, command));
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
});
