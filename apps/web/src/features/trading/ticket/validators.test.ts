import {
  asFeeRate,
  asMoney,
  asPercent,
  asPrice,
  asSize,
  type BasicOrderType,
  type FeeRate,
  NO_FEE,
  parseDecimal,
  rulesOf,
  toDecimalString,
} from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { parsePrice } from '../../../shared/decimals/price.ts';
import type { AmountUnit } from '../../../shared/preferences/index.ts';
import { parseSize } from './amount-units.ts';
import { draftOf } from './draft.ts';
import { stopLossOf } from './outcomes.ts';
import { forBothSides, noProtection, type ProtectionUnit, sideProtection } from './protection-units.ts';
import { summarizeOrder } from './summary.ts';
import {
  emptyTicket,
  findRepeatedIntent,
  type TicketAction,
  type TicketTexts,
  ticketReducer,
} from './ticket.ts';
import {
  checkPriceMoved,
  getFailedRule,
  getShownRule,
  getTypedPrice,
  type OrderFacts,
  type PriceStatus,
} from './validators.ts';

const limits = {
  minPrice: asPrice(1n),
  maxPrice: asPrice(10n ** 20n),
  tickSize: asPrice(parseDecimal('0.01')),
  minQty: asSize(parseDecimal('0.001')),
  maxQty: asSize(parseDecimal('9000')),
  stepSize: asSize(parseDecimal('0.001')),
};

interface Given {
  type?: BasicOrderType;
  amount?: string;
  /** The market's price. */
  price?: string;
  /** The order's own price. */
  orderPrice?: string;
  takeProfit?: string;
  stopLoss?: string;
  leverage?: number;
  available?: string | null;
  priceStatus?: PriceStatus;
  restricted?: boolean;
  archived?: boolean;
  feeRate?: FeeRate;
  unit?: AmountUnit;
  protectionUnit?: ProtectionUnit;
}
function factsOf({
  type = 'MARKET',
  amount = '0.15',
  price = '97482.6',
  orderPrice = '',
  takeProfit = '',
  stopLoss = '',
  leverage = 25,
  available = '8164.32',
  priceStatus = 'fresh',
  restricted = false,
  archived = false,
  feeRate = NO_FEE,
  unit = 'base',
  protectionUnit = 'price',
}: Given): OrderFacts {
  const market = asPrice(parseDecimal(price));
  const own = parsePrice(orderPrice);
  const reference = type === 'MARKET' ? market : getTypedPrice(own);
  const balance = available === null ? null : asMoney(parseDecimal(available));
  const rules = rulesOf('standard');
  const texts = { takeProfit, stopLoss, protectionUnit };
  const unsized = { limits, rules, feeRate, price: reference, size: null, leverage };
  const loss = stopLossOf(sideProtection(texts, unsized), unsized);
  const at = { limits, price: reference, available: balance, leverage, feeRate, stopLoss: loss };
  const { typed, size } = parseSize(amount, unit, at);
  const terms = { ...unsized, size };
  return {
    symbol: 'BTCUSDT',
    type,
    restricted,
    archived,
    priceStatus,
    market,
    amount: typed,
    sizedByRisk: unit === 'risk',
    price: own,
    protection: sideProtection(texts, terms),
    protectionUnit,
    terms,
    summary: summarizeOrder(terms),
    available: balance,
  };
}
const check = (given: Given) => getShownRule(factsOf(given))?.text;
const sides = (given: Given) => [
  getFailedRule('BUY', factsOf(given))?.text,
  getFailedRule('SELL', factsOf(given))?.text,
];

test('the figures of the reference picture', () => {
  const terms = {
    limits,
    rules: rulesOf('standard'),
    feeRate: NO_FEE,
    price: asPrice(parseDecimal('97482.6')),
    size: asSize(parseDecimal('0.15')),
    leverage: 25,
  };
  const { orderValue, requiredMargin, liquidationLong, liquidationShort } = summarizeOrder(terms);
  const shown = [orderValue, requiredMargin, liquidationLong, liquidationShort].map((x) =>
    toDecimalString(x ?? 0n),
  );
  expect(shown).toEqual(['14622.39', '584.8956', '93778.27', '101186.93']);
});

