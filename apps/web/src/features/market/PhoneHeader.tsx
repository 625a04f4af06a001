/**
 * The phone's header of the trading screen: the pair, a sheet to choose another one, its price and the day's figures.
 */
import ChevronDown from 'lucide-react/icons/chevron-down';
import X from 'lucide-react/icons/x';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton, InstrumentMark, useBackCloses } from '../../shared/ui/index.ts';
import type { PairBarProps } from './PairBar.tsx';
import { PriceStateBadge } from './PriceState.tsx';
import { FavoriteStar } from './pairs/FavoriteStar.tsx';
import { PairMenuField, PairPanel } from './pairs/PairMenu.tsx';
import { usePairMenu } from './pairs/usePairMenu.ts';
import type { Pair } from './pairs/usePairs.ts';
import { LastPriceFigure, useDayFigures } from './prices/DayFigures.tsx';
import { OpeningCountdown } from './TradingStatus.tsx';

interface PhoneBarProps extends Omit<PairBarProps, 'lead' | 'details'> {
  /** Shown at the right end. */
  readonly children?: ReactNode;
}

/**
 * The selector itself shows the price change (TRADE-12). The style sheet hides the bar on a wider screen at once; until React
 * removed it, the page would have two bells.
 */
export function PhoneBar({ pairs, pair, onSelect, children }: PhoneBarProps) {
  const menu = usePairMenu(pairs, onSelect);
  const day = useDayFigures(pair);
  useBackCloses(menu.open, menu.close);
  return (
    <header className="flex h-13 shrink-0 items-center border-b border-line bg-surface px-2 max-[359px]:px-1 md:hidden">
      <Dialog.Root open={menu.open} onOpenChange={(open) => (open ? menu.show() : menu.close())}>
        <Dialog.Trigger asChild>
          <button
            ref={menu.trigger}
            type="button"
            className="flex h-11 min-w-0 items-center gap-2.5 rounded-control px-2 max-[359px]:gap-1.5"
          >
            <span className="max-[399px]:hidden">
              <InstrumentMark symbol={pair.symbol} size={24} />
            </span>
            <span className="flex min-w-0 flex-col text-left">
              <span className="truncate text-16 leading-[19px] font-semibold">{pair.symbol}</span>
              <span className="text-11 leading-[14px] font-medium">{day.percent}</span>
            </span>
            <span className="sr-only">choose another pair</span>
            <ChevronDown size={16} aria-hidden="true" className="shrink-0 text-text-2" />
          </button>
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Content
            aria-describedby={undefined}
            onOpenAutoFocus={(event) => {
              event.preventDefault();
              menu.field.current?.focus();
            }}
            className="rise fixed inset-x-0 top-(--impersonation-height) bottom-0 z-50 flex flex-col bg-raised pb-[env(safe-area-inset-bottom)] outline-none"
          >
            <div ref={menu.root} className="flex min-h-0 grow flex-col">
              <div className="flex items-center justify-between py-1 pr-1 pl-4">
                <Dialog.Title className="text-16 font-semibold">Choose a pair</Dialog.Title>
                <Dialog.Close asChild>
                  <IconButton label="Close">
                    <X size={18} aria-hidden="true" />
                  </IconButton>
                </Dialog.Close>
              </div>
              <PairMenuField menu={menu} className="mx-3 mb-1 shrink-0" />
              <PairPanel menu={menu} selected={pair.symbol} />
            </div>
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
      <span className="ml-auto flex shrink-0 items-center gap-1 max-[359px]:gap-0">
        <PriceStateBadge market={pair} />
        <FavoriteStar symbol={pair.symbol} />
        {children}
      </span>
    </header>
  );
}

/** On a narrow screen, shows price and percent change above the chart (TRADE-22). */
export function PriceHeader({ pair }: { readonly pair: Pair }) {
  const day = useDayFigures(pair);
  return (
    <div className="flex items-end justify-between gap-4 px-4 pt-3 pb-3 max-[359px]:gap-2">
      <div>
        <LastPriceFigure pair={pair} className="block text-28 font-semibold tracking-[-0.02em]" />
        <div className="text-13 font-medium">
          {day.change}
          <span className="ml-1.5 font-normal text-text-3">24h</span>
        </div>
        <div className="text-12 text-text-2">
          <OpeningCountdown pair={pair} />
        </div>
      </div>
      <dl className="grid grid-cols-[auto_auto] gap-x-5 text-12 max-[359px]:gap-x-2">
        <dt className="text-text-3">High</dt>
        <dd className="text-right font-medium">{day.high}</dd>
        <dt className="text-text-3">Low</dt>
        <dd className="text-right font-medium">{day.low}</dd>
        <dt className="text-text-3">Volume</dt>
        <dd className="text-right font-medium">{day.volume}</dd>
      </dl>
    </div>
  );
}
