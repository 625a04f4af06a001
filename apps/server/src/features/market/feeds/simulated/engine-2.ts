/**
 * The draws of engine 2, for the past of data folders that began with it: no new market gets them. The n-th draw of a
 * stream is a hash of (engine, seed, symbol, stream, n).
 * Known limitations, for which it was replaced (A109): the hash can be searched, so its seed is found from public prices; and
 * its steps of one size below the minute leave two places for a minute's end when half of it is over.
 */
import {
  bell,
  bellLimit,
  type DailyKind,
  type DayNoise,
  groupNodes,
  type MarketNoise,
  type VolumeNoise,
} from './noise.ts';
import { blockNodes, leavesPerMinute, minutesPerBlock } from './rhythm.ts';

/** The seed where none was chosen. */
export const engine2DefaultSeed = 'fulcrum';

/** A stream of draws; signed 32-bit halves, which V8 stores without a box. */
interface HashKey {
  readonly a: number;
  readonly b: number;
}

/** The finalizer of MurmurHash3 (Appleby, public domain): each input bit moves half of the 32 output bits. */
function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** An odd constant near 2^32 / golden ratio: consecutive counters land far apart before they are mixed. */
const stride = 0x9e3779b9;

function hashKey(...parts: readonly string[]): HashKey {
  let a = 0x811c9dc5;
  let b = 0x2545f491;
  for (const character of ['engine 2', ...parts].join('\u0000')) {
    const code = character.codePointAt(0) ?? 0;
    a = mix(a ^ code);
    b = mix(Math.imul(b, stride) + code);
  }
  return { a, b };
}

const subKey = (key: HashKey, index: number): HashKey => ({
  a: mix((key.a + Math.imul(index, stride)) | 0),
  b: mix(key.b ^ Math.imul(index, stride)),
});

const draw = (key: HashKey, counter: number): number =>
  mix(mix((key.a + Math.imul(counter, stride)) | 0) ^ key.b);

/** Draws of the clock beyond every node of the tree. */
const minuteDraws = 2 ** 30;

/** The nodes of the minutes of a block. */
const minuteNodes = new Int32Array([4, 5, 6, 14, 15]);

/** The number of a node below a block in the tree of the whole day. */
function nodeOfDay(block: number, node: number): number {
  return below(blockNodes[block] ?? 0, node);
}

/** The number of a node of the tree below `top`, in the tree that `top` is a node of. */
function below(top: number, node: number): number {
  const depth = 31 - Math.clz32(node);
  return (top << depth) + node - (1 << depth);
}

const dayNoise = (key: HashKey): DayNoise => ({
  upper: (node) => draw(key, node),
  long: (block, node) => draw(key, nodeOfDay(block, node)),
  // One deviation up or down: the shortest reach there is.
  addSteps(minute, group, amplitude, sums) {
    const block = Math.floor(minute / minutesPerBlock);
    const minuteNode = minuteNodes[minute - block * minutesPerBlock] ?? 0;
    const first = below(minuteNode, group);
    const nodes = group === 1 ? groupNodes : leavesPerMinute / groupNodes;
    for (let node = 1; node < nodes; node += 1) {
      const bit = (draw(key, nodeOfDay(block, below(first, node))) >>> 16) & 1;
      sums[node] = (sums[node] ?? 0) + amplitude * (1 - 2 * bit);
    }
  },
  stepLimit: () => 1,
});

export function createEngine2Noise(seed: string): MarketNoise {
  const keys = new Map<string, HashKey>();
  function keyOf(...parts: readonly string[]): HashKey {
    const name = parts.join('\u0000');
    const key = keys.get(name) ?? hashKey(seed, ...parts);
    keys.set(name, key);
    return key;
  }
  const dailyKey = (kind: DailyKind, name: string): HashKey => {
    if (kind === 'path') return keyOf(name, 'daily');
    if (kind === 'factor') return keyOf('factor', name, 'daily');
    return kind === 'weather' ? keyOf('weather', name) : keyOf('mood');
  };
  return {
    engine: 2,
    keyId: seed,
    displacement: { of: bell, limit: bellLimit, stepLimit: 1 },
    daily(kind, name) {
      const key = dailyKey(kind, name);
      return (day, counter) => draw(subKey(key, day), counter);
    },
    path: (name, day) => dayNoise(subKey(keyOf(name, 'intraday'), day)),
    factor: (name, day) => dayNoise(subKey(keyOf('factor', name, 'intraday'), day)),
    clock: (name, day) => dayNoise(subKey(keyOf(name, 'clock'), day)),
    volume(symbol, clock, day): VolumeNoise {
      const clockKey = subKey(keyOf(clock, 'clock'), day);
      return {
        surprise: draw(keyOf(symbol, 'volume'), day),
        minute: (minute) => draw(clockKey, minuteDraws + minute),
      };
    },
  };
}