test('an amount above the maximum has neither value nor margin', () => {
  const size = asSize(limits.maxQty + 1n);
  const price = asPrice(parseDecimal('97482.6'));
  const { orderValue, requiredMargin } = summarizeOrder({
    limits,
    rules: rulesOf('standard'),
    feeRate: NO_FEE,
    price,
    size,
    leverage: 25,
  });
  expect([orderValue, requiredMargin]).toEqual([null, null]);
});

test('an order that passes every rule may be sent', () => {
  expect(check({})).toBeUndefined();
});

describe('the first failed rule is shown', () => {
  test('TRADE-41: no order without a price', () => {
    expect(check({ priceStatus: 'loading' })).toBe('Waiting for the first price.');
    expect(check({ priceStatus: 'missing' })).toBe('No current price for BTCUSDT.');
    expect(check({ priceStatus: 'failed' })).toBe('Failed to fetch price');
  });
  test('A37: a stale or delayed price and a closed market block orders', () => {
    expect(check({ priceStatus: 'stale' })).toBe('Price is stale. Trading resumes with the next price.');
    expect(check({ priceStatus: 'closed' })).toBe('Market is closed.');
    expect(check({ priceStatus: 'delayed' })).toBe(
      'Price is delayed by its source. Trading resumes with a current one.',
    );
  });
  test('without a network no order can be sent, a waiting one neither', () => {
    const text = 'You are offline. Orders can be sent once you are connected again.';
    expect(check({ priceStatus: 'offline' })).toBe(text);
    expect(check({ type: 'LIMIT', orderPrice: '95600', priceStatus: 'offline' })).toBe(text);
  });
  test('TRADE-39, TRADE-40: an amount is required', () => {
    expect(check({ amount: '' })).toBe('Enter an amount.');
  });
  test('TRADE-42: the amount must respect min, max and step', () => {
    const range = 'Amount must be between 0.001 and 9000 in steps of 0.001.';
    expect(check({ amount: '0.0005' })).toBe(range);
    expect(check({ amount: '0.1505' })).toBe(range);
    expect(check({ amount: '9000.001' })).toBe(range);
    expect(check({ amount: '0' })).toBe(range);
    expect(check({ amount: '-1' })).toBe(range);
  });
  test('TRADE-44: refuses an order whose margin exceeds the available balance, with two decimals', () => {
    expect(check({ amount: '0.5', leverage: 5 })).toBe(
      'Insufficient available balance. Required: 9748.26 USDT, Available: 8164.32 USDT',
    );
  });
  test('RULE-02: equal is enough, and exact figures are compared', () => {
    expect(check({ amount: '1', price: '100', leverage: 1, available: '100' })).toBeUndefined();
    expect(check({ amount: '1', price: '100', leverage: 1, available: '99.999' })).toBe(
      'Insufficient available balance. Required: 100.00 USDT, Available: 100.00 USDT',
    );
  });
  test('an unknown balance is left to the server', () => {
    expect(check({ amount: '9000', available: null })).toBeUndefined();
  });
});

test('A112: an archived account opens nothing', () => {
  const text = 'This account is archived. It is read only.';
  expect(sides({ archived: true })).toEqual([text, text]);
});

describe('A72: a restricted trader', () => {
  test('sees that rule first, and neither side may be sent', () => {
    const text = 'Your account is restricted. Please contact support.';
    expect(check({ restricted: true, amount: '' })).toBe(text);
    expect(sides({ restricted: true })).toEqual([text, text]);
  });
});

