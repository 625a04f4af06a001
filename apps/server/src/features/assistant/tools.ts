/**
 * What the assistant reads of an account, one tool for each topic. Invariants: each tool is a read that the caller could make, for the
 * account of the caller's token and no other; figures come from procedures and the domain's formulas, rounded as they are shown; a text
 * that a user wrote (names of accounts, tags, journal, chat) is in no fact, so it can neither be shown as one nor reach a model.
 */
import type { AssistantAnswer, Performance, PeriodReview, SignedIn } from '@fulcrum/contract';
import {
  type AccountTopic,
  asMoney,
  coachRules,
  dayMs,
  formatFixed,
  isStoppedWhole,
  liquidationProgress,
  MONEY_DECIMALS,
  type Order,
  openRiskOf,
  type Position,
  parseDecimal,
  type QuestionPeriod,
  rulesOf,
  type StopLevel,
  startOfPeriod,
  stopLevelsOf,
  type TradingPair,
  toDecimalString,
  type Zone,
} from '@fulcrum/domain';
import type { Database } from '../../platform/database/index.ts';
import type { createAccounts } from '../accounts/index.ts';
import type { createAnalytics } from '../analytics/index.ts';
import type { createCoach } from '../coach/index.ts';
import type { Market } from '../market/index.ts';
import { type HeldAccount, marksOf, readEquities } from '../trading/index.ts';

export type Section = AssistantAnswer['sections'][number];
type Fact = Section['facts'][number];

export interface ToolDependencies {
  readonly db: Database;
  readonly market: Pick<Market, 'price' | 'pair'>;
  /** The reads that clients make, too. */
  readonly procedures: Pick<ReturnType<typeof createAccounts>['procedures'], 'list_accounts'> &
    Pick<ReturnType<typeof createAnalytics>['procedures'], 'get_performance'> &
    Pick<ReturnType<typeof createCoach>['procedures'], 'review_period'>;
}

interface ToolRequest {
  readonly period: QuestionPeriod;
  readonly zone: Zone;
  readonly zoneName: string;
  readonly now: number;
  /** The pair that the question names. */
  readonly pair: TradingPair | null;
}

/** Positions of an answer, those nearest to their liquidation first. */
const positionsMax = 5;
/** Trades of a habit. */
const tradesMax = 3;
/** As `review_period` bounds it. */
const reviewDays = 31;

const usdt = (value: number | bigint): string =>
  `${formatFixed(typeof value === 'bigint' ? value : parseDecimal(value.toFixed(8)), MONEY_DECIMALS)} USDT`;
/** A result: the sign is a part of it. */
const result = (value: number | bigint): string => {
  const text = usdt(value);
  return text.startsWith('-') || /^0\.00 /.test(text) ? text : `+${text}`;
};
const percent = (value: number): string => `${formatFixed(parseDecimal(value.toFixed(8)), 2)} %`;
const count = (value: number): string => String(value);
const fact = (label: string, value: string, trade: Fact['trade'] = null): Fact => ({ label, value, trade });

const phrases: Readonly<Record<QuestionPeriod, string>> = {
  today: 'today',
  '7 days': 'the last 7 days',
  '30 days': 'the last 30 days',
  'all time': 'since the start',
};

