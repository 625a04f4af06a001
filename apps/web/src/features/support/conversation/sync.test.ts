import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TimelineSync } from './sync.ts';
import { hasEarlier, type Page } from './timeline.ts';
import type { ChatMessage, ChatSession } from './types.ts';

const pageMax = 3;

const messageOf = (seq: number): ChatMessage => ({
  id: `m${seq}`,
  session_id: 's',
  user_id: 'u',
  seq,
  sender_id: 'u',
  sender_role: 'trader',
  sender_name: 'u',
  content: `${seq}`,
  created_at: new Date(seq).toISOString(),
  read_at: null,
  client_id: `c${seq}`,
  attachment_id: null,
});

const sessionOf = (lastSeq: number, version = lastSeq): ChatSession => ({
  id: 's',
  user_id: 'u',
  status: 'open',
  created_at: '',
  updated_at: '',
  closed_at: null,
  support_id: null,
  last_seq: lastSeq,
  version,
  trader_seen_seq: 0,
  trader_seen_at: null,
  support_seen_seq: 0,
  unread_count: 0,
  trader_unread_count: 0,
  waiting_since: null,
  last_message: null,
  last_message_at: null,
  last_sender_role: null,
  last_agent_id: null,
  assigned_to: null,
  rating: null,
  rating_comment: null,
  rated_at: null,
});

/** A server that computes an answer at the request and delivers it when the test releases it. */
function slowServer() {
  let last = 0;
  const onTheirWay: ((arrives: boolean) => void)[] = [];
  const answer = (rows: readonly number[], hasMore: boolean): Promise<Page> => {
    const page = { session: sessionOf(last), messages: rows.map(messageOf), has_more: hasMore };
    return new Promise((resolve, reject) => {
      onTheirWay.push((arrives) => (arrives ? resolve(page) : reject(new Error('lost'))));
    });
  };
  return {
    get last() {
      return last;
    },
    write: () => messageOf(++last),
    readAfter(seq: number) {
      const all = Array.from({ length: last - seq }, (_, at) => seq + 1 + at);
      return answer(all.slice(0, pageMax), all.length > pageMax);
    },
    readBefore(seq: number | null) {
      const all = Array.from({ length: Math.min(last, (seq ?? last + 1) - 1) }, (_, at) => at + 1);
      return answer(all.slice(-pageMax), all.length > pageMax);
    },
    hasRequests: () => onTheirWay.length > 0,
    settle: (arrives: boolean) => onTheirWay.shift()?.(arrives),
  };
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

function syncWith(server: ReturnType<typeof slowServer>): TimelineSync {
  return new TimelineSync({
    readAfter: server.readAfter,
    readBefore: server.readBefore,
    onChange: () => {},
    onFailure: () => {},
    isFinal: () => false,
    wait: async () => {
      await nextTask();
    },
  });
}

const seqsOf = ({ timeline }: TimelineSync) => timeline.messages.map(({ seq }) => seq);
const isWithoutHole = (seqs: readonly number[]) => seqs.every((seq, at) => seq === (seqs[0] ?? 0) + at);

async function letEverythingArrive(server: ReturnType<typeof slowServer>) {
  for (let quiet = 0; quiet < 3; ) {
    quiet = server.hasRequests() ? 0 : quiet + 1;
    server.settle(true);
    await nextTask();
  }
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant('written and announced' as const) },
  { weight: 3, arbitrary: fc.constant('written, its event lost' as const) },
  { weight: 2, arbitrary: fc.constant('an old event again' as const) },
  { weight: 2, arbitrary: fc.constant('events in reverse' as const) },
  { weight: 2, arbitrary: fc.constant('session announced' as const) },
  { weight: 3, arbitrary: fc.constant('joined again' as const) },
  { weight: 4, arbitrary: fc.constant('an answer arrives' as const) },
  { weight: 2, arbitrary: fc.constant('an answer is lost' as const) },
  { weight: 1, arbitrary: fc.constant('earlier ones are requested' as const) },
);

test('any interleaving of snapshots, events, repeats, gaps, reconnects and lost answers ends with the whole list in order, none twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(12), fc.array(step, { maxLength: 60 }), async (before, steps) => {
      const server = slowServer();
      for (let i = 0; i < before; i += 1) server.write();
      const sync = syncWith(server);
      sync.catchUp();
      for (const one of steps) {
        if (one === 'written and announced') sync.offerMessage(server.write());
        else if (one === 'written, its event lost') server.write();
        else if (one === 'an old event again' && server.last > 0)
          sync.offerMessage(messageOf(Math.ceil(server.last / 2)));
        else if (one === 'events in reverse') {
          const [first, second] = [server.write(), server.write()];
          sync.offerMessage(second);
          sync.offerMessage(first);
        } else if (one === 'session announced') sync.offerSession(sessionOf(server.last));
        else if (one === 'joined again') sync.catchUp();
        else if (one === 'an answer arrives') server.settle(true);
        else if (one === 'an answer is lost') server.settle(false);
        else if (one === 'earlier ones are requested') void sync.readEarlier();
        await nextTask();
        expect(isWithoutHole(seqsOf(sync))).toBe(true);
      }
      // The connection is back, or half a minute has passed.
      sync.catchUp();
      await letEverythingArrive(server);
      while (hasEarlier(sync.timeline)) {
        const reading = sync.readEarlier();
        await letEverythingArrive(server);
        await reading;
      }
      expect(seqsOf(sync)).toEqual(Array.from({ length: server.last }, (_, at) => at + 1));
      expect(sync.timeline.ahead.size).toBe(0);
      expect(sync.isComplete).toBe(true);
      expect(sync.timeline.session?.last_seq ?? 0).toBe(server.last);
      sync.stop();
    }),
    { numRuns: 150 },
  );
});

test('more than a page of missed messages is read in a loop, after one event beyond it', async () => {
  const server = slowServer();
  const sync = syncWith(server);
  sync.catchUp();
  await letEverythingArrive(server);
  for (let i = 0; i < 20; i += 1) server.write();
  sync.offerMessage(server.write());
  await letEverythingArrive(server);
  expect(seqsOf(sync)).toHaveLength(21);
});

test('an older state of the session never replaces a newer one', () => {
  const sync = syncWith(slowServer());
  sync.offerSession({ ...sessionOf(0, 5), status: 'closed' });
  sync.offerSession(sessionOf(0, 4));
  expect(sync.timeline.session?.status).toBe('closed');
  sync.stop();
});

test('a read mark of a message stays, whatever arrives later', async () => {
  const server = slowServer();
  const sync = syncWith(server);
  sync.catchUp();
  await letEverythingArrive(server);
  const row = server.write();
  sync.offerMessage({ ...row, read_at: 'then' });
  sync.offerMessage(row);
  expect(sync.timeline.messages[0]?.read_at).toBe('then');
  sync.stop();
});

test('a final refusal is not retried', async () => {
  let requests = 0;
  const sync = new TimelineSync({
    readAfter: () => Promise.reject(new Error('no')),
    readBefore: () => {
      requests += 1;
      return Promise.reject(new Error('not found'));
    },
    onChange: () => {},
    onFailure: () => {},
    isFinal: () => true,
    wait: () => Promise.resolve(),
  });
  sync.catchUp();
  await nextTask();
  expect([requests, sync.hasFailed]).toEqual([1, true]);
});