describe('A20: the price of a Limit or Stop', () => {
  test('is required, on tick and within the bounds', () => {
    const wrong = 'Price must be between 0.00000001 and 1000000000000 in steps of 0.01.';
    expect(check({ type: 'LIMIT' })).toBe('Enter a limit price.');
    expect(check({ type: 'STOP' })).toBe('Enter a stop price.');
    for (const orderPrice of ['95600.001', '0', '-5']) {
      expect(check({ type: 'LIMIT', orderPrice })).toBe(wrong);
    }
    expect(check({ type: 'LIMIT', orderPrice: 'abc' })).toBe('Price must be a number such as 95600.');
    expect(check({ type: 'LIMIT', orderPrice: '95.6k' })).toBeUndefined();
    expect(check({ type: 'LIMIT', orderPrice: '95,600.00' })).toBeUndefined();
  });
  test('an ambiguous one is not guessed, and the form reports it', () => {
    expect(check({ type: 'LIMIT', orderPrice: '95,600' })).toBe(
      'Price can be read in two ways. Please leave out the comma.',
    );
    expect(check({ stopLoss: '95,600' })).toBe(
      'Stop loss can be read in two ways. Please leave out the comma.',
    );
  });
  test('determines margin and sufficiency', () => {
    const given = { amount: '1', leverage: 1, available: '95600' };
    expect(check({ ...given, type: 'LIMIT', orderPrice: '95600' })).toBeUndefined();
    expect(check({ ...given, type: 'LIMIT', orderPrice: '95600.01' })).toBe(
      'Insufficient available balance. Required: 95600.01 USDT, Available: 95600.00 USDT',
    );
  });
  test('A98: it waits while the market is closed or its price stale or delayed, but not without any price (TRADE-41)', () => {
    for (const priceStatus of ['closed', 'stale', 'delayed'] as const) {
      expect(check({ type: 'LIMIT', orderPrice: '95600', priceStatus })).toBeUndefined();
      expect(check({ type: 'STOP', orderPrice: '95600', priceStatus })).toBeUndefined();
    }
    expect(check({ type: 'LIMIT', orderPrice: '95600', priceStatus: 'loading' })).toBe(
      'Waiting for the first price.',
    );
  });
  test('a stop that is already reached is refused for its side only', () => {
    expect(sides({ type: 'STOP', orderPrice: '98000' })).toEqual([
      undefined,
      'The stop price must be below the market price of 97482.60.',
    ]);
    expect(check({ type: 'STOP', orderPrice: '97000' })).toBe(
      'Buy/Long: The stop price must be above the market price of 97482.60.',
    );
  });
});

test('A20: a limit sell far below the market needs the balance of its real fill', () => {
  const given = { type: 'LIMIT', orderPrice: '100', amount: '1', leverage: 1 } as const;
  expect(sides(given)).toEqual([
    undefined,
    'Insufficient available balance. Required: 97482.60 USDT, Available: 8164.32 USDT',
  ]);
  expect(sides({ ...given, available: '97482.6' })[1]).toBeUndefined();
  // Close to the market the order uses its own price.
  expect(sides({ ...given, orderPrice: '97400', leverage: 10, available: '9745' })[1]).toBeUndefined();
});

describe('A21: take profit and stop loss', () => {
  test('are on their side of the price; the other side shows why not', () => {
    expect(sides({ takeProfit: '99500', stopLoss: '96500' })).toEqual([
      undefined,
      'Take profit must be below 97482.60.',
    ]);
    expect(check({ takeProfit: '99500', stopLoss: '96500' })).toBe(
      'Sell/Short needs a Stop Loss above 97482.60 and a Take Profit below it.',
    );
    expect(check({ takeProfit: '99500' })).toBe('Sell/Short needs a Take Profit below 97482.60.');
    expect(check({ stopLoss: '98000', leverage: 5 })).toBe('Buy/Long needs a Stop Loss below 97482.60.');
  });
  test('a pair of prices that suits neither side is reported for both', () => {
    expect(check({ takeProfit: '96000', stopLoss: '96500' })).toBe(
      'Buy/Long: Take profit must be above 97482.60. Sell/Short: Stop loss must be above 97482.60.',
    );
  });
  test('must be on the tick, reported once for both sides', () => {
    expect(check({ takeProfit: '99500.005' })).toBe(
      'Take profit must be between 0.00000001 and 1000000000000 in steps of 0.01.',
    );
    expect(check({ stopLoss: 'x' })).toBe('Stop loss must be a number such as 95600.');
  });
  test('a stop loss beyond the liquidation would never act', () => {
    expect(sides({ stopLoss: '90000' })[0]).toBe(
      'The stop loss would never trigger: the position is liquidated at 93778.27 first.',
    );
  });
  test('of an open order are checked against its own price', () => {
    expect(sides({ type: 'LIMIT', orderPrice: '95600', takeProfit: '96000' })[0]).toBeUndefined();
    expect(sides({ takeProfit: '96000' })[0]).toBe('Take profit must be above 97482.60.');
  });
});

