/**
 * Messages between processes as bytes: JSON in frames of at most 512 KiB, each signed. A frame is a line and a part of the JSON:
 * `1 <mac> <process> <number> <time> <part> <parts>`, where parts of a message have consecutive numbers and the time is that of the
 * cluster in milliseconds. Further fields of the line are signed and passed over, for a later release.
 *
 * Invariants: the HMAC covers the subject, the address of the reply, the line and the part, so a frame counts where it was sent and
 * nowhere else. A process's numbers only rise: a frame that is not above the last one was sent before, or has come too late.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock/index.ts';
import { MessageTooLarge } from './link.ts';

/** Bytes of JSON in a frame; servers take a megabyte. */
const partBytesMax = 512 * 1024;
/** 32 MiB of JSON. */
const partsMax = 64;

/** The key and the bytes that go before the frame's own into its HMAC. */
interface Envelope {
  readonly key: KeyObject;
  readonly subject: string;
  /** Empty without one. */
  readonly replyTo: string;
}

export interface Frame {
  readonly from: string;
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly part: number;
  readonly parts: number;
  readonly body: Buffer;
}

const version = '1';
const lineBytesMax = 256;
const newline = 0x0a;

function macOf({ key, subject, replyTo }: Envelope, line: string, body: Buffer): Buffer {
  return createHmac('sha256', key).update(`${subject}\n${replyTo}\n${line}\n`).update(body).digest();
}

/** Makes the frames of a process. */
export class FrameWriter {
  readonly #key: KeyObject;
  readonly #from: string;
  readonly #clock: Clock;
  #number = 0;

  constructor(key: KeyObject, from: string, clock: Clock) {
    this.#key = key;
    this.#from = from;
    this.#clock = clock;
  }

  /** In the order in which they have to be sent. @throws MessageTooLarge */
  write(subject: string, replyTo: string, payload: unknown): Buffer[] {
    const json = Buffer.from(payload === undefined ? 'null' : JSON.stringify(payload));
    const parts = Math.max(1, Math.ceil(json.length / partBytesMax));
    if (parts > partsMax) throw new MessageTooLarge(`${json.length} bytes for ${subject}`);
    return Array.from({ length: parts }, (_, part) => {
      const body = json.subarray(part * partBytesMax, (part + 1) * partBytesMax);
      this.#number += 1;
      const line = `${this.#from} ${this.#number} ${this.#clock.now()} ${part} ${parts}`;
      const mac = macOf({ key: this.#key, subject, replyTo }, line, body);
      return Buffer.concat([Buffer.from(`${version} ${mac.toString('base64url')} ${line}\n`), body]);
    });
  }
}

interface Line {
  /** Bytes before its end. */
  readonly end: number;
  readonly mac: string;
  readonly fields: readonly string[];
}

/** Null for another version, or no frame at all. */
function readLine(bytes: Buffer): Line | null {
  const end = bytes.subarray(0, lineBytesMax).indexOf(newline);
  if (end < 0) return null;
  const [head, mac = '', ...fields] = bytes.toString('latin1', 0, end).split(' ');
  return head === version ? { end, mac, fields } : null;
}

/** What a frame says of itself, unverified: enough to pass over what has been received already, and for nothing else. */
export function peekFrame(bytes: Buffer): Pick<Frame, 'from' | 'number' | 'parts'> | null {
  const line = readLine(bytes);
  if (line === null) return null;
  const [from = '', number, , , parts] = line.fields;
  return { from, number: Number(number), parts: Number(parts) };
}

/** `unreadable`: another version, or no frame at all. `forged`: of another key, subject or reply address, or changed on its way. */
export function readFrame(envelope: Envelope, bytes: Buffer): Frame | 'unreadable' | 'forged' {
  const read = readLine(bytes);
  if (read === null) return 'unreadable';
  const { end, mac, fields } = read;
  const body = bytes.subarray(end + 1);
  const [sent, expected] = [Buffer.from(mac, 'base64url'), macOf(envelope, fields.join(' '), body)];
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return 'forged';
  const [from = '', ...figures] = fields;
  const [number = 0, at = 0, part = 0, parts = 0] = figures.slice(0, 4).map(Number);
  const isSound = [number, at, part, parts].every(Number.isSafeInteger) && part < parts && parts <= partsMax;
  return isSound ? { from, number, at, part, parts, body } : 'unreadable';
}

/** Puts parts together again. A message whose parts do not come one after the other is given up. */
export class Assembly {
  #next = 0;
  readonly #parts: Buffer[] = [];

  /** The whole message, undefined while parts are missing, null when it can never be whole. */
  add({ part, parts, body }: Frame): Buffer | undefined | null {
    if (part !== this.#next) return null;
    this.#next += 1;
    this.#parts.push(body);
    return this.#next === parts ? Buffer.concat(this.#parts) : undefined;
  }
}
