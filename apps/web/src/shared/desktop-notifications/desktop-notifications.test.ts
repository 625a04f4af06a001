import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const shown: {
  title: string;
  options: { body: string; tag: string };
  onclick?: () => void;
  close: () => void;
}[] = [];

function allow(permission: 'default' | 'granted' | 'denied', answer = permission) {
  class FakeNotification {
    static permission = permission;
    static requestPermission = async () => {
      FakeNotification.permission = answer;
      return answer;
    };
    readonly title: string;
    readonly options: { body: string; tag: string };
    close = vi.fn();
    constructor(title: string, options: { body: string; tag: string }) {
      this.title = title;
      this.options = options;
      shown.push(this);
    }
  }
  vi.stubGlobal('Notification', FakeNotification);
}

const message = { title: 'amelia', body: 'Hello?', tag: 's', onOpen: vi.fn() };

beforeEach(() => {
  vi.resetModules();
  shown.length = 0;
  const items = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => items.set(key, text),
  });
  vi.stubGlobal('window', { focus: vi.fn() });
});
afterEach(() => vi.unstubAllGlobals());

describe('a desktop notification', () => {
  test('is off until the user switched it on and the browser permitted it', async () => {
    allow('default', 'granted');
    const {
      chatMessages,
      notifyOnDesktop,
      getNotificationState: notificationState,
      switchNotifications,
    } = await import('./desktop-notifications.ts');
    const { setPreference: prefer, getPreferences: preferences } = await import('../preferences/index.ts');
    prefer('chatSound', false);
    notifyOnDesktop(chatMessages, message);
    expect(shown).toEqual([]);
    expect(notificationState(preferences().chatNotifications)).toBe('off');
    await switchNotifications(chatMessages, true);
    expect(notificationState(preferences().chatNotifications)).toBe('on');
    notifyOnDesktop(chatMessages, message);
    expect(shown[0]).toMatchObject({ title: 'amelia', options: { body: 'Hello?', tag: 's' } });
    shown[0]?.onclick?.();
    expect(message.onOpen).toHaveBeenCalledTimes(1);
    await switchNotifications(chatMessages, false);
    notifyOnDesktop(chatMessages, message);
    expect(shown).toHaveLength(1);
  });
  test('a refusal of the browser is reported, and missing support too', async () => {
    allow('denied');
    const { getNotificationState: notificationState } = await import('./desktop-notifications.ts');
    expect(notificationState(true)).toBe('refused');
    vi.stubGlobal('Notification', undefined);
    Reflect.deleteProperty(globalThis, 'Notification');
    expect(notificationState(true)).toBe('unavailable');
  });
});

describe('the tone', () => {
  const notes = vi.fn();
  /** A tab with a page of its own, and the locks that all tabs of a browser share. */
  async function openTab(hasBeenActive: boolean, locks: LockManager | undefined) {
    vi.resetModules();
    const { playTone } = await import('./desktop-notifications.ts');
    return () => {
      vi.stubGlobal('navigator', { userActivation: { hasBeenActive }, locks });
      return playTone();
    };
  }
  beforeEach(() => {
    notes.mockReset();
    const gain = {
      setValueAtTime: vi.fn(),
      linearRampToValueAtTime: vi.fn(),
      exponentialRampToValueAtTime: vi.fn(),
    };
    const node = { connect: () => node, gain, frequency: {}, start: notes, stop: vi.fn() };
    class FakeAudio {
      readonly currentTime = 0;
      readonly destination = node;
      readonly resume = async () => undefined;
      readonly createOscillator = () => node;
      readonly createGain = () => node;
    }
    vi.stubGlobal('AudioContext', FakeAudio);
  });

  test('one event sounds in one tab, in one that the user has touched', async () => {
    const { locks } = navigator;
    const tabs = [await openTab(false, locks), await openTab(true, locks), await openTab(true, locks)];
    await Promise.all(tabs.map((play) => play()));
    // The two notes of one tone.
    expect(notes).toHaveBeenCalledTimes(2);
  });
  test('without locks, on plain http, a tab sounds at most once a second', async () => {
    const play = await openTab(true, undefined);
    await Promise.all([play(), play()]);
    expect(notes).toHaveBeenCalledTimes(2);
  });
});
