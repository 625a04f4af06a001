/**
 * Reads the body of a signal: an alert of TradingView (`contracts`, `market_position`), the common shape of signal services
 * (`ticker`, `action`, `quantity`, `sentiment`, `orderType`, …), or that of 3Commas (`tv_instrument`, `order.amount`). Numbers may
 * be texts. Fields without a meaning here are ignored. Invariant: what would change the meaning and cannot be read is refused, so
 * no signal is executed without the stop loss or the order type that it states.
 */
import {
  asPrice,
  asSize,
  DecimalError,
  type Price,
  parseDecimal,
  type Side,
  type Size,
} from '@fulcrum/domain';

/** Why a body cannot be read, as its sender's text. */
export class UnreadableSignal extends Error {
  override readonly name = 'UnreadableSignal';
}

type SignalAction = 'buy' | 'sell' | 'exit' | 'cancel';
/** Where the sender's strategy stands after the signal. */
type Stance = 'long' | 'short' | 'flat';

export interface Signal {
  /** As it came in. */
  readonly ticker: string;
  readonly action: SignalAction;
  /** Of an exit: the positions of this side only; null for all. */
  readonly exits: Side | null;
  readonly stance: Stance | null;
  /** In units of the base asset, or of USDT with `isValue`; null where the signal states none. */
  readonly quantity: bigint | null;
  readonly isValue: boolean;
  /** The size of the strategy's position after the signal. */
  readonly stanceSize: Size | null;
  /** Of a limit order; null is an order at the market. */
  readonly limitPrice: Price | null;
  readonly takeProfitPrice: Price | null;
  readonly stopLossPrice: Price | null;
  readonly leverage: number | null;
}

type Fields = Readonly<Record<string, unknown>>;

const example = 'The page "Signals" has a message to paste.';

/** @throws UnreadableSignal with what to change */
export function parseSignal(body: string): Signal {
  const fields = parseFields(body);
  const ticker = readText(fields, ['ticker', 'symbol', 'tv_instrument']);
  if (ticker === null) throw new UnreadableSignal(`The field "ticker" is missing. ${example}`);
  const stance = readStance(fields);
  const { action, exits } = readAction(fields, stance);
  const quantity = readQuantity(fields);
  const isTrade = action === 'buy' || action === 'sell';
  if (isTrade && stance !== 'flat' && quantity === null) {
    throw new UnreadableSignal(
      'The field "quantity" is missing. In an alert of a strategy: "contracts": "{{strategy.order.contracts}}".',
    );
  }
  return {
    ...{ ticker, action, exits, stance, quantity },
    isValue: readIsValue(fields),
    stanceSize: readStanceSize(fields),
    limitPrice: readLimitPrice(fields),
    takeProfitPrice: readProtection(fields, ['takeProfit', 'take_profit'], 'limitPrice'),
    stopLossPrice: readProtection(fields, ['stopLoss', 'stop_loss'], 'stopPrice'),
    leverage: readLeverage(fields),
  };
}

function parseFields(body: string): Fields {
  let value: unknown;
  try {
    // A byte order mark is no part of JSON, and some senders begin with one.
    value = JSON.parse(body.replace(/^\uFEFF/, ''));
  } catch {
    throw new UnreadableSignal(`The body is not JSON. ${example}`);
  }
  if (!isFields(value)) throw new UnreadableSignal(`The body is not a JSON object. ${example}`);
  return value;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The own field of one of these names, the first that is there; nested ones are not looked into. */
function find(
  fields: Fields,
  names: readonly string[],
): { readonly name: string; readonly value: unknown } | null {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : null;
    if (value !== null && value !== undefined && value !== '') return { name, value };
  }
  return null;
}

function nested(fields: Fields, name: string): Fields {
  const value = find(fields, [name])?.value;
  return isFields(value) ? value : {};
}

/** @throws UnreadableSignal for a placeholder that its sender did not replace */
function readText(fields: Fields, names: readonly string[]): string | null {
  const found = find(fields, names);
  if (found === null) return null;
  if (typeof found.value !== 'string')
    throw new UnreadableSignal(`The field "${found.name}" must be a text.`);
  requireReplaced(found.name, found.value);
  return found.value.trim();
}

function requireReplaced(name: string, value: string): void {
  if (!value.includes('{{')) return;
  throw new UnreadableSignal(
    `The field "${name}" has a placeholder that was not replaced. TradingView replaces those of "strategy" only in an alert of a strategy.`,
  );
}

/** @throws UnreadableSignal for a text that is no number */
function readNumber(fields: Fields, names: readonly string[]): bigint | null {
  const found = find(fields, names);
  if (found === null) return null;
  const { name, value } = found;
  if (typeof value === 'string') requireReplaced(name, value);
  const units = toUnits(value);
  if (units === null) throw new UnreadableSignal(`The field "${name}" must be a number.`);
  return units;
}

/** In units of 1e-8, more decimals are rounded; null for what is no number. */
function toUnits(value: unknown): bigint | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const given = typeof value === 'string' ? value.trim() : value;
  if (given === '' || !Number.isFinite(Number(given))) return null;
  try {
    return parseDecimal(given);
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error;
  }
  try {
    // Float arithmetic and exponents: "1e-05", 0.1 + 0.2.
    return parseDecimal(Number(given).toFixed(8));
  } catch (error) {
    if (error instanceof DecimalError) return null;
    throw error;
  }
}