export function createTools({ db, market, procedures }: ToolDependencies) {
  /** Open positions and waiting orders. */
  const readHoldings = async ({
    accountId,
  }: SignedIn): Promise<Pick<HeldAccount, 'positions' | 'orders'>> => {
    const read = (await readEquities(db, [accountId], marksOf(market))).get(accountId);
    const positions = read?.positions.filter(({ closing }) => closing === null) ?? [];
    return { positions, orders: read?.orders ?? [] };
  };

  async function readAccount(caller: SignedIn): Promise<Section> {
    const listed = await procedures.list_accounts(caller, {});
    const account = listed.find(({ id }) => id === caller.accountId);
    if (!account)
      return { title: 'Account', path: '/wallet', facts: [], note: 'This account has no wallet yet.' };
    return {
      title: 'Account, now',
      path: '/wallet',
      facts: [
        fact('Balance', usdt(account.balance)),
        fact('Available balance', usdt(account.available_balance)),
        fact('Equity', usdt(account.equity)),
        fact('Open positions', count(account.open_positions)),
        fact('Waiting orders', count(account.waiting_orders)),
      ],
      note: null,
    };
  }

  async function readMargin(caller: SignedIn): Promise<Section> {
    const { positions } = await readHoldings(caller);
    const used = asMoney(positions.reduce((sum, { margin }) => sum + margin, 0n));
    const [account] = (await procedures.list_accounts(caller, {})).filter(
      ({ id }) => id === caller.accountId,
    );
    return {
      title: 'Margin, now',
      path: '/trading',
      facts: [
        fact('Margin of open positions', usdt(used)),
        ...(account ? [fact('Available balance', usdt(account.available_balance))] : []),
      ],
      note: positions.length === 0 ? 'No position is open.' : null,
    };
  }

  async function readRisk(caller: SignedIn): Promise<Section> {
    const { positions, orders } = await readHoldings(caller);
    const unprotected = positions.filter(
      (position) => !isStoppedWhole(position, stopLevelsOf(position, orders)),
    ).length;
    return {
      title: 'Open risk, now',
      path: '/trading',
      facts: [
        fact('Open risk', usdt(openRiskOf(positions, orders))),
        fact('Open positions', count(positions.length)),
        fact('Positions without a stop loss', count(unprotected)),
      ],
      note: 'What open positions lose at their stop losses, or their margin where they have none, before fees.',
    };
  }

  function toPositionSection(position: Position, orders: readonly Order[]): Section {
    const { symbol, side, size, leverage, entryPrice, liquidationPrice } = position;
    const stop = stopLevelsOf(position, orders)[0];
    const pair = market.pair(symbol);
    const mark = marksOf(market).quote(symbol)?.price ?? null;
    const priceText = (price: bigint): string =>
      pair?.quoteAsset === 'USDT' ? `${toDecimalString(price)} USDT` : toDecimalString(price);
    const stopText = ({ price, size: part }: StopLevel): string =>
      part === null || part >= size ? priceText(price) : `${priceText(price)} for ${toDecimalString(part)}`;
    const rules = rulesOf(position.rules);
    return {
      title: `${symbol} ${side === 'BUY' ? 'long' : 'short'}`,
      path: `/trading?symbol=${encodeURIComponent(symbol)}`,
      facts: [
        fact('Amount', `${toDecimalString(size)} ${pair?.baseAsset ?? symbol}`),
        fact('Leverage', `${leverage}x`),
        fact('Entry price', priceText(entryPrice)),
        ...(mark === null
          ? []
          : [
              fact('Mark price', priceText(mark)),
              fact('Unrealized result', result(rules.unrealizedPnl(position, mark))),
              fact('ROE', `${formatFixed(rules.openRoe(position, mark), 2)} %`),
            ]),
        fact('Liquidation price', priceText(liquidationPrice)),
        ...(mark === null
          ? []
          : [
              fact(
                'Way from entry to liquidation',
                `${formatFixed(liquidationProgress({ entryPrice, liquidationPrice, markPrice: mark }), 2)} %`,
              ),
            ]),
        fact('Stop loss', stop ? stopText(stop) : 'none'),
      ],
      note: mark === null ? 'This symbol has no price now.' : null,
    };
  }

  async function readOpen(caller: SignedIn, { pair }: ToolRequest): Promise<readonly Section[]> {
    const progressOf = ({ symbol, entryPrice, liquidationPrice }: Position): bigint => {
      const mark = marksOf(market).quote(symbol)?.price;
      return mark === undefined ? 0n : liquidationProgress({ entryPrice, liquidationPrice, markPrice: mark });
    };
    const { positions: all, orders } = await readHoldings(caller);
    const positions = all
      .filter(({ symbol }) => pair === null || symbol === pair.symbol)
      .toSorted((one, other) => Number(progressOf(other) - progressOf(one)));
    if (positions.length === 0) {
      const what = pair === null ? 'No position is open.' : `No position of ${pair.symbol} is open.`;
      return [
        {
          title: 'Open positions',
          path: '/trading',
          facts: [fact('Open positions', count(all.length))],
          note: what,
        },
      ];
    }
    const more = positions.length - positionsMax;
    return [
      {
        title: 'Open positions, now',
        path: '/trading',
        facts: [fact('Open positions', count(all.length))],
        note: more > 0 ? 'Those nearest to their liquidation are listed; the others are on the page.' : null,
      },
      ...positions.slice(0, positionsMax).map((position) => toPositionSection(position, orders)),
    ];
  }

  const readPerformance = (
    caller: SignedIn,
    { period, now, zone, zoneName }: ToolRequest,
  ): Promise<Performance> => {
    const from = startOfPeriod(period, now, zone);
    return procedures.get_performance(caller, {
      p_from: from === null ? null : new Date(from).toISOString(),
      p_to: null,
      p_time_zone: zoneName,
    });
  };

  const dayOf = (iso: string, zone: Zone): string => {
    const at = Date.parse(iso);
    return new Date(at + zone.offsetAt(at)).toISOString().slice(0, 10);
  };

  async function readResult(caller: SignedIn, request: ToolRequest): Promise<Section> {
    const { pair, zone, period } = request;
    const found = await readPerformance(caller, request);
    const title = `Result, ${phrases[period]}`;
    if (found.trades === 0) {
      return {
        title,
        path: '/analytics',
        facts: [fact('Closed trades', '0')],
        note: 'No trade was closed in this time.',
      };
    }
    if (pair !== null) {
      const one = found.by_symbol.find(({ symbol }) => symbol === pair.symbol);
      return {
        title: `${pair.symbol}: result, ${phrases[period]}`,
        path: '/analytics',
        facts: one
          ? [
              fact('Net result', result(one.net_pnl)),
              fact('Closed trades', count(one.trades)),
              fact('Wins', count(one.wins)),
            ]
          : [fact('Closed trades', '0')],
        note: one ? null : 'No trade of this symbol was closed in this time.',
      };
    }
    const trade = (label: string, one: Performance['best']): readonly Fact[] =>
      one === null
        ? []
        : [fact(label, `${result(one.net_pnl)}, ${one.symbol}, closed ${dayOf(one.closed_at, zone)}`)];
    return {
      title,
      path: '/analytics',
      facts: [
        fact('Net result', result(found.net_pnl)),
        fact('Closed trades', count(found.trades)),
        fact('Wins', count(found.wins)),
        fact('Losses', count(found.losses)),
        ...(found.win_rate === null ? [] : [fact('Win rate', percent(found.win_rate))]),
        ...trade('Best trade', found.best),
        ...trade('Worst trade', found.worst),
        ...(found.max_drawdown === null ? [] : [fact('Deepest drawdown', usdt(found.max_drawdown.amount))]),
      ],
      note: 'After fees and funding.',
    };
  }

  async function readFees(caller: SignedIn, request: ToolRequest): Promise<Section> {
    const found = await readPerformance(caller, request);
    const { costs } = found;
    return {
      title: `Fees and costs, ${phrases[request.period]}`,
      path: '/analytics',
      facts: [
        fact('Fees', usdt(costs?.fees ?? found.fees)),
        ...(costs === null
          ? []
          : [
              fact('Spread', usdt(costs.spread)),
              fact('Impact', usdt(costs.impact)),
              fact('Latency', usdt(costs.latency)),
            ]),
        fact('Closed trades', count(found.trades)),
      ],
      note: costs === null ? 'Of the trades closed in this time.' : 'Of the fills in this time.',
    };
  }

  async function readFunding(caller: SignedIn, request: ToolRequest): Promise<Section> {
    const found = await readPerformance(caller, request);
    return {
      title: `Funding, ${phrases[request.period]}`,
      path: '/analytics',
      facts: [fact('Funding', result(found.costs?.funding ?? found.funding))],
      note: 'Received above zero, paid below. Only net positions pay or receive it.',
    };
  }

  const habitSection = (
    title: string,
    habit: PeriodReview['costliest'][number] | undefined,
  ): readonly Section[] => {
    if (!habit) return [];
    const rule = coachRules.find(({ id }) => id === habit.rule);
    return [
      {
        title: `${title}: ${rule?.name ?? habit.rule}`,
        path: '/analytics?view=week&period=31d',
        facts: [
          fact('Worth in these trades', result(habit.worth)),
          fact('Trades with it', count(habit.trades)),
          ...habit.listed.slice(0, tradesMax).map(({ position_id, symbol, side, worth }) =>
            fact(`${symbol} ${side === 'BUY' ? 'long' : 'short'}`, result(worth), {
              id: position_id,
              symbol,
              side,
            }),
          ),
        ],
        note: rule?.worth.name ?? null,
      },
    ];
  };

  async function readHabits(caller: SignedIn, { now, zoneName }: ToolRequest): Promise<readonly Section[]> {
    const review = await procedures.review_period(caller, {
      p_from: new Date(now - reviewDays * dayMs).toISOString(),
      p_to: new Date(now).toISOString(),
      p_time_zone: zoneName,
    });
    const [costliest, best] = [review.costliest[0], review.best[0]];
    const pending = review.pending > 0 ? ' Prices of some trades are still being read.' : '';
    return [
      {
        title: `Habits, the last ${reviewDays} days`,
        path: '/analytics?view=week&period=31d',
        facts: [fact('Closed trades', count(review.trades))],
        note:
          costliest || best
            ? `By the rules of the coach.${pending}`
            : `No habit was found in enough trades to speak of.${pending}`,
      },
      ...habitSection('Costliest habit', costliest),
      ...habitSection('Best habit', best),
    ];
  }

  const tools: Readonly<
    Record<AccountTopic, (caller: SignedIn, request: ToolRequest) => Promise<Section | readonly Section[]>>
  > = {
    account: readAccount,
    margin: readMargin,
    risk: readRisk,
    positions: readOpen,
    liquidation: readOpen,
    result: readResult,
    habits: readHabits,
    fees: readFees,
    funding: readFunding,
  };

  /** The sections of these topics, each tool once. */
  return async function readSections(
    caller: SignedIn,
    topics: readonly AccountTopic[],
    request: ToolRequest,
  ): Promise<readonly Section[]> {
    const sections: Section[] = [];
    for (const tool of new Set(topics.map((topic) => tools[topic]))) {
      const read = await tool(caller, request);
      sections.push(...('facts' in read ? [read] : read));
    }
    return sections;
  };
}
