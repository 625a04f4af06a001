/**
 * What a link takes of the frames that NATS delivers. Invariant: a frame that does not verify, was seen before or is older than ten seconds is
 * dropped and counted.
 */
import type { KeyObject } from 'node:crypto';
// Types alone: the client is loaded by the first connection.
import type { Msg } from '@nats-io/transport-node';
import { BoundedMap } from '../cache/bounded-map.ts';
import type { Clock } from '../clock/index.ts';
import type { Log } from '../log/index.ts';
import { Assembly, type Frame, peekFrame, readFrame } from './signed-frames.ts';

/** Messages that were dropped since the start, by reason. */
export interface DroppedMessages {
  readonly forged: number;
  readonly unreadable: number;
  /** Seen before, or overtaken by a later one of its process. */
  readonly repeated: number;
  /** Older than ten seconds, or from a clock that is ahead as far. */
  readonly late: number;
  /** Published while NATS was away. */
  readonly unsent: number;
}

export type Receive = (payload: unknown, subject: string) => void;
/** One subscription of a part of this process. */
export interface Listener {
  readonly receive: Receive;
}
/** The last frame of a process. Short arrays: one is made for each frame. */
interface LastFrame {
  readonly number: number;
  /** The subscriptions that it came by. */
  readonly by: number[];
  /** Who has got the message that ends with it. */
  readonly given: Receive[];
}

const messageAgeMaxMs = 10_000;
/** Processes whose last number is known. */
const sendersMax = 1_024;
/** Messages of which parts have come. */
const assembliesMax = 64;

export class FrameInbox {
  readonly #key: KeyObject;
  readonly #deps: { readonly clock: Clock; readonly log: Log };
  readonly #senders = new BoundedMap<string, LastFrame>(sendersMax);
  readonly #assemblies = new BoundedMap<string, Assembly>(assembliesMax);
  readonly #dropped = { forged: 0, unreadable: 0, repeated: 0, late: 0 };

  constructor(key: KeyObject, deps: { readonly clock: Clock; readonly log: Log }) {
    this.#key = key;
    this.#deps = deps;
  }

  get dropped(): Omit<DroppedMessages, 'unsent'> {
    return this.#dropped;
  }

  /** Whether all that it would reach have it by another subscription: then it need not be verified and read again. */
  isGiven({ data, sid }: Msg, listeners: ReadonlySet<Listener>): boolean {
    const frame = peekFrame(bytesOf(data));
    const last = frame && this.#senders.get(frame.from);
    if (!last || last.number !== frame.number || frame.parts > 1 || last.by.includes(sid)) return false;
    return [...listeners].every(({ receive }) => last.given.includes(receive));
  }

  /** Null for what is dropped. */
  accept({ subject, reply = '', data, sid }: Msg): Frame | null {
    const frame = readFrame({ key: this.#key, subject, replyTo: reply }, bytesOf(data));
    if (frame === 'forged' || frame === 'unreadable') {
      this.#dropped[frame] += 1;
      if (this.#dropped[frame] === 1) this.#deps.log.warn({ subject }, `a message on NATS is ${frame}`);
      return null;
    }
    if (Math.abs(this.#deps.clock.now() - frame.at) > messageAgeMaxMs) {
      this.#dropped.late += 1;
      return null;
    }
    if (this.#isNew(frame, sid)) return frame;
    this.#dropped.repeated += 1;
    return null;
  }

  /** A frame comes once by each subscription that its subject fits. */
  #isNew({ from, number }: Frame, sid: number): boolean {
    const last = this.#senders.get(from);
    if (last?.number === number) {
      if (last.by.includes(sid)) return false;
      last.by.push(sid);
      return true;
    }
    if (last && number < last.number) return false;
    this.#senders.setNewest(from, { number, by: [sid], given: [] });
    return true;
  }

  /** Who has got the message that ends with this frame, which is the last one of its process. */
  givenOf({ from }: Frame): Receive[] | undefined {
    return this.#senders.get(from)?.given;
  }

  /** The payload of the message that this frame ends; undefined for another frame and for an unreadable message. */
  read(frame: Frame, sid: number): unknown {
    const json = this.#assemble(frame, sid);
    return json ? this.parse(json) : undefined;
  }

  #assemble(frame: Frame, sid: number): Buffer | null | undefined {
    if (frame.parts === 1) return frame.body;
    const name = `${frame.from} ${frame.number - frame.part} ${sid}`;
    const assembly = this.#assemblies.get(name) ?? new Assembly();
    const json = assembly.add(frame);
    if (json === undefined) this.#assemblies.set(name, assembly);
    else this.#assemblies.delete(name);
    return json;
  }

  parse(json: Buffer): unknown {
    try {
      return JSON.parse(json.toString());
    } catch {
      this.#dropped.unreadable += 1;
      return undefined;
    }
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
