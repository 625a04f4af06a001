/** The steps from what the fills would have made at the middle of the market to what they have made (A113, A114). */
import type { Performance } from '@fulcrum/contract';
import type { BarTone } from '../../shared/plot/index.ts';

export type Costs = NonNullable<Performance['costs']>;

export interface CostStep {
  readonly name: string;
  readonly meaning: string;
  /** USDT: of a step what it adds, of the first and the last the result itself. */
  readonly amount: number;
  /** Where its bar begins and ends. */
  readonly from: number;
  readonly to: number;
  readonly tone: BarTone;
}

const toneOf = (amount: number): BarTone => (amount < 0 ? 'down' : 'up');

export function costSteps({
  gross,
  spread,
  impact,
  latency,
  fees,
  funding,
  net,
}: Costs): readonly CostStep[] {
  const steps = [
    ['Spread', -spread, 'From the middle of the market to its best price.'],
    ['Depth', -impact, 'From the best price to the average of the levels.'],
    ['Latency', -latency, "What the market moved from the order's arrival until its fill."],
    ['Fees', -fees, 'Charged for each fill.'],
    ['Funding', funding, 'Paid and received for holding, with financing.'],
  ] as const;
  let running = gross;
  const between = steps.map(([name, amount, meaning]): CostStep => {
    const from = running;
    running += amount;
    return { name, meaning, amount, from, to: running, tone: toneOf(amount) };
  });
  return [
    {
      name: 'Gross',
      meaning: 'What the fills would have realized at the middle of the market.',
      ...{ amount: gross, from: 0, to: gross, tone: 'accent' },
    },
    ...between,
    // The server's figure: the sum of the steps is a binary fraction.
    { name: 'Net', meaning: 'What they have realized.', amount: net, from: 0, to: net, tone: toneOf(net) },
  ];
}
