/**
 * Draws by name instead of by state: what is drawn depends on the words it is asked with alone, so that an invented thing is
 * the same for everybody, in any order and after a restart. 53 bits of SHA-256; good for choosing words, not for secrets.
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

/** As many as a day of watching asks for; the one that was asked for first leaves first. */
const keptMax = 20_000;

export function createDraws(seed: string): Draws {
  const kept = new Map<string, number>();

  function unit(...name: readonly (string | number)[]): number {
    const key = name.join('\u0000');
    const known = kept.get(key);
    if (known !== undefined) return known;
    const bytes = createHash('sha256').update(`made up\u0000${seed}\u0000${key}`).digest();
    const drawn = Number(bytes.readBigUInt64BE(0) >> 11n) / 2 ** 53;
    const oldest = kept.size >= keptMax ? kept.keys().next() : undefined;
    if (oldest && !oldest.done) kept.delete(oldest.value);
    kept.set(key, drawn);
    return drawn;
  }

  return {
    unit,
    // Three uniforms have variance 1/4.
    bell: (...name) => (unit(...name, 'a') + unit(...name, 'b') + unit(...name, 'c') - 1.5) * 2,
    pick: (from, ...name) => from[Math.floor(unit(...name) * from.length)],
  };
}
