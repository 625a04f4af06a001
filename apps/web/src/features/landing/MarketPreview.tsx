/** A window on this server's market with an example position on it, so named; the figures come from the engine's rules. */
import { texts } from '@fulcrum/contract/texts';
import { formatPercent, Price } from '../../shared/numbers/index.ts';
import { stateExplanation, stateWords } from '../../shared/prices/state-words.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { InstrumentMark } from '../../shared/ui/InstrumentMark.tsx';
import { useWidth } from '../../shared/ui/useWidth.ts';
import { CandlePlot } from './CandlePlot.tsx';
import { exampleLong } from './example.ts';
import { type PreviewPrice, previewSymbol, previewTimeframe, useMarket } from './market.ts';

const tickSize = 0.01;
const leverage = 50;
const size = 0.4;
const barsAgo = 40;

/** What the price beside it is worth, as on the trading screen. */
function Worth({ state, source, priced_at }: PreviewPrice) {
  const { word, tone } = stateWords[state];
  const heardAt = Date.parse(priced_at);
  const standing = { state, source, heardAt, marketTime: null, isHeld: false, nowMs: Date.now() };
  return (
    <span title={stateExplanation(standing)}>
      <Badge tone={tone === 'warn' ? 'warn' : 'neutral'}>{word}</Badge>
    </span>
  );
}

export function MarketPreview({ height }: { readonly height: number }) {
  const market = useMarket();
  const [ref, width] = useWidth();
  const isReady = market.status === 'ready';
  const candles = isReady ? market.candles : [];
  const [first, last] = [candles[0], candles.at(-1)];
  const change = first && last ? (last.close / first.open - 1) * 100 : null;
  const terms = { leverage, size, tickSize, barsAgo };
  const example = isReady
    ? exampleLong(candles, { ...terms, rules: market.config.rules, feeRate: market.config.feeRate })
    : null;
  const colour = (change ?? 0) >= 0 ? 'text-up' : 'text-down';

  return (
    <figure className="panel @container overflow-hidden">
      <figcaption className="flex h-11 items-center gap-3 border-b border-line px-4 @max-md:gap-2">
        <InstrumentMark symbol={previewSymbol} size={22} />
        <span className="text-14 font-semibold">{previewSymbol}</span>
        {last ? (
          <>
            <Price value={last.close} tickSize={tickSize} className={`text-14 font-semibold ${colour}`} />
            <span className={`figures text-13 ${colour}`}>{formatPercent(change)}</span>
          </>
        ) : null}
        <span className="text-12 text-text-3 @max-xl:hidden">{`${previewTimeframe}, 24 h`}</span>
        <span className="ml-auto flex gap-2">
          {example ? (
            <span className="@max-xl:hidden">
              <Badge tone="accent">Example position</Badge>
            </span>
          ) : null}
          {isReady && market.price ? <Worth {...market.price} /> : null}
        </span>
      </figcaption>
      <div ref={ref} style={{ height }} className="grid place-items-center">
        {market.status === 'failed' ? <p className="text-13 text-text-3">{texts.chartUnavailable}</p> : null}
        {isReady && width > 0 ? (
          <CandlePlot candles={candles} example={example} width={width} height={height} tickSize={tickSize} />
        ) : null}
      </div>
    </figure>
  );
}
