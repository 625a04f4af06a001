import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Attempt, Outbox } from './outbox.ts';
import { parseQueue, type Queue, type Queued, toOutgoing } from './queue.ts';
import type { ChatMessage } from './types.ts';

const nextTask = () => new Promise((resolve) => setTimeout(resolve));
const never = () => new Promise<void>(() => {});

const itemOf = (clientId: string, sessionId = 's1'): Queued => ({
  clientId,
  sessionId,
  content: clientId,
  writtenAt: '2026-11-21T10:00:00.000Z',
  isTried: false,
  error: null,
  isRefused: false,
});

const messageOf = (seq: number, { clientId, sessionId, content }: Queued): ChatMessage => ({
  id: `${sessionId}-${seq}`,
  session_id: sessionId,
  user_id: 'u',
  seq,
  sender_id: 'u',
  sender_role: 'trader',
  sender_name: 'u',
  content,
  created_at: '2026-11-21T10:00:00.000Z',
  read_at: null,
  client_id: clientId,
  attachment_id: null,
});

/** A server that accepts each client id once; `fate` decides the result of an attempt and of its answer. */
function takingServer(fate: () => 'answered' | 'answer lost' | 'never arrived' | 'wait') {
  const taken: ChatMessage[] = [];
  const closed = new Set<string>();
  const send = async (item: Queued): Promise<Attempt> => {
    await nextTask();
    const decided = fate();
    const there = taken.find((one) => one.client_id === item.clientId && one.session_id === item.sessionId);
    if (decided === 'wait') return { kind: 'missed', error: 'wait', waitMs: 1 };
    if (decided === 'never arrived') return { kind: 'missed', error: 'away', waitMs: null };
    if (!there && closed.has(item.sessionId)) return { kind: 'closed', error: 'closed' };
    const message = there ?? messageOf(taken.length + 1, item);
    if (!there) taken.push(message);
    return decided === 'answered'
      ? { kind: 'sent', message }
      : { kind: 'missed', error: 'answer lost', waitMs: null };
  };
  return { taken, closed, send };
}

interface Tab {
  readonly outbox: Outbox;
  readonly changes: Queue[];
}

function tabOf(
  store: { queue: Queue },
  send: (item: Queued) => Promise<Attempt>,
  more: {
    isEnded?: (sessionId: string) => boolean;
    reopen?: () => Promise<string>;
    wait?: () => Promise<void>;
    alone?: (work: () => Promise<void>) => Promise<void>;
    settles?: boolean;
  } = {},
): Tab {
  const changes: Queue[] = [];
  const outbox: Outbox = new Outbox({
    read: () => store.queue,
    write: (queue) => {
      store.queue = queue;
    },
    send,
    isEnded: more.isEnded ?? (() => false),
    reopen: more.reopen ?? null,
    onSent: ({ client_id }) => {
      if (more.settles !== false && client_id !== null) outbox.settle(client_id);
    },
    onChange: () => changes.push(store.queue),
    runExclusive: more.alone ?? ((work) => work()),
    onError: () => {},
    wait: more.wait ?? (async () => void (await nextTask())),
    missedText: 'away',
  });
  return { outbox, changes };
}

async function untilQuiet(store: { queue: Queue }) {
  for (let left = 400; left > 0 && store.queue.length > 0; left -= 1) await nextTask();
}

test('despite losses, repeats, reloads and two tabs, each message is accepted once and in order', async () => {
  const fate = fc.constantFrom('answered', 'answer lost', 'never arrived', 'wait' as const);
  const action = fc.constantFrom('write', 'flush', 'reload', 'other tab', 'pass' as const);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fate, { maxLength: 30 }),
      fc.array(action, { maxLength: 25 }),
      async (fates, actions) => {
        let fated = 0;
        const server = takingServer(() => fates[fated++] ?? 'answered');
        const store = { queue: [] as Queue };
        let tab = tabOf(store, server.send);
        let other: Tab | null = null;
        let written = 0;
        for (const one of actions) {
          if (one === 'write') {
            written += 1;
            tab.outbox.add(itemOf(`c${written}`));
          } else if (one === 'flush') tab.outbox.flush();
          else if (one === 'reload') {
            tab.outbox.stop();
            tab = tabOf(store, server.send);
            tab.outbox.flush();
          } else if (one === 'other tab') {
            other ??= tabOf(store, server.send);
            other.outbox.flush();
          }
          await nextTask();
        }
        tab.outbox.flush();
        await untilQuiet(store);
        expect(store.queue).toEqual([]);
        expect(server.taken.map(({ client_id }) => client_id)).toEqual(
          Array.from({ length: written }, (_, at) => `c${at + 1}`),
        );
        tab.outbox.stop();
        other?.outbox.stop();
      },
    ),
    { numRuns: 150 },
  );
});