/** @throws UnreadableSignal for a number that is not above zero */
function readPositive(fields: Fields, names: readonly string[]): bigint | null {
  const units = readNumber(fields, names);
  if (units !== null && units <= 0n) {
    throw new UnreadableSignal(`The field "${find(fields, names)?.name}" must be above 0.`);
  }
  return units;
}

const stances: Readonly<Record<string, Stance>> = {
  ...{ long: 'long', bullish: 'long' },
  ...{ short: 'short', bearish: 'short' },
  flat: 'flat',
};

function readStance(fields: Fields): Stance | null {
  const text =
    readText(fields, ['sentiment', 'market_position']) ??
    readText(nested(fields, 'strategy_info'), ['market_position']);
  if (text === null) return null;
  const name = text.toLowerCase();
  const stance = Object.hasOwn(stances, name) ? stances[name] : undefined;
  if (stance === undefined) {
    throw new UnreadableSignal('The market position must be long, short or flat.');
  }
  return stance;
}

const actions: Readonly<Record<string, Pick<Signal, 'action' | 'exits'>>> = {
  ...{ buy: { action: 'buy', exits: null }, long: { action: 'buy', exits: null } },
  ...{ sell: { action: 'sell', exits: null }, short: { action: 'sell', exits: null } },
  ...{ enter_long: { action: 'buy', exits: null }, enter_short: { action: 'sell', exits: null } },
  ...{ exit: { action: 'exit', exits: null }, close: { action: 'exit', exits: null } },
  ...{ flat: { action: 'exit', exits: null } },
  ...{ exit_long: { action: 'exit', exits: 'BUY' }, exit_short: { action: 'exit', exits: 'SELL' } },
  ...{ close_long: { action: 'exit', exits: 'BUY' }, close_short: { action: 'exit', exits: 'SELL' } },
  cancel: { action: 'cancel', exits: null },
};
const ofStance: Readonly<Record<Stance, SignalAction>> = { long: 'buy', short: 'sell', flat: 'exit' };

function readAction(fields: Fields, stance: Stance | null): Pick<Signal, 'action' | 'exits'> {
  const text = readText(fields, ['action', 'side']);
  if (text === null) {
    if (stance === null) throw new UnreadableSignal(`The field "action" is missing. ${example}`);
    return { action: ofStance[stance], exits: null };
  }
  const name = text.toLowerCase().replace(/[\s-]+/g, '_');
  const known = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!known) {
    throw new UnreadableSignal('The action must be buy, sell, exit (or exit_long, exit_short) or cancel.');
  }
  return known;
}

const readQuantity = (fields: Fields): bigint | null =>
  readPositive(fields, ['quantity', 'contracts', 'qty', 'size']) ??
  readPositive(nested(fields, 'order'), ['amount']);

/** Whether the quantity is an amount of money. @throws UnreadableSignal for other kinds of quantities */
function readIsValue(fields: Fields): boolean {
  const kind = (
    readText(fields, ['quantityType', 'quantity_type']) ??
    readText(nested(fields, 'order'), ['currency_type']) ??
    'fixed_quantity'
  ).toLowerCase();
  if (kind === 'dollar_amount' || kind === 'dollar' || kind === 'quote') return true;
  if (kind === 'fixed_quantity' || kind === 'fixed' || kind === 'base') return false;
  throw new UnreadableSignal('The quantity type must be fixed_quantity or dollar_amount.');
}

/** TradingView states a short position below zero in `position_size`. */
function readStanceSize(fields: Fields): Size | null {
  const units =
    readNumber(fields, ['market_position_size', 'position_size']) ??
    readNumber(nested(fields, 'strategy_info'), ['market_position_size']);
  return units === null || units === 0n ? null : asSize(units < 0n ? -units : units);
}

function readLimitPrice(fields: Fields): Price | null {
  const type = (readText(fields, ['orderType', 'order_type']) ?? 'market').toLowerCase();
  if (type === 'market') return null;
  if (type !== 'limit') throw new UnreadableSignal('The order type must be market or limit.');
  const price = readPositive(fields, ['limitPrice', 'limit_price', 'price']);
  if (price === null) throw new UnreadableSignal('The field "limitPrice" of the limit order is missing.');
  return asPrice(price);
}

/** A price, or an object with a price. @throws UnreadableSignal for a distance, or a stop that trails */
function readProtection(fields: Fields, names: readonly string[], priceName: string): Price | null {
  const found = find(fields, names);
  if (found === null) return null;
  const { name, value } = found;
  const price = isFields(value) ? readPositive(value, [priceName, 'price']) : readPositive(fields, [name]);
  const type = isFields(value) ? (readText(value, ['type']) ?? 'stop') : 'stop';
  if (price === null || (type !== 'stop' && type !== 'limit')) {
    throw new UnreadableSignal(
      `The field "${name}" must be a price, or an object with the field "${priceName}".`,
    );
  }
  return asPrice(price);
}

function readLeverage(fields: Fields): number | null {
  const found = find(fields, ['leverage']);
  if (found === null) return null;
  if (typeof found.value === 'string') requireReplaced(found.name, found.value);
  const leverage = typeof found.value === 'string' ? Number(found.value.replace(/x$/i, '')) : found.value;
  if (typeof leverage !== 'number' || !Number.isInteger(leverage)) {
    throw new UnreadableSignal('The field "leverage" must be a whole number.');
  }
  return leverage;
}
