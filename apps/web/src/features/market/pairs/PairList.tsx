/**
 * The rows of the pair selector and of the market list: a listbox controlled from the search field. Rows never
 * re-sort while prices move, and prices tick without a render, so nothing moves under the pointer. Only visible rows
 * are rendered.
 */
import Check from 'lucide-react/icons/check';
import { type MouseEvent, memo, useRef, useSyncExternalStore } from 'react';
import { toOptionId, useVisibleRows } from '../../../shared/combobox/index.ts';
import { foldZeros } from '../../../shared/numbers/fold-zeros.ts';
import { directionOf, LiveFigure, type LiveSource, usePriceFormat } from '../../../shared/numbers/index.ts';
import { Sparkline } from '../../../shared/plot/Sparkline.tsx';
import type { MarketColumn } from '../../../shared/preferences/index.ts';
import { InstrumentMark, usePhone } from '../../../shared/ui/index.ts';
import { PriceStateMark } from '../PriceState.tsx';
import { formatChange, useVolumeFigure } from '../prices/DayFigures.tsx';
import { useChangeSource, usePriceSource } from '../prices/usePrices.ts';
import { StarIcon } from './FavoriteStar.tsx';
import { type Curve, useCurves } from './useCurves.ts';
import type { Pair } from './usePairs.ts';

/** Columns: star, symbol, name, price, 24h change. */
export const pairColumns =
  'grid grid-cols-[24px_minmax(0,1fr)_minmax(0,1.7fr)_104px_76px] items-center gap-x-2 px-3 max-md:grid-cols-[44px_minmax(0,1fr)_auto_76px] max-md:pl-1';
const rowEveryMs = 1_000;

/** The columns of the narrow list, shared with its header. A list without their width leaves curve and volume out. */
export const listColumns = {
  curve: 'w-13 shrink-0 @max-[299px]:hidden',
  volume: 'w-16 shrink-0 text-right @max-[379px]:hidden',
  price: 'flex shrink-0 flex-col items-end @min-[300px]:w-22',
} as const;

/** The layout of a row, and its height in px, which equals that of its classes. */
const shapes = {
  /** One line of columns; on a phone the name is beneath the symbol. Never higher than 400 px (TRADE-06). */
  columns: {
    wide: 36,
    phone: 48,
    list: 'max-h-[400px] max-md:max-h-none max-md:min-h-0 max-md:grow',
    row: `${pairColumns} h-9 max-md:h-12`,
    star: 'w-6 max-md:w-11',
    nameBeneath: 'md:hidden',
    nameBeside: 'max-md:hidden',
    figures: '',
    price: '',
    change: '',
  },
  /** Two lines, for a narrow list that fills its container: name beneath symbol, change beneath price. */
  stacked: {
    wide: 44,
    phone: 48,
    list: 'min-h-0 grow',
    row: 'flex items-center gap-x-2 h-11 py-1 pr-4 pl-2.5 max-md:h-12 max-md:pl-0',
    star: 'w-6 shrink-0 max-md:w-11',
    nameBeneath: '',
    nameBeside: 'hidden',
    figures: listColumns.price,
    price: 'leading-[18px]',
    change: 'text-12! leading-[17px]',
  },
} as const;
export type RowShape = keyof typeof shapes;

interface RowProps {
  readonly id: string;
  readonly shape: RowShape;
  readonly pair: Pair;
  readonly starred: boolean;
  readonly selected: boolean;
  readonly active: boolean;
  /** Counts from 1, in a list of `count`: most rows are not rendered. */
  readonly index: number;
  readonly count: number;
  readonly columns: readonly MarketColumn[];
  /** The last day; undefined while it is not known. */
  readonly curve: Curve | undefined;
}

/** The curve of the last day, in the colour of the change that stands beside it. */
function DayCurve({ change, curve }: { readonly change: LiveSource; readonly curve: Curve | undefined }) {
  const direction = useSyncExternalStore(change.subscribe, () => directionOf(change.get()));
  return (
    // The change says the same in a figure.
    <span
      aria-hidden="true"
      className={`h-6 ${listColumns.curve} ${direction === 'down' ? 'text-down' : 'text-up'}`}
    >
      {curve ? <Sparkline label="" points={curve.map((value, at) => ({ at, value }))} /> : null}
    </span>
  );
}

function DayVolume({ symbol }: { readonly symbol: string }) {
  const volume = useVolumeFigure(symbol);
  return <span className={`text-12 text-text-2 ${listColumns.volume}`}>{volume}</span>;
}

