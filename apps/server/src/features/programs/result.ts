/**
 * The result of a contest as a document: computed once, from what is stored, when nothing is open any more. Invariant: the same rows give the
 * same text, so that a computation which is repeated after a crash has the same hash. It names entrants by number and has no personal data.
 */
import { createHash } from 'node:crypto';
import type { ContestRules } from '@fulcrum/contract';
import {
  asMoney,
  type ContestRecord,
  ContestTally,
  type ContestTrade,
  initialRisk,
  type Money,
  markStates,
  type Position,
  parseDecimal,
  rankContest,
  toDecimalString,
} from '@fulcrum/domain';
import { z } from 'zod';
import { epochMsSql } from '../../platform/database/epoch-ms.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { pagesOf } from '../../platform/database/pages.ts';
import { inReadSnapshot, type SnapshotSource } from '../../platform/database/read-snapshot.ts';
import { type PriceShock, priceShock, readRescaled, readShocks } from '../market/index.ts';
import { readPositionsOf } from '../trading/index.ts';
import { type ClosingMarks, closingMark } from './closing-marks.ts';
import { rulesOf, type StoredContest, timesOf } from './stored-contest.ts';
import { readCommitment, readTradedPrices, type TradedPrices } from './traded-prices.ts';

const decimal = z.string();

export const resultDocument = z.object({
  v: z.literal(1),
  contest: z.object({
    id: z.string(),
    name: z.string(),
    begins_at: z.string(),
    ends_at: z.string(),
    rules: z.unknown(),
  }),
  /** When the closing prices were read. */
  closed_at: z.string(),
  /** By symbol: the prices at which the end of the contest closed positions. */
  marks: z.record(z.string(), closingMark),
  positions_closed: z.number(),
  closings: z.array(
    z.object({
      number: z.number(),
      position_id: z.string(),
      symbol: z.string(),
      state: z.enum(markStates).nullable(),
      price: decimal,
    }),
  ),
  interventions: z.array(z.object({ at: z.string(), action: z.string(), symbol: z.string().nullable() })),
  /** Of a simulated market: what its prices are checked by (decision 32). Null, or missing before 0082, where none was committed to. */
  market: z
    .object({
      /** SHA-256 of the text that was published at the begin. */
      commitment_sha256: z.string(),
      /** Those that the commitment does not have. */
      shocks: z.array(priceShock),
      /** Of what the entrants traded at: how many, how many of them are listed, and the SHA-256 of the list. */
      prices: z.object({ total: z.number(), listed: z.number(), sha256: z.string() }),
      /** Closes that paid for the other side of their symbol (A111), which are not at the market's price. */
      payments: z.number().optional(),
      /** Symbols of the commitment whose prices another factor made since that instant, as after a time with live prices. */
      rescaled: z.record(z.string(), z.string()).optional(),
      /** Only in results of releases that stated no sources: the symbols that had another one at the end. */
      changed: z.array(z.string()).optional(),
    })
    .nullish(),
  entrants: z.array(
    z.object({
      rank: z.number().nullable(),
      number: z.number(),
      equity: decimal,
      return_pct: decimal,
      realized: decimal,
      drawdown_pct: decimal,
      sharpe: z.number().nullable(),
      expectancy_r: decimal.nullable(),
      trades: z.number(),
      score: z.number().nullable(),
      unranked: z.enum(['too_few_trades', 'no_score']).nullable(),
    }),
  ),
});
export type ResultDocument = z.output<typeof resultDocument>;

export const hashOf = (document: string): string => createHash('sha256').update(document).digest('hex');

interface EquityRow {
  readonly accountId: string;
  readonly at: number;
  readonly equity: string;
}

interface EntrantRow {
  readonly id: string;
  readonly number: number;
  readonly startBalance: string;
  readonly equity: string;
  readonly entered: number;
}

/** Accounts whose history is read at a time. */
const pageSize = 50;

const interventionActions = ['price.shock', 'price.accept', 'price.reject', 'trading.halt', 'trading.resume'];

/** From the begin until the closing prices were read, and a halt that the contest began in. */
async function readInterventions(tx: Queryable, contest: StoredContest, closedAt: string) {
  const { rows } = await tx.query<{ at: Date; action: string; symbol: string | null }>(
    `select at, action, detail ->> 'symbol' as symbol from (
       select * from app.audit_log where action = any ($1) and at >= $2 and at <= $3
       union all
       select * from (select * from app.audit_log where action in ('trading.halt', 'trading.resume') and at < $2
                      order by at desc, id desc limit 1) last where action = 'trading.halt'
     ) a order by at, id`,
    [interventionActions, contest.begins_at, closedAt],
    'contest_interventions',
  );
  return rows.map(({ at, action, symbol }) => ({ at: at.toISOString(), action, symbol }));
}

const equitiesQuery = `
  select user_id as "accountId", ${epochMsSql('at')} as at, equity::text as equity from app.equity_snapshots
  where user_id = any ($1::uuid[]) and at >= $2 and at < $3 order by user_id, at`;

const money = (text: string): Money => asMoney(parseDecimal(text));

const isClosedByEnd = ({ closing }: Position): boolean => closing?.reason === 'program_end';

const toTrade = (position: Position): ContestTrade => ({
  positionId: position.splitFrom ?? position.id,
  net: asMoney((position.closing?.realizedPnl ?? 0n) - position.fees + position.funding),
  risk: initialRisk(position) ?? position.margin,
  closedByEnd: isClosedByEnd(position),
  isPart: position.splitFrom !== null,
});

