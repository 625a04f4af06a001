/**
 * Draws by name instead of by state: a draw depends only on the name parts of the request, so generated content is the same
 * for every user, in any order and after a restart. 53 bits of SHA-256; suitable for choosing phrases, not for secrets.
 */
import { createHash } from 'node:crypto';

export interface Draws {
  /** Uniform in [0, 1). */
  unit(...name: readonly (string | number)[]): number;
  /** A bounded bell around 0 with deviation 1, never beyond 3. */
  bell(...name: readonly (string | number)[]): number;
  /** One of `from`; undefined when there is none. */
  pick<Item>(from: readonly Item[], ...name: readonly (string | number)[]): Item | undefined;
}

/** About the draws of one day; the oldest entry leaves first. */
const keptMax = 20_000;

export function createDraws(seed: string): Draws {
  const drawCache = new Map<string, number>();

  function unit(...name: readonly (string | number)[]): number {
    const key = name.join('\u0000');
    const known = drawCache.get(key);
    if (known !== undefined) return known;
    const bytes = createHash('sha256').update(`made up\u0000${seed}\u0000${key}`).digest();
    const drawn = Number(bytes.readBigUInt64BE(0) >> 11n) / 2 ** 53;
    const oldest = drawCache.size >= keptMax ? drawCache.keys().next() : undefined;
    if (oldest && !oldest.done) drawCache.delete(oldest.value);
    drawCache.set(key, drawn);
    return drawn;
  }

  return {
    unit,
    // Three uniforms have variance 1/4.
    bell: (...name) => (unit(...name, 'a') + unit(...name, 'b') + unit(...name, 'c') - 1.5) * 2,
    pick: (from, ...name) => from[Math.floor(unit(...name) * from.length)],
  };
}