test('A07: the required balance includes the opening fee', () => {
  const given = { amount: '1', price: '100', leverage: 1, feeRate: asFeeRate(60_000n) };
  expect(check({ ...given, available: '100.06' })).toBeUndefined();
  expect(check({ ...given, available: '100.05' })).toBe(
    'Insufficient available balance. Required: 100.06 USDT, Available: 100.05 USDT',
  );
});

describe('an amount in another unit', () => {
  const range = 'Amount must be between 0.001 and 9000 in steps of 0.001.';
  test('TRADE-42: is checked in the base asset', () => {
    expect(check({ unit: 'quote', amount: '50' })).toBe(range);
    expect(check({ unit: 'quote', amount: '14622.39' })).toBeUndefined();
    expect(check({ unit: 'quote', amount: '900m' })).toBe(range);
    expect(check({ unit: 'percent', amount: '0' })).toBe(range);
    expect(check({ unit: 'percent', amount: '-5' })).toBe(range);
  });
  test('TRADE-44: the whole balance is enough for itself, more is not', () => {
    expect(check({ unit: 'percent', amount: '100' })).toBeUndefined();
    expect(check({ unit: 'percent', amount: '101' })).toMatch(
      /^Insufficient available balance\. Required: 82/,
    );
  });
  test('waits for the balance that it is a share of', () => {
    expect(check({ unit: 'percent', amount: '50', available: null })).toBe(
      'The account balance is not known yet.',
    );
    expect(check({ unit: 'quote', amount: '500', available: null })).toBeUndefined();
  });
});

test('A18: a confirmed order whose price moved beyond the tolerance is refused with the text of the server', () => {
  const seen = asPrice(parseDecimal('97482.6'));
  const moved = (price: string, type: BasicOrderType = 'MARKET') =>
    checkPriceMoved(seen, factsOf({ price, type, orderPrice: '97000' }), asPercent(parseDecimal('0.5')))
      ?.text;
  expect(moved('97970.01')).toBeUndefined();
  expect(moved('97970.02')).toBe(
    'Price moved: you saw 97482.60, the market is at 97970.02. Please try again.',
  );
  expect(moved('99000', 'LIMIT')).toBeUndefined();
});

describe('protection as a distance', () => {
  test('one distance protects a long and a short, each on its own side', () => {
    const given: Given = { takeProfit: '2', stopLoss: '1', protectionUnit: 'percent' };
    expect(sides(given)).toEqual([undefined, undefined]);
    const { protection } = factsOf(given);
    const prices = [protection.BUY, protection.SELL].map(({ takeProfit, stopLoss }) =>
      [takeProfit, stopLoss].map((typed) => toDecimalString(getTypedPrice(typed) ?? 0n)),
    );
    expect(prices).toEqual([
      ['99432.26', '96507.78'],
      ['95532.94', '98457.42'],
    ]);
  });
  test('A21: a distance beyond the liquidation price is refused with that price', () => {
    expect(check({ stopLoss: '99', protectionUnit: 'roe' })).toMatch(
      /^Buy\/Long: The stop loss would never t/,
    );
    expect(check({ stopLoss: '90', protectionUnit: 'roe' })).toBeUndefined();
  });
  test('a distance beyond all prices is named as such', () => {
    expect(sides({ stopLoss: '120', protectionUnit: 'percent' })[0]).toBe(
      'Stop loss leads to a price that this market does not have. Enter a smaller distance.',
    );
  });
  test('USDT are those of the amount in the form', () => {
    const { protection } = factsOf({ stopLoss: '150', protectionUnit: 'usdt' });
    // 150 USDT at 0.15 is a move of 1000.
    expect(toDecimalString(getTypedPrice(protection.BUY.stopLoss) ?? 0n)).toBe('96482.6');
  });
  test('what is no number, and a distance to the wrong side, are named', () => {
    expect(check({ stopLoss: 'x', protectionUnit: 'percent' })).toBe(
      'Stop loss must be a number such as 2.5.',
    );
    expect(check({ stopLoss: '-', protectionUnit: 'usdt' })).toBe('Stop loss must be a number such as 100.');
    expect(sides({ takeProfit: '-1', protectionUnit: 'percent' })).toEqual([
      'Take profit must be above 97482.60.',
      'Take profit must be below 97482.60.',
    ]);
  });
});

