/**
 * The path of a pair whose market had another path before: each instant belongs to the path of its own epoch, so shown
 * prices stay. Invariant: a bar over a change combines the bars before and after it.
 */
import type { Span } from '@fulcrum/domain';
import type { PathBar, SimulatedPath } from './path.ts';

/** In force up to the instant `until`, ms since the epoch. */
interface EarlierPath {
  readonly path: SimulatedPath;
  readonly until: number;
}

/** `earlier`: oldest first. */
export function joinPaths(earlier: readonly EarlierPath[], current: SimulatedPath): SimulatedPath {
  if (earlier.length === 0) return current;
  const all: readonly EarlierPath[] = [...earlier, { path: current, until: Infinity }];
  const pathAt = (instant: number) => all.find(({ until }) => instant < until)?.path ?? current;
  return {
    priceAt: (instant) => pathAt(instant).priceAt(instant),
    exactPriceAt: (instant) => pathAt(instant).exactPriceAt(instant),
    bar(spans) {
      const bars: PathBar[] = [];
      let since = -Infinity;
      for (const { path, until } of all) {
        const bar = path.bar(within(spans, since, until));
        if (bar) bars.push(bar);
        since = until;
      }
      return current.joined(bars);
    },
    joined: (bars) => current.joined(bars),
    forget() {
      for (const { path } of all) path.forget();
    },
  };
}

const within = (spans: readonly Span[], since: number, until: number): Span[] =>
  spans.flatMap(({ from, to }) => {
    const part = { from: Math.max(from, since), to: Math.min(to, until) };
    return part.from < part.to ? part : [];
  });
