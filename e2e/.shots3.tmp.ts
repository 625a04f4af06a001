import { chromium, type Page } from '@playwright/test';
import { findChromium } from './support/chromium.ts';

const url = 'http://127.0.0.1:4599';
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
const ctx = await browser.newContext({ viewport: { width: 390, height: 844 }, baseURL: url });
const page = await ctx.newPage();
page.on('console', (m) => m.type() === 'error' && console.log('CONSOLE', m.text()));
page.on('pageerror', (e) => console.log('PAGEERROR', e.message));
page.on('response', async (r) => {
  if (r.status() >= 400) console.log('HTTP', r.status(), r.url(), (await r.text()).slice(0, 300));
});
const shot = (n: string, fullPage = false) => page.screenshot({ path: `/tmp/shots/${n}.png`, fullPage });
const login = async (p: Page, who: string) => {
  await p.goto('/login');
  await p.getByLabel('Email').fill(`${who}@fulcrum.local`);
  await p.getByRole('textbox', { name: 'Password' }).fill('fulcrum-demo');
  await p.getByRole('button', { name: 'Log in', exact: true }).click();
  await p.waitForURL(/dashboard|admin/);
};
await login(page, 'trader');
await page.goto('/trading?symbol=BTCUSDT');
await page.waitForTimeout(2000);
await page.getByRole('button', { name: 'Show Order Form' }).click();
await page.getByRole('radio', { name: 'Limit' }).click();
const price = Number(await page.getByRole('spinbutton', { name: 'Limit price' }).inputValue());
await page.getByRole('switch', { name: /Take Profit/ }).click();
await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.01');
await page.getByRole('spinbutton', { name: 'Limit price' }).fill(String(Math.round(price * 0.97)));
await page.getByRole('spinbutton', { name: 'Take Profit' }).fill(String(Math.round(price * 1.02)));
await page.getByRole('spinbutton', { name: 'Stop Loss' }).fill(String(Math.round(price * 0.9)));
await page.waitForTimeout(700);
await shot('phone-ticket');
await page.getByRole('button', { name: 'Buy/Long' }).click();
await page.waitForTimeout(800);
await page.getByRole('button', { name: 'Hide Order Form' }).click();
await page.waitForTimeout(500);
await shot('phone-positions', true);
await page.getByRole('tab', { name: /Open Orders/ }).click();
await page.waitForTimeout(400);
await shot('phone-orders', true);
await page.getByRole('tab', { name: /Order History/ }).click();
await page.waitForTimeout(400);
await shot('phone-order-history', true);
await page.getByRole('button', { name: /^Notifications/ }).click();
await page.waitForTimeout(400);
await shot('phone-bell');
await page.keyboard.press('Escape');
await page.setViewportSize({ width: 820, height: 1180 });
await page.locator('html').evaluate((h) => h.setAttribute('data-theme', 'light'));
await page
  .getByRole('button', { name: /Show Order Form/ })
  .click()
  .catch(() => {});
await page.waitForTimeout(500);
await page.getByRole('tab', { name: /Open Positions/ }).click();
await page.waitForTimeout(500);
await shot('tablet-light', true);
await page.setViewportSize({ width: 1024, height: 900 });
await page.waitForTimeout(700);
await shot('w1024-light', true);
await page.setViewportSize({ width: 1440, height: 900 });
const admin = await (await browser.newContext({ baseURL: url })).newPage();
await login(admin, 'admin');
const call = (path: string, body?: object) =>
  admin.evaluate(
    async ({ path, body }) => {
      const token = JSON.parse(localStorage.getItem('fulcrum-session')!).access_token;
      const { anonKey } = await (await fetch('/config.json')).json();
      const r = await fetch('/rest/v1/' + path, {
        method: body ? 'POST' : 'GET',
        headers: { apikey: anonKey, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: r.status, json: await r.json() };
    },
    { path, body },
  );
const users = await call('users?select=id&username=eq.demo_trader');
const id = users.json[0].id;
console.log(
  JSON.stringify(await call('rpc/restrict_user', { p_user_id: id, p_restricted: true, p_reason: 'look' })),
);
await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.01');
await page.waitForTimeout(1500);
await shot('restricted-light');
await page.getByRole('button', { name: /^Notifications/ }).click();
await page.waitForTimeout(400);
await shot('bell-light');
console.log(
  JSON.stringify(await call('rpc/restrict_user', { p_user_id: id, p_restricted: false, p_reason: 'look' })),
);
await page.keyboard.press('Escape');
await page.waitForTimeout(1000);
const pos = await call('positions?select=id,version,symbol&status=eq.open&limit=1');
console.log(JSON.stringify(pos.json));
await page.getByRole('tab', { name: /Position History/ }).click();
await page.setViewportSize({ width: 390, height: 844 });
await page.waitForTimeout(500);
await shot('phone-history-light', true);
await page.goto('/wallet');
await page.waitForTimeout(1200);
await shot('phone-wallet', true);
await browser.close();
