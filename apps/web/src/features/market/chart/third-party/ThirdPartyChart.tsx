/**
 * The third-party chart (A35) in a frame of another origin: its script can read no session and no storage. The page
 * in the frame reports whether the widget loaded; a missing report counts as a failure.
 */
import { texts } from '@fulcrum/contract/texts';
import type { Timeframe } from '@fulcrum/domain';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { log } from '../../../../shared/log/log.ts';
import { type FrameReport, observeFrame } from '../../../../shared/third-party/frame.ts';
import { Button, Spinner } from '../../../../shared/ui/index.ts';
import type { Pair } from '../../pairs/usePairs.ts';
import { timeframeNames } from '../../timeframes.ts';
import { thirdPartyIntervals, thirdPartySymbol } from './third-party-symbol.ts';

const subscribeTheme = (changed: () => void) => {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
};
const useThemeName = () =>
  useSyncExternalStore(subscribeTheme, () =>
    document.documentElement.dataset.theme === 'light' ? 'light' : 'dark',
  );

interface ThirdPartyChartProps {
  readonly pair: Pair;
  readonly timeframe: Timeframe;
  /** Switches back to the built-in chart. */
  readonly onBack: () => void;
  /** Called when the widget fails to load; without it, the notice is shown. */
  readonly onFailure?: (() => void) | undefined;
}

function Frame({
  src,
  title,
  onReport,
}: {
  readonly src: string;
  readonly title: string;
  readonly onReport: (report: FrameReport) => void;
}) {
  const frame = useRef<HTMLIFrameElement>(null);
  const report = useEffectEvent(onReport);
  useEffect(() => observeFrame(() => frame.current, report), []);
  return (
    <iframe
      ref={frame}
      src={src}
      title={title}
      // The server's policy sets the same sandbox; this one applies wherever the page comes from.
      sandbox="allow-scripts allow-popups"
      className="h-full w-full border-0"
    />
  );
}

export function ThirdPartyChart({ pair, timeframe, onBack, onFailure }: ThirdPartyChartProps) {
  const theme = useThemeName();
  const [attempt, setAttempt] = useState(0);
  const params = new URLSearchParams({
    kind: 'chart',
    symbol: thirdPartySymbol(pair.type, pair.symbol),
    interval: thirdPartyIntervals[timeframe],
    theme,
  });
  const src = `/third-party-chart.html?${params}`;
  const key = `${attempt} ${src}`;
  const [known, setKnown] = useState<{ readonly key: string; readonly state: FrameReport['state'] } | null>(
    null,
  );
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
        onReport={(report) => {
          if (report.state === 'failed') {
            if (onFailure) {
              log.warn(report.text);
              return onFailure();
            }
            log.error(report.text);
          }
          setKnown({ key, state: report.state });
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
