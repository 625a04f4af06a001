/**
 * Alerts the agent to a trader's message while the page is in the background: a desktop notification and a short
 * tone. Both are settings of this browser. Limits: at most one tone a second; a notification replaces the previous
 * one of the same conversation.
 */
import { log as appLog } from '../../../shared/log/log.ts';
import { getPreferences, setPreference } from '../../../shared/preferences/index.ts';

const log = appLog.of('support');
const toneEveryMs = 1_000;

export type NotificationState = 'on' | 'off' | 'refused' | 'unavailable';

/** Whether notifications are shown; `chosen` is the preference. */
export function getNotificationState(chosen: boolean): NotificationState {
  if (!('Notification' in globalThis)) return 'unavailable';
  if (Notification.permission === 'denied') return 'refused';
  return chosen && Notification.permission === 'granted' ? 'on' : 'off';
}

/** Requests the browser's permission; call it only from a click. */
export async function switchNotifications(on: boolean): Promise<void> {
  if (!on) return setPreference('chatNotifications', false);
  const answer = await Notification.requestPermission();
  setPreference('chatNotifications', answer === 'granted');
}

let audio: AudioContext | undefined;
let lastToneMs = 0;

/** Two notes, generated without a file. A browser plays no sound before the first user gesture. */
export async function playTone(): Promise<void> {
  if (Date.now() - lastToneMs < toneEveryMs) return;
  lastToneMs = Date.now();
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

export interface MessageAlert {
  readonly sessionId: string;
  readonly username: string;
  readonly content: string;
  readonly onOpen: () => void;
}

export function showMessageAlert({ sessionId, username, content, onOpen }: MessageAlert): void {
  const { chatNotifications, chatSound } = getPreferences();
  if (chatSound) playTone().catch((cause: unknown) => log.info('The tone could not be played', cause));
  if (getNotificationState(chatNotifications) !== 'on') return;
  try {
    const shown = new Notification(username, { body: content.slice(0, 200), tag: sessionId });
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
