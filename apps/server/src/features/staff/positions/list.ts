/**
 * A page of positions for staff. Limits: a hundred rows a page, and the first ten thousand of an order, because counting
 * all would read the whole table. The file has all of them. Closed positions of all users can be sorted by time and by
 * result only: an order needs an index, which every close has to update.
 */
import { AppError, type ArgsOf, type positionSorts, type SignedIn } from '@fulcrum/contract';
import { parseDecimal, toDecimalString, toNumber } from '@fulcrum/domain';
import type { Queryable } from '../../../platform/database/index.ts';
import type { StaffDependencies } from '../dependencies.ts';
import { namesAccount } from '../named-account.ts';
import { inListSnapshot } from '../read-snapshot.ts';
import { type FilterSql, filterSql, timeColumn } from './filter.ts';
import { type PositionRow, positionColumns, toWire } from './rows.ts';

type Args = ArgsOf<'list_positions'>;
type Sort = (typeof positionSorts)[number];
type Status = Args['p_status'];

export const countedMax = 10_000;
const defaultPageSize = 50;

/** As `unrealizedPnl` of both rule sets; `m` has the last prices. One product less for each of a hundred thousand rows. */
const unrealized = `case p.side when 'BUY' then (m.price - p.entry_price) * p.size else (p.entry_price - m.price) * p.size end`;

const ofEverybodysClosed: ReadonlySet<Sort> = new Set(['time', 'pnl']);

function orderedBy(sort: Sort, status: Status): string {
  switch (sort) {
    case 'time':
      return timeColumn[status];
    case 'symbol':
      return 'p.symbol';
    case 'size':
      return 'p.size';
    case 'leverage':
      return 'p.leverage';
    case 'pnl':
      return status === 'closed' ? 'p.realized_pnl' : unrealized;
  }
}

export function createPositionList({ reader, market }: Pick<StaffDependencies, 'reader' | 'market'>) {
  /** Of all symbols: finding the ones in use would read every open position. */
  async function lastPrices(tx: Queryable) {
    const { rows } = await tx.query<{ symbol: string }>('select symbol from app.trading_pairs');
    const symbols: string[] = [];
    const prices: string[] = [];
    for (const { symbol } of rows) {
      const last = market.price(symbol);
      if (!last) continue;
      symbols.push(symbol);
      prices.push(toDecimalString(last.price));
    }
    return { symbols, prices };
  }

  async function pageOf(tx: Queryable, filter: FilterSql, args: Args, skipped: number, taken: number) {
    const sort = args.p_sort ?? 'time';
    const values = [...filter.values];
    const direction = args.p_ascending ? 'asc' : 'desc';
    const key = orderedBy(sort, args.p_status);
    const needsPrices = sort === 'pnl' && args.p_status === 'open';
    let marks = '';
    if (needsPrices) {
      const { symbols, prices } = await lastPrices(tx);
      marks = `left join unnest($${values.push(symbols)}::text[], $${values.push(prices)}::numeric[]) as m (symbol, price)
        on m.symbol = p.symbol`;
    }
    // Without a price there is no result to order by.
    const inOrder = `${direction} ${needsPrices ? 'nulls last' : ''}`;
    const { rows } = await tx.query<PositionRow>(
      `select ${positionColumns} from (
         select p.id, ${key} as key from app.positions p ${marks}
         where ${filter.where} order by ${key} ${inOrder}, p.id ${direction}
         limit $${values.push(taken)} offset $${values.push(skipped)}
       ) page
       join app.positions p on p.id = page.id join app.users u on u.id = ${filter.owner}
       order by page.key ${inOrder}, page.id ${direction}`,
      values,
    );
    return rows;
  }

  async function countOf(tx: Queryable, { where, values }: FilterSql, status: Status) {
    // An open one has no result, and without it the count is read from the index.
    const result = status === 'closed' ? 'p.realized_pnl' : 'null::numeric';
    const { rows } = await tx.query<{ total: number; pnl: string | null }>(
      `select count(*)::int as total, sum(counted.pnl) as pnl
       from (select ${result} as pnl from app.positions p where ${where} limit ${countedMax + 1}) counted`,
      values,
    );
    return rows[0] ?? { total: 0, pnl: null };
  }

  return async function listPositions(caller: SignedIn, args: Args) {
    const taken = args.p_page_size ?? defaultPageSize;
    const skipped = ((args.p_page ?? 1) - 1) * taken;
    if (skipped >= countedMax) {
      throw new AppError('invalid_argument', `Invalid argument p_page: a list ends after ${countedMax} rows`);
    }
    if (args.p_status === 'closed' && !namesAccount(args) && !ofEverybodysClosed.has(args.p_sort ?? 'time')) {
      throw new AppError(
        'invalid_argument',
        "Invalid argument p_sort: everybody's closed positions are listed by time or pnl",
      );
    }
    return inListSnapshot(reader, async (tx) => {
      const filter = await filterSql(tx, caller, args);
      const { total, pnl } = await countOf(tx, filter, args.p_status);
      const isMore = total > countedMax;
      const rows =
        skipped >= total
          ? []
          : await pageOf(tx, filter, args, skipped, Math.min(taken, countedMax - skipped));
      return {
        positions: rows.map((row) => toWire(row, market)),
        total: Math.min(total, countedMax),
        is_more: isMore,
        realized_pnl: args.p_status === 'open' || isMore ? null : toNumber(parseDecimal(pnl ?? '0')),
      };
    });
  };
}