const PairRow = memo(function PairRow({
  id,
  shape,
  columns,
  curve,
  pair,
  starred,
  selected,
  active,
  index,
  count,
}: RowProps) {
  const layout = shapes[shape];
  const price = usePriceSource(pair.symbol, rowEveryMs);
  const change = useChangeSource(pair.symbol, rowEveryMs);
  const format = usePriceFormat(pair.tickSize);
  const { name, nickname } = pair;
  const slash = pair.symbol.endsWith(`/${pair.quoteAsset}`) ? '/' : '';
  const quote = pair.symbol.endsWith(pair.quoteAsset) ? `${slash}${pair.quoteAsset}` : '';
  const head = pair.symbol.slice(0, pair.symbol.length - quote.length);
  const styles = selected ? 'bg-accent-weak' : active ? 'bg-line/55' : 'hover:bg-line/55';
  const state = <PriceStateMark market={pair} className="shrink-0" />;
  const figures = (
    <>
      <LiveFigure
        source={price}
        format={format}
        shorten={foldZeros}
        className={`text-right text-13 font-medium ${layout.price}`}
      />
      {columns.includes('change') ? (
        <LiveFigure
          source={change}
          format={formatChange}
          colour="change"
          className={`text-right text-13 font-medium ${layout.change}`}
        />
      ) : null}
    </>
  );
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the search field, which names the active option
    <div
      id={id}
      role="option"
      aria-selected={selected}
      aria-posinset={index}
      aria-setsize={count}
      data-symbol={pair.symbol}
      className={`relative cursor-pointer ${layout.row} ${styles}`}
    >
      {active ? <span aria-hidden="true" className="absolute inset-y-0 left-0 w-0.5 bg-accent" /> : null}
      <span
        data-star
        className={`grid h-full place-items-center ${layout.star}`}
        title={starred ? 'Unstar' : 'Star'}
      >
        <StarIcon starred={starred} size={15} />
        <span className="sr-only">{starred ? 'favorite' : ''}</span>
      </span>
      <span className={`flex min-w-0 items-center gap-2.5 ${shape === 'stacked' ? 'grow' : ''}`}>
        <InstrumentMark symbol={pair.symbol} size={22} />
        <span className="min-w-0">
          <span className="flex items-baseline gap-2 text-13 max-md:leading-[17px]">
            <span className="truncate font-semibold">
              {head}
              <span className="font-normal text-text-2">{quote}</span>
            </span>
            {shape === 'stacked' ? null : state}
          </span>
          <span
            className={`flex gap-1.5 text-11 leading-[15px] ${selected ? 'text-text-2' : 'text-text-3'} ${layout.nameBeneath}`}
          >
            {shape === 'stacked' ? state : null}
            <span className="truncate">{nickname ?? name}</span>
          </span>
        </span>
        {selected ? <Check size={14} aria-hidden="true" className="shrink-0 text-accent" /> : null}
      </span>
      <span className={`flex min-w-0 items-baseline gap-2 text-13 ${layout.nameBeside}`}>
        <span className="truncate text-text-2">{name}</span>
        {nickname === null ? null : <span className="shrink-0 text-11 text-text-3">{nickname}</span>}
      </span>
      {columns.includes('sparkline') ? <DayCurve change={change} curve={curve} /> : null}
      {columns.includes('volume') ? <DayVolume symbol={pair.symbol} /> : null}
      {shape === 'stacked' ? <span className={layout.figures}>{figures}</span> : figures}
    </div>
  );
});

interface PairListProps {
  readonly id: string;
  readonly label: string;
  readonly shape: RowShape;
  readonly pairs: readonly Pair[];
  readonly favorites: (symbol: string) => boolean;
  readonly selected: string | undefined;
  /** Index of the row that the keyboard is on; null while there is none. */
  readonly active: number | null;
  readonly onPick: (symbol: string) => void;
  readonly onStar: (symbol: string) => void;
  /** Beside symbol and price. */
  readonly columns?: readonly MarketColumn[];
}

const changeOnly: readonly MarketColumn[] = ['change'];

export function PairList({
  id,
  label,
  shape,
  pairs,
  favorites,
  selected,
  active,
  onPick,
  onStar,
  columns = changeOnly,
}: PairListProps) {
  const list = useRef<HTMLDivElement>(null);
  const rowPx = shapes[shape][usePhone() ? 'phone' : 'wide'];
  const { from, to, update, style } = useVisibleRows({ list, rows: pairs, rowPx, active });
  const visible = pairs.slice(from, to);
  const curves = useCurves(columns.includes('sparkline') ? visible.map(({ symbol }) => symbol).join() : '');

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
      aria-label={label}
      onClick={click}
      onMouseDown={(event) => event.preventDefault()}
      onScroll={update}
      className={`@container overflow-y-auto ${shapes[shape].list}`}
    >
      <div role="presentation" style={style}>
        {visible.map((pair, index) => (
          <PairRow
            key={pair.symbol}
            id={toOptionId(id, pair.symbol)}
            shape={shape}
            pair={pair}
            starred={favorites(pair.symbol)}
            selected={pair.symbol === selected}
            active={from + index === active}
            index={from + index + 1}
            count={pairs.length}
            columns={columns}
            curve={curves.get(pair.symbol)}
          />
        ))}
      </div>
    </div>
  );
}
