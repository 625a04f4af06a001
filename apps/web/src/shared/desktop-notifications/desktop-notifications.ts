/**
 * Desktop notifications and a short tone, for what happens while the user attends to something else. Both are settings of
 * this browser, apart for each purpose. Limits: at most one tone a second, in one of the browser's tabs; a notification
 * replaces the previous one with the same tag, so that two tabs show one. Known limitation: without a secure context, which
 * the browser's locks need, every tab sounds.
 */
import { log as appLog } from '../log/log.ts';
import { getPreferences, setPreference } from '../preferences/index.ts';

const log = appLog.of('notifications');

/** The preferences of a purpose. */
export interface Purpose {
  readonly notifications: 'chatNotifications' | 'alertNotifications';
  readonly sound: 'chatSound' | 'alertSound';
}
export const chatMessages: Purpose = { notifications: 'chatNotifications', sound: 'chatSound' };
export const priceAlerts: Purpose = { notifications: 'alertNotifications', sound: 'alertSound' };

const toneEveryMs = 1_000;

export type NotificationState = 'on' | 'off' | 'refused' | 'unavailable';

/** Whether notifications are shown; `chosen` is the preference. */
export function getNotificationState(chosen: boolean): NotificationState {
  if (!('Notification' in globalThis)) return 'unavailable';
  if (Notification.permission === 'denied') return 'refused';
  return chosen && Notification.permission === 'granted' ? 'on' : 'off';
}

/** Requests the browser's permission; call it only from a click. */
export async function switchNotifications({ notifications }: Purpose, on: boolean): Promise<void> {
  if (!on) return setPreference(notifications, false);
  const answer = await Notification.requestPermission();
  setPreference(notifications, answer === 'granted');
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let audio: AudioContext | undefined;
let lastToneMs = 0;

/** Two notes, generated without a file. */
async function playNotes(): Promise<void> {
  audio ??= new AudioContext();
  await audio.resume();
  const startS = audio.currentTime;
  for (const [at, hertz] of [
    [0, 660],
    [0.13, 880],
  ] as const) {
    const [tone, loudness] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = hertz;
    loudness.gain.setValueAtTime(0, startS + at);
    loudness.gain.linearRampToValueAtTime(0.12, startS + at + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.0001, startS + at + 0.22);
    tone.connect(loudness).connect(audio.destination);
    tone.start(startS + at);
    tone.stop(startS + at + 0.24);
  }
}

/** Sounds the tone, unless this or another tab did within the last second. */
export async function playTone(): Promise<void> {
  // A browser plays no sound before the first user gesture: such a tab leaves the tone to another.
  if (!navigator.userActivation.hasBeenActive || Date.now() - lastToneMs < toneEveryMs) return;
  lastToneMs = Date.now();
  // Absent on plain http.
  const locks: LockManager | undefined = navigator.locks;
  if (!locks) return playNotes();
  await locks.request('fulcrum-tone', { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    await playNotes();
    // The other tabs hear of the same event within this time.
    await wait(toneEveryMs);
  });
}

export interface DesktopNotification {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly onOpen: () => void;
}

/** Shows and sounds what the user chose for the purpose. */
export function notifyOnDesktop(purpose: Purpose, { title, body, tag, onOpen }: DesktopNotification): void {
  const { [purpose.notifications]: isChosen, [purpose.sound]: sounds } = getPreferences();
  if (sounds) playTone().catch((cause: unknown) => log.info('The tone could not be played', cause));
  if (getNotificationState(isChosen) !== 'on') return;
  try {
    const shown = new Notification(title, { body: body.slice(0, 200), tag });
    shown.onclick = () => {
      window.focus();
      onOpen();
      shown.close();
    };
  } catch (cause) {
    // Some browsers show notifications only through a worker.
    log.warn('A notification could not be shown', cause);
  }
}
