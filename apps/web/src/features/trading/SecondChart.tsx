/** The second chart of a large screen: a pair and a timeframe of its own, beside the chart of the order form's pair. */
import ChevronDown from 'lucide-react/icons/chevron-down';
import Crosshair from 'lucide-react/icons/crosshair';
import X from 'lucide-react/icons/x';
import { useMemo, useState } from 'react';
import { IconButton, InstrumentMark, Popover } from '../../shared/ui/index.ts';
import { useAlertEntry, useAlertLines } from '../alerts/index.ts';
import {
  ChartPanel,
  LastPriceFigure,
  MarketList,
  type Pair,
  useDayFigures,
  useFollowedPrices,
} from '../market/index.ts';
import { useFillMarks } from './lines/useFillMarks.ts';
import { usePriceLines } from './lines/usePriceLines.ts';

interface SecondChartProps {
  readonly pairs: readonly Pair[];
  readonly pair: Pair;
  readonly onChoose: (symbol: string) => void;
  /** Makes its pair that of the order form. */
  readonly onTrade: () => void;
  readonly onClose: () => void;
}

export function SecondChart({ pairs, pair, onChoose, onTrade, onClose }: SecondChartProps) {
  const [isChoosing, setChoosing] = useState(false);
  const day = useDayFigures(pair);
  const priceLines = usePriceLines(pair);
  const alertLines = useAlertLines(pair);
  const lines = useMemo(() => [...priceLines, ...alertLines], [priceLines, alertLines]);
  const alertEntries = useAlertEntry(pair);
  const fills = useFillMarks(pair);
  useFollowedPrices(pair.symbol);
  const choose = (symbol: string) => {
    setChoosing(false);
    onChoose(symbol);
  };
  return (
    <div className="flex min-w-0 grow basis-0 flex-col border-l border-line bg-surface">
      <div className="flex h-10 shrink-0 items-center gap-2 border-b border-line px-2">
        <Popover
          open={isChoosing}
          onOpenChange={setChoosing}
          label="Pair of the second chart"
          trigger={
            <button
              type="button"
              aria-label={`${pair.symbol}, choose another pair for the second chart`}
              className="flex h-8 items-center gap-2 rounded-control px-1.5 text-14 font-semibold hover:bg-raised"
            >
              <InstrumentMark symbol={pair.symbol} size={20} />
              {pair.symbol}
              <ChevronDown size={14} aria-hidden="true" className="text-text-2" />
            </button>
          }
        >
          <div className="-m-4 flex h-[min(460px,60dvh)] w-[320px]">
            <MarketList pairs={pairs} selected={pair.symbol} onSelect={choose} />
          </div>
        </Popover>
        <LastPriceFigure pair={pair} className="text-14 font-semibold" />
        <span className="text-12 font-medium">{day.percent}</span>
        <span className="grow" />
        <IconButton label={`Trade ${pair.symbol}`} onClick={onTrade}>
          <Crosshair size={15} aria-hidden="true" />
        </IconButton>
        <IconButton label="Close the second chart" onClick={onClose}>
          <X size={16} aria-hidden="true" />
        </IconButton>
      </div>
      <ChartPanel pair={pair} lines={lines} fills={fills} priceMenuEntries={alertEntries} variant="second" />
    </div>
  );
}
