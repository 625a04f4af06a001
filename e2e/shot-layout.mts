import { chromium } from '@playwright/test';
import { chromiumFlags, findChromium } from './harness/chromium.ts';
import { signIn } from './harness/session.ts';
const [, , out, width, height, path, scheme = 'dark', script = ''] = process.argv;
const browser = await chromium.launch({ executablePath: await findChromium(), args: [...chromiumFlags] });
const context = await browser.newContext({ viewport: { width: Number(width), height: Number(height) }, baseURL: 'http://127.0.0.1:4820', hasTouch: Number(width) < 800 });
await context.addInitScript(`localStorage.setItem('fulcrum-theme','${scheme}')`);
const page = await context.newPage();
page.on('console', (m) => m.type() === 'error' && console.log('console', m.text()));
page.on('pageerror', (e) => console.log('pageerror', e.message));
await signIn(page, 'trader@fulcrum.local', { at: path });
await page.waitForTimeout(6000);
if (script) { await new Function('page', `return (async()=>{${script}})()`)(page); await page.waitForTimeout(2500); }
await page.screenshot({ path: out });
await browser.close();