test('a refusal is shown, and later messages wait for the decision of the user', async () => {
  const store = { queue: [] as Queue };
  let refuses: boolean = true;
  const sent: string[] = [];
  const { outbox } = tabOf(store, async (item) => {
    if (refuses) return { kind: 'refused', error: 'Too long' };
    sent.push(item.clientId);
    return { kind: 'sent', message: messageOf(sent.length, item) };
  });
  outbox.add(itemOf('a'));
  outbox.add(itemOf('b'));
  await nextTask();
  const shown = toOutgoing(store.queue, () => false);
  expect(shown.map(({ state, error }) => [state, error])).toEqual([
    ['failed', 'Too long'],
    ['waiting', null],
  ]);
  refuses = false;
  outbox.retry('a');
  await untilQuiet(store);
  expect(sent).toEqual(['a', 'b']);
});

test('a discarded item releases the next one', async () => {
  const store = { queue: [] as Queue };
  const sent: string[] = [];
  const { outbox } = tabOf(store, async (item) => {
    if (item.clientId === 'a') return { kind: 'refused', error: 'no' };
    sent.push(item.clientId);
    return { kind: 'sent', message: messageOf(1, item) };
  });
  outbox.add(itemOf('a'));
  outbox.add(itemOf('b'));
  await nextTask();
  outbox.discard('a');
  await untilQuiet(store);
  expect(sent).toEqual(['b']);
});

test('A66: a message that a closed conversation refuses starts the next one, and later ones follow', async () => {
  const server = takingServer(() => 'answered');
  server.closed.add('s1');
  const store = { queue: [] as Queue };
  const { outbox } = tabOf(store, server.send, { reopen: async () => 's2' });
  outbox.add(itemOf('a'));
  outbox.add(itemOf('b'));
  await untilQuiet(store);
  expect(server.taken.map((one) => [one.client_id, one.session_id])).toEqual([
    ['a', 's2'],
    ['b', 's2'],
  ]);
});

test('A66: a conversation that is known to be closed gets no request', async () => {
  const server = takingServer(() => 'answered');
  const store = { queue: [] as Queue };
  const requested: string[] = [];
  const send = (item: Queued) => {
    requested.push(item.sessionId);
    return server.send(item);
  };
  const { outbox } = tabOf(store, send, { isEnded: (id) => id === 's1', reopen: async () => 's2' });
  outbox.add(itemOf('a'));
  outbox.add(itemOf('b'));
  await untilQuiet(store);
  expect(requested).toEqual(['s2', 's2']);
});

test('a message accepted before the close is not sent again into the next conversation', async () => {
  let isFirst = true;
  const server = takingServer(() => {
    const fate = isFirst ? 'answer lost' : 'answered';
    isFirst = false;
    return fate;
  });
  const store = { queue: [] as Queue };
  const { outbox } = tabOf(
    store,
    async (item) => {
      const attempt = await server.send(item);
      server.closed.add('s1');
      return attempt;
    },
    { reopen: async () => 's2' },
  );
  outbox.add(itemOf('a'));
  await untilQuiet(store);
  expect(server.taken).toHaveLength(1);
});

test('a failure is shown after the third miss, and retries continue', async () => {
  const store = { queue: [] as Queue };
  let misses = 0;
  const { outbox } = tabOf(
    store,
    async (item) => {
      misses += 1;
      if (misses < 5) return { kind: 'missed', error: 'away', waitMs: null };
      return { kind: 'sent', message: messageOf(1, item) };
    },
    { settles: false },
  );
  outbox.add(itemOf('a'));
  const states: (string | null)[] = [];
  for (let i = 0; i < 40; i += 1) {
    states.push(store.queue[0]?.error ?? null);
    await nextTask();
  }
  expect(states).toContain('away');
  expect(store.queue[0]?.error).toBeNull();
  expect(misses).toBe(5);
});

test('nothing is sent after the stop', async () => {
  const store = { queue: [] as Queue };
  let sent = 0;
  const { outbox } = tabOf(
    store,
    async () => {
      sent += 1;
      return { kind: 'missed', error: 'away', waitMs: null };
    },
    { wait: never },
  );
  outbox.add(itemOf('a'));
  await nextTask();
  outbox.stop();
  outbox.flush();
  await nextTask();
  expect([sent, store.queue.length]).toEqual([1, 1]);
});

test('a stored queue is restored, and an invalid one counts as empty', () => {
  const queue = [itemOf('a')];
  expect(parseQueue(JSON.stringify(queue))).toEqual(queue);
  for (const text of [null, '', '{', '{}', '[1,null,{}]', '[{"clientId":1}]'])
    expect(parseQueue(text)).toEqual([]);
});

test('a lock that the browser refuses once does not block later attempts', async () => {
  const server = takingServer(() => 'answered');
  const store = { queue: [] as Queue };
  const refusals = [new DOMException('not active', 'InvalidStateError')];
  const { outbox } = tabOf(store, server.send, {
    alone: async (work) => {
      const refusal = refusals.pop();
      if (refusal) throw refusal;
      await work();
    },
  });
  outbox.add(itemOf('c1'));
  await nextTask();
  outbox.flush();
  await untilQuiet(store);
  expect(server.taken).toHaveLength(1);
  outbox.stop();
});
