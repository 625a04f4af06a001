/**
 * Tells of a trader's message while the agent looks elsewhere: a notification of the desktop and a short tone. Both are choices
 * of this browser. Limits: a tone at most every second; a notification replaces the one before of the same conversation.
 */
import { log as appLog } from '../../../shared/log/log.ts';
import { prefer, preferences } from '../../../shared/preferences/index.ts';

const log = appLog.of('support');
const toneEveryMs = 1_000;

export type NotificationState = 'on' | 'off' | 'refused' | 'unavailable';

/** Whether notifications are shown; `chosen` is the preference. */
export function notificationState(chosen: boolean): NotificationState {
  if (!('Notification' in globalThis)) return 'unavailable';
  if (Notification.permission === 'denied') return 'refused';
  return chosen && Notification.permission === 'granted' ? 'on' : 'off';
}

/** Asks the browser, by a press of a button only. */
export async function switchNotifications(on: boolean): Promise<void> {
  if (!on) return prefer('chatNotifications', false);
  const answer = await Notification.requestPermission();
  prefer('chatNotifications', answer === 'granted');
}

let audio: AudioContext | undefined;
let soundedMs = 0;

/** Two notes, without a file. A browser that nobody has touched yet keeps silent. */
export async function playTone(): Promise<void> {
  if (Date.now() - soundedMs < toneEveryMs) return;
  soundedMs = Date.now();
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

export interface Told {
  readonly sessionId: string;
  readonly username: string;
  readonly content: string;
  readonly onOpen: () => void;
}

export function alertOf({ sessionId, username, content, onOpen }: Told): void {
  const { chatNotifications, chatSound } = preferences();
  if (chatSound) playTone().catch((cause: unknown) => log.info('No tone was played', cause));
  if (notificationState(chatNotifications) !== 'on') return;
  try {
    const shown = new Notification(username, { body: content.slice(0, 200), tag: sessionId });
    shown.onclick = () => {
      window.focus();
      onOpen();
      shown.close();
    };
  } catch (cause) {
    // Some browsers show them through a worker only.
    log.warn('A notification could not be shown', cause);
  }
}
