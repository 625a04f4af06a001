/** How the index is made, with the figures of this moment: what was measured, what it scores, what it weighs. */
import type { FearAndGreed, FearAndGreedInput } from '@fulcrum/contract';
import { formatFigure } from '../../../shared/numbers/index.ts';
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

/** What was measured, in one sentence. */
function measured({ name, figure }: Input, markets: number): string {
  if (figure === null)
    return name === 'long_short'
      ? 'Left out: it counts once five accounts have open positions.'
      : 'Not known: too many markets have no bars.';
  switch (name) {
    case 'volatility':
      return `The last 24 hours ranged ${amount(figure)}% ${figure < 0 ? 'less' : 'more'} than a usual day of the last 30. Calm is greed.`;
    case 'momentum':
      return `Prices stand ${amount(figure)}% ${figure < 0 ? 'below' : 'above'} their mean of 30 days.`;
    case 'breadth':
      return `${share(figure)} of ${markets} markets stand above their price of 24 hours ago.`;
    case 'long_short':
      return `Accounts with open positions are ${share(figure)} long on average.`;
  }
}

function InputRow({ input, markets }: { readonly input: Input; readonly markets: number }) {
  const { name, score, weight } = input;
  return (
    <tr className="border-t border-line align-top">
      <th scope="row" className="py-2 pr-3 text-left font-normal">
        <span className="font-medium">{names[name]}</span>
        <span className="block text-12 leading-4 text-text-2">{measured(input, markets)}</span>
      </th>
      <td className="figures py-2 pr-3 text-right font-medium">{formatFigure(score, 0)}</td>
      <td className="figures py-2 text-right text-text-2">{`${formatFigure(weight * 100, 0)}%`}</td>
    </tr>
  );
}

export function Making({ reading }: { readonly reading: FearAndGreed }) {
  const { inputs, markets, value } = reading;
  return (
    <Popover
      label="How the Fear & Greed Index is made"
      side="bottom"
      align="end"
      trigger={
        <button
          type="button"
          className="min-h-6 rounded-[4px] text-12 whitespace-nowrap text-accent hover:text-text max-md:relative max-md:min-h-8 max-md:after:absolute max-md:after:inset-x-0 max-md:after:-inset-y-1.5"
        >
          How it is made
        </button>
      }
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
            <th scope="col" className="pr-3 pb-1 text-right font-normal">
              Score
            </th>
            <th scope="col" className="pb-1 text-right font-normal">
              Weight
            </th>
          </tr>
        </thead>
        <tbody>
          {inputs.map((input) => (
            <InputRow key={input.name} input={input} markets={markets} />
          ))}
        </tbody>
      </table>
      <p className="border-t border-line pt-2 text-12 leading-4 text-text-2">
        Yesterday and last week are told without long/short.
      </p>
    </Popover>
  );
}