export interface ComputedResult {
  readonly document: string;
  /** The list of `market.prices`; null where no market was committed to. */
  readonly prices: string | null;
}

/** Nothing may be open in the accounts of the contest. */
export const computeResult = (
  db: SnapshotSource,
  contest: StoredContest,
  closing: ClosingMarks,
): Promise<ComputedResult> =>
  inReadSnapshot(db, (tx) => computeWithin(tx, contest, closing), `set local statement_timeout = '60s'`);

async function proveMarket(
  tx: Queryable,
  contest: StoredContest,
  closing: ClosingMarks,
): Promise<{ readonly market: NonNullable<ResultDocument['market']>; readonly prices: string } | null> {
  const stored = await readCommitment(tx, contest.id);
  if (stored === null) return null;
  const nameOf = (shock: PriceShock) => JSON.stringify(priceShock.parse(shock));
  const committed = new Set(stored.commitment.shocks.map(nameOf));
  const shocks = (await readShocks(tx)).filter(
    (shock) => shock.at <= Date.parse(closing.at) && !committed.has(nameOf(shock)),
  );
  const { symbols, published_at } = stored.commitment;
  const rescaled = await readRescaled(tx, symbols, Date.parse(published_at));
  const { total, listed, text, payments }: TradedPrices = await readTradedPrices(tx, contest);
  return {
    market: {
      ...{ commitment_sha256: stored.sha256, shocks },
      prices: { total, listed, sha256: hashOf(text) },
      payments,
      rescaled: Object.fromEntries(
        [...rescaled].flatMap(([symbol, since]) =>
          since <= Date.parse(closing.at) ? [[symbol, new Date(since).toISOString()]] : [],
        ),
      ),
    },
    prices: text,
  };
}

async function computeWithin(
  tx: Queryable,
  contest: StoredContest,
  closing: ClosingMarks,
): Promise<ComputedResult> {
  const rules: ContestRules = rulesOf(contest);
  const { begins, ends } = timesOf(contest);
  const { rows: entrants } = await tx.query<EntrantRow>(
    `select a.id, a.program_number as number, a.start_balance::text as "startBalance", ${epochMsSql('a.created_at')} as entered,
            w.balance::text as equity
     from app.trading_accounts a join app.wallets w on w.user_id = a.id where a.program_id = $1 order by a.program_number`,
    [contest.id],
    'contest_entrants',
  );
  const records: ContestRecord[] = [];
  const closings: ResultDocument['closings'] = [];
  const marks: ResultDocument['marks'] = {};
  let positionsClosed = 0;
  const noteClosing = (number: number, { id, symbol, closing: closed }: Position): void => {
    positionsClosed += 1;
    const found = closing.marks[symbol];
    if (found) marks[symbol] = found;
    if (found?.state === 'live' || !closed) return;
    const price = toDecimalString(closed.price);
    closings.push({ number, position_id: id, symbol, state: found?.state ?? null, price });
  };
  for (let from = 0; from < entrants.length; from += pageSize) {
    const page = entrants.slice(from, from + pageSize);
    const ids = page.map(({ id }) => id);
    const tallies = new Map(
      page.map(({ id, startBalance, ...entrant }) => [
        id,
        new ContestTally({ ...entrant, begins, ends, startBalance: money(startBalance) }),
      ]),
    );
    const numbers = new Map(page.map(({ id, number }) => [id, number]));
    for await (const positions of readPositionsOf(tx, ids)) {
      for (const position of positions) {
        tallies.get(position.accountId)?.trade(toTrade(position));
        if (isClosedByEnd(position)) noteClosing(numbers.get(position.accountId) ?? 0, position);
      }
    }
    const parameters = [ids, contest.begins_at, contest.ends_at];
    for await (const seen of pagesOf<EquityRow>(tx, equitiesQuery, parameters))
      for (const { accountId, at, equity } of seen)
        tallies.get(accountId)?.observe({ at, equity: money(equity) });
    for (const { id, equity } of page) {
      const record = tallies.get(id)?.record(money(equity));
      if (record) records.push(record);
    }
  }
  closings.sort((a, b) => a.number - b.number || (a.position_id < b.position_id ? -1 : 1));
  const ranks = rankContest(records, rules);
  const proven = await proveMarket(tx, contest, closing);
  const document: ResultDocument = {
    v: 1,
    contest: {
      ...{ id: contest.id, name: contest.name },
      begins_at: contest.begins_at.toISOString(),
      ends_at: contest.ends_at.toISOString(),
      rules,
    },
    closed_at: closing.at,
    marks: Object.fromEntries(Object.entries(marks).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    positions_closed: positionsClosed,
    closings,
    interventions: await readInterventions(tx, contest, closing.at),
    market: proven?.market ?? null,
    entrants: ranks.map((one) => ({
      ...{ rank: one.rank, number: one.number, equity: toDecimalString(one.equity) },
      return_pct: toDecimalString(one.returnPct),
      realized: toDecimalString(one.realized),
      drawdown_pct: toDecimalString(one.drawdownPct),
      sharpe: one.sharpe,
      expectancy_r: one.expectancyR === null ? null : toDecimalString(one.expectancyR),
      ...{ trades: one.trades, score: one.score, unranked: one.unranked },
    })),
  };
  return { document: JSON.stringify(document), prices: proven?.prices ?? null };
}
