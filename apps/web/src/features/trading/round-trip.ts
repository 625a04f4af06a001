/**
 * How long the last request to this server's API took until its answer began, measured by the browser itself. Limit: there is
 * no figure before the first request of the page, and none in a browser that does not tell.
 */
const path = '/rest/v1/';

let lastMs: number | null = null;
let watching = false;

const isMeasured = (entry: PerformanceEntry): entry is PerformanceResourceTiming =>
  entry instanceof PerformanceResourceTiming && new URL(entry.name).pathname.startsWith(path);

function watch(): void {
  if (watching || typeof PerformanceObserver === 'undefined') return;
  watching = true;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries().filter(isMeasured)) {
      if (entry.responseStart > entry.requestStart) lastMs = entry.responseStart - entry.requestStart;
    }
  });
  observer.observe({ type: 'resource', buffered: true });
}

/** ms; null when it is not known. Starts to measure with the first call. */
export function roundTripMs(): number | null {
  watch();
  return lastMs;
}
