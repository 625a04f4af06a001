/**
 * The frame page with the third party's widget (A35), as the page around it hears of it: `third-party-chart.js` reports whether
 * the widget came up. Invariant: only the frame itself is believed, and a report that does not come counts as a failure.
 */
const reportWithinMs = 10_000;
const frameSource = 'fulcrum-third-party';

/** `text` is what is logged: ERR-39, ERR-40. */
export type FrameReport = { readonly state: 'ready' } | { readonly state: 'failed'; readonly text: string };

const failures = {
  script: 'Failed to load TradingView widget',
  widget: 'TradingView not available',
} as const;

/** What a message says of the frame; null when it is none of the frame page's. */
export function readReport(message: unknown): FrameReport | null {
  if (typeof message !== 'object' || message === null) return null;
  const { source, state, reason }: { source?: unknown; state?: unknown; reason?: unknown } = message;
  if (source !== frameSource) return null;
  if (state === 'ready') return { state };
  if (state !== 'failed') return null;
  return { state, text: reason === 'widget' ? failures.widget : failures.script };
}

/** Hears of the frame until the returned function is called. */
export function followFrame(
  frame: () => HTMLIFrameElement | null,
  onReport: (report: FrameReport) => void,
): () => void {
  const timer = setTimeout(() => onReport({ state: 'failed', text: failures.script }), reportWithinMs);
  const onMessage = ({ source, data }: MessageEvent<unknown>) => {
    const sender = frame()?.contentWindow;
    if (!sender || source !== sender) return;
    const report = readReport(data);
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
