/**
 * What the fills and the holding of net positions have cost in the range: a waterfall, and its steps as a table beside it (A113,
 * A114).
 */
import { formatCompact, formatFigure, formatPnl, Pnl } from '../../shared/numbers/index.ts';
import { BarChart, useReadout } from '../../shared/plot/index.ts';
import { barsHeight } from './BarPlot.tsx';
import { type Costs, costSteps } from './cost-steps.ts';

const formatBound = (value: number): string =>
  Math.abs(value) < 1000 ? formatFigure(value, 2) : formatCompact(value);

export function CostWaterfall({ costs }: { readonly costs: Costs }) {
  const steps = costSteps(costs);
  const readout = useReadout(steps.length);
  const read = readout.active === null ? undefined : steps[readout.active];
  const describe = (index: number): string => {
    const step = steps[index];
    return step ? `${step.name}: ${formatPnl(step.amount)} USDT` : '';
  };
  return (
    <>
      <div className="min-w-0 p-4">
        <div className="flex h-7 items-center justify-between gap-4">
          <h3 className="text-13 font-semibold">From gross to net</h3>
          <p className="figures truncate text-12 text-text-3">
            {read ? (
              <>
                {`${read.name} `}
                <Pnl value={read.amount} />
              </>
            ) : (
              `USDT, ${formatFigure(costs.fills, 0)} ${costs.fills === 1 ? 'fill' : 'fills'}`
            )}
          </p>
        </div>
        <div className="mt-2">
          <BarChart
            name="From gross to net"
            describe={describe}
            bars={steps.map(({ name, from, to, tone }) => ({
              name,
              tick: name,
              parts: [{ from, value: to, tone }],
            }))}
            height={barsHeight}
            named="first"
            formatTick={formatBound}
            {...readout}
          />
        </div>
      </div>
      <div className="min-w-0 p-4">
        <table aria-label="Costs of the fills" className="w-full border-collapse text-12">
          <thead className="sr-only">
            <tr>
              <th scope="col">Step</th>
              <th scope="col">USDT</th>
            </tr>
          </thead>
          <tbody>
            {steps.map(({ name, meaning, amount }) => (
              <tr key={name} className="border-b border-line last:border-b-0">
                <th scope="row" className="py-1 text-left font-normal">
                  {name}
                  <span className="block text-11 text-text-3">{meaning}</span>
                </th>
                <td className="figures text-right align-top py-1">
                  <Pnl value={amount} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="mt-2 text-11 text-text-3">
          The costs of positions that are still open are in it, their results are not.
        </p>
      </div>
    </>
  );
}
