import type { Json } from '@fulcrum/contract/database';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type SyncedSetting, syncSettings } from './settings-sync.ts';

/** A store of one text, as a browser's copy. */
function createStore(initial: string) {
  let text = initial;
  const listeners = new Set<() => void>();
  const set = (next: string) => {
    text = next;
    for (const listener of listeners) listener();
  };
  const setting: SyncedSetting = {
    key: 'layout',
    read: () => ({ text }),
    initial: { text: 'default' },
    apply: (stored) => set((stored as { text?: string } | null)?.text ?? 'default'),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return { setting, set, text: () => text };
}

/** The server's rows; `fails` refuses every request. */
function createServer(rows: Record<string, Json> = {}) {
  const sent: Json[] = [];
  /** Also the time of the rows. */
  let writes = 0;
  const server = {
    rows,
    sent,
    fails: false as boolean,
    transport: {
      load: async () => {
        if (server.fails) throw new Error('away');
        return Object.entries(rows).map(([key, value]) => ({ key, value, updatedAt: `${writes}` }));
      },
      save: async (key: string, value: Json) => {
        if (server.fails) throw new Error('away');
        rows[key] = value;
        sent.push(value);
        writes += 1;
        return `${writes}`;
      },
      saveOnUnload: (key: string, value: Json) => {
        rows[key] = value;
        writes += 1;
      },
    },
  };
  return server;
}

/** Calls the listener of `pagehide`. */
let hide: () => void;
const settle = () => vi.advanceTimersByTimeAsync(2_000);

beforeEach(() => {
  vi.useFakeTimers();
  const items = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => items.set(key, text),
  });
  hide = () => undefined;
  vi.stubGlobal('addEventListener', (_event: 'pagehide', listener: () => void) => {
    hide = listener;
  });
  vi.stubGlobal('removeEventListener', vi.fn());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('settings: the server’s copy applies, and changes are saved once they rest', async () => {
  const server = createServer({ layout: { text: 'of the server' } });
  const store = createStore('of this browser');
  syncSettings('ann', [store.setting], server.transport);
  expect(store.text()).toBe('of this browser');
  await settle();
  expect(store.text()).toBe('of the server');
  expect(server.sent).toEqual([]);
  store.set('a');
  store.set('b');
  await settle();
  expect(server.sent).toEqual([{ text: 'b' }]);
});

test('settings: a browser’s own copy becomes the first one on the server', async () => {
  const server = createServer();
  const store = createStore('chosen before');
  syncSettings('ann', [store.setting], server.transport);
  await settle();
  expect(server.rows.layout).toEqual({ text: 'chosen before' });
});

test('settings: nothing is stored before a choice', async () => {
  const server = createServer();
  syncSettings('ann', [createStore('default').setting], server.transport);
  await settle();
  expect(server.rows).toEqual({});
});

test('settings: a change that could not be saved survives a reload and the server’s older copy', async () => {
  const server = createServer({ layout: { text: 'old' } });
  const store = createStore('old');
  const stop = syncSettings('ann', [store.setting], server.transport);
  await settle();
  server.fails = true;
  store.set('new');
  await settle();
  stop();
  server.fails = false;
  syncSettings('ann', [store.setting], server.transport);
  await settle();
  expect(store.text()).toBe('new');
  expect(server.rows.layout).toEqual({ text: 'new' });
});

test('settings: another user of the browser neither sees nor stores the former user’s copy', async () => {
  const store = createStore('default');
  const stop = syncSettings('ann', [store.setting], createServer().transport);
  await settle();
  store.set('of ann');
  stop();
  await settle();
  const server = createServer();
  syncSettings('bea', [store.setting], server.transport);
  expect(store.text()).toBe('default');
  await settle();
  expect(server.sent).toEqual([]);
});

test('settings: leaving the screen saves at once what waits', async () => {
  const server = createServer({ layout: { text: 'old' } });
  const store = createStore('old');
  const stop = syncSettings('ann', [store.setting], server.transport);
  await settle();
  store.set('late');
  stop();
  await vi.advanceTimersByTimeAsync(0);
  expect(server.rows.layout).toEqual({ text: 'late' });
});

test('settings: what was saved while the page was left does not win over a later change elsewhere', async () => {
  const server = createServer({ layout: { text: 'old' } });
  const store = createStore('old');
  syncSettings('ann', [store.setting], server.transport);
  await settle();
  store.set('sent while leaving');
  hide();
  expect(server.rows.layout).toEqual({ text: 'sent while leaving' });
  await server.transport.save('layout', { text: 'of another browser' });
  // The page is loaded again.
  syncSettings('ann', [store.setting], server.transport);
  await settle();
  expect(store.text()).toBe('of another browser');
});
