/**
 * The third party's ticker tape, in the frame page that has its content policy (A35). It is asked for only by the switch;
 * what does not report itself in time has failed, and the way back is always there.
 */
import { publicTexts } from '@fulcrum/contract/public-texts';
import { useEffect, useRef, useState } from 'react';
import { log } from '../../shared/log/log.ts';
import { Button } from '../../shared/ui/Button.tsx';

const answerWithinMs = 10_000;
const frameSource = 'fulcrum-third-party';

interface Report {
  readonly state: 'ready' | 'failed';
  readonly reason: string;
}

/** What a message says of the frame; null when it is none of the frame page's. */
function reportOf(message: unknown): Report | null {
  if (typeof message !== 'object' || message === null || !('source' in message) || !('state' in message))
    return null;
  const { source, state } = message;
  if (source !== frameSource || (state !== 'ready' && state !== 'failed')) return null;
  const reason = 'reason' in message && typeof message.reason === 'string' ? message.reason : '';
  return { state, reason };
}

export function ThirdPartyTape({ onLeave }: { readonly onLeave: () => void }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');

  useEffect(() => {
    const fail = (reason: string) => {
      log.warn(reason);
      setState('failed');
    };
    const timer = setTimeout(() => fail('TradingView not available'), answerWithinMs);
    const onMessage = (event: MessageEvent<unknown>) => {
      if (event.source !== frame.current?.contentWindow) return;
      const report = reportOf(event.data);
      if (report === null) return;
      clearTimeout(timer);
      if (report.state === 'ready') setState('ready');
      else fail(report.reason || 'Failed to load TradingView widget');
    };
    addEventListener('message', onMessage);
    return () => {
      clearTimeout(timer);
      removeEventListener('message', onMessage);
    };
  }, []);

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
