/**
 * The draws of engine 3 (A109). The key of a stream and day is HMAC-SHA-256(key, engine, purpose, name, day), its draws are
 * the key stream of AES-256-CTR under it, so a day's draws, or its key, reveal nothing of another day. Prices, business
 * time and volumes have different keys. The daily layer has one stream for the whole market and day, in which the name of a
 * path or factor selects the counter, because every start computes eleven years of it.
 * Invariant: only the HMAC leads from the key to a day, and nothing leads back.
 *
 * Counter mode is implemented here, as AES of counter blocks: a cipher of `node:crypto` in counter mode cannot seek, and a
 * new one for each place costs ten times as much as the draws. Words are little-endian, as on every machine that
 * Node.js 24 is built for.
 */
import {
  type Cipheriv,
  createCipheriv,
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
} from 'node:crypto';
import { BoundedMap } from '../../../../platform/cache/bounded-map.ts';
import { firstDay } from './daily.ts';
import {
  type DailyKind,
  type DailyNoise,
  type DayNoise,
  groupNodes,
  type MarketNoise,
  type VolumeNoise,
} from './noise.ts';
import { addBounded, boundedGroup, limitOf, normalLimit, normalOf32 } from './normal.ts';
import { blocksPerDay, leavesPerMinute, minutesPerDay, upperNodes } from './rhythm.ts';

export const engine3 = 3;
export const marketKeyBytes = 32;
/** The daily layer has one stream for all names. */
export const everyName = '*';

const cipherBlockBytes = 16;
const wordBytes = 4;
const cipherBlockWords = cipherBlockBytes / wordBytes;

/**
 * A stream has the words of the nodes of several blocks, those of the long nodes of each block, a head of each minute and the
 * subtrees of each minute.
 */
const upperBytes = upperNodes * wordBytes;
/** The nodes below a block that are longer than a minute are 1, 2, 3 and 7, which has the place of 0. */
const longWords = 4;
const longBytes = blocksPerDay * longWords * wordBytes;
/** Of 16 bits each: the bound of the group on top of the minute, its 15 draws, and the bounds of the 16 subtrees. */
const headWords = 2 * groupNodes;
const headBytes = headWords * 2;
/** By subtree, of 16 bits each: 31 draws, from place 1 on. */
const subtreeWords = leavesPerMinute / groupNodes;
const minuteBytes = groupNodes * subtreeWords * 2;
const headsFrom = upperBytes + longBytes;
const minutesFrom = headsFrom + minutesPerDay * headBytes;
const streamBytes = minutesFrom + minutesPerDay * minuteBytes;
/** Draws of a day's volume: one word of the whole day, then one of each minute. */
const volumeBytes = (1 + minutesPerDay) * wordBytes;

/** The counter blocks 0, 1, 2 … of a key stream. */
const counters = Buffer.alloc(Math.ceil(streamBytes / cipherBlockBytes) * cipherBlockBytes);
for (let at = 0; at < counters.length; at += cipherBlockBytes) {
  counters.writeUInt32BE(at / cipherBlockBytes, at + cipherBlockBytes - wordBytes);
}

/** The key as an object: Node.js takes five times as long over one of bytes. */
const newCipher = (key: Buffer): Cipheriv =>
  createCipheriv('aes-256-ecb', createSecretKey(key), null).setAutoPadding(false);

function encrypt(cipher: Cipheriv, blocks: Buffer): Int32Array {
  const bytes = cipher.update(blocks);
  // A view needs whole words; a buffer of its own begins at one.
  const whole = bytes.byteOffset % wordBytes === 0 ? bytes : Buffer.from(new Uint8Array(bytes).buffer);
  return new Int32Array(whole.buffer, whole.byteOffset, whole.byteLength / wordBytes);
}

/** The words of a key stream; both bounds in bytes and at a block of the cipher. */
const wordsOf = (cipher: Cipheriv, from: number, to: number): Int32Array =>
  encrypt(cipher, counters.subarray(from, to));

