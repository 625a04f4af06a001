/**
 * The third party's ticker tape, in the frame page that has its content policy (A35). Only the switch loads it. A
 * frame that does not report in time has failed, and the switch back is always available.
 */
import { publicTexts } from '@fulcrum/contract/public-texts';
import { useEffect, useRef, useState } from 'react';
import { log } from '../../shared/log/log.ts';
import { observeFrame } from '../../shared/third-party/frame.ts';
import { Button } from '../../shared/ui/Button.tsx';

export function ThirdPartyTickerTape({ onLeave }: { readonly onLeave: () => void }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');

  useEffect(
    () =>
      observeFrame(
        () => frame.current,
        (report) => {
          if (report.state === 'failed') log.warn(report.text);
          setState(report.state);
        },
      ),
    [],
  );

  const theme = document.documentElement.dataset.theme ?? 'dark';
  return (
    <section aria-label="Market prices by TradingView" className="flex h-full">
      {state === 'failed' ? (
        <p role="alert" className="flex grow items-center px-4 text-13 text-text-2">
          {publicTexts.chartUnavailable}
        </p>
      ) : (
        <iframe
          ref={frame}
          title="TradingView ticker tape"
          src={`/third-party-chart.html?kind=tape&theme=${theme}`}
          sandbox="allow-scripts allow-popups"
          className="min-w-0 grow border-0"
          aria-busy={state === 'loading'}
        />
      )}
      <span className="flex shrink-0 items-center border-l border-line px-2">
        <Button tone="quiet" size="compact" className="max-md:!h-11" onClick={onLeave}>
          Our prices
        </Button>
      </span>
    </section>
  );
}
