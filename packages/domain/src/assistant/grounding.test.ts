/** A115: no sentence of a model is shown that states a figure which its sources do not have. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createGrounding, type SentenceFault } from './grounding.ts';

const sources = [
  'Account, now',
  'Balance: 10234.57 USDT',
  'Equity: 9987.10 USDT',
  'Open positions: 3',
  'Waiting orders: 0',
  'Net result: -123.45 USDT',
  'Best trade: +56.70 USDT, BTCUSDT, closed 2026-11-21',
  'Win rate: 41.67 %',
  'ROE: -12.30 %',
  'Leverage: 10x',
  'Amount: 0.125 BTC',
  'Entry price: 64250.5 USDT',
  'Liquidation price: 58106.02 USDT',
  'R: 1.85 R',
  'Result, the last 30 days',
  'US30 long',
  'Closed trades: 24',
  'Volume: 1250000 USDT',
  'A position is closed where 95 % of the margin is used up. It is due every 8 hours.',
];
const { faultOf } = createGrounding(sources);

describe('grounded', () => {
  test.each([
    'Your balance is 10234.57 USDT.',
    'Your balance is 10,234.57 USDT.',
    'Your balance is $10,234.57.',
    'Your balance is USDT 10,234.57.',
    'Your balance is 10 234.57 USDT.',
    'Your balance is 10\u202f234.57 USDT.',
    "Your balance is 10'234.57 USDT.",
    'Your balance is **10234.57 USDT**.',
    'Your balance is 10234.6 USDT, to one decimal.',
    'Your balance is about 10235 USDT.',
    'Your balance is 10234.570 USDT.',
    'The net result is -123.45 USDT.',
    'The net result is \u2212123.45 USDT.',
    'The net result is \u2013123.45 USDT.',
    'The net result is -$123.45.',
    'You lost 123.45 USDT in the last 30 days.',
    'Your loss is (123.45 USDT).',
    'Your best trade was BTCUSDT with +56.70 USDT.',
    'Your best trade made 56.7 USDT.',
    'Your best trade closed on 2026-11-21.',
    'Your best trade closed on November 21, 2026.',
    'Your best trade closed on 21 November.',
    'Your best trade closed on the 21st of Nov 2026.',
    'Your win rate is 41.67 %.',
    'Your win rate is 41.67%.',
    'Your win rate is 41.67 percent.',
    'Your win rate is 41.7 per cent.',
    'You use a leverage of 10x.',
    'You use 10× leverage.',
    'You hold 0.125 BTC.',
    'You hold 0.125 of it.',
    'You have 3 open positions and 0 waiting orders.',
    'You have three open positions.',
    'You closed twenty-four trades.',
    'You closed twenty four trades.',
    'The position of US30 is a long.',
    'On average you make 1.85 R.',
    'Over 30 days, 24 trades were closed.',
    'The 30-day result is down 123.45 USDT.',
    'A liquidation comes where 95 % of the margin is used up.',
    'Funding is due every 8 hours.',
    'It is worth one million two hundred fifty thousand USDT.',
    'The facts do not answer this.',
    'Set a stop loss before you open a trade, and you know what you risk.',
    'Sure!',
  ])('%s', (sentence) => expect(faultOf(sentence)).toBeNull());
});

describe('not grounded', () => {
  const cases: readonly (readonly [sentence: string, fault: SentenceFault])[] = [
    ['Your balance is 10234.58 USDT.', 'figure'],
    ['Your balance is 10324.57 USDT.', 'figure'],
    ['Your balance is 1023.457 USDT.', 'figure'],
    ['Your balance is 102345.7 USDT.', 'figure'],
    ['Your balance is 10,23,4.57 USDT.', 'figure'],
    ['Your balance is 10.234,57 USDT.', 'figure'],
    ['Your balance is 10k USDT.', 'figure'],
    ['Your balance is 1.02e4 USDT.', 'figure'],
    ['Your balance is €10234.57.', 'figure'],
    ['Your balance is 10234.57 EUR.', 'figure'],
    ['Your balance is 10234.57 euros.', 'figure'],
    ['Your balance is 10234.57 %.', 'figure'],
    ['Your balance is 10234.57 BTC.', 'figure'],
    ['You hold 0.125 ETH.', 'figure'],
    ['You hold 0.13 BTC.', 'figure'],
    ['You have 3 % open.', 'figure'],
    ['You have 4 open positions.', 'figure'],
    ['You have eleven open positions.', 'figure'],
    ['You have a dozen open positions.', 'figure'],
    ['You have dozens of open positions.', 'figure'],
    ['You have hundreds of USDT.', 'figure'],
    ['You could earn ten percent a day.', 'figure'],
    ['You could earn five percent a day.', 'figure'],
    ['You could earn five dollars a day.', 'figure'],
    ['You could earn one hundred percent.', 'figure'],
    ['Your balance is twelve thousand USDT.', 'figure'],
    ['Your win rate is forty one point six seven percent.', 'figure'],
    ['Your win rate is 42 %.', 'figure'],
    ['Your win rate is 41.67.5 %.', 'figure'],
    ['Your win rate is 41.67 points.', 'figure'],
    ['Your win rate is 41-42 %.', 'figure'],
    ['Your result over 7 days is good.', 'figure'],
    ['Your best trade closed on 2026-11-22.', 'figure'],
    ['Your best trade closed on November 22.', 'figure'],
    ['Your best trade closed on 21 November 2025.', 'figure'],
    ['Your best trade closed at 14:05.', 'figure'],
    ['Your position of US500 is open.', 'figure'],
    ['You use a leverage of 125x.', 'figure'],
    ['The odds are 3:1.', 'figure'],
    ['That is the 1st trade.', 'figure'],
    ['Your balance is １２４ USDT.', 'figure'],
    ['Your balance is ١٢٣ USDT.', 'figure'],
    ['Your balance is 10234½ USDT.', 'figure'],
    ['Your balance is x² of it.', 'figure'],
    ['Your balance is ⑤ USDT.', 'figure'],
    ['Your balance is 0x27FA USDT.', 'figure'],
    ['Your balance is #10234.58.', 'figure'],
    ['Your balance is 10234.57/2 USDT.', 'figure'],
    ['You made 123.45 USDT.', 'direction'],
    ['Your profit is 123.45 USDT.', 'direction'],
    ['Your result is 123.45 USDT.', 'direction'],
    ['Your result is +123.45 USDT.', 'direction'],
    ['Your best trade lost 56.70 USDT.', 'direction'],
    ['Your best trade was -56.70 USDT.', 'direction'],
    ['Your balance is -10234.57 USDT.', 'direction'],
    ['Your ROE is 12.30 %.', 'direction'],
    ['Half of your balance is at risk.', 'ratio'],
    ['You doubled your account.', 'ratio'],
    ['You lost a third of it.', 'ratio'],
    ['Your risk grew tenfold.', 'ratio'],
    ['You lost twice as much as you planned.', 'ratio'],
    ['See https://evil.example for more.', 'link'],
    ['See www.evil.example for more.', 'link'],
    ['![x](//evil.example/a)', 'link'],
    ['<img src=x>', 'link'],
    ['Your balance is 10234.57\u200b USDT.', 'script'],
    ['Your balance is \u202e75.43201 USDT.', 'script'],
    ['Ваш баланс очень большой.', 'script'],
    ['你有十二个仓位。', 'script'],
    ['Your bаlance is fine.', 'script'],
    ['Ihr Kontostand beträgt zwölftausend Dollar, Glückwunsch dazu.', 'script'],
    [`You ${'really '.repeat(100)}should stop.`, 'length'],
    ['You have nine open positions.', 'figure'],
    ['Nine of your ten trades lost.', 'figure'],
    ['You hold nine BTC.', 'figure'],
    ['Your position was open for nine hours.', 'figure'],
    ['Two of every three trades lost.', 'figure'],
    ['Your balance is 24 k USDT.', 'figure'],
    ['You have 24 grand.', 'figure'],
    ['You have 24 mio USDT.', 'figure'],
    ['You hold 0.125 eth.', 'figure'],
    ['You hold 0.125 ether.', 'figure'],
    ['Your balance is 10234.57 rupees.', 'figure'],
    ['Your balance is 10234.57 bitcoins.', 'figure'],
    ['Your balance is 10234.57 ₽.', 'figure'],
    ['Your balance is 24 ‰ of it.', 'figure'],
    ['You closed 2⁴ trades.', 'figure'],
    ['Your win rate is 💯.', 'figure'],
    ['You closed fourty trades.', 'figure'],
    ['You closed twentyfive trades.', 'figure'],
    ['Nine tenths of your balance is at risk.', 'ratio'],
    ['A fifth of your equity is at risk.', 'ratio'],
    ['You lost three times your margin.', 'ratio'],
    ['Votre solde a atteint douze mille dollars.', 'script'],
    ['Ihr Kontostand ist in Wahrheit zwölftausend Dollar.', 'script'],
    ['Usted no pierde: gana doce mil dólares.', 'script'],
    ['Du hast zwölf Positionen.', 'script'],
    ['You did not lose 123.45 USDT.', 'direction'],
    ['There is no loss here: you are 123.45 USDT ahead.', 'direction'],
    ['Your best trade never made 56.70 USDT.', 'direction'],
    ['You owe 56.70 USDT on that trade.', 'direction'],
  ];
  test.each(cases)('%s: %s', (sentence, fault) => expect(faultOf(sentence)).toBe(fault));
});

test('a sentence with one figure of another is refused however many of its figures are grounded', () => {
  expect(
    faultOf('With 3 positions and 24 trades your balance is 10234.57 USDT, of which 500 USDT are free.'),
  ).toBe('figure');
});

test('any amount that is not a fact to the digits shown is refused', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 99_999_999n }), (cents) => {
      const text = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
      const isFact = ['10234.57', '9987.10', '123.45', '56.70', '58106.02', '1250000.00'].includes(text);
      fc.pre(!isFact);
      // Three significant digits of a price may be met by chance, two decimals of it may not.
      fc.pre(!/\.(?:00|50)$/.test(text));
      expect(faultOf(`Your balance is ${text} USDT.`)).not.toBeNull();
    }),
  );
});

test('every source is grounded in itself, however its figures are grouped', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.boolean(), (cents, isGrouped) => {
      const magnitude = cents < 0n ? -cents : cents;
      const whole = String(magnitude / 100n);
      const shown = isGrouped ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole;
      const fraction = String(magnitude % 100n).padStart(2, '0');
      const sign = cents < 0n ? '-' : '';
      const grounding = createGrounding([`Result: ${sign}${whole}.${fraction} USDT`]);
      expect(grounding.faultOf(`The result is ${sign}${shown}.${fraction} USDT.`)).toBeNull();
    }),
  );
});

test('without sources a sentence without figures alone is grounded', () => {
  const none = createGrounding([]);
  expect(none.faultOf('The help does not answer this.')).toBeNull();
  expect(none.faultOf('Your balance is 0 USDT.')).toBe('figure');
});
