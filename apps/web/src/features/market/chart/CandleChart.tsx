/**
 * A live candle chart as a component. It loads lazily, because klinecharts is the largest part of the screen. Ticks
 * go straight to the canvas and render nothing in React.
 */
import { texts } from '@fulcrum/contract/texts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { ErrorState, Spinner } from '../../../shared/ui/index.ts';
import { usePriceStream } from '../prices/usePrices.ts';
import { timeframeNames } from '../timeframes.ts';
import {
  type CandleChart as Chart,
  type ChartMarket,
  createCandleChart,
  type PriceLine,
} from './candle-chart.ts';
import { createChartSource } from './chart-source.ts';
import type { FillMark } from './fill-marks.ts';
import { PriceButton, usePriceButton } from './price-menu/PriceButton.tsx';
import type { PricePoint } from './price-menu/price-menu.ts';
import { usePriceGesture } from './price-menu/usePriceGesture.ts';
import type { ChartAppearance } from './settings/chart-settings.ts';
import type { StudyId } from './settings/studies.ts';
import type { StudyButton } from './study-legend.ts';
import { type Drawings, useDrawingLayer } from './tools/useDrawingLayer.ts';

export interface CandleChartProps {
  /** Must be stable while symbol and timeframe are. */
  readonly market: ChartMarket;
  readonly lines: readonly PriceLine[];
  /** Must be stable while the account's positions are. */
  readonly fills: readonly FillMark[];
  /** Must be stable while the pair's settings are. */
  readonly appearance: ChartAppearance;
  /** Without it, drawing is off. */
  readonly drawings?: Drawings;
  readonly variant?: 'full' | 'glance';
  readonly onStudyButton?: (id: StudyId, button: StudyButton) => void;
  /** A right click or a long press at a price. */
  readonly onPrice?: (point: PricePoint) => void;
}

type Status = 'loading' | 'ready' | 'empty' | 'failed';

export default function CandleChart({
  market,
  lines,
  fills,
  appearance,
  drawings,
  variant = 'full',
  onStudyButton,
  onPrice,
}: CandleChartProps) {
  const supabase = useSupabase();
  const stream = usePriceStream();
  const container = useRef<HTMLDivElement>(null);
  const pills = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<Chart | null>(null);
  const [status, setStatus] = useState<Status>('loading');
  const [attempt, setAttempt] = useState(0);

  const pressStudyButton = useEffectEvent((id: StudyId, button: StudyButton) => onStudyButton?.(id, button));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt creates a new chart
  useEffect(() => {
    if (!container.current) return;
    try {
      const created = createCandleChart(container.current, createChartSource(supabase, stream), {
        glance: variant === 'glance',
        pills: pills.current,
        onLoaded: (isEmpty) => setStatus(isEmpty ? 'empty' : 'ready'),
        onFailure: (cause) => {
          log.warn('The chart could not be loaded', cause);
          setStatus('failed');
        },
        onStudyButton: (id, button) => pressStudyButton(id, button),
      });
      setChart(created);
      return () => {
        setChart(null);
        created.dispose();
      };
    } catch (cause) {
      log.error('The chart could not be drawn', cause);
      setStatus('failed');
      return;
    }
  }, [supabase, stream, variant, attempt]);

  useEffect(() => {
    if (!chart) return;
    setStatus('loading');
    chart.show(market);
  }, [chart, market]);
  useEffect(() => chart?.setAppearance(appearance), [chart, appearance]);
  useEffect(() => chart?.setLines(lines), [chart, lines]);
  useEffect(() => chart?.setFills(fills), [chart, fills]);
  useDrawingLayer(chart, drawings);
  useEffect(() => {
    if (!chart) return;
    const observer = new MutationObserver(() => chart.recolour());
    observer.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ['data-theme', 'data-palette'],
    });
    return () => observer.disconnect();
  }, [chart]);

  const openAt = (clientX: number, clientY: number) => {
    const box = container.current?.getBoundingClientRect();
    const price = box && chart?.priceAt(clientY - box.top);
    if (!box || price === null || price === undefined || !onPrice) return false;
    onPrice({ x: clientX - box.left, y: clientY - box.top, price });
    return true;
  };
  const pressAt = usePriceGesture(openAt);
  const plus = usePriceButton(
    (y) => onPrice !== undefined && !drawings?.tool && chart?.priceAt(y) !== null && status === 'ready',
  );

  return (
    <div
      className="relative h-full min-h-0 w-full overflow-hidden"
      {...(onPrice && {
        ...pressAt,
        onPointerMove: (event) => {
          pressAt.onPointerMove(event);
          plus.pointer.onPointerMove(event);
        },
        onPointerLeave: plus.pointer.onPointerLeave,
      })}
    >
      <div
        ref={container}
        role="img"
        aria-label={`${market.symbol} candles of ${timeframeNames[market.timeframe]}`}
        className={`isolate h-full w-full transition-opacity ${status === 'ready' ? '' : 'opacity-0'}`}
      />
      {variant === 'glance' ? null : (
        <div
          ref={pills}
          inert={status !== 'ready'}
          className={`pointer-events-none absolute inset-0 overflow-hidden transition-opacity ${status === 'ready' ? '' : 'opacity-0'}`}
        />
      )}
      {onPrice ? <PriceButton button={plus.button} onOpen={openAt} /> : null}
      {status === 'loading' ? (
        <div className="absolute inset-0 grid place-items-center">
          <Spinner size={24} label="Loading the chart" />
        </div>
      ) : null}
      {status === 'empty' ? (
        <p className="absolute inset-0 grid place-items-center px-6 text-center text-13 text-text-2">
          {`No candles for ${market.symbol} yet`}
        </p>
      ) : null}
      {status === 'failed' ? (
        <div
          className={`absolute inset-0 grid place-items-center overflow-hidden ${variant === 'glance' ? 'pt-10' : ''}`}
        >
          <ErrorState
            title={texts.chartUnavailable}
            shape={variant === 'glance' ? 'line' : 'column'}
            onRetry={() => {
              setStatus('loading');
              setAttempt((tried) => tried + 1);
            }}
          />
        </div>
      ) : null}
    </div>
  );
}
