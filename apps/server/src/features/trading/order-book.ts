/**
 * The book that an account's orders fill on (A114), as `get_book` answers it with the market's last trades: of the account's profile,
 * less what the account has used up itself. The same functions compute it for the engine, so what is shown is what fills. A live book
 * that an execution names was stored with it.
 */
import { AppError, type ArgsOf, type ResultOf, type SignedIn, texts } from '@fulcrum/contract';
import {
  asPrice,
  asSize,
  type BookSource,
  bookWithoutOwn,
  bookWithoutUsed,
  type Level,
  type MarketContext,
  type OwnTrade,
  parseDecimal,
  type QuotedProfile,
  quotedProfiles,
  toNumber,
} from '@fulcrum/domain';
import type { Database } from '../../platform/database/index.ts';
import type { Market } from '../market/index.ts';
import { executionColumns } from './engine/columns/records.ts';
import { type AccountRow, tradeOf } from './engine/rows.ts';
import type { NamedBook } from './engine/store.ts';

/** What an account that fills at the market's one price looks at, and who has no account. */
export const defaultProfile: QuotedProfile = 'pro';

interface Dependencies {
  readonly marketContextNow: () => Pick<MarketContext, 'now'>;
  readonly db: Database;
  readonly market: Pick<Market, 'pair' | 'quotes' | 'ensureFresh'>;
}

export function createBookReader({ marketContextNow, db, market }: Dependencies) {
  return async (
    caller: SignedIn,
    { p_symbol: symbol, p_quote_id: quoteId = null }: ArgsOf<'get_book'>,
  ): Promise<ResultOf<'get_book'>> => {
    if (!market.pair(symbol)) throw new AppError('unknown_symbol', texts.unknownSymbol(symbol));
    if (quoteId !== null) {
      const named = await readNamed(db, market, { symbol, quoteId, userId: caller.userId });
      if (!named) throw new AppError('not_found', texts.quoteUnknown(symbol));
      return toWire(named, { source: 'modelled', trades: [] });
    }
    await market.ensureFresh(symbol);
    const { profile, trades } = await readAccount(db, caller.accountId, symbol);
    const { now } = marketContextNow();
    const [book, pair] = [market.quotes.book(symbol, profile, now), market.pair(symbol)];
    if (!book || !pair) throw new AppError('no_quote', texts.noQuote(symbol));
    const shown = { ...bookWithoutOwn(book, trades, pair.stepSize, now), symbol };
    return toWire(shown, market.quotes.trades(symbol));
  };
}

/** An id that ends with what the account had used up is that book less so much. */
async function readNamed(
  db: Database,
  { pair, quotes }: Dependencies['market'],
  { symbol, quoteId, userId }: Asked,
): Promise<NamedBook | null> {
  const [id = '', ...own] = quoteId.split('~');
  const [sold = '', bought = ''] = own;
  const rebuilt = quotes.rebuild(symbol, id);
  const book = rebuilt ? { ...rebuilt, symbol } : await readStored(db, { symbol, quoteId: id, userId });
  const listed = pair(symbol);
  if (!book || !listed) return null;
  if (own.length === 0) return book;
  if (own.length !== 2 || !/^\d{1,30}$/.test(sold) || !/^\d{1,30}$/.test(bought)) return null;
  return bookWithoutUsed(book, { sold: BigInt(sold), bought: BigInt(bought) }, listed.stepSize);
}

interface Asked {
  readonly symbol: string;
  readonly quoteId: string;
  readonly userId: string;
}

/** A live book that an execution of the user's own names: another answer would tell of other users' trades. */
async function readStored(db: Database, { symbol, quoteId, userId }: Asked): Promise<NamedBook | null> {
  type StoredLevels = readonly (readonly [price: string, size: string])[];
  const { rows } = await db.query<{
    source: BookSource;
    mid: string;
    priced_at: Date;
    bids: StoredLevels;
    asks: StoredLevels;
  }>(
    `select source, mid::text, priced_at, bids, asks from app.quoted_books q
     where symbol = $1 and quote_id = $2 and exists (
       select from app.trading_accounts a join app.executions e on e.user_id = a.id
       where a.owner_id = $3 and split_part(e.quote_id, '~', 1) = q.quote_id
         and e.created_at between q.priced_at - interval '1 second' and q.priced_at + interval '1 minute')`,
    [symbol, quoteId, userId],
    'stored_book',
  );
  const [row] = rows;
  if (!row) return null;
  const toLevels = (levels: StoredLevels): Level[] =>
    levels.map(([price, size]) => ({
      price: asPrice(parseDecimal(price)),
      size: asSize(parseDecimal(size)),
    }));
  return {
    ...{ symbol, quoteId, source: row.source, mid: asPrice(parseDecimal(row.mid)) },
    ...{ at: row.priced_at.getTime(), bids: toLevels(row.bids), asks: toLevels(row.asks) },
  };
}

/** What decides which book the account sees: its profile, and its trades of the last seconds. */
async function readAccount(
  db: Database,
  accountId: string,
  symbol: string,
): Promise<{ readonly profile: QuotedProfile; readonly trades: readonly OwnTrade[] }> {
  const { rows } = await db.query<{ profile: string; trades: NonNullable<AccountRow['terms']>['trades'] }>(
    `select a.fill_profile as profile, (
       select json_agg(${executionColumns.select('e')} order by e.created_at desc) from app.executions e
       where a.rules = 'perpetual' and e.user_id = a.id and e.symbol = $2
         and e.created_at > now() - interval '10 seconds') as trades
     from app.trading_accounts a where a.id = $1`,
    [accountId, symbol],
    'book_of_account',
  );
  const profile = quotedProfiles.find((name) => name === rows[0]?.profile) ?? defaultProfile;
  return { profile, trades: (rows[0]?.trades ?? []).map(tradeOf) };
}

const toLevels = (levels: readonly Level[]) =>
  levels.map(({ price, size }) => ({ price: toNumber(price), size: toNumber(size) }));

const toWire = (
  { symbol, quoteId, source, mid, at, bids, asks }: NamedBook,
  traded: ReturnType<Market['quotes']['trades']>,
) => ({
  symbol,
  quote_id: quoteId,
  source,
  mid: toNumber(mid),
  priced_at: new Date(at).toISOString(),
  bids: toLevels(bids),
  asks: toLevels(asks),
  trades: traded.trades.map(({ price, size, side, at: tradedAt }) => ({
    ...{ price: toNumber(price), size: toNumber(size), side },
    traded_at: new Date(tradedAt).toISOString(),
  })),
  trades_source: traded.source,
});
