/**
 * Observes the frame page with the third party's widget (A35): `third-party-chart.js` reports whether the widget loaded.
 * Invariant: only messages of the frame itself count, and a missing report counts as a failure.
 */
const reportTimeoutMs = 10_000;
const frameSource = 'fulcrum-third-party';

/** `text` is the log message: ERR-39, ERR-40. */
export type FrameReport = { readonly state: 'ready' } | { readonly state: 'failed'; readonly text: string };

const failures = {
  script: 'Failed to load TradingView widget',
  widget: 'TradingView not available',
} as const;

/** Parses a message; null when it is no report of the frame page. */
export function parseReport(message: unknown): FrameReport | null {
  if (typeof message !== 'object' || message === null) return null;
  const { source, state, reason }: { source?: unknown; state?: unknown; reason?: unknown } = message;
  if (source !== frameSource) return null;
  if (state === 'ready') return { state };
  if (state !== 'failed') return null;
  return { state, text: reason === 'widget' ? failures.widget : failures.script };
}

/** Calls back with the frame's report until the returned function is called. */
export function observeFrame(
  frame: () => HTMLIFrameElement | null,
  onReport: (report: FrameReport) => void,
): () => void {
  const timer = setTimeout(() => onReport({ state: 'failed', text: failures.script }), reportTimeoutMs);
  const onMessage = ({ source, data }: MessageEvent<unknown>) => {
    const sender = frame()?.contentWindow;
    if (!sender || source !== sender) return;
    const report = parseReport(data);
    if (!report) return;
    clearTimeout(timer);
    onReport(report);
  };
  addEventListener('message', onMessage);
  return () => {
    clearTimeout(timer);
    removeEventListener('message', onMessage);
  };
}
