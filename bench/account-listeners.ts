/**
 * The traders of `liquidations.ts` in a process of their own: one socket each that has joined the changes of its positions.
 * Reports the arrival of the last expected announcement.
 */
import { WebSocket } from 'ws';
import { inGroups } from './groups.ts';

export interface ListenJob {
  readonly url: string;
  /** The join of each socket. */
  readonly greetings: readonly string[];
  /** Announcements of a closed position that are due, over all sockets. */
  readonly due: number;
}
export interface AllReceived {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Of each socket, in the order of the greetings. */
  readonly received: readonly number[];
}

/** Sockets that are being opened at a time. */
const openAtOnce = 50;
const closedMark = '"status":"closed"';
const joinedMark = '"postgres_changes"';

function listen(url: string, greeting: string, onClosed: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false, skipUTF8Validation: true });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a socket')));
    socket.on('open', () => socket.send(greeting));
    socket.on('message', (frame: Buffer) => {
      if (frame.includes(closedMark)) onClosed();
      else if (frame.includes(joinedMark)) resolve();
    });
  });
}

process.once('message', async ({ url, greetings, due }: ListenJob) => {
  try {
    const received = greetings.map(() => 0);
    let left = due;
    const countAnnouncement = (socket: number) => {
      received[socket] = (received[socket] ?? 0) + 1;
      left -= 1;
      if (left === 0) process.send?.({ at: Date.now(), received } satisfies AllReceived);
    };
    await inGroups(greetings.length, openAtOnce, (n) =>
      listen(url, greetings[n] ?? '', () => countAnnouncement(n)),
    );
    process.send?.('listening');
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
});
