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
await page.waitForTimeout(2500);
await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.15');
const slider = page.getByRole('slider', { name: 'Leverage' });
for (let i = 1; i < 25; i += 1) await slider.press('ArrowRight');
await page.getByRole('switch', { name: /Take Profit/ }).click();
await page.getByRole('radio', { name: 'Limit' }).click();
const price = Number(await page.getByRole('spinbutton', { name: 'Limit price' }).inputValue());
console.log('price', price);
await page.getByRole('spinbutton', { name: 'Take Profit' }).fill(String(Math.round(price * 1.02)));
await page.getByRole('spinbutton', { name: 'Stop Loss' }).fill(String(Math.round(price * 0.98)));
await page.waitForTimeout(800);
await shot('ticket-limit');
await page.getByRole('spinbutton', { name: 'Limit price' }).fill(String(Math.round(price * 0.99)));
await page.waitForTimeout(500);
await page.getByRole('button', { name: 'Buy/Long' }).click();
await page.waitForTimeout(1200);
await shot('limit-placed');
await page.getByRole('tab', { name: /Open Orders/ }).click();
await page.waitForTimeout(500);
await shot('open-orders');
await page.getByRole('radio', { name: 'Market' }).click();
await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.15');
await page.getByRole('spinbutton', { name: 'Take Profit' }).fill(String(Math.round(price * 1.02)));
await page.getByRole('spinbutton', { name: 'Stop Loss' }).fill(String(Math.round(price * 0.98)));
await page.waitForTimeout(800);
await shot('ticket-market');
await page.getByRole('button', { name: 'Buy/Long' }).click();
await page.waitForTimeout(1200);
await page.getByRole('tab', { name: /Open Positions/ }).click();
await page.waitForTimeout(500);
await shot('positions');
await page.getByRole('radio', { name: 'Stop', exact: true }).click();
await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.1');
await page.waitForTimeout(800);
await shot('ticket-stop');
await ctx.storageState({ path: '/tmp/shots/state.json' });
await browser.close();
