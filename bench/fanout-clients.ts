/**
 * The listeners of `fanout.ts` in a process of their own: sockets that record the arrival of each frame. Frames are
 * identified by their position in the sequence, so nothing is parsed while it counts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { inGroups } from './groups.ts';

export interface OpenJob {
  readonly kind: 'open';
  /** Which set of sockets; one set for each server. */
  readonly set: string;
  /** Sockets are opened at each in turn. */
  readonly urls: readonly string[];
  /** The first message of each socket, and its heartbeat; empty for none. */
  readonly greetings: readonly string[];
  readonly sockets: number;
  readonly beat: string | null;
}
/** `beat`: let every socket of the set show that it lives. `begin`: forget what arrived. */
export interface SetCommand {
  readonly kind: 'beat' | 'begin' | 'report';
  readonly set: string;
}
export type ClientCommand = OpenJob | SetCommand | { readonly kind: 'stop' };
export interface DeliveryReport {
  /** Frames that arrived, over all sockets. */
  readonly delivered: number;
  /** Frames that the socket with the most got, and the one with the fewest. */
  readonly most: number;
  readonly fewest: number;
  readonly bytes: number;
  /** How long after the first socket each of the others had a frame. */
  readonly latenciesMs: readonly number[];
  readonly closed: number;
}

interface Listener {
  readonly socket: WebSocket;
  arrivalsMs: number[];
}
interface ListenerSet {
  readonly listeners: Listener[];
  readonly beat: string | null;
  bytes: number;
  closed: number;
}

const sets = new Map<string, ListenerSet>();
/** Sockets that are being opened at a time. */
const openAtOnce = 50;

function openOne(set: ListenerSet, url: string, greeting: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false, skipUTF8Validation: true });
    const listener: Listener = { socket, arrivalsMs: [] };
    set.listeners.push(listener);
    socket.on('error', reject);
    socket.on('close', () => {
      set.closed += 1;
    });
    socket.on('open', () => {
      if (greeting === undefined) resolve();
      else socket.send(greeting);
    });
    socket.on('message', (frame: Buffer) => {
      listener.arrivalsMs.push(performance.now());
      set.bytes += frame.length;
      // After a greeting, the first answer confirms that the topic is joined.
      resolve();
    });
  });
}

async function open({ set: name, urls, greetings, sockets, beat }: OpenJob): Promise<void> {
  const set: ListenerSet = { listeners: [], beat, bytes: 0, closed: 0 };
  sets.set(name, set);
  await inGroups(sockets, openAtOnce, (n) => openOne(set, urls[n % urls.length] ?? '', greetings[n]));
}

function report({ listeners, bytes, closed }: ListenerSet): DeliveryReport {
  const counts = listeners.map(({ arrivalsMs }) => arrivalsMs.length);
  const most = Math.max(...counts);
  const latenciesMs: number[] = [];
  for (let frame = 0; frame < most; frame++) {
    const arrivals = listeners.flatMap(({ arrivalsMs }) => arrivalsMs[frame] ?? []);
    const firstMs = Math.min(...arrivals);
    for (const arrivedMs of arrivals) latenciesMs.push(arrivedMs - firstMs);
  }
  return {
    delivered: latenciesMs.length,
    most,
    fewest: Math.min(...counts),
    bytes,
    latenciesMs,
    closed,
  };
}

function setOf(name: string): ListenerSet {
  const set = sets.get(name);
  if (!set) throw new Error(`no sockets are open for ${name}`);
  return set;
}

async function handleCommand(command: ClientCommand): Promise<void> {
  if (command.kind === 'stop') process.exit(0);
  if (command.kind === 'open') {
    await open(command);
    process.send?.('open');
    return;
  }
  const set = setOf(command.set);
  if (command.kind === 'report') {
    process.send?.(report(set));
    return;
  }
  if (command.kind === 'beat' && set.beat !== null) {
    for (const { socket } of set.listeners) socket.send(set.beat);
    await sleep(500);
  }
  if (command.kind === 'begin') {
    for (const listener of set.listeners) listener.arrivalsMs = [];
    set.bytes = 0;
  }
  process.send?.('done');
}

process.on('message', (command: ClientCommand) => {
  handleCommand(command).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