/** Minutes whose subtrees are cached: the present ones and those around a day's extremes. */
const cachedMinutesMax = 32;

/** 16-bit words of a key stream; both bounds in bytes and at a block of the cipher. */
function halfWordsOf(cipher: Cipheriv, from: number, to: number): Uint16Array {
  const { buffer, byteOffset, length } = wordsOf(cipher, from, to);
  return new Uint16Array(buffer, byteOffset, 2 * length);
}

class Stream implements DayNoise {
  readonly cipher: Cipheriv;
  /** Of the upper nodes, then of the long ones. */
  readonly words: Int32Array;
  heads: Uint16Array | null = null;
  /** By a minute's number modulo `cachedMinutesMax`, and which minute it is. */
  readonly subtrees: (Uint16Array | undefined)[] = [];
  readonly numbers = new Int16Array(cachedMinutesMax).fill(-1);

  constructor(key: Buffer) {
    this.cipher = newCipher(key);
    this.words = wordsOf(this.cipher, 0, headsFrom);
  }

  upper(node: number): number {
    return this.words[node] ?? 0;
  }

  long(block: number, node: number): number {
    return this.words[upperNodes + block * longWords + (node === 7 ? 0 : node)] ?? 0;
  }

  addSteps(minute: number, group: number, amplitude: number, sums: Float64Array): void {
    const heads = this.heads ?? this.drawHeads();
    const head = minute * headWords;
    if (group === 1) {
      addBounded(top, heads[head] ?? 0, heads, head, amplitude, sums);
      return;
    }
    const cached = minute % cachedMinutesMax;
    const words =
      (this.numbers[cached] === minute && this.subtrees[cached]) || this.drawSubtrees(minute, cached);
    addBounded(
      subtree,
      heads[head + group] ?? 0,
      words,
      (group - groupNodes) * subtreeWords,
      amplitude,
      sums,
    );
  }

  stepLimit(minute: number, group: number): number {
    const heads = this.heads ?? this.drawHeads();
    const head = minute * headWords;
    return group === 1 ? limitOf(top, heads[head] ?? 0) : limitOf(subtree, heads[head + group] ?? 0);
  }

  drawHeads(): Uint16Array {
    this.heads = halfWordsOf(this.cipher, headsFrom, minutesFrom);
    return this.heads;
  }

  drawSubtrees(minute: number, cached: number): Uint16Array {
    const from = minutesFrom + minute * minuteBytes;
    const words = halfWordsOf(this.cipher, from, from + minuteBytes);
    this.subtrees[cached] = words;
    this.numbers[cached] = minute;
    return words;
  }
}

/** How the draws of the two kinds of groups are bounded. */
const top = boundedGroup(groupNodes - 1);
const subtree = boundedGroup(subtreeWords - 1);

class Volume implements VolumeNoise {
  readonly surprise: number;
  readonly #cipher: Cipheriv;
  #minutes: Int32Array | null = null;

