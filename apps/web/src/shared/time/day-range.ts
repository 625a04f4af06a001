/** Days as a filter has them: `2026-11-06`, in the reader's zone (A78). */
const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Midnight at the beginning of the day `later` days after that one, local; ms since epoch. Null for no day. */
export function midnightOf(day: string | null, later = 0): number | null {
  const [, year, month, date] = dayPattern.exec(day ?? '') ?? [];
  if (year === undefined || month === undefined || date === undefined) return null;
  const at = new Date(Number(year), Number(month) - 1, Number(date));
  // 31 February is no day.
  if (at.getMonth() !== Number(month) - 1 || at.getDate() !== Number(date)) return null;
  at.setDate(at.getDate() + later);
  return at.getTime();
}

/** The day, or null for what is none. */
export const dayOrNull = (value: string | null): string | null => (midnightOf(value) === null ? null : value);
