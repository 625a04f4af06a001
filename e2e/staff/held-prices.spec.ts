/** A106 in the browser: an exchange sends absurd prices, nothing trades on them, and an admin decides. */
import type { Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/providers.ts';
import { signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

test.use({ serverFor: 'held-prices' });

interface Controls {
  readonly holds: readonly { readonly symbol: string; readonly price: number }[];
}

const held = (page: Page) =>
  page.getByRole('region', { name: 'Operations' }).getByRole('region', { name: 'Held prices' });

async function decide(page: Page, button: string, submit: string, reason: string): Promise<void> {
  await held(page).getByRole('button', { name: button }).click();
  const dialog = page.getByRole('dialog', { name: button });
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: submit }).click();
  await expect(dialog).toBeHidden();
}

test('A106: absurd prices are held until an admin accepts one, which then takes effect, and rejects the other, which never does', async ({
  page,
  fulcrum,
  providers: { exchange },
}) => {
  const [admin, trader] = await Promise.all([
    ApiUser.signIn(fulcrum.url, 'admin'),
    ApiUser.register(fulcrum.url, 'short_of_both'),
  ]);
  // Short, so that a price of twice as much takes the whole margin.
  const short = async (p_symbol: string) => {
    const opened = () =>
      trader.ask('rpc/open_position', { p_symbol, p_side: 'SELL', p_size: 1, p_leverage: 10 });
    // The first price of the exchange may not have come yet.
    await expect.poll(async () => (await opened()).status).toBe(200);
  };
  await short('BTCUSDT');
  await short('ETHUSDT');

  // Once and never again: a price that an exchange repeats for ten seconds is confirmed without an admin.
  exchange.report('BTCUSDT', '128000.00');
  exchange.report('ETHUSDT', '6400.00');
  exchange.switches.isMute = true;
  await expect
    .poll(async () =>
      (await admin.call<Controls>('get_market_controls', {})).holds.map(({ symbol }) => symbol).sort(),
    )
    .toEqual(['BTCUSDT', 'ETHUSDT']);
  exchange.refuse(true);

  const errors = collectErrors(page);
  await signIn(page, 'admin@fulcrum.local');
  await expect(held(page)).toContainText('Not traded on');
  await expect(held(page).getByRole('listitem')).toHaveText([
    /BTCUSDT.*64,000.*128,000.*\+100\.0% at once/,
    /ETHUSDT.*3,200.*6,400.*\+100\.0% at once/,
  ]);
  const open = async () => {
    const { body } = await trader.ask('positions?select=symbol,status,close_reason&order=symbol');
    return body;
  };
  expect(await open()).toMatchObject([{ status: 'open' }, { status: 'open' }]);

  await decide(page, 'Reject 128,000 for BTCUSDT', 'Reject 128,000', 'A bad print: no other venue has it');
  await expect(held(page).getByRole('listitem')).toHaveCount(1);
  await decide(page, 'Accept 6,400 for ETHUSDT', 'Accept 6,400', 'Confirmed with the exchange');
  await expect(held(page)).toBeHidden();
  await expect.poll(open).toEqual([
    { symbol: 'BTCUSDT', status: 'open', close_reason: null },
    { symbol: 'ETHUSDT', status: 'closed', close_reason: 'liquidation' },
  ]);

  await page.goto('/admin/audit');
  const rows = page.getByRole('row');
  await expect(rows.filter({ hasText: 'Price accepted' })).toContainText('Confirmed with the exchange');
  await expect(rows.filter({ hasText: 'Price rejected' })).toContainText('no other venue has it');
  expect(errors).toEqual([]);
  exchange.refuse(false);
  exchange.switches.isMute = false;
});
