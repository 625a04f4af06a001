/** What each tool of the contract asks of `/rest/v1`. Answers are objects, as the protocol wants them. */
import { AppError, texts } from '@fulcrum/contract';
import type { ToolArgs, ToolName } from '@fulcrum/contract/mcp';
import type { Arrivals } from '../exchange/orders/arrivals.ts';
import type { RestClient } from './rest-client.ts';

type Result = Readonly<Record<string, unknown>>;
export type Tools = {
  readonly [N in ToolName]: (rest: RestClient, args: ToolArgs<N>, arrivals: Arrivals) => Promise<Result>;
};

/** Rows of each list in one answer; a language model does not read more of them well. */
const openMax = 200;
/** One more row tells whether the list is cut. */
const openLimit = String(openMax + 1);
const newestFirst = 'created_at.desc';

/** The answer to an order states it as it was placed; an agent wants to know whether it is filled. */
async function placed(rest: RestClient, terms: ToolArgs<'place'>, arrivals: Arrivals): Promise<Result> {
  const sent = await rest.insert('orders', terms);
  const id = String(sent?.id);
  const read = async (): Promise<Result> => (await rest.select('orders', { id: `eq.${id}` }))[0] ?? {};
  const arrival = arrivals.expect({ id, accountId: String(sent?.user_id) });
  // From here on the order is there: a read that is refused must not look like an order that was.
  const asPlaced = () => ({ ...sent });
  const order = await read().catch(asPlaced);
  if ((order.due_at ?? null) === null) {
    arrival.forget();
    return order;
  }
  await arrival.arrived();
  return read().catch(asPlaced);
}

export const toolHandlers: Tools = {
  async account(rest) {
    const [account] = await rest.call('list_accounts', {});
    if (!account) throw new AppError('not_found', texts.accountGone);
    return account;
  },

  async positions(rest, { status, limit }) {
    if (status === 'closed') {
      const order = 'closed_at.desc';
      return {
        positions: await rest.select('positions', { status: 'eq.closed', order, limit: String(limit) }),
      };
    }
    const [positions, orders] = await Promise.all([
      rest.select('positions', { status: 'eq.open', order: newestFirst, limit: openLimit }),
      rest.select('orders', { status: 'in.(NEW,PARTIALLY_FILLED)', order: newestFirst, limit: openLimit }),
    ]);
    return {
      positions: positions.slice(0, openMax),
      waiting_orders: orders.slice(0, openMax),
      ...(Math.max(positions.length, orders.length) > openMax && { truncated: true }),
    };
  },

  async quote(rest, { symbol }) {
    const select =
      'name,type,market_open,trading_hours,tick_size,step_size,min_qty,max_qty,min_price,max_price';
    const [tick, [market]] = await Promise.all([
      rest.call('fetch_price', { p_symbol: symbol }),
      rest.select('trading_pairs', { symbol: `eq.${symbol}`, select }),
    ]);
    return { ...tick, market: market ?? null };
  },

  async candles(rest, { symbol, timeframe, limit, before }) {
    return {
      candles: await rest.call('get_candles', {
        ...{ p_symbol: symbol, p_timeframe: timeframe, p_limit: limit },
        ...(before && { p_before: before }),
      }),
    };
  },

  book: (rest, { symbol }) => rest.call('get_book', { p_symbol: symbol }),

  review_trade: (rest, { position_id }) => rest.call('review_trade', { p_position_id: position_id }),

  review_period: (rest, { from, to, time_zone }) =>
    rest.call('review_period', { p_from: from, p_to: to, p_time_zone: time_zone }),

  place: async (rest, terms, arrivals) => ({ order: await placed(rest, terms, arrivals) }),

  async cancel(rest, { order_id }) {
    const [order] = await rest.update('orders', { id: `eq.${order_id}` }, { status: 'CANCELED' });
    if (!order) throw new AppError('order_not_found', texts.orderNotFound);
    return { order };
  },

  async close(rest, { position_id, size, client_id }) {
    const args = { p_position_id: position_id, p_size: size, p_client_id: client_id };
    return { position: await rest.call('close_position', args) };
  },

  async protect(rest, { position_id, take_profit_price, stop_loss_price, client_id }) {
    return {
      position: await rest.call('set_take_profit_stop_loss', {
        ...{ p_position_id: position_id, p_client_id: client_id },
        ...{ p_take_profit_price: take_profit_price, p_stop_loss_price: stop_loss_price },
      }),
    };
  },
};
