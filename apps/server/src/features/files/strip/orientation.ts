/**
 * The orientation of a picture, the one part of its EXIF that pixels need (Exif 2.32, 4.6.4 A). Invariant: the
 * written block holds nothing else.
 */

const prefix = Buffer.from('Exif\0\0', 'latin1');
const orientationTag = 0x0112;
const upright = 1;
const orientationMax = 8;

/** 2 to 8, read from the TIFF block with or without JPEG's prefix; null: upright or unstated. */
export function orientationOf(exif: Buffer): number | null {
  const tiff = exif.subarray(0, prefix.length).equals(prefix) ? exif.subarray(prefix.length) : exif;
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return null;
  const isLittle = order === 'II';
  const u16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const u32 = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const directory = u32(4);
  if (directory + 2 > tiff.length) return null;
  const entriesEnd = Math.min(directory + 2 + u16(directory) * 12, tiff.length - 11);
  for (let at = directory + 2; at < entriesEnd; at += 12) {
    if (u16(at) !== orientationTag) continue;
    // A SHORT by the standard; some cameras write a LONG.
    const value = u16(at + 2) === 4 ? u32(at + 8) : u16(at + 8);
    return value > upright && value <= orientationMax ? value : null;
  }
  return null;
}

/** A block of TIFF with one entry. */
export const tiffOf = (orientation: number): Buffer =>
  Buffer.from([
    // 'MM', 42, the directory's place
    0x4d,
    0x4d,
    0,
    42,
    0,
    0,
    0,
    8,
    // one entry: the tag, SHORT, one value
    0,
    1,
    0x01,
    0x12,
    0,
    3,
    0,
    0,
    0,
    1,
    0,
    orientation,
    0,
    0,
    // no further directory
    0,
    0,
    0,
    0,
  ]);

/** As JPEG has it: with the prefix. */
export const exifOf = (orientation: number): Buffer => Buffer.concat([prefix, tiffOf(orientation)]);
