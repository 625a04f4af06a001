import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { log } from '../../../shared/log/log.ts';
import type { Supabase } from '../../../shared/supabase/index.ts';
import { createSessionFeed, type FeedListeners } from './session-feed.ts';

const row = (id: string, with_: object = {}) => ({
  id,
  status: 'open',
  version: 1,
  last_seq: 1,
  created_at: '2026-11-21T10:00:00Z',
  user: { username: id, email: `${id}@mail.test` },
  ...with_,
});

/** A server whose rows and channel the test sets. */
function fakeServer(rows: object[]) {
  const reads: string[] = [];
  const server: { rows: object[]; isAway: boolean; reads: string[]; state: string } = {
    rows,
    isAway: false,
    reads,
    state: 'closed',
  };
  const calls: ((change: object) => void)[] = [];
  let joined: (status: string) => void = () => {};
  const request = (ids: readonly string[] | null) => {
    reads.push(ids === null ? 'all' : ids.join());
    if (server.isAway) return Promise.resolve({ data: null, error: { message: 'away' }, status: 0 });
    const found = server.rows.filter((one) => ids === null || ids.includes((one as { id: string }).id));
    return Promise.resolve({ data: found, error: null, status: 200 });
  };
  const select = {
    eq: () => ({ order: () => ({ limit: () => request(null) }) }),
    in: (_column: string, ids: string[]) => ({ eq: () => request(ids) }),
  };
  const channel = {
    get state() {
      return server.state;
    },
    on: (_kind: string, _asked: object, call: (change: object) => void) => {
      calls.push(call);
    },
    subscribe: (call: (status: string) => void) => {
      joined = call;
    },
  };
  const supabase = {
    rest: { from: () => ({ select: () => select }) },
    realtime: {
      setAuth: async () => {},
      channel: () => channel,
      removeChannel: async () => 'ok',
    },
  } as unknown as Supabase;
  return {
    server,
    supabase,
    join: () => {
      server.state = 'joined';
      joined('SUBSCRIBED');
    },
    lose: () => {
      server.state = 'errored';
      joined('CHANNEL_ERROR');
    },
    announce: (table: string, eventType: string, now: object, old: object = {}) => {
      for (const call of calls) call({ table, eventType, new: now, old });
    },
  };
}

const listeners = (): FeedListeners => ({
  onMessage: vi.fn(),
  onNote: vi.fn(),
  onTriage: vi.fn(),
  onClosed: vi.fn(),
});
const settle = () => vi.advanceTimersByTimeAsync(500);

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(log, 'warn').mockReturnValue();
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  vi.stubGlobal('addEventListener', vi.fn());
  vi.stubGlobal('removeEventListener', vi.fn());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function started(rows: object[]) {
  const fake = fakeServer(rows);
  const feed = createSessionFeed(fake.supabase, 'agent');
  const calls = listeners();
  const stop = feed.start(calls);
  await settle();
  fake.join();
  await settle();
  fake.server.reads.length = 0;
  return { ...fake, feed, calls, stop, ids: () => [...feed.get().sessions.keys()].sort() };
}

describe('the open conversations', () => {
  test('are live only after the channel is joined and a read followed', async () => {
    const fake = fakeServer([row('a')]);
    const feed = createSessionFeed(fake.supabase, 'agent');
    const stop = feed.start(listeners());
    await settle();
    expect(feed.get()).toMatchObject({ status: 'ready', isLive: false });
    fake.join();
    await settle();
    expect(feed.get().isLive).toBe(true);
    fake.lose();
    expect(feed.get().isLive).toBe(false);
    stop();
  });
  test('A67: a new one is read with its name, changes and closes apply, a deleted one is removed', async () => {
    const { announce, server, ids, feed, calls, stop } = await started([row('a'), row('b')]);
    server.rows.push(row('c'));
    announce('chat_sessions', 'INSERT', row('c', { user: undefined }));
    await settle();
    expect(server.reads).toEqual(['c']);
    expect(feed.get().sessions.get('c')?.user?.username).toBe('c');
    announce('chat_sessions', 'UPDATE', row('a', { version: 2, unread_count: 3, user: undefined }));
    expect(feed.get().sessions.get('a')).toMatchObject({ unread_count: 3, user: { username: 'a' } });
    announce('chat_sessions', 'UPDATE', row('a', { version: 3, status: 'closed' }));
    expect(calls.onClosed).toHaveBeenCalledTimes(1);
    announce('chat_sessions', 'DELETE', {}, { id: 'b' });
    expect(ids()).toEqual(['c']);
    stop();
  });
  test('a message ahead of its conversation causes a read, unless the row arrived meanwhile', async () => {
    const { announce, server, feed, calls, stop } = await started([row('a'), row('b')]);
    server.rows = [row('a', { version: 4, last_seq: 2 }), row('b')];
    announce('chat_messages', 'INSERT', { session_id: 'a', seq: 2 });
    announce('chat_messages', 'INSERT', { session_id: 'b', seq: 2 });
    announce('chat_sessions', 'UPDATE', row('b', { version: 2, last_seq: 2 }));
    await settle();
    expect(server.reads).toEqual(['a']);
    expect(feed.get().sessions.get('a')?.version).toBe(4);
    expect(calls.onMessage).toHaveBeenCalledTimes(2);
    stop();
  });
  test('are read again every 30 s; a failure is reported and keeps the previous data', async () => {
    const { server, feed, ids, stop } = await started([row('a')]);
    server.isAway = true;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(feed.get()).toMatchObject({ status: 'ready', isLive: false });
    expect(ids()).toEqual(['a']);
    server.isAway = false;
    server.rows = [row('b')];
    await vi.advanceTimersByTimeAsync(30_000);
    expect(feed.get().isLive).toBe(true);
    expect(ids()).toEqual(['b']);
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });
  test('a first failure is an error that can be retried', async () => {
    const fake = fakeServer([row('a')]);
    fake.server.isAway = true;
    const feed = createSessionFeed(fake.supabase, 'agent');
    const stop = feed.start(listeners());
    await settle();
    expect(feed.get().status).toBe('failed');
    fake.server.isAway = false;
    feed.refresh();
    await settle();
    expect(feed.get().status).toBe('ready');
    stop();
  });
  test('a burst of changes notifies only a few times', async () => {
    const { announce, feed, stop } = await started([row('a')]);
    const drawn = vi.fn();
    feed.subscribe(drawn);
    for (let version = 2; version <= 500; version += 1)
      announce('chat_sessions', 'UPDATE', row('a', { version }));
    await settle();
    expect(drawn).toHaveBeenCalledTimes(1);
    expect(feed.get().sessions.get('a')?.version).toBe(500);
    stop();
  });
});