describe('an amount by risk', () => {
  const risky: Given = { amount: '1', unit: 'risk', available: '10000', leverage: 50 };
  test('follows from the stop loss, whichever way it is typed', () => {
    // 1 % of 10,000 at a move of 1 % is 0.1025.
    expect(factsOf({ ...risky, stopLoss: '96507.77' }).terms.size).toBe(parseDecimal('0.102'));
    expect(factsOf({ ...risky, stopLoss: '1', protectionUnit: 'percent' }).terms.size).toBe(
      parseDecimal('0.102'),
    );
    expect(factsOf({ ...risky, stopLoss: '50', protectionUnit: 'roe' }).terms.size).toBe(
      parseDecimal('0.102'),
    );
  });
  test('without a stop loss, or with one in USDT, the rule names it', () => {
    expect(check(risky)).toBe('Set a stop loss: the amount follows from it.');
    expect(check({ ...risky, stopLoss: '100', protectionUnit: 'usdt' })).toBe(
      'Set the stop loss as a price, % or ROE: the amount follows from it.',
    );
    expect(check({ ...risky, stopLoss: 'x' })).toBe('Stop loss must be a number such as 95600.');
    expect(check({ ...risky, available: null })).toBe('The account balance is not known yet.');
  });
  test('RULE-02: what it needs must be available', () => {
    expect(check({ ...risky, amount: '20', stopLoss: '96507.77', leverage: 1 })).toContain('Insufficient');
  });
});

describe('an order that is sent again after a lost answer', () => {
  const texts = (protectionUnit: ProtectionUnit): TicketTexts => ({
    amount: '0.15',
    unit: 'base',
    price: '',
    takeProfit: '4',
    stopLoss: '2',
    protectionUnit,
  });
  /** As the form describes it, with take profit and stop loss on or off. */
  const draft = (protects: boolean, price: string, stopLoss = '2') => {
    const of = factsOf({ takeProfit: '4', stopLoss, protectionUnit: 'percent', price });
    const facts = protects ? of : { ...of, protection: forBothSides(noProtection) };
    const found = draftOf('BUY', facts, { ...texts('percent'), stopLoss }, emptyTicket('BTCUSDT').netTerms);
    if (found === null) throw new Error('no draft');
    return found;
  };
  const lostWith = (protects: boolean) => {
    const intent = { ...draft(protects, '97482.6'), clientId: 'one', requiredMargin: '1' };
    const state = [
      { type: 'submitted', intent },
      { type: 'failed', message: 'No', answered: false },
    ] satisfies TicketAction[];
    return { intent, state: state.reduce(ticketReducer, emptyTicket('BTCUSDT')) };
  };
  test.each([true, false])('has the protection that the form shows (sent with it: %s)', (sentWith) => {
    const { intent, state } = lostWith(sentWith);
    expect(findRepeatedIntent(state, draft(sentWith, '97490'))).toBe(intent);
    expect(findRepeatedIntent(state, draft(!sentWith, '97490'))).toBeNull();
  });
  test('another distance, and an emptied one, are another order', () => {
    const { state } = lostWith(true);
    expect(findRepeatedIntent(state, draft(true, '97482.6', '3'))).toBeNull();
    expect(findRepeatedIntent(state, draft(true, '97482.6', ''))).toBeNull();
  });
});