  constructor(key: Buffer) {
    this.#cipher = newCipher(key);
    this.surprise = wordsOf(this.#cipher, 0, cipherBlockBytes)[0] ?? 0;
  }

  minute(minute: number): number {
    this.#minutes ??= wordsOf(this.#cipher, 0, Math.ceil(volumeBytes / cipherBlockBytes) * cipherBlockBytes);
    return this.#minutes[1 + minute] ?? 0;
  }
}

/**
 * Cached streams that other symbols draw from too: those of paths, which only crosses share, and which are ten
 * times as large once their steps are drawn, and those that all share.
 */
const cachedStreamsMax = { path: 32, factor: 200, clock: 100 } as const;
type Purpose = keyof typeof cachedStreamsMax;

/** The key of a stream and day, 32 bytes; days since 1970-01-01. */
export type DayKeys = (purpose: Purpose | 'daily' | 'volume', name: string, day: number) => Buffer;

/** `key`: the market's, 32 bytes, from which all of its prices can be computed. */
export function createEngine3Noise(key: Uint8Array): MarketNoise {
  return createNoiseOfKeys(createDayKeys(key), keyIdOf(key));
}

function secretOf(key: Uint8Array): KeyObject {
  if (key.length !== marketKeyBytes) throw new RangeError(`A market's key has ${marketKeyBytes} bytes`);
  return createSecretKey(key);
}

export const keyIdOf = (key: Uint8Array): string => hmac(secretOf(key), 'key').toString('hex', 0, 8);

export function createDayKeys(key: Uint8Array): DayKeys {
  const secret = secretOf(key);
  return (purpose, name, day) => dayKey(secret, purpose, name, day);
}

/** The draws of days whose keys are known: of all of them to the market, of the past ones to who checks published keys. */
export function createNoiseOfKeys(keyOf: DayKeys, keyId: string): MarketNoise {
  const streams = {
    path: new BoundedMap<string, Stream>(cachedStreamsMax.path),
    factor: new BoundedMap<string, Stream>(cachedStreamsMax.factor),
    clock: new BoundedMap<string, Stream>(cachedStreamsMax.clock),
  };

  function streamOf(purpose: Purpose, name: string, day: number): Stream {
    const cached = streams[purpose];
    const id = `${name} ${day}`;
    const known = cached.get(id);
    if (known) return known;
    const stream = new Stream(keyOf(purpose, name, day));
    cached.set(id, stream);
    return stream;
  }

  return {
    engine: engine3,
    keyId,
    displacement: { of: normalOf32, limit: normalLimit, stepLimit: normalLimit },
    daily: createDailyNoise((day) => keyOf('daily', everyName, firstDay + day)),
    path: (name, day) => streamOf('path', name, day),
    factor: (name, day) => streamOf('factor', name, day),
    clock: (name, day) => streamOf('clock', name, day),
    volume: (symbol, _clock, day) => new Volume(keyOf('volume', symbol, day)),
  };
}

/** The key of a market with a chosen seed: the seed alone determines it. */
export const keyOfSeed = (seed: string): Buffer =>
  createHash('sha256').update(`fulcrum market\u0000${seed}`).digest();

const hmac = (key: KeyObject, message: string): Buffer => createHmac('sha256', key).update(message).digest();

const dayKey = (key: KeyObject, purpose: string, name: string, day: number): Buffer =>
  hmac(key, [`engine ${engine3}`, purpose, name, day].join('\u0000'));

/**
 * Each name has one counter block a day, selected by 96 bits of its hash. A start reads all days name by name: the blocks of
 * a day are cached until the garbage collector frees them.
 */
function createDailyNoise(keyOf: (day: number) => Buffer): MarketNoise['daily'] {
  const slots = new Map<string, number>();
  let blocks = Buffer.alloc(0);
  let cached = new WeakRef<(Int32Array | undefined)[]>([]);

  function getSlot(kind: DailyKind, name: string): number {
    const id = `${kind}\u0000${name}`;
    const known = slots.get(id);
    if (known !== undefined) return known;
    const block = Buffer.alloc(cipherBlockBytes);
    createHash('sha256')
      .update(id)
      .digest()
      .copy(block, 0, 0, cipherBlockBytes - wordBytes);
    blocks = Buffer.concat([blocks, block]);
    slots.set(id, slots.size);
    return slots.size - 1;
  }

  function getDraws(day: number, names: number): Int32Array {
    let days = cached.deref();
    if (!days) {
      days = [];
      cached = new WeakRef(days);
    }
    const known = days[day];
    if (known && known.length >= names * cipherBlockWords) return known;
    const drawn = encrypt(newCipher(keyOf(day)), blocks);
    days[day] = drawn;
    return drawn;
  }

  return (kind, name): DailyNoise => {
    const slot = getSlot(kind, name);
    let latestDay = -1;
    let latest: Int32Array = new Int32Array();
    return (day, draw) => {
      if (day !== latestDay) latest = getDraws(day, slot + 1);
      latestDay = day;
      return latest[slot * cipherBlockWords + draw] ?? 0;
    };
  };
}
