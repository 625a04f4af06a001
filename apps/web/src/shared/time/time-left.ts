/** Formats a countdown. */

/** `24:18`; `1:00:00` from an hour on. */
export function formatTimeLeft(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? `${part}` : `${part}`.padStart(2, '0'))).join(':');
}
