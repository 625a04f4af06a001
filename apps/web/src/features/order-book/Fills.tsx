/** The fills of an order or a position, the latest first, each explained in a sentence. */
import { formatAmount, Pnl } from '../../shared/numbers/index.ts';
import { DateTime } from '../../shared/time/DateTime.tsx';
import { ReadError, Skeleton } from '../../shared/ui/index.ts';
import { usePairs } from '../market/index.ts';
import { explainFill } from './explain-fill.ts';
import { type FillsOf, fillsMax, useFills } from './fills-query.ts';

export default function Fills({ of }: { readonly of: FillsOf }) {
  const reading = useFills(of);
  const { data: fills, isError } = reading;
  const { data: pairs } = usePairs();
  if (isError) return <ReadError title="The fills could not be loaded" reading={reading} />;
  if (!fills) return <Skeleton className="h-16 w-64" />;
  if (fills.length === 0) {
    return <p className="text-12 text-text-2">It was filled before fills were recorded one by one.</p>;
  }
  return (
    <ul className="flex flex-col gap-3">
      {of.funding ? (
        <li className="figures text-12">{`Funding so far ${formatAmount(of.funding, 'always')} USDT, beside the results below.`}</li>
      ) : null}
      {fills.map((fill) => {
        const pair = pairs?.find(({ symbol }) => symbol === fill.symbol);
        const { tickSize = 0.01, stepSize = 0.01, baseAsset = fill.symbol } = pair ?? {};
        return (
          <li key={fill.id} className="flex flex-col gap-1">
            <span className="flex items-baseline justify-between gap-4 text-12 text-text-2">
              <DateTime iso={fill.createdAt} />
              {fill.realizedPnl === null ? null : <Pnl value={fill.realizedPnl} className="font-semibold" />}
            </span>
            <p className="figures text-12 leading-4">
              {explainFill(fill, { tickSize, stepSize, baseAsset })}
            </p>
          </li>
        );
      })}
      {fills.length === fillsMax ? (
        <li className="text-12 text-text-2">{`Only the latest ${fillsMax} are listed.`}</li>
      ) : null}
    </ul>
  );
}
