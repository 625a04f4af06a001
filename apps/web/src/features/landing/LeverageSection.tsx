/** Shows visitors how leverage shortens the distance to liquidation. */
import type { PublicConfig } from '@fulcrum/contract';
import { MAX_LEVERAGE } from '@fulcrum/domain';
import { formatPercent } from '../../shared/numbers/index.ts';
import { useServerConfig } from '../../shared/supabase/useServerConfig.ts';
import { ErrorState, Skeleton } from '../../shared/ui/states.tsx';
import { getLeverageBars, getLiquidationFormula, shownLeverages } from './leverage-bars.ts';

/** The shorter the distance, the stronger the warning colour. */
const barColours: Readonly<Record<(typeof shownLeverages)[number], string>> = {
  5: 'bg-line-control',
  10: 'bg-line-control',
  25: 'bg-warn/55',
  50: 'bg-warn/75',
  [MAX_LEVERAGE]: 'bg-warn',
};

function Bars({ config }: { readonly config: PublicConfig | null }) {
  const bars = config === null ? null : getLeverageBars(config.rules, config.feeRate);
  return (
    <table className="w-full self-start">
      <caption className="sr-only">Distance from the entry to the liquidation price, by leverage</caption>
      <tbody>
        {shownLeverages.map((leverage, index) => {
          const bar = bars?.[index];
          return (
            <tr key={leverage} className="h-12 border-b border-line first:border-t">
              <th scope="row" className="figures w-16 text-left text-14 font-semibold">{`${leverage}×`}</th>
              <td>
                {bar ? (
                  <span
                    aria-hidden="true"
                    style={{ width: `${bar.share * 100}%` }}
                    className={`block h-3 min-w-1 rounded-l-[2px] border-r-2 border-text ${barColours[leverage]}`}
                  />
                ) : null}
              </td>
              <td className="figures w-32 text-right text-14">
                {bar ? (
                  <>
                    <span className="font-semibold">{formatPercent(bar.distancePercent, 'negative')}</span>{' '}
                    <span className="text-text-3">away</span>
                  </>
                ) : (
                  <Skeleton className="h-3.5 w-20" />
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

export function LeverageSection() {
  const { known, retry } = useServerConfig();
  const config = known.status === 'ready' ? known.config : null;
  return (
    <section
      aria-labelledby="leverage"
      className="mt-24 grid gap-x-14 gap-y-8 max-md:mt-14 lg:grid-cols-[1fr_56%] xl:grid-cols-[1fr_720px]"
    >
      <div>
        <h2 id="leverage" className="text-44 font-semibold tracking-[-0.03em] max-xl:text-28">
          How wrong
          <br />
          may you be?
        </h2>
        <p className="mt-4 max-w-[460px] text-14 leading-6 text-text-2">
          The distance between the entry and the price at which a position is closed for you. At{' '}
          {MAX_LEVERAGE}× one bad minute is enough. Here that costs nothing but the lesson.
        </p>
        <p className="figures mt-4 min-h-10 text-12 text-text-3">
          {config === null ? null : (
            <>
              {`Long: ${getLiquidationFormula('BUY', config.rules, config.feeRate)}`}
              <br />
              {`Short: ${getLiquidationFormula('SELL', config.rules, config.feeRate)}`}
            </>
          )}
        </p>
      </div>
      {known.status === 'failed' ? (
        <ErrorState title="The rules of this server could not be read" onRetry={retry} />
      ) : (
        <Bars config={config} />
      )}
    </section>
  );
}
