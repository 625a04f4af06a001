/**
 * The wire format: Phoenix frames as realtime-js sends and reads them. vsn 2.0.0 is `[join_ref, ref, topic, event,
 * payload]`, with client broadcasts as binary; vsn 1.0.0 is an object with the same five fields.
 * Invariant: decoding never throws, whatever arrives; anything that is not a frame is `null`.
 */
export const versions = ['1.0.0', '2.0.0'] as const;
export type Version = (typeof versions)[number];

export interface Frame {
  /** The ref of the join that the frame belongs to; null in shared frames, so that one encoding fits every client. */
  readonly joinRef: string | null;
  readonly ref: string | null;
  readonly topic: string;
  readonly event: string;
  readonly payload: unknown;
}

const maxNameBytes = 255;
const broadcastPush = 3;
const broadcastHeaderBytes = 7;

const isName = (value: unknown): value is string => typeof value === 'string' && value.length <= maxNameBytes;
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
 * and the five texts. The payload itself is left alone: no topic takes client broadcasts, so only the address is
 * needed for the refusal.
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
  const [joinRef, ref, topic, event] = texts;
  return checked(joinRef || null, ref || null, topic, 'broadcast', { type: 'broadcast', event });
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

/** A frame for many sockets: encoded at most once per protocol version, on first use. */
export class SharedFrame {
  readonly #frame: Frame;
  readonly #bytes = new Map<Version, Buffer>();

  constructor(topic: string, event: string, payload: unknown) {
    this.#frame = { joinRef: null, ref: null, topic, event, payload };
  }

  bytes(version: Version): Buffer {
    const known = this.#bytes.get(version);
    if (known) return known;
    const bytes = encode(this.#frame, version);
    this.#bytes.set(version, bytes);
    return bytes;
  }
}
