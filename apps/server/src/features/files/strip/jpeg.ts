/**
 * The segments of a JPEG (ITU-T T.81, B.1 and B.2). Invariant: tables, frames and scans reach the decoder. Of the
 * application segments only one JFIF, one Adobe, the colour profile and the orientation do.
 */
import { exifOf, orientationOf } from './orientation.ts';
import { Pieces, refused } from './pieces.ts';
import { profileBytesMax } from './profile.ts';

const marker = {
  soi: 0xd8,
  eoi: 0xd9,
  sos: 0xda,
  app0: 0xe0,
  app1: 0xe1,
  app2: 0xe2,
  app14: 0xee,
  com: 0xfe,
};
const isRestart = (code: number) => code >= 0xd0 && code <= 0xd7;
/** Frames and tables: SOF, DHT and DAC, of which 0xc8 is reserved; DQT, DNL and DRI. */
const isNeeded = (code: number) =>
  (code >= 0xc0 && code <= 0xcf && code !== 0xc8) || (code >= 0xdb && code <= 0xdd);
const isApplication = (code: number) => code >= 0xe0 && code <= 0xef;

/**
 * Each pass over a progressive picture costs about the same, however few bytes it has; common programs write 5 to 20.
 */
const scansMax = 100;

const named = {
  jfif: Buffer.from('JFIF\0', 'latin1'),
  exif: Buffer.from('Exif\0\0', 'latin1'),
  profile: Buffer.from('ICC_PROFILE\0', 'latin1'),
  adobe: Buffer.from('Adobe', 'latin1'),
} as const;

interface Segment {
  readonly code: number;
  /** Of its marker. */
  readonly from: number;
  readonly to: number;
}

/** Finds the next marker as decoders do: past bytes outside segments, and past fill bytes. -1 without one. */
function nextMarker(bytes: Buffer, from: number): number {
  for (let at = from; at + 1 < bytes.length; at += 1) {
    if (bytes[at] === 0xff && bytes[at + 1] !== 0 && bytes[at + 1] !== 0xff) return at;
  }
  return -1;
}

/** The end of the entropy-coded data of a scan: the next marker that is none of its restarts. */
function scanEnd(bytes: Buffer, from: number): number {
  for (let at = nextMarker(bytes, from); at !== -1; at = nextMarker(bytes, at + 2)) {
    if (!isRestart(bytes[at + 1] ?? 0)) return at;
  }
  return bytes.length;
}

function segmentAt(bytes: Buffer, from: number): Segment {
  const to = from + 4 <= bytes.length ? from + 2 + bytes.readUInt16BE(from + 2) : Number.POSITIVE_INFINITY;
  if (to > bytes.length || to < from + 4) throw refused();
  return { code: bytes[from + 1] ?? 0, from, to };
}

/** The retained application segments; each kind once. */
class Applications {
  readonly #bytes: Buffer;
  readonly #pieces: Pieces;
  readonly #seen = new Set<keyof typeof named>();
  readonly #profile: Segment[] = [];
  #profileBytes = 0;

  constructor(bytes: Buffer, pieces: Pieces) {
    this.#bytes = bytes;
    this.#pieces = pieces;
  }

  take(segment: Segment): void {
    const { code, from, to } = segment;
    if (code === marker.app0 && this.#isFirst(segment, 'jfif')) this.#pieces.addRange(from, to);
    else if (code === marker.app14 && this.#isFirst(segment, 'adobe')) this.#pieces.addRange(from, to);
    else if (code === marker.app1 && this.#isFirst(segment, 'exif')) this.#addOrientation(segment);
    else if (code === marker.app2 && this.#isNamed(segment, 'profile')) {
      this.#profile.push(segment);
      this.#profileBytes += to - from;
    }
  }

  /** The profile is complete before the first scan. */
  addProfile(): void {
    const parts = this.#profile.splice(0);
    if (this.#profileBytes > profileBytesMax) return;
    for (const { from, to } of parts) this.#pieces.addBytes(this.#bytes.subarray(from, to));
  }

  #isNamed({ from, to }: Segment, name: keyof typeof named): boolean {
    const expected = named[name];
    return this.#bytes.subarray(from + 4, Math.min(to, from + 4 + expected.length)).equals(expected);
  }

  #isFirst(segment: Segment, name: keyof typeof named): boolean {
    if (this.#seen.has(name) || !this.#isNamed(segment, name)) return false;
    this.#seen.add(name);
    return true;
  }

  #addOrientation({ from, to }: Segment): void {
    const orientation = orientationOf(this.#bytes.subarray(from + 4, to));
    if (orientation === null) return;
    const exif = exifOf(orientation);
    this.#pieces.addBytes(Buffer.concat([Buffer.from([0xff, marker.app1, 0, exif.length + 2]), exif]));
  }
}

/** @throws FileError `image_refused` */
export function stripJpeg(bytes: Buffer): Buffer {
  const pieces = new Pieces(bytes);
  const applications = new Applications(bytes, pieces);
  pieces.addRange(0, 2);
  let scans = 0;
  for (let at = nextMarker(bytes, 2); at !== -1; at = nextMarker(bytes, at)) {
    const code = bytes[at + 1] ?? 0;
    if (code === marker.eoi) {
      pieces.addRange(at, at + 2);
      return pieces.toBuffer();
    }
    if (isRestart(code)) {
      at += 2;
      continue;
    }
    const segment = segmentAt(bytes, at);
    at = segment.to;
    if (code === marker.sos) {
      scans += 1;
      if (scans > scansMax) throw refused();
      applications.addProfile();
      at = scanEnd(bytes, segment.to);
      pieces.addRange(segment.from, at);
    } else if (isNeeded(code)) pieces.addRange(segment.from, segment.to);
    else if (isApplication(code)) applications.take(segment);
    else if (code !== marker.com) throw refused();
  }
  // Without an end marker: the decoder decides how much of it is usable.
  return pieces.toBuffer();
}
