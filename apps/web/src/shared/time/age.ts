/** Formats an age: `0.4 s`, `42 s`, `3 min`, `2 h`, `5 d`. */
export function formatAge(ageMs: number): string {
  const seconds = Math.max(0, ageMs) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}
