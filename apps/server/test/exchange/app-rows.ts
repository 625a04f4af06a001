/** What the app has stored of an account, as clients of `/fapi` write numbers: decimals without trailing zeros. */
import { parseDecimal, toDecimalString } from '@fulcrum/domain';
import type { Bot, Door } from './door.ts';

type Stored = Record<string, string | null>;

const numeric = /^-?\d+\.\d+$/;
const canonical = (row: Stored): Stored =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value !== null && numeric.test(value) ? toDecimalString(parseDecimal(value)) : value,
    ]),
  );

export const sumOf = (texts: Iterable<string>): string =>
  toDecimalString([...texts].reduce((sum, text) => sum + parseDecimal(text), 0n));

export function appRows(door: Door, { accountId }: Pick<Bot, 'accountId'>) {
  const read = async (text: string): Promise<Stored[]> =>
    (await door.server.db.query<Stored>(text, [accountId])).rows.map(canonical);
  return {
    /** The oldest first. */
    executions: () =>
      read(
        `select e.number::text, e.symbol, e.side, e.size::text, e.value::text, e.price::text, e.fee::text, e.liquidity,
                coalesce(e.realized_pnl, 0)::text as pnl, o.client_id
         from app.executions e left join app.orders o on o.id = e.order_id where e.user_id = $1 order by e.number`,
      ),
    orders: () =>
      read(
        `select number::text, symbol, type, side, size::text, price::text, trigger_price::text, trail_rate::text, status, time_in_force,
                reduce_only::text, close_position::text, client_id, filled_size::text, filled_value::text
         from app.orders where user_id = $1 order by number`,
      ),
    /** Open ones. */
    positions: () =>
      read(
        `select symbol, side, size::text, entry_price::text, entry_value::text, margin::text, liquidation_price::text, leverage::text,
                take_profit_price::text, stop_loss_price::text
         from app.positions where user_id = $1 and status = 'open' order by symbol`,
      ),
    async wallet(): Promise<Stored> {
      const [row] = await read(
        'select balance::text, available_balance::text as available from app.wallets where user_id = $1',
      );
      if (!row) throw new Error('the account has no wallet');
      return row;
    },
    /** What the ledger added to the account's own balance, by kind. */
    async ledger(...kinds: readonly string[]): Promise<string> {
      const rows = await read('select kind, amount::text from app.ledger_entries where user_id = $1');
      return sumOf(rows.filter(({ kind }) => kinds.includes(kind ?? '')).map(({ amount }) => amount ?? '0'));
    },
  };
}
