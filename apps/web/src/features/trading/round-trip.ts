/**
 * The time until the answer of the last API request began, as measured by the browser. Limit: there is no figure
 * before the page's first request, or in a browser that does not report it.
 */
const path = '/rest/v1/';

let lastMs: number | null = null;
let isMeasuring = false;

const isMeasured = (entry: PerformanceEntry): entry is PerformanceResourceTiming =>
  entry instanceof PerformanceResourceTiming && new URL(entry.name).pathname.startsWith(path);

function startMeasuring(): void {
  if (isMeasuring || typeof PerformanceObserver === 'undefined') return;
  isMeasuring = true;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries().filter(isMeasured)) {
      if (entry.responseStart > entry.requestStart) lastMs = entry.responseStart - entry.requestStart;
    }
  });
  observer.observe({ type: 'resource', buffered: true });
}

/** ms; null when it is not known. The first call starts the measurement. */
export function getRoundTripMs(): number | null {
  startMeasuring();
  return lastMs;
}
