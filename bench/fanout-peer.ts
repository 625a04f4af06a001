/** The peer of `fanout.ts`: a bare `ws` server that sends the same bytes to every socket at the same rate, and no more. */
import { type WebSocket, WebSocketServer } from 'ws';
import { type CpuReport, cpuReport, type FanoutCommand } from './process-cost.ts';

export interface FanoutPeerJob {
  /** The text of one frame of the product. */
  readonly frame: string;
  readonly framesPerSecond: number;
}
export interface FanoutPeerReady {
  readonly port: number;
}

process.once('message', ({ frame, framesPerSecond }: FanoutPeerJob) => {
  const bytes = Buffer.from(frame);
  const sockets = new Set<WebSocket>();
  let timer: NodeJS.Timeout | undefined;
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('listening', () => {
    const address = server.address();
    if (typeof address === 'object') process.send?.({ port: address?.port ?? 0 } satisfies FanoutPeerReady);
  });
  const sendToAll = () => {
    for (const socket of sockets) socket.send(bytes, { binary: false });
  };
  process.on('message', (command: FanoutCommand) => {
    if (command === 'send') timer = setInterval(sendToAll, 1000 / framesPerSecond);
    if (command === 'pause') clearInterval(timer);
    if (command === 'report') process.send?.(cpuReport() satisfies CpuReport);
    if (command === 'stop') process.exit(0);
  });
});
