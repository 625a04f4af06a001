/**
 * The rows of the pair selector: a listbox steered from the search field. Rows never re-sort and their prices tick
 * without a render, so nothing moves under the pointer.
 */
import Check from 'lucide-react/icons/check';
import { type MouseEvent, memo, useCallback, useEffect, useMemo, useRef } from 'react';
import { formatPercent, formatPrice, LiveFigure } from '../../../shared/numbers/index.ts';
import { InstrumentMark } from '../../../shared/ui/index.ts';
import { useChangeSource, usePriceSource } from '../prices/usePrices.ts';
import { StarIcon } from './FavoriteStar.tsx';
import type { Pair } from './usePairs.ts';

/** Columns: star, symbol, name, price, 24h change. */
export const pairColumns =
  'grid grid-cols-[24px_minmax(0,1.5fr)_minmax(0,1.4fr)_110px_84px] items-center gap-x-2 px-3 max-md:grid-cols-[32px_minmax(0,1fr)_auto_76px]';
const rowEveryMs = 1_000;

interface RowProps {
  readonly id: string;
  readonly pair: Pair;
  readonly starred: boolean;
  readonly selected: boolean;
  readonly active: boolean;
}

const PairRow = memo(function PairRow({ id, pair, starred, selected, active }: RowProps) {
  const price = usePriceSource(pair.symbol, rowEveryMs);
  const change = useChangeSource(pair.symbol, rowEveryMs);
  const format = useCallback(
    (value: number | null | undefined) => formatPrice(value, pair.tickSize),
    [pair.tickSize],
  );
  const quote = pair.symbol.endsWith(pair.quoteAsset) ? pair.quoteAsset : '';
  const head = pair.symbol.slice(0, pair.symbol.length - quote.length);
  const look = selected ? 'bg-accent-weak' : active ? 'bg-line/55' : 'hover:bg-line/55';
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the search field, which names the active option
    <div
      id={id}
      role="option"
      aria-selected={selected}
      data-symbol={pair.symbol}
      className={`${pairColumns} relative h-9 cursor-pointer max-md:h-12 ${look}`}
    >
      {active ? <span aria-hidden="true" className="absolute inset-y-0 left-0 w-0.5 bg-accent" /> : null}
      <span data-star className="grid h-full w-6 place-items-center" title={starred ? 'Unstar' : 'Star'}>
        <StarIcon starred={starred} size={15} />
        <span className="sr-only">{starred ? 'favorite' : ''}</span>
      </span>
      <span className="flex min-w-0 items-center gap-2.5">
        <InstrumentMark symbol={pair.symbol} size={22} />
        <span className="truncate text-13 font-semibold">
          {head}
          <span className="font-normal text-text-2">{quote}</span>
        </span>
        {selected ? <Check size={14} aria-hidden="true" className="shrink-0 text-accent" /> : null}
      </span>
      <span className="truncate text-13 text-text-2 max-md:hidden">{pair.nickname ?? pair.name}</span>
      <LiveFigure source={price} format={format} className="text-right text-13 font-medium" />
      <LiveFigure
        source={change}
        format={formatPercent}
        colour="change"
        className="text-right text-13 font-medium"
      />
    </div>
  );
});

interface PairListProps {
  readonly id: string;
  readonly pairs: readonly Pair[];
  readonly favorites: (symbol: string) => boolean;
  readonly selected: string | undefined;
  /** Index of the row the keyboard is on. */
  readonly active: number;
  readonly onPick: (symbol: string) => void;
  readonly onStar: (symbol: string) => void;
}

export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

export function PairList({ id, pairs, favorites, selected, active, onPick, onStar }: PairListProps) {
  const list = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => pairs.map((pair, index) => ({ pair, id: optionId(id, index) })), [pairs, id]);
  useEffect(() => {
    list.current?.querySelector(`#${CSS.escape(optionId(id, active))}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);

  const click = (event: MouseEvent<HTMLDivElement>) => {
    if (!(event.target instanceof Element)) return;
    const symbol = event.target.closest<HTMLElement>('[data-symbol]')?.dataset.symbol;
    if (symbol === undefined) return;
    if (event.target.closest('[data-star]')) onStar(symbol);
    else onPick(symbol);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys of this list
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="Trading pairs"
      onClick={click}
      onMouseDown={(event) => event.preventDefault()}
      className="max-h-[400px] overflow-y-auto max-md:max-h-none max-md:min-h-0 max-md:grow"
    >
      {rows.map(({ pair, id: rowId }, index) => (
        <PairRow
          key={pair.symbol}
          id={rowId}
          pair={pair}
          starred={favorites(pair.symbol)}
          selected={pair.symbol === selected}
          active={index === active}
        />
      ))}
    </div>
  );
}
