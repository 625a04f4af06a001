/** The exchange of `feed.ts` as its own process: a websocket that sends every pair so many times a second while enabled. */
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { pairs, tickerFrame } from './feed-frames.ts';
import type { FanoutCommand } from './process-cost.ts';

export interface FeedSourceReady {
  readonly url: string;
}
export const updatesPerSecond = 10;
/** The updates of a second are spread over it, as those of many markets are. */
const beatsPerSecond = 100;

function serve(): void {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  const sockets = new Set<WebSocket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Every pair has a price before anything is measured.
    for (const pair of pairs) socket.send(tickerFrame(pair, 0, Date.now()));
  });
  server.on('listening', () => {
    const { port } = server.address() as AddressInfo;
    process.send?.({ url: `ws://127.0.0.1:${port}` } satisfies FeedSourceReady);
  });

  let isSending = false;
  let sent = 0;
  let due = 0;
  const timer = setInterval(() => {
    if (!isSending) return;
    due += (pairs.length * updatesPerSecond) / beatsPerSecond;
    for (; sent < due; sent += 1) {
      const pair = pairs[sent % pairs.length];
      if (!pair) continue;
      const frame = tickerFrame(pair, Math.floor(sent / pairs.length), Date.now());
      for (const socket of sockets) socket.send(frame);
    }
  }, 1000 / beatsPerSecond);
  process.on('message', (command: FanoutCommand) => {
    if (command === 'send') isSending = true;
    if (command === 'pause') isSending = false;
    if (command === 'report') process.send?.({ sent });
    if (command === 'stop') {
      clearInterval(timer);
      for (const socket of sockets) socket.terminate();
      server.close(() => process.disconnect());
    }
  });
}

if (process.send) serve();
