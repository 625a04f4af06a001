import { chromium } from '@playwright/test';
import { findChromium } from './support/chromium.ts';

const url = 'http://127.0.0.1:4599';
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
const ctx = await browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: url });
const page = await ctx.newPage();
page.on('console', (m) => m.type() === 'error' && console.log('CONSOLE', m.text()));
page.on('pageerror', (e) => console.log('PAGEERROR', e.message));
page.on('response', async (r) => {
  if (r.status() >= 400) console.log('HTTP', r.status(), r.url(), (await r.text()).slice(0, 300));
});
const shot = (n: string) => page.screenshot({ path: `/tmp/shots/${n}.png` });
await page.goto('/login');
await page.getByLabel('Email').fill('trader@fulcrum.local');
await page.getByRole('textbox', { name: 'Password' }).fill('fulcrum-demo');
await page.getByRole('button', { name: 'Log in', exact: true }).click();
await page.waitForURL(/dashboard/);
await page.goto('/trading?symbol=BTCUSDT');
await page.waitForTimeout(2000);
await page
  .getByRole('button', { name: /Take profit .* BTCUSDT long/ })
  .first()
  .click();
await page.waitForTimeout(500);
await shot('protect');
await page.getByRole('spinbutton', { name: 'Stop Loss' }).fill('999999');
await page.waitForTimeout(300);
await shot('protect-wrong');
await page.getByRole('spinbutton', { name: 'Stop Loss' }).fill('');
await page.getByRole('button', { name: 'Save' }).click();
await page.waitForTimeout(800);
await page.getByRole('button', { name: 'Close BTCUSDT long' }).first().click();
await page.getByRole('button', { name: '25%' }).last().click();
await page.waitForTimeout(300);
await shot('close-part');
await page.getByRole('button', { name: 'Close part' }).click();
await page.waitForTimeout(1000);
await shot('closed-part');
await page.getByRole('tab', { name: 'Position History' }).click();
await page.waitForTimeout(500);
await shot('history');
await page.getByRole('tab', { name: /Open Orders/ }).click();
await page
  .getByRole('button', { name: /^Cancel BTCUSDT/ })
  .first()
  .click();
await page.waitForTimeout(300);
await shot('cancel');
await page.getByRole('button', { name: 'Cancel order' }).click();
await page.waitForTimeout(1000);
await page.getByRole('tab', { name: 'Order History' }).click();
// marketable limit, with TP just above so that it fires
await page.getByRole('radio', { name: 'Limit' }).click();
const price = Number(await page.getByRole('spinbutton', { name: 'Limit price' }).inputValue());
await page.getByRole('spinbutton', { name: 'Limit price' }).fill(String(Math.round(price * 1.003)));
await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.01');
await page.waitForTimeout(500);
await shot('marketable');
await page.getByRole('button', { name: 'Buy/Long' }).click();
await page.waitForTimeout(1500);
await page.getByRole('button', { name: /^Notifications/ }).click();
await page.waitForTimeout(400);
await shot('bell');
await page.getByRole('button', { name: 'Mark all read' }).click();
await page.waitForTimeout(800);
await shot('bell-read');
await page.keyboard.press('Escape');
await page.goto('/wallet');
await page.waitForTimeout(1500);
await shot('wallet');
await page.getByRole('button', { name: 'Reset account' }).click();
await page.waitForTimeout(400);
await shot('reset');
await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click();
await browser.close();
