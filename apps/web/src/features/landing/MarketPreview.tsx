/**
 * A preview of this server's market with an example position, labelled as one; the figures come from the engine's
 * rules.
 */
import type { PriceState } from '@fulcrum/contract';
import { publicTexts } from '@fulcrum/contract/public-texts';
import { formatPercent, Price } from '../../shared/numbers/index.ts';
import { stateLabels } from '../../shared/prices/state-labels.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { InstrumentMark } from '../../shared/ui/InstrumentMark.tsx';
import { Skeleton } from '../../shared/ui/states.tsx';
import { useWidth } from '../../shared/ui/useWidth.ts';
import { CandlePlot } from './CandlePlot.tsx';
import { type ExamplePosition, getExampleLong } from './example.ts';
import { type Market, previewSymbol, previewTimeframe, useMarket } from './market.ts';
import type { Polled } from './requests.ts';

const barsAgo = 40;
const initial = { size: 0.4, leverage: 50 } as const;

/** The result of a long of this size and leverage on the displayed candles. */
export function getExample(
  { candles, pair, config }: Market,
  terms: { readonly size: number; readonly leverage: number },
): ExamplePosition | null {
  const { rules, feeRate } = config;
  return getExampleLong(candles, { ...terms, tickSize: pair.tick_size, barsAgo, rules, feeRate });
}

/** The state of the price beside it, as on the trading screen. */
function Worth({ state }: { readonly state: PriceState | null }) {
  if (state === null) return null;
  const { label, tone } = stateLabels[state];
  return <Badge tone={tone === 'warn' ? 'warn' : 'neutral'}>{label}</Badge>;
}

function Head({ market, hasExample }: { readonly market: Polled<Market>; readonly hasExample: boolean }) {
  const shown = market.status === 'ready' ? market.value : null;
  const change = shown?.pair.price_change_percent ?? null;
  const colour = (change ?? 0) >= 0 ? 'text-up' : 'text-down';
  return (
    <figcaption className="flex h-11 items-center gap-3 border-b border-line px-4 @max-md:gap-2">
      <InstrumentMark symbol={previewSymbol} size={22} />
      <span className="text-14 font-semibold">{previewSymbol}</span>
      {shown ? (
        <>
          <Price
            value={shown.pair.price ?? shown.candles.at(-1)?.close}
            tickSize={shown.pair.tick_size}
            className={`text-14 font-semibold ${colour}`}
          />
          {change === null ? null : (
            <span className={`figures text-13 ${colour}`}>{formatPercent(change)}</span>
          )}
        </>
      ) : market.status === 'loading' ? (
        <Skeleton className="h-3.5 w-32" />
      ) : null}
      <span className="text-12 text-text-3 @max-xl:hidden">{`${previewTimeframe}, 24 h`}</span>
      <span className="ml-auto flex gap-2">
        {hasExample ? (
          <span className="@max-lg:hidden">
            <Badge tone="accent">Example position</Badge>
          </span>
        ) : null}
        {shown ? <Worth state={shown.pair.state} /> : null}
      </span>
    </figcaption>
  );
}

const waitingBars = [34, 40, 37, 44, 52, 49, 57, 50, 46, 53, 61, 66, 62, 70, 64, 58, 63, 71, 76, 72] as const;

function Waiting() {
  return (
    <div aria-hidden="true" className="flex size-full items-end justify-between px-6 pb-6">
      {waitingBars.map((share) => (
        <span key={share} className="shimmer w-2" style={{ height: `${share}%` }} />
      ))}
    </div>
  );
}

interface MarketFigureProps {
  readonly market: Polled<Market>;
  readonly example: ExamplePosition | null;
  /** The height of the chart alone. */
  readonly height: number;
  readonly className?: string;
}

export function MarketFigure({ market, example, height, className = '' }: MarketFigureProps) {
  const [ref, width] = useWidth();
  return (
    <figure className={`@container overflow-hidden ${className}`}>
      <Head market={market} hasExample={example !== null} />
      <div ref={ref} style={{ height }} className="grid place-items-center">
        {market.status === 'loading' ? <Waiting /> : null}
        {market.status === 'failed' ? (
          <p role="status" className="px-4 text-center text-13 text-text-2">
            {publicTexts.chartUnavailable}
          </p>
        ) : null}
        {market.status === 'ready' && width > 0 ? (
          <CandlePlot
            candles={market.value.candles}
            example={example}
            width={width}
            height={height}
            tickSize={market.value.pair.tick_size}
          />
        ) : null}
      </div>
    </figure>
  );
}

export function MarketPreview({ height }: { readonly height: number }) {
  const market = useMarket();
  const example = market.status === 'ready' ? getExample(market.value, initial) : null;
  return <MarketFigure market={market} example={example} height={height} className="panel" />;
}
