/**
 * A QR code of a short text (ISO/IEC 18004): bytes, versions 1 to 10, error correction M. Pure.
 *
 * Known limitation: always mask 0, where the standard would take the one with the lowest penalty; every reader reads all of them.
 */

/** Of each version: error correction codewords of a block, and the data codewords of its blocks. */
const blocksOf: readonly (readonly [correction: number, data: readonly number[]])[] = [
  [10, [16]],
  [16, [28]],
  [26, [44]],
  [18, [32, 32]],
  [24, [43, 43]],
  [16, [27, 27, 27, 27]],
  [18, [31, 31, 31, 31]],
  [22, [38, 38, 39, 39]],
  [22, [36, 36, 36, 37, 37]],
  [26, [43, 43, 43, 43, 44]],
];
/** Of each version: the centres of the alignment patterns, in both directions. */
const centresOf: readonly (readonly number[])[] = [
  ...[[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34]],
  ...[
    [6, 22, 38],
    [6, 24, 42],
    [6, 26, 46],
    [6, 28, 50],
  ],
];

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Product in GF(256) with the polynomial of the standard. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((b >>> bit) & 1) * a;
  }
  return product;
}

/** Reed-Solomon codewords of a block. */
function correctionOf(data: readonly number[], count: number): number[] {
  const divisor = times<number>(count, (i) => (i === count - 1 ? 1 : 0));
  let root = 1;
  for (let i = 0; i < count; i += 1) {
    for (let j = 0; j < count; j += 1) {
      divisor[j] = multiply(divisor[j] ?? 0, root) ^ (divisor[j + 1] ?? 0);
    }
    root = multiply(root, 2);
  }
  const rest = times(count, () => 0);
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0);
    rest.push(0);
    divisor.forEach((value, i) => {
      rest[i] = (rest[i] ?? 0) ^ multiply(value, factor);
    });
  }
  return rest;
}

/** The codewords of a text in the order of the symbol. @throws RangeError for a text of more than 213 bytes */
function codewordsOf(text: string): { readonly version: number; readonly codewords: readonly number[] } {
  const bytes = [...new TextEncoder().encode(text)];
  const index = blocksOf.findIndex(([, data], i) => {
    const headBits = i < 9 ? 12 : 20;
    return data.reduce((sum, size) => sum + size, 0) * 8 >= headBits + bytes.length * 8;
  });
  const found = blocksOf[index];
  if (!found) throw new RangeError('the text is too long for a QR code');
  const [correction, sizes] = found;
  const capacity = sizes.reduce((sum, size) => sum + size, 0);
  const lengthBits = index < 9 ? 8 : 16;
  const bits = [0b0100, bytes.length, ...bytes]
    .map((value, i) => value.toString(2).padStart(i === 0 ? 4 : i === 1 ? lengthBits : 8, '0'))
    .join('');
  const padded = bits.padEnd(Math.min(capacity * 8, bits.length + 4), '0');
  const data = times(capacity, (i) => {
    const byte = padded.slice(i * 8, i * 8 + 8);
    return byte === '' ? -1 : Number.parseInt(byte.padEnd(8, '0'), 2);
  });
  const firstPad = data.indexOf(-1);
  const filled = data.map((byte, i) => (byte >= 0 ? byte : (i - firstPad) % 2 === 0 ? 0xec : 0x11));
  let end = 0;
  const blocks = sizes.map((size) => {
    end += size;
    return filled.slice(end - size, end);
  });
  const corrections = blocks.map((block) => correctionOf(block, correction));
  const interleave = (parts: readonly (readonly number[])[]) =>
    times(Math.max(...parts.map(({ length }) => length)), (i) =>
      parts.flatMap((part) => part[i] ?? []),
    ).flat();
  return { version: index + 1, codewords: [...interleave(blocks), ...interleave(corrections)] };
}

/** The remainder of `value` by the generator, as both kinds of format information have it. */
function remainderOf(value: number, generator: number, bits: number): number {
  let rest = value;
  for (let i = 0; i < bits; i += 1) rest = (rest << 1) ^ ((rest >>> (bits - 1)) * generator);
  return rest;
}

/** The modules by row: whether each is dark. Without the quiet zone of four modules around it. */
export function encodeQr(text: string): readonly (readonly boolean[])[] {
  const { version, codewords } = codewordsOf(text);
  const size = version * 4 + 17;
  const modules: (boolean | null)[][] = times(size, () => times(size, () => null));
  const set = (x: number, y: number, isDark: boolean) => {
    const row = modules[y];
    if (row && x >= 0 && x < size) row[x] = isDark;
  };
  const square = (centreX: number, centreY: number, radius: number) => {
    for (let dy = -radius; dy <= radius; dy += 1) {
      for (let dx = -radius; dx <= radius; dx += 1) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set(centreX + dx, centreY + dy, radius === 4 ? ring !== 2 && ring !== 4 : ring !== 1);
      }
    }
  };
  for (let i = 0; i < size; i += 1) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  square(3, 3, 4);
  square(size - 4, 3, 4);
  square(3, size - 4, 4);
  const centres = centresOf[version - 1] ?? [];
  const last = centres.length - 1;
  centres.forEach((x, i) => {
    centres.forEach((y, j) => {
      const isFinder = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0);
      if (!isFinder) square(x, y, 2);
    });
  });

  // Level M is 00, and so is mask 0.
  const format = remainderOf(0, 0x537, 10) ^ 0x5412;
  const formatBit = (i: number) => ((format >>> i) & 1) === 1;
  for (let i = 0; i < 15; i += 1) {
    const along = i < 6 ? i : i < 8 ? i + 1 : size - 15 + i;
    set(8, along, formatBit(i));
    const across = i < 8 ? size - 1 - i : i === 8 ? 7 : 14 - i;
    set(across, 8, formatBit(i));
  }
  set(8, size - 8, true);
  if (version >= 7) {
    const info = (version << 12) | remainderOf(version, 0x1f25, 12);
    for (let i = 0; i < 18; i += 1) {
      const [near, far] = [Math.floor(i / 3), size - 11 + (i % 3)];
      set(far, near, ((info >>> i) & 1) === 1);
      set(near, far, ((info >>> i) & 1) === 1);
    }
  }

  let bit = 0;
  // The column of the timing pattern is left out.
  const columns = times((size - 1) / 2, (i) => size - 1 - 2 * i).map((right) =>
    right <= 6 ? right - 1 : right,
  );
  for (const right of columns) {
    const isUpward = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step += 1) {
      const y = isUpward ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        const row = modules[y];
        if (!row || row[x] !== null) continue;
        const codeword = codewords[bit >>> 3] ?? 0;
        const isDark = ((codeword >>> (7 - (bit & 7))) & 1) === 1;
        row[x] = isDark !== ((x + y) % 2 === 0);
        bit += 1;
      }
    }
  }
  return modules.map((row) => row.map((isDark) => isDark === true));
}
