/**
 * What is refused at `/fapi`, by code and HTTP status, and the class that ccxt 4.5.84 makes of it at `https://demo-fapi.*` (its table of
 * USD-margined futures; on other hosts a bare `ExchangeError` for some).
 */
import { beforeAll, expect, test } from 'vitest';
import { createManualClock } from '../../src/platform/clock/index.ts';
import { createCcxt } from './clients.ts';
import { type Answer, type Bot, door, type Params, shareDoor } from './door.ts';

/** A Saturday: stocks and currencies are closed, crypto trades. */
const clock = createManualClock(Date.parse('2026-01-03T12:00:00Z'));
let bot: Bot;
shareDoor({ clock });
beforeAll(async () => {
  door.feed.setPrice('BTCUSDT', '64000');
  door.feed.setPrice('AAPL', '200', { source: 'yahoo' });
  bot = await door.join();
});

const order = (more: Params = {}): Params => ({
  ...{ symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.1', price: '60000', timeInForce: 'GTC' },
  ...more,
});
const send = (more: Params) => () => bot.post('v1/order', order(more));
/** Without what only a LIMIT order has. */
const market = (more: Params) => () =>
  bot.post('v1/order', { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.1', ...more });
const stop = (more: Params) => market({ type: 'STOP_MARKET', stopPrice: '70000', ...more });
const withKey = (more: Record<string, unknown>) => async () =>
  door.send(await door.makeKey(bot, more), 'POST', '/fapi/v1/order', order());

const cases: readonly [
  what: string,
  ask: () => Promise<Answer>,
  code: number,
  status: number,
  ccxt: string,
][] = [
  [
    'a wrong signature',
    () => door.send(bot.key, 'POST', '/fapi/v1/order', order(), () => '0'.repeat(64)),
    -1022,
    400,
    'AuthenticationError',
  ],
  [
    'a signature of another kind',
    () => door.send(bot.key, 'POST', '/fapi/v1/order', order(), () => 'MEUCIQ'),
    -1022,
    400,
    'AuthenticationError',
  ],
  ['a slow clock', send({ timestamp: clock.now() - 11_000 }), -1021, 400, 'InvalidNonce'],
  ['a fast clock', send({ timestamp: clock.now() + 2_000 }), -1021, 400, 'InvalidNonce'],
  [
    'a key of another form',
    () => door.send({ apiKey: 'mine', secret: 's' }, 'POST', '/fapi/v1/order', order()),
    -2014,
    401,
    'AuthenticationError',
  ],
  ['no key', () => door.send(null, 'POST', '/fapi/v1/order', order()), -2014, 401, 'AuthenticationError'],
  [
    'an unknown key',
    () => door.send({ apiKey: `paper_${'0'.repeat(43)}`, secret: 's' }, 'POST', '/fapi/v1/order', order()),
    -2015,
    401,
    'AuthenticationError',
  ],
  ['a scope', withKey({ p_scopes: ['read'] }), -2015, 401, 'AuthenticationError'],
  ['an address', withKey({ p_addresses: ['192.0.2.1'] }), -2015, 401, 'AuthenticationError'],
  [
    'an account without net positions',
    async () =>
      door.send(await door.makeKey({ ...bot, accountId: bot.userId }), 'POST', '/fapi/v1/order', order()),
    -2015,
    401,
    'AuthenticationError',
  ],
  ['an unknown symbol', send({ symbol: 'NONEUSDT' }), -1121, 400, 'BadSymbol'],
  ['a side', send({ side: 'LONG' }), -1117, 400, 'BadRequest'],
  ['a type', send({ type: 'LIMIT_MAKER' }), -1116, 400, 'BadRequest'],
  ['a time in force', send({ timeInForce: 'DAY' }), -1115, 400, 'BadRequest'],
  ['hedge mode', send({ positionSide: 'LONG' }), -4061, 400, 'OperationRejected'],
  ['a missing parameter', send({ price: '' }), -1102, 400, 'BadRequest'],
  ['a missing time in force', send({ timeInForce: '' }), -1102, 400, 'BadRequest'],
  ['a missing stop price', stop({ stopPrice: '' }), -1102, 400, 'BadRequest'],
  ['a superfluous parameter', market({ price: '60000' }), -1106, 400, 'BadRequest'],
  ['a trailing distance of another type', stop({ callbackRate: '1' }), -1106, 400, 'BadRequest'],
  ['a name of a client', send({ newClientOrderId: 'with spaces' }), -1100, 400, 'BadRequest'],
  ['the precision of a quantity', send({ quantity: '0.123456' }), -1111, 400, 'BadRequest'],
  ['the precision of a price', send({ price: '60000.001' }), -1111, 400, 'BadRequest'],
  ['a quantity of nothing', send({ quantity: '0' }), -4003, 400, 'BadRequest'],
  ['a quantity beyond the greatest', send({ quantity: '100000000' }), -4005, 400, 'BadRequest'],
  ['a price of nothing', send({ price: '0' }), -4001, 400, 'BadRequest'],
  ['a price beyond the greatest', send({ price: '100000000' }), -4002, 400, 'BadRequest'],
  ['too little money', send({ quantity: '40' }), -2019, 400, 'InsufficientFunds'],
  ['a position that is too large', market({ quantity: '200' }), -2027, 400, 'OperationRejected'],
  ['a reduction of nothing', market({ reduceOnly: true }), -2022, 400, 'InvalidOrder'],
  ['a stop that is reached', stop({ stopPrice: '63000' }), -2021, 400, 'OrderImmediatelyFillable'],
  [
    'a post-only order that would take',
    send({ price: '70000', timeInForce: 'GTX' }),
    -5022,
    400,
    'OrderNotFillable',
  ],
  ['a fill or kill order', send({ timeInForce: 'FOK' }), -5021, 400, 'OrderNotFillable'],
  [
    'the end of an order',
    send({ timeInForce: 'GTD', goodTillDate: clock.now() + 60_000 }),
    -5040,
    400,
    'BadRequest',
  ],
  [
    'a trailing distance',
    market({ type: 'TRAILING_STOP_MARKET', callbackRate: '21' }),
    -4136,
    400,
    'InvalidOrder',
  ],
  ['the close of a position by a limit', send({ closePosition: true }), -4136, 400, 'InvalidOrder'],
  ['a size of what closes a position', stop({ closePosition: true }), -4137, 400, 'BadRequest'],
  ['a price to match', send({ priceMatch: 'QUEUE' }), -5000, 400, 'ExchangeError'],
  ['a closed market', market({ symbol: 'AAPLUSDT', quantity: '1' }), -1013, 400, 'MarketClosed'],
  [
    'an unknown order',
    () => bot.get('v1/order', { symbol: 'BTCUSDT', orderId: 8 }),
    -2013,
    400,
    'OrderNotFound',
  ],
  [
    'the cancellation of an unknown order',
    () => bot.delete('v1/order', { symbol: 'BTCUSDT', orderId: 8 }),
    -2011,
    400,
    'OrderNotFound',
  ],
  [
    'a second order that closes the position',
    async () => {
      const other = await door.join();
      const sent = { symbol: 'BTCUSDT', side: 'BUY', newOrderRespType: 'RESULT' };
      await other.post('v1/order', { ...sent, type: 'MARKET', quantity: '0.1' });
      const close = { ...sent, side: 'SELL', type: 'STOP_MARKET', stopPrice: '60000', closePosition: true };
      await other.post('v1/order', close);
      return other.post('v1/order', close);
    },
    -4130,
    400,
    'ExchangeError',
  ],
  [
    'more orders than an account may have',
    async () => {
      const other = await door.join();
      const row = { symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', size: 0.001, leverage: 20, price: 50_000 };
      for (let count = 0; count < 500; count += 100)
        await other.client.from('orders').insert(Array(100).fill(row)).throwOnError();
      return other.post('v1/order', order({ quantity: '0.001' }));
    },
    -4045,
    400,
    'OperationRejected',
  ],
  [
    'an account that staff have restricted',
    async () => {
      const other = await door.join();
      const { server } = door;
      const login = { email: 'ada@example.test', password: 'correct-horse-battery-9' };
      const admin = {
        ...login,
        username: 'ada',
        role: 'admin',
        managerId: null,
        initialBalance: null,
      } as const;
      await server.server.accounts.createUser(server.db, admin);
      const staff = server.client();
      await staff.auth.signInWithPassword(login);
      const restriction = { p_user_id: other.userId, p_restricted: true, p_reason: 'a test' };
      await staff.rpc('restrict_user', restriction).throwOnError();
      return other.post('v1/order', order());
    },
    -4400,
    400,
    'PermissionDenied',
  ],
  [
    'a limit that the trader has set',
    async () => {
      const other = await door.join();
      await other.client.rpc('set_own_limits', { p_trades_max: 1 }).throwOnError();
      const first = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.1' };
      expect((await other.post('v1/order', first)).status).toBe(200);
      return other.post('v1/order', order());
    },
    -4400,
    400,
    'PermissionDenied',
  ],
  ['no order', () => bot.get('v1/order', { symbol: 'BTCUSDT' }), -1102, 400, 'BadRequest'],
  ['an unknown path', () => bot.get('v1/feeBurn'), -5000, 404, 'ExchangeError'],
];

/** What ccxt throws for the answer of a futures host. */
function classOf({ status, body, headers }: Answer): string {
  const text = JSON.stringify(body);
  const sent = ['POST', Object.fromEntries(headers), text, body, {}, ''] as const;
  try {
    createCcxt(door.server.url).handleErrors(
      status,
      '',
      'https://demo-fapi.example.org/fapi/v1/order',
      ...sent,
    );
  } catch (error) {
    return (error as Error).constructor.name;
  }
  return 'none';
}

test.each(cases)('%s', async (_what, ask, code, status, ccxtClass) => {
  const answer = await ask();
  expect(classOf(answer)).toBe(ccxtClass);
  expect([answer.body.msg, answer.body.code, answer.status]).toEqual([expect.any(String), code, status]);
});

test('a client id whose order is final is refused after a minute, and answered with the order before', async () => {
  const sent = market({ newClientOrderId: 'used' });
  const { body: placed } = await sent();
  clock.advance(59_000);
  expect((await sent()).body).toMatchObject({ orderId: placed.orderId, status: 'FILLED' });
  clock.advance(2_000);
  const late = await sent();
  expect([late.status, late.body]).toEqual([400, { code: -4116, msg: 'ClientOrderId is duplicated.' }]);
});

test('a halt of trading is the exchange’s own overload, with a time to come back', async () => {
  const { userId, accountId } = bot;
  const admin = {
    role: 'admin',
    userId,
    accountId,
    actorId: userId,
    sessionId: userId,
    impersonationId: null,
  } as const;
  await door.server.server.trading.halts.halt(admin, 'a test');
  const { status, body, headers } = await send({})();
  expect([status, body.code, headers.get('retry-after')]).toEqual([503, -1008, '1']);
});
