import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { StatCard } from './StatCard.tsx';

const draw = (...days: number[]) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <StatCard
        title="Total Balance"
        figure="1"
        unit="USDT"
        comparison={{ value: 1, change_pct: null, days }}
        caption=""
        meaning=""
        isUpGood
        to="/"
        rows="wallets"
      />
    </MemoryRouter>,
  );

test('without history there is no curve: neither of no day, nor of one, nor of zeros', () => {
  for (const days of [[], [5], [0, 0, 0]]) {
    const drawn = draw(...days);
    expect(drawn).toContain('Total Balance');
    expect(drawn).not.toMatch(/role="img"|NaN|Infinity/);
  }
  expect(draw(0, 1)).toContain('role="img"');
});

test('the description names range, lowest and highest', () => {
  expect(draw(20, 5, 40, 30)).toContain(
    'aria-label="Last 4 days: from 20 USDT to 30 USDT, lowest 5 USDT, highest 40 USDT."',
  );
});
