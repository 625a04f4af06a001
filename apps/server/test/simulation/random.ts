/**
 * The randomness of a run. Every random value of the simulator comes from one of these, so that a seed determines the
 * whole run (sfc32, as in PractRand).
 */
export interface Chance {
  /** In [0, 1). */
  fraction(): number;
  /** A whole number in [0, below). */
  below(below: number): number;
  /** True in this share of the calls. */
  happens(share: number): boolean;
  pick<T>(choices: readonly T[]): T;
  /** One of the keys, in proportion to its weight. */
  weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key;
  uuid(): string;
}

const UINT32 = 4_294_967_296;

export function createChance(seed: number): Chance {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = seed >>> 0;
  let counter = 1;
  const next = (): number => {
    const mixed = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + mixed;
    return mixed >>> 0;
  };
  // The first numbers of neighbouring seeds are alike.
  for (let i = 0; i < 12; i += 1) next();

  const below = (limit: number): number => next() % limit;
  const hex = (): string => next().toString(16).padStart(8, '0');
  return {
    fraction: () => next() / UINT32,
    below,
    happens: (share) => next() < share * UINT32,
    pick: (choices) => {
      const choice = choices[below(choices.length)];
      if (choice === undefined) throw new RangeError('nothing to pick from');
      return choice;
    },
    weighted: (weights) => {
      const keys = Object.keys(weights) as (keyof typeof weights)[];
      const total = keys.reduce((sum, key) => sum + weights[key], 0);
      let at = (next() / UINT32) * total;
      for (const key of keys) {
        at -= weights[key];
        if (at < 0) return key;
      }
      return keys[0] as (typeof keys)[number];
    },
    uuid: () => {
      const [p, q, r, s] = [hex(), hex(), hex(), hex()];
      return `${p}-${q.slice(0, 4)}-4${q.slice(5)}-8${r.slice(1, 4)}-${r.slice(4)}${s}`;
    },
  };
}
