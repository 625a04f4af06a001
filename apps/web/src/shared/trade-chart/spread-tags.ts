/** Moves overlapping tags of a plot apart: each stays as near to its own position as the others leave it. Pure. */
interface Cluster {
  readonly tags: readonly number[];
  readonly centre: number;
}

const half = ({ tags }: Cluster, gap: number): number => (tags.length * gap) / 2;

/** The positions moved apart, in the same order, at least `gap` apart. */
export function spreadTags(positions: readonly number[], gap: number): readonly number[] {
  const sorted = [...positions.keys()].sort((a, b) => (positions[a] ?? 0) - (positions[b] ?? 0));
  const clusters: Cluster[] = [];
  for (const tag of sorted) {
    let last: Cluster = { tags: [tag], centre: positions[tag] ?? 0 };
    for (
      let before = clusters.at(-1);
      before && last.centre - before.centre < half(before, gap) + half(last, gap);
      before = clusters.at(-1)
    ) {
      clusters.pop();
      const tags = [...before.tags, ...last.tags];
      const sum = before.centre * before.tags.length + last.centre * last.tags.length;
      last = { tags, centre: sum / tags.length };
    }
    clusters.push(last);
  }
  const moved = [...positions];
  for (const { tags, centre } of clusters) {
    for (const [nth, tag] of tags.entries()) moved[tag] = centre + (nth - (tags.length - 1) / 2) * gap;
  }
  return moved;
}
