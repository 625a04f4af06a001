/**
 * The third-party chart (A35) in a frame that is not of this origin: its script reads no session and no storage. The page in
 * the frame reports whether the widget came up; a report that does not come counts as a failure.
 */
import { texts } from '@fulcrum/contract/texts';
import type { Timeframe } from '@fulcrum/domain';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { log } from '../../../../shared/log/log.ts';
import { Button, Spinner } from '../../../../shared/ui/index.ts';
import type { Pair } from '../../pairs/usePairs.ts';
import { timeframeNames } from '../../timeframes.ts';
import { thirdPartyIntervals, thirdPartySymbol } from './third-party-symbol.ts';

const reportWithinMs = 10_000;

/** ERR-39, ERR-40: by what the page in the frame gives as its reason. */
const failures = {
  script: 'Failed to load TradingView widget',
  widget: 'TradingView not available',
} as const;

const subscribeTheme = (changed: () => void) => {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
};
const useThemeName = () =>
  useSyncExternalStore(subscribeTheme, () =>
    document.documentElement.dataset.theme === 'light' ? 'light' : 'dark',
  );

interface Report {
  readonly state: 'ready' | 'failed';
  readonly reason: string | null;
}

function readReport(message: unknown): Report | null {
  if (typeof message !== 'object' || message === null) return null;
  const { source, state, reason }: { source?: unknown; state?: unknown; reason?: unknown } = message;
  if (source !== 'fulcrum-third-party' || (state !== 'ready' && state !== 'failed')) return null;
  return { state, reason: typeof reason === 'string' ? reason : null };
}

interface ThirdPartyChartProps {
  readonly pair: Pair;
  readonly timeframe: Timeframe;
  /** Takes the built-in chart again. */
  readonly onBack: () => void;
  /** Told once it is known that the widget does not come up; left out, the notice is shown. */
  readonly onFailure?: (() => void) | undefined;
}

function Frame({
  src,
  title,
  onReport,
}: {
  readonly src: string;
  readonly title: string;
  readonly onReport: (report: Report) => void;
}) {
  const frame = useRef<HTMLIFrameElement>(null);
  const report = useEffectEvent(onReport);
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent<unknown>) => {
      if (source !== frame.current?.contentWindow) return;
      const said = readReport(data);
      if (!said) return;
      clearTimeout(timer);
      report(said);
    };
    const timer = setTimeout(() => report({ state: 'failed', reason: 'script' }), reportWithinMs);
    addEventListener('message', onMessage);
    return () => {
      clearTimeout(timer);
      removeEventListener('message', onMessage);
    };
  }, []);
  return (
    <iframe
      ref={frame}
      src={src}
      title={title}
      // The server's policy says the same; this one holds wherever the page comes from.
      sandbox="allow-scripts allow-popups"
      className="h-full w-full border-0"
    />
  );
}

export function ThirdPartyChart({ pair, timeframe, onBack, onFailure }: ThirdPartyChartProps) {
  const theme = useThemeName();
  const [attempt, setAttempt] = useState(0);
  const asked = new URLSearchParams({
    kind: 'chart',
    symbol: thirdPartySymbol(pair.type, pair.symbol),
    interval: thirdPartyIntervals[timeframe],
    theme,
  });
  const src = `/third-party-chart.html?${asked}`;
  const key = `${attempt} ${src}`;
  const [known, setKnown] = useState<{ readonly key: string; readonly state: Report['state'] } | null>(null);
  const state = known?.key === key ? known.state : 'loading';

  if (state === 'failed') {
    return (
      <div role="alert" className="flex h-full flex-col items-center justify-center gap-1 px-6 text-center">
        <TriangleAlert size={20} aria-hidden="true" className="mb-1 text-down" />
        <p className="text-14 font-medium">{texts.chartUnavailable}</p>
        <p className="max-w-prose text-13 text-text-2">
          TradingView did not answer. The built-in chart does not need it.
        </p>
        <div className="mt-3 flex flex-wrap justify-center gap-2">
          <Button tone="primary" onClick={onBack}>
            Back to the built-in chart
          </Button>
          <Button onClick={() => setAttempt(attempt + 1)}>Retry</Button>
        </div>
      </div>
    );
  }
  return (
    <div className="relative h-full">
      <Frame
        key={key}
        src={src}
        title={`TradingView chart of ${pair.symbol}, ${timeframeNames[timeframe]}`}
        onReport={({ state: next, reason }) => {
          if (next === 'failed') {
            const text = reason === 'widget' ? failures.widget : failures.script;
            if (onFailure) {
              log.warn(text);
              return onFailure();
            }
            log.error(text);
          }
          setKnown({ key, state: next });
        }}
      />
      {state === 'loading' ? (
        <div className="absolute inset-0 grid place-items-center bg-surface">
          <Spinner size={24} label="Loading TradingView" />
        </div>
      ) : null}
    </div>
  );
}
