/**
 * The five markets with the largest 24 h change (DASH-15, DASH-16). Price and change tick without a render; the order
 * is that of the last ranking, so nothing moves under the pointer in between.
 */
import { topMovers } from '@fulcrum/domain';
import { memo } from 'react';
import { Link } from 'react-router';
import { foldZeros } from '../../../shared/numbers/fold-zeros.ts';
import { LiveFigure, usePriceFormat } from '../../../shared/numbers/index.ts';
import { InstrumentMark, Skeleton } from '../../../shared/ui/index.ts';
import { Widget, WidgetBody } from '../../../shared/widget/index.ts';
import { formatChange, useChangeSource, usePriceSource } from '../../market/index.ts';
import { getTradingPath, NoPrices, RankingSourceBadge } from '../market/RankingParts.tsx';
import { type RankedMarket, useRanking } from '../market/useRanking.ts';

const rowEveryMs = 1_000;
const rowStyles = 'flex h-[46px] items-center gap-3 px-4';

interface MoverProps {
  readonly symbol: string;
  readonly name: string;
  readonly tickSize: number;
}

const Mover = memo(function Mover({ symbol, name, tickSize }: MoverProps) {
  const price = usePriceSource(symbol, rowEveryMs);
  const change = useChangeSource(symbol, rowEveryMs);
  const format = usePriceFormat(tickSize);
  return (
    <li className="border-t border-line/65">
      <Link
        to={getTradingPath(symbol)}
        className={`${rowStyles} -outline-offset-2 transition-colors hover:bg-raised/70`}
      >
        <InstrumentMark symbol={symbol} size={22} />
        <span className="min-w-0 grow">
          <span className="block truncate text-13 leading-[18px] font-semibold">{symbol}</span>
          <span className="block truncate text-12 leading-[17px] text-text-3">{name}</span>
        </span>
        <span className="flex shrink-0 flex-col items-end">
          <LiveFigure
            source={price}
            format={format}
            shorten={foldZeros}
            className="text-13 leading-[18px] font-medium"
          />
          <LiveFigure
            source={change}
            format={formatChange}
            colour="change"
            className="text-12 leading-[17px] font-medium"
          />
        </span>
      </Link>
    </li>
  );
});

const skeletonRows = ['w-20', 'w-16', 'w-20', 'w-16', 'w-24'] as const;

function MoversSkeleton() {
  return skeletonRows.map((width, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are identified by their index alone
    <span key={row} className={`${rowStyles} border-t border-line/65`}>
      <span className="shimmer size-[22px] shrink-0 !rounded-full" />
      <Skeleton className={`h-3 ${width}`} />
      <Skeleton className="ml-auto h-3 w-14" />
    </span>
  ));
}

function Movers({ ranked }: { readonly ranked: readonly RankedMarket[] }) {
  if (ranked.length === 0) return <NoPrices />;
  return (
    <ol>
      {ranked.map(({ symbol, pair: { name, tickSize } }) => (
        <Mover key={symbol} symbol={symbol} name={name} tickSize={tickSize} />
      ))}
    </ol>
  );
}

export function MoversWidget() {
  const reading = useRanking({ name: 'top-movers', what: 'Top Movers', rank: topMovers });
  return (
    <Widget
      title="Top Movers"
      reading={reading}
      aside={
        <>
          24h
          <RankingSourceBadge ranking={reading.figures} />
        </>
      }
      className="h-full"
    >
      <WidgetBody reading={reading} skeleton={<MoversSkeleton />} failed="The markets could not be loaded">
        {({ ranked }) => <Movers ranked={ranked} />}
      </WidgetBody>
    </Widget>
  );
}
