/**
 * `npm run bench -- chart`: what simulated charts of 60 days cost, in processor time, beside the limit of issue 18: 10 % more
 * than at commit 4c666ef. CHART_BASE names a checkout of it, with its node_modules; without it the times stand alone. The two
 * trees alternate, a process each. Bounded: about eight minutes, no network.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Timeframe } from '@fulcrum/domain';
import type { ChartCost, ChartCostRequest } from './chart-cost.ts';
import { ask, start } from './children.ts';
import { quantile, verdict } from './figures.ts';

const days = 60;
const limit = 1.1;
const processes = 3;
const symbols = ['BTCUSDT', 'EUR/GBP'] as const;
/** Bars of a day, and how many charts a process draws after its first one. */
const charts = [
  { timeframe: '1m', perDay: 1_440, rounds: 2 },
  { timeframe: '15m', perDay: 96, rounds: 6 },
  { timeframe: '1h', perDay: 24, rounds: 12 },
  { timeframe: '4h', perDay: 6, rounds: 20 },
] as const satisfies readonly { timeframe: Timeframe; perDay: number; rounds: number }[];

const here = fileURLToPath(new URL('..', import.meta.url));

async function draw(request: ChartCostRequest): Promise<ChartCost> {
  const child = start('./chart-cost.ts');
  return ask<ChartCost>(child, request);
}

/** The middle one of each figure, tree by tree. */
function middleOf(costs: readonly ChartCost[]): ChartCost {
  const of = (figure: keyof ChartCost) =>
    quantile(
      costs.map((cost) => cost[figure]),
      0.5,
    );
  return { first: of('first'), cold: of('cold'), again: of('again') };
}

const cell = (text: string) => text.padStart(12);
const shown = ({ first, cold, again }: ChartCost) => [first, cold, again].map((ms) => ms.toFixed(2));

export async function benchChart(): Promise<void> {
  const base = process.env.CHART_BASE;
  const trees = base === undefined ? [here] : [resolve(base), here];
  console.log(
    `Charts of ${days} days, ms of processor time: the first of a process, the next ones of other markets, and again.\n`,
  );
  console.log(
    ['', 'symbol', 'first', 'cold', 'again', ...(base ? ['was', 'was', 'was', 'ratio', 'ratio'] : [])]
      .map(cell)
      .join(''),
  );
  let worst = 0;
  for (const { timeframe, perDay, rounds } of charts) {
    for (const symbol of symbols) {
      const costs = trees.map((): ChartCost[] => []);
      for (let count = 0; count < processes; count += 1) {
        for (const [index, tree] of trees.entries()) {
          costs[index]?.push(await draw({ tree, symbol, timeframe, bars: days * perDay, rounds }));
        }
      }
      const middles = costs.map(middleOf).reverse();
      const [is, was] = middles;
      const ratios = is && was ? [is.first / was.first, is.cold / was.cold] : [];
      worst = Math.max(worst, ...ratios);
      console.log(
        [timeframe, symbol, ...middles.flatMap(shown), ...ratios.map((ratio) => ratio.toFixed(2))]
          .map(cell)
          .join(''),
      );
    }
  }
  if (base) console.log(`\nlimit: ${limit} of what it was: ${verdict(worst <= limit)} (${worst.toFixed(2)})`);
}
