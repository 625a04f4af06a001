/** Colour profiles. Invariant: none is larger than `profileBytesMax`, packed or unpacked. */
import { inflateSync } from 'node:zlib';

/** Profiles of screens and cameras take a few kilobytes, those of printing presses half a megabyte. */
export const profileBytesMax = 1024 * 1024;

/** Of the name before the profile, with its end and the method of compression: PNG, 11.3.2.3. */
const nameBytesMax = 81;

/** Whether the content of an `iCCP` chunk unpacks within the bound. */
export function isBoundedProfile(content: Buffer): boolean {
  if (content.length > profileBytesMax) return false;
  const nameEnd = content.subarray(0, nameBytesMax).indexOf(0);
  if (nameEnd < 1) return false;
  try {
    inflateSync(content.subarray(nameEnd + 2), { maxOutputLength: profileBytesMax });
    return true;
  } catch {
    // Too large, or damaged: a decoder would continue without it as well.
    return false;
  }
}
