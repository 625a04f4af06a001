/**
 * The wire format: Phoenix frames as realtime-js sends and reads them. vsn 2.0.0 is `[join_ref, ref, topic, event,
 * payload]`, with client broadcasts as binary; vsn 1.0.0 is an object with the same five fields.
 * Invariant: decoding never throws, whatever arrives; anything that is not a frame is `null`.
 */
import { message } from '../sockets/message.ts';

/** What every topic but `phoenix` begins with on the wire. */
export const prefix = 'realtime:';

export const versions = ['1.0.0', '2.0.0'] as const;
export type Version = (typeof versions)[number];

export interface Frame {
  /** The ref of the join that the frame belongs to; null where the topic alone is enough. */
  readonly joinRef: string | null;
  readonly ref: string | null;
  readonly topic: string;
  readonly event: string;
  readonly payload: unknown;
}

const maxNameBytes = 255;
const broadcastPush = 3;
const broadcastHeaderBytes = 7;
const broadcastDelivery = 4;
const binaryEncoding = 0;
const jsonEncoding = 1;

const isName = (value: unknown): value is string =>
  typeof value === 'string' && Buffer.byteLength(value) <= maxNameBytes;
const isRef = (value: unknown): value is string | null | undefined => value == null || isName(value);

function checked(
  joinRef: unknown,
  ref: unknown,
  topic: unknown,
  event: unknown,
  payload: unknown,
): Frame | null {
  if (!isRef(joinRef) || !isRef(ref) || !isName(topic) || !isName(event)) return null;
  return { joinRef: joinRef ?? null, ref: ref ?? null, topic, event, payload };
}

function decodeText(text: string, version: Version): Frame | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (version === '2.0.0') {
    if (!Array.isArray(value) || value.length !== 5) return null;
    return checked(value[0], value[1], value[2], value[3], value[4]);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const frame: Partial<Record<string, unknown>> = { ...value };
  return checked(frame.join_ref, frame.ref, frame.topic, frame.event, frame.payload);
}

/**
 * A client broadcast: kind, then the lengths of join_ref, ref, topic, user event and metadata, the payload's encoding,
 * and the five texts; the rest is the payload. realtime-js sends every broadcast like this in vsn 2.0.0. Read as the
 * same frame that vsn 1.0.0 sends as text; a payload that is not JSON is a `Uint8Array`.
 */
function decodeBinary(bytes: Buffer): Frame | null {
  if (bytes.length < broadcastHeaderBytes || bytes[0] !== broadcastPush) return null;
  const texts: string[] = [];
  let offset = broadcastHeaderBytes;
  for (let field = 1; field <= 5; field++) {
    const end = offset + bytes.readUInt8(field);
    if (end > bytes.length) return null;
    texts.push(bytes.toString('utf8', offset, end));
    offset = end;
  }
  const [joinRef, ref, topic, event, metadata] = texts;
  const body = bytes.subarray(offset);
  try {
    const payload: unknown = bytes[6] === jsonEncoding ? JSON.parse(body.toString('utf8')) : body;
    const more: unknown = metadata ? JSON.parse(metadata) : {};
    if (typeof more !== 'object' || more === null) return null;
    const pushed = { ...more, type: 'broadcast', event, payload };
    return checked(joinRef || null, ref || null, topic, 'broadcast', pushed);
  } catch {
    // A payload or metadata that is declared as JSON and is not makes the frame invalid.
    return null;
  }
}

/** The frame in `bytes`, or null when they hold none. */
export function decode(bytes: Buffer, isBinary: boolean, version: Version): Frame | null {
  return isBinary ? decodeBinary(bytes) : decodeText(bytes.toString('utf8'), version);
}

/** The bytes of one frame, as a text message of `version`. */
export function encode(frame: Frame, version: Version): Buffer {
  const { joinRef, ref, topic, event, payload } = frame;
  return Buffer.from(
    JSON.stringify(
      version === '2.0.0'
        ? [joinRef, ref, topic, event, payload]
        : { join_ref: joinRef, ref, topic, event, payload },
    ),
  );
}

/** Data for many sockets, ready to be written. */
export interface Shared {
  /** The WebSocket message for a channel that joined with `joinRef`; null when that version cannot carry it. */
  bytes(version: Version, joinRef: string | null): Buffer | null;
}

/** A payload as JSON, for frames of several topics. */
export class EncodedPayload {
  readonly json: string;

  constructor(payload: object) {
    this.json = JSON.stringify(payload);
  }
}

/** Maximum of stored encodings per frame; clients count their joins up from 1, so most share a few refs. */
const encodingsMax = 32;

/**
 * A frame for many sockets: its payload is turned into JSON once, and channels with the same ref get the same bytes.
 * With a ref the client itself drops what was meant for an earlier join of the topic; without one a single encoding
 * serves everybody, which is right where the topic alone decides what is in the frame.
 */
export class SharedFrame implements Shared {
  readonly #topic: string;
  readonly #event: string;
  readonly #payload: string;
  readonly #encodings: Record<Version, Map<string | null, Buffer>> = {
    '1.0.0': new Map(),
    '2.0.0': new Map(),
  };

  constructor(topic: string, event: string, payload: object | EncodedPayload) {
    this.#topic = JSON.stringify(topic);
    this.#event = JSON.stringify(event);
    this.#payload = payload instanceof EncodedPayload ? payload.json : JSON.stringify(payload);
  }

  bytes(version: Version, joinRef: string | null): Buffer {
    const encodings = this.#encodings[version];
    const known = encodings.get(joinRef);
    if (known) return known;
    const bytes = message(Buffer.from(this.#text(version, JSON.stringify(joinRef))));
    if (encodings.size < encodingsMax) encodings.set(joinRef, bytes);
    return bytes;
  }

  #text(version: Version, joinRef: string): string {
    return version === '2.0.0'
      ? `[${joinRef},null,${this.#topic},${this.#event},${this.#payload}]`
      : `{"join_ref":${joinRef},"ref":null,"topic":${this.#topic},"event":${this.#event},"payload":${this.#payload}}`;
  }
}

/** A broadcast whose payload is not JSON. Only vsn 2.0.0 has a form for it, and that has no room for a ref. */
export class SharedBinary implements Shared {
  readonly #bytes: Buffer;

  /** `topic` and `event` are at most 255 bytes long. */
  constructor(topic: string, event: string, payload: Uint8Array) {
    const [topicBytes, eventBytes] = [Buffer.from(topic), Buffer.from(event)];
    const header = [broadcastDelivery, topicBytes.length, eventBytes.length, 0, binaryEncoding];
    this.#bytes = message(Buffer.concat([Buffer.from(header), topicBytes, eventBytes, payload]), 'binary');
  }

  bytes(version: Version): Buffer | null {
    return version === '2.0.0' ? this.#bytes : null;
  }
}
