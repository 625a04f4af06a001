/** Formats a duration in its two largest units: `2 d 4 h`, `3 h 14 min`, `12 min`, `45 s`. */
const units = [
  { seconds: 86_400, symbol: 'd' },
  { seconds: 3_600, symbol: 'h' },
  { seconds: 60, symbol: 'min' },
  { seconds: 1, symbol: 's' },
] as const;

/** `seconds` is truncated to whole seconds; a negative duration counts as zero. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const largest = units.findIndex((unit) => whole >= unit.seconds);
  const unit = units[largest];
  if (!unit) return '0 s';
  const first = `${Math.floor(whole / unit.seconds)} ${unit.symbol}`;
  const next = units[largest + 1];
  const rest = next ? Math.floor((whole % unit.seconds) / next.seconds) : 0;
  return next && rest > 0 ? `${first} ${rest} ${next.symbol}` : first;
}
