/**
 * `npm run bench -- chat`: 20 agents and 500 open conversations at 50 messages a second, from the request until the arrival
 * at the other side's sockets: the running product beside a bare insert whose row is sent on by `ws`, alternately in one run.
 * Every agent receives every conversation, as the console does. Bounded: about a minute, 1,040 sockets, loopback only.
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatClientCommand, ChatOpenJob, ChatReport, Party } from './chat-clients.ts';
import type { ChatPeerJob, ChatPeerReady } from './chat-peer.ts';
import type {
  ChatCheck,
  ChatCost,
  ChatServerCommand,
  ChatServerJob,
  ChatServerReady,
  ChatUser,
} from './chat-server.ts';
import { ask, stop } from './children.ts';
import { joinOf, socketUrlOf } from './endpoint.ts';
import { machine, quantile, verdict } from './figures.ts';
import { withRig } from './rig.ts';

const agents = 20;
const sessions = 500;
const messagesPerSession = 20;
/** An agent may write one message a second; traders write the rest. */
const perSecond = { agents: 15, traders: 35 } as const;
const warmUpS = 2;
const roundS = 8;
const idleS = 5;
const aimP95Ms = 200;
const bare = 'bare insert and ws';
const order = ['Fulcrum', bare, bare, 'Fulcrum'] as const;
type Contender = (typeof order)[number];

const joined = (userId: string, token: string, filter: string | null) =>
  joinOf(`user:${userId}`, token, [
    {
      ...{ event: '*', schema: 'public', table: 'chat_messages' },
      ...(filter && { filter: `session_id=eq.${filter}` }),
    },
    { event: '*', schema: 'public', table: 'chat_sessions' },
  ]);

function productOf(ready: ChatServerReady): ChatOpenJob {
  const { url, anonKey, agents: staff, traders } = ready;
  const partyOf = ({ userId, token }: ChatUser, sessionId: string | null): Party => ({
    greeting: joined(userId, token, sessionId),
    headers: {
      apikey: anonKey,
      authorization: `Bearer ${token}`,
      prefer: 'return=representation',
      accept: 'application/vnd.pgrst.object+json',
    },
    sessionId,
  });
  return {
    kind: 'open',
    set: 'Fulcrum',
    socketUrl: socketUrlOf(ready),
    postUrl: `${url}/rest/v1/chat_messages?select=*`,
    agents: staff.map((user) => partyOf(user, null)),
    traders: traders.map((user) => partyOf(user, user.sessionId)),
  };
}

function peerOf({ port }: ChatPeerReady, { traders }: ChatServerReady): ChatOpenJob {
  const partyOf = (greeting: string, sessionId: string | null): Party => ({
    greeting,
    headers: {},
    sessionId,
  });
  return {
    kind: 'open',
    set: bare,
    socketUrl: `ws://127.0.0.1:${port}`,
    postUrl: `http://127.0.0.1:${port}/message`,
    agents: Array.from({ length: agents }, () => partyOf('agent', null)),
    traders: traders.map(({ sessionId }) => partyOf(sessionId, sessionId)),
  };
}

interface Totals {
  sent: number;
  due: number;
  frames: number;
  bytes: number;
  clientCpuS: number;
  readonly afterAnswerMs: number[];
  readonly wholeMs: number[];
  readonly answerMs: number[];
}
const none = (): Totals => ({
  sent: 0,
  due: 0,
  frames: 0,
  bytes: 0,
  clientCpuS: 0,
  afterAnswerMs: [],
  wholeMs: [],
  answerMs: [],
});

const spread = (valuesMs: readonly number[]) =>
  `p50 ${quantile(valuesMs, 0.5).toFixed(1)} ms, p95 ${quantile(valuesMs, 0.95).toFixed(1)} ms`;

interface Measured {
  readonly totals: Readonly<Record<Contender, Totals>>;
  /** Messages of the product's warm-up, which are stored but in no figure. */
  readonly warmUp: number;
  /** Of the product, in its own rounds and while no client wrote. */
  readonly busy: Spent;
  readonly idle: Spent;
}
interface Spent {
  readonly seconds: number;
  readonly cpuS: number;
  readonly databaseCpuS: number;
}
type SpentOn = <T>(work: () => Promise<T>) => Promise<{ result: T; spent: Spent }>;

const sumOf = (a: Spent, b: Spent): Spent => ({
  seconds: a.seconds + b.seconds,
  cpuS: a.cpuS + b.cpuS,
  databaseCpuS: a.databaseCpuS + b.databaseCpuS,
});

/** What the product's processes spend while the work is done. */
const createSpentOn =
  (product: ChildProcess): SpentOn =>
  async (work) => {
    const costOf = () => ask<ChatCost>(product, 'cost' satisfies ChatServerCommand);
    const [before, beganAt] = [await costOf(), performance.now()];
    const result = await work();
    const seconds = (performance.now() - beganAt) / 1000;
    const after = await costOf();
    const cpuS = after.cpuS - before.cpuS;
    const databaseCpuS = after.databaseCpuS - before.databaseCpuS;
    return { result, spent: { seconds, cpuS, databaseCpuS } };
  };

