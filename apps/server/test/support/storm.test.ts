/**
 * The protocol of a conversation in a bad network: both sides write through the browser's own outbox and reading, over lines
 * that lose one answer in five, cut their sockets at random and are gone for a while. STORM_SEED repeats a run's choices,
 * though not the machine's timing.
 */
import { randomUUID } from 'node:crypto';
import type { Database } from '@fulcrum/contract/database';
import { createClient, type RealtimeChannel } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Attempt, Outbox } from '../../../web/src/features/support/conversation/outbox.ts';
import type { Queue } from '../../../web/src/features/support/conversation/queue.ts';
import { TimelineSync } from '../../../web/src/features/support/conversation/sync.ts';
import { getLastSeq, hasEarlier } from '../../../web/src/features/support/conversation/timeline.ts';
import type { ChatMessage, ChatSession } from '../../../web/src/features/support/conversation/types.ts';
import { testPassword } from '../harness/index.ts';
import { type LossyProxy, startLossyProxy } from '../harness/lossy-proxy.ts';
import { createRandom } from '../long/trading-stream.ts';
import { pause, until } from '../realtime/realtime-server.ts';
import { type ChatServer, type ChatUser, type Client, openSession, startChatServer } from './chat-users.ts';

const each = 250;
/** Messages that the trader misses at once. */
const missed = 120;
const seed = Number(process.env.STORM_SEED ?? Date.now() % 1_000_000);
const random = createRandom(seed);
const retryMs = 20;

let server: ChatServer;
let trader: ChatUser;
let agent: ChatUser;
beforeAll(async () => {
  server = await startChatServer();
  [trader, agent] = [await server.addChatUser('trader'), await server.addChatUser('support')];
});
afterAll(() => server.close());

const failed = (): never => {
  throw new Error('no answer');
};
const soon = (_ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, retryMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** One side of the conversation: what the browser's code makes of the client that it is given. */
class Participant {
  readonly sync: TimelineSync;
  readonly acknowledged = new Set<string>();
  readonly #outbox: Outbox;
  readonly #channel: RealtimeChannel;
  readonly #client: Client;
  readonly #sessionId: string;
  #queue: Queue = [];

  constructor(client: Client, sessionId: string) {
    this.#client = client;
    this.#sessionId = sessionId;
    const page = async (p_after_seq: number, p_before_seq?: number) => {
      const args = {
        p_session_id: sessionId,
        p_after_seq,
        ...(p_before_seq !== undefined && { p_before_seq }),
      };
      return (await client.rpc('get_chat_updates', args)).data ?? failed();
    };
    this.sync = new TimelineSync({
      readAfter: (seq) => page(seq),
      readBefore: (seq) => page(0, seq ?? Number.MAX_SAFE_INTEGER),
      onChange: () => this.#settle(),
      onFailure: () => {},
      isFinal: () => false,
      wait: soon,
    });
    this.#outbox = new Outbox({
      read: () => this.#queue,
      write: (queue) => {
        this.#queue = queue;
      },
      send: ({ content, clientId }) => this.#attempt(content, clientId),
      reopen: null,
      isEnded: () => false,
      onSent: (message) => {
        this.acknowledged.add(message.id);
        this.sync.offerMessage(message);
        this.#settle();
      },
      onChange: () => {},
      runExclusive: (work) => work(),
      onError: (cause) => {
        throw cause;
      },
      wait: soon,
      missedText: 'not sent',
    });
    const of = (table: string, column: string) =>
      ({ event: '*', schema: 'public', table, filter: `${column}=eq.${sessionId}` }) as const;
    this.#channel = client
      .channel(`chat:${sessionId}`, { config: { private: true } })
      .on('postgres_changes', of('chat_messages', 'session_id'), ({ new: row }) =>
        this.sync.offerMessage(row as ChatMessage),
      )
      .on('postgres_changes', of('chat_sessions', 'id'), ({ new: row }) =>
        this.sync.offerSession(row as ChatSession),
      )
      .subscribe((status) => (status === 'SUBSCRIBED' ? this.sync.catchUp() : this.sync.markIncomplete()));
    this.sync.catchUp();
  }

  async #attempt(content: string, clientId: string): Promise<Attempt> {
    // Half a second of the server's time per message of either side: a person's pace is one a second.
    server.clock.advance(501);
    const row = { session_id: this.#sessionId, content, client_id: clientId };
    const { data, error, status } = await this.#client.from('chat_messages').insert(row).select().single();
    if (data) return { kind: 'sent', message: data };
    if (status === 0 || status === 429) return { kind: 'missed', error: error.message, waitMs: null };
    return { kind: 'refused', error: error.message };
  }

  #settle(): void {
    for (const { clientId } of this.#queue) {
      if (this.sync.timeline.messages.some(({ client_id }) => client_id === clientId))
        this.#outbox.settle(clientId);
    }
  }

  get lastSeq(): number {
    return getLastSeq(this.sync.timeline);
  }
  get refused(): Queue {
    return this.#queue.filter(({ isRefused }) => isRefused);
  }

  async writeAll(name: string): Promise<void> {
    for (let n = 0; n < each; n += 1) {
      await until(() => this.#queue.length < 10, 150_000);
      this.#outbox.add({
        clientId: randomUUID(),
        sessionId: this.#sessionId,
        content: `${name} ${n}`,
        writtenAt: '',
        isTried: false,
        error: null,
        isRefused: false,
      });
    }
    await until(() => this.#queue.length === 0, 150_000);
  }

  async leave(): Promise<void> {
    this.sync.stop();
    this.#outbox.stop();
    await this.#client.removeChannel(this.#channel);
    await this.#client.realtime.disconnect();
  }
}

