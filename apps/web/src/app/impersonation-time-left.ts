/** The remaining time of an impersonation: figures for display, and a sentence that screen readers announce rarely. */

/** `24:18`; `1:00:00` from an hour on. */
export function formatTimeLeft(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? `${part}` : `${part}`.padStart(2, '0'))).join(':');
}

/** The announcement for screen readers, at five minutes and at one. */
export function formatTimeLeftNotice(seconds: number): string {
  if (seconds > 300) return '';
  return seconds > 60 ? 'The impersonation ends in 5 minutes.' : 'The impersonation ends in 1 minute.';
}
