/** Runs `work` for 0 to `count` - 1, `atOnce` at a time; resolves with the results in that order. */
export async function inGroups<T>(
  count: number,
  atOnce: number,
  work: (n: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  for (let from = 0; from < count; from += atOnce) {
    const group = Array.from({ length: Math.min(atOnce, count - from) }, (_, i) => work(from + i));
    results.push(...(await Promise.all(group)));
  }
  return results;
}