async function clientOver(line: LossyProxy, { email }: ChatUser): Promise<Client> {
  const client = createClient<Database>(line.url, server.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false, storageKey: randomUUID() },
    // The server's clock runs faster than the client's beats.
    realtime: { reconnectAfterMs: () => retryMs, heartbeatIntervalMs: 500 },
  });
  for (;;) {
    const { error } = await client.auth.signInWithPassword({ email, password: testPassword });
    if (!error) return client;
    if (error.status) throw error;
  }
}

test(`500 messages of both sides over lines that lose answers and sockets: both hold all, in order, none twice (STORM_SEED=${seed})`, async () => {
  const { id } = await openSession(trader);
  const isLost = () => random() < 0.2;
  const lines = [
    await startLossyProxy(server.url, isLost),
    await startLossyProxy(server.url, isLost),
  ] as const;
  const [traderLine] = lines;
  const here = new Participant(await clientOver(traderLine, trader), id);
  const there = new Participant(await clientOver(lines[1], agent), id);
  let isOver = false;
  const cutting = (async () => {
    while (!isOver) {
      await pause(40 + random() * 160);
      lines[random() < 0.5 ? 0 : 1].cutSockets();
    }
  })();
  let gap = 0;
  const away = (async () => {
    await until(() => here.lastSeq >= 100, 150_000);
    traderLine.goDown();
    const from = here.lastSeq;
    await until(() => there.lastSeq >= from + missed, 150_000);
    gap = there.lastSeq - here.lastSeq;
    traderLine.comeBack();
  })();

  try {
    await Promise.all([here.writeAll('trader'), there.writeAll('support'), away]);
    isOver = true;
    await cutting;
    await until(() => here.lastSeq === 2 * each && there.lastSeq === 2 * each, 150_000);
    expect([...here.refused, ...there.refused]).toEqual([]);
    expect(gap).toBeGreaterThan(100);

    const { rows: stored } = await server.db.query<{ id: string; content: string }>(
      'select id, content from app.chat_messages where session_id = $1 order by seq',
      [id],
    );
    expect(stored).toHaveLength(2 * each);
    const own = (name: string) =>
      stored.map(({ content }) => content).filter((content) => content.startsWith(name));
    for (const name of ['trader', 'support']) {
      expect(own(name)).toEqual(Array.from({ length: each }, (_, n) => `${name} ${n}`));
    }
    // Who comes afterwards reads the same, page by page.
    const late = new Participant(agent.client, id);
    await until(() => late.lastSeq === 2 * each, 150_000);
    while (hasEarlier(late.sync.timeline)) await late.sync.readEarlier();
    for (const { sync, acknowledged } of [here, there, late]) {
      expect(sync.timeline.messages.map((row) => row.id)).toEqual(stored.map((row) => row.id));
      expect(sync.timeline.messages.map(({ seq }) => seq)).toEqual(stored.map((_, n) => n + 1));
      expect(stored.filter((row) => acknowledged.has(row.id))).toHaveLength(acknowledged.size);
      expect(sync.timeline.session).toMatchObject({ last_seq: 2 * each, status: 'open' });
    }
    await late.leave();
    const [answers, lost, cut] = (['answers', 'lost', 'cut'] as const).map(
      (what) => lines[0].counts[what] + lines[1].counts[what],
    );
    process.stdout.write(
      `storm: ${lost} of ${answers} answers lost, ${cut} sockets cut, ${gap} messages missed at once\n`,
    );
    expect(lost).toBeGreaterThan(each / 10);
    expect(cut).toBeGreaterThan(10);
  } finally {
    isOver = true;
    await Promise.all([here.leave(), there.leave()]);
    for (const line of lines) await line.close();
  }
}, 300_000);
