/** The breakdown of the index with its present inputs: each measured value, its score and its weight. */
import type { FearAndGreed, FearAndGreedInput } from '@fulcrum/contract';
import { type ReactElement, useState } from 'react';
import { formatFigure, noFigure } from '../../../shared/numbers/index.ts';
import { Popover } from '../../../shared/ui/index.ts';

type Input = FearAndGreed['inputs'][number];

const names: Record<FearAndGreedInput, string> = {
  volatility: 'Volatility',
  momentum: 'Momentum',
  breadth: 'Breadth',
  long_short: 'Long/short',
};

const amount = (figure: number): string => formatFigure(Math.abs(figure), Math.abs(figure) < 10 ? 1 : 0);
const share = (figure: number): string => `${formatFigure(figure * 100, 0)}%`;

/** The measured value, in one sentence. */
function describeInput({ name, figure }: Input, markets: number): string {
  if (figure === null)
    return name === 'long_short'
      ? 'Left out: it counts once five main accounts have open positions.'
      : 'Not known: too many markets have no bars.';
  switch (name) {
    case 'volatility':
      return `The last 24 hours ranged ${amount(figure)}% ${figure < 0 ? 'less' : 'more'} than a usual day of the last 30. Calm scores as greed.`;
    case 'momentum':
      return `Prices are ${amount(figure)}% ${figure < 0 ? 'below' : 'above'} their 30-day mean.`;
    case 'breadth':
      return `${share(figure)} of ${markets} markets are above their price of 24 hours ago.`;
    case 'long_short':
      return `Main accounts with open positions are ${share(figure)} long on average.`;
  }
}

function InputRows({ input, markets }: { readonly input: Input; readonly markets: number }) {
  const { name, score, weight } = input;
  return (
    <>
      <tr className="border-t border-line font-medium">
        <th scope="row" className="pt-2 text-left font-medium">
          {names[name]}
        </th>
        <td className="figures pt-2 text-right">{formatFigure(score, 0)}</td>
        <td className="figures pt-2 text-right">{score === null ? noFigure : share(weight)}</td>
      </tr>
      <tr>
        <td colSpan={3} className="pb-2 text-12 leading-4 text-text-2">
          {describeInput(input, markets)}
        </td>
      </tr>
    </>
  );
}

interface IndexBreakdownProps {
  readonly reading: FearAndGreed;
  readonly trigger: ReactElement;
}

/** Open from the start: it mounts after the user clicked its button. */
export function IndexBreakdown({ reading, trigger }: IndexBreakdownProps) {
  const [isOpen, setOpen] = useState(true);
  const { inputs, markets, value } = reading;
  return (
    <Popover
      label="How the Fear & Greed Index is made"
      trigger={trigger}
      open={isOpen}
      onOpenChange={setOpen}
    >
      <table className="w-full">
        <caption className="pb-2 text-left text-12 text-text-2">
          Each input scores 0 (fear) to 100 (greed); the index is their weighted mean
          {value === null ? '.' : ', now '}
          {value === null ? null : (
            <b className="figures font-semibold text-text">{formatFigure(value, 0)}</b>
          )}
          {value === null ? null : '.'}
        </caption>
        <thead className="text-left text-12 text-text-3">
          <tr>
            <th scope="col" className="pb-1 font-normal">
              Input
            </th>
            <th scope="col" className="pb-1 text-right font-normal">
              Score
            </th>
            <th scope="col" className="pb-1 text-right font-normal">
              Weight
            </th>
          </tr>
        </thead>
        <tbody>
          {inputs.map((input) => (
            <InputRows key={input.name} input={input} markets={markets} />
          ))}
        </tbody>
      </table>
      <p className="border-t border-line pt-2 text-12 leading-4 text-text-2">
        Yesterday and last week exclude long/short.
      </p>
    </Popover>
  );
}