async function measure(clients: ChildProcess, spentOn: SpentOn): Promise<Measured> {
  const round = async (set: Contender, seconds: number): Promise<ChatReport> => {
    const job: ChatClientCommand = {
      kind: 'round',
      set,
      seconds,
      agentsPerSecond: perSecond.agents,
      tradersPerSecond: perSecond.traders,
    };
    const report = await ask<ChatReport>(clients, job);
    if (report.firstFailure !== null) throw new Error(`${set} refused a message: ${report.firstFailure}`);
    return report;
  };
  const totals = { Fulcrum: none(), [bare]: none() };
  const warmUp = (await round('Fulcrum', warmUpS)).sent;
  await round(bare, warmUpS);
  const { spent: idle } = await spentOn(() => sleep(idleS * 1000));
  let busy: Spent = { seconds: 0, cpuS: 0, databaseCpuS: 0 };
  for (const contender of order) {
    const { result: report, spent } = await spentOn(() => round(contender, roundS));
    if (contender === 'Fulcrum') busy = sumOf(busy, spent);
    const total = totals[contender];
    total.sent += report.sent;
    total.due += report.due;
    total.frames += report.frames;
    total.bytes += report.bytes;
    total.clientCpuS += report.cpuS;
    for (const what of ['afterAnswerMs', 'wholeMs', 'answerMs'] as const) total[what].push(...report[what]);
    console.log(`${contender.padEnd(20)}${report.sent} messages, delivered: ${spread(report.wholeMs)}`);
  }
  return { totals, warmUp, busy, idle };
}

/** Processor time of one message, less what the idle product uses. */
function costLine({ totals, busy, idle }: Measured): string {
  const { sent, frames, bytes, clientCpuS } = totals.Fulcrum;
  const msOf = (what: 'cpuS' | 'databaseCpuS') =>
    ((busy[what] - (idle[what] * busy.seconds) / idle.seconds) * 1000) / sent;
  return (
    `Fulcrum, a message: ${msOf('cpuS').toFixed(2)} ms of the server's processor and ${msOf('databaseCpuS').toFixed(2)} ms of PostgreSQL's ` +
    `(beyond ${((idle.cpuS * 100) / idle.seconds).toFixed(0)} % of a core that it uses while idle), ` +
    `${(frames / sent).toFixed(1)} frames to all sockets, ${(bytes / sent / 1024).toFixed(1)} KiB; ` +
    `the clients' own ${((clientCpuS * 1000) / sent).toFixed(2)} ms are beside it`
  );
}

export async function benchChat(): Promise<void> {
  await withRig(async ({ cluster, dataDir, begin }) => {
    const product = begin('./chat-server.ts');
    const databaseUrl = await cluster.createDatabase('chat');
    const ready = await ask<ChatServerReady>(product, {
      databaseUrl,
      dataDir,
      agents,
      sessions,
      messagesPerSession,
    } satisfies ChatServerJob);
    const peer = begin('./chat-peer.ts');
    const peerReady = await ask<ChatPeerReady>(peer, {
      databaseUrl: await cluster.createDatabase('peer'),
    } satisfies ChatPeerJob);
    const clients = begin('./chat-clients.ts');
    for (const job of [productOf(ready), peerOf(peerReady, ready)]) {
      await ask(clients, job);
    }

    console.log(`${machine}, PostgreSQL ${cluster.version}, synchronous_commit=on`);
    console.log(
      `${agents} agents, ${sessions} open conversations, ${perSecond.agents + perSecond.traders} messages/s, ${roundS} s a round\n`,
    );
    const measured = await measure(clients, createSpentOn(product));
    const { totals, warmUp } = measured;
    console.log('');
    for (const contender of ['Fulcrum', bare] as const) {
      const { wholeMs, afterAnswerMs, answerMs, due } = totals[contender];
      console.log(
        `${contender.padEnd(20)}sent to delivered ${spread(wholeMs)}; after the answer ${spread(afterAnswerMs)}; ` +
          `answered ${spread(answerMs)}; ${wholeMs.length} of ${due} delivered`,
      );
    }
    const stored = await ask<ChatCheck>(product, 'check' satisfies ChatServerCommand);
    const own = totals.Fulcrum;
    const sent = own.sent + warmUp;
    if (stored.messages !== sent || stored.broken > 0) {
      throw new Error(`${sent} sent, ${stored.messages} stored, ${stored.broken} conversations out of order`);
    }
    console.log(costLine(measured));
    const p95 = quantile(own.wholeMs, 0.95);
    const isMet = p95 <= aimP95Ms && own.wholeMs.length === own.due;
    console.log(
      `\n${(p95 / quantile(totals[bare].wholeMs, 0.95)).toFixed(2)} x ${bare} at p95; every conversation numbered without a gap; ` +
        `aim: delivered within ${aimP95Ms} ms at p95, and every message: ${verdict(isMet)}`,
    );
    await stop(product);
  });
}
