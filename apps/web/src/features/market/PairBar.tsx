/** The bar above the trading screen: the pair selector and the day's figures (TRADE-01). */
import ChevronDown from 'lucide-react/icons/chevron-down';
import Search from 'lucide-react/icons/search';
import type { ReactNode } from 'react';
import { IconButton, InstrumentMark, useMediaQuery } from '../../shared/ui/index.ts';
import { PriceStateBadge } from './PriceState.tsx';
import { FavoriteStar } from './pairs/FavoriteStar.tsx';
import { PairMenuField, PairPanel } from './pairs/PairMenu.tsx';
import { usePairMenu } from './pairs/usePairMenu.ts';
import type { Pair } from './pairs/usePairs.ts';
import { WatchlistMenu } from './pairs/WatchlistMenu.tsx';
import { LastPriceFigure, useDayFigures } from './prices/DayFigures.tsx';
import { TradingStatus } from './TradingStatus.tsx';

export interface PairBarProps {
  readonly pairs: readonly Pair[];
  readonly pair: Pair;
  readonly onSelect: (symbol: string) => void;
  /** Shown at the left end, such as the button that opens the market list. */
  readonly lead?: ReactNode;
  /** Shown beside the pair's name, such as the button that opens its contract details. */
  readonly details?: ReactNode;
}

function Figure({
  label,
  children,
  className = '',
}: {
  readonly label: string;
  readonly children: ReactNode;
  readonly className?: string;
}) {
  return (
    <div className={className}>
      <dt className="text-11 whitespace-nowrap text-text-3">{label}</dt>
      <dd className="text-12 leading-4 font-medium whitespace-nowrap">{children}</dd>
    </div>
  );
}

export function PairBar({ pairs, pair, onSelect, lead, details }: PairBarProps) {
  const menu = usePairMenu(pairs, onSelect);
  const hasField = useMediaQuery('(min-width: 1280px)');
  const isNarrow = useMediaQuery('(width < 1024px)');
  const day = useDayFigures(pair);
  return (
    <div
      data-pair-bar=""
      className="relative z-20 flex h-13 shrink-0 items-center border-b border-line bg-surface pr-3 pl-2"
    >
      {lead}
      <FavoriteStar symbol={pair.symbol} />
      {isNarrow ? null : <WatchlistMenu symbol={pair.symbol} />}
      <div ref={menu.root} className="relative flex items-center gap-1">
        <button
          ref={menu.trigger}
          type="button"
          aria-expanded={menu.open}
          onClick={() => (menu.open ? menu.close() : menu.show())}
          className={`flex h-10 items-center gap-2.5 rounded-control px-2 text-left transition-colors ${menu.open ? 'bg-accent-weak' : 'hover:bg-raised'}`}
        >
          <InstrumentMark symbol={pair.symbol} size={24} />
          <span className="flex flex-col">
            <span className="text-16 leading-[19px] font-semibold">{pair.symbol}</span>
            <span
              className={`max-w-36 truncate text-11 leading-[14px] max-xl:hidden ${menu.open ? 'text-text-2' : 'text-text-3'}`}
            >
              {pair.name}
            </span>
            <span className="sr-only">choose another pair</span>
          </span>
          <ChevronDown
            size={16}
            aria-hidden="true"
            className={`ml-1 text-text-2 transition-transform ${menu.open ? 'rotate-180' : ''}`}
          />
        </button>
        {details}
        {hasField ? (
          <PairMenuField menu={menu} className="ml-1 w-[316px]" />
        ) : (
          <IconButton label="Search pairs" onClick={menu.show}>
            <Search size={16} aria-hidden="true" />
          </IconButton>
        )}
        {menu.open ? (
          <div className="rise absolute top-full left-0 mt-2 flex w-[680px] flex-col overflow-hidden rounded-panel border border-line-strong bg-raised shadow-raised">
            {hasField ? null : <PairMenuField menu={menu} className="m-2" />}
            <PairPanel menu={menu} selected={pair.symbol} />
          </div>
        ) : null}
      </div>
      <span aria-hidden="true" className="mx-3.5 h-7 w-px bg-line" />
      <LastPriceFigure pair={pair} className="min-w-[104px] text-20 font-semibold" />
      <dl className="ml-4 flex min-w-0 gap-6 overflow-hidden xl:gap-8">
        <Figure label="24h Change">{day.change}</Figure>
        <Figure label="24h High">{day.high}</Figure>
        <Figure label="24h Low" className="max-[860px]:hidden">
          {day.low}
        </Figure>
        <Figure label={`24h Volume (${pair.quoteAsset})`} className="max-xl:hidden">
          {day.volume}
        </Figure>
        <Figure label="Session" className="max-[1400px]:hidden">
          <TradingStatus pair={pair} />
        </Figure>
      </dl>
      <span className="ml-auto pl-3">
        <PriceStateBadge market={pair} />
      </span>
    </div>
  );
}
