/**
 * Push notifications on a device: the switch, the worker, a push that the browser delivers, and a click on it.
 *
 * Known limitation: the headless browser has no push service, no notification centre and answers every permission with
 * `denied`. These three, which are outside this project, are replaced; the page, the worker and the delivery of a push to it
 * are real.
 */
import { fileURLToPath } from 'node:url';
import type { CDPSession, Page, Worker } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, signUp } from '../harness/session.ts';

const outside = fileURLToPath(new URL('../harness/outside-push.js', import.meta.url));

interface Shown {
  readonly title: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Records what the worker shows and opens; the headless browser has nothing to show it in. */
const recordWorker = (worker: Worker): Promise<void> =>
  worker.evaluate(() => {
    const scope = globalThis as unknown as {
      registration: { showNotification: unknown };
      clients: { openWindow: unknown };
      shown: unknown[];
      opened: string[];
    };
    Object.assign(scope, { shown: [], opened: [] });
    scope.registration.showNotification = async (title: string, options: object) => {
      scope.shown.push({ title, options });
    };
    scope.clients.openWindow = async (url: string) => {
      scope.opened.push(url);
    };
  });

const shownBy = (worker: Worker): Promise<Shown[]> =>
  worker.evaluate(() => (globalThis as unknown as { shown: Shown[] }).shown);

/** Clicks a shown notification; returns the addresses that the worker opened so far. */
const click = (worker: Worker, { options }: Shown): Promise<string[]> =>
  worker.evaluate(async (data) => {
    const waits: Promise<unknown>[] = [];
    const event = Object.assign(new Event('notificationclick'), {
      notification: { data, close: () => undefined },
      waitUntil: (work: Promise<unknown>) => waits.push(work),
    });
    (globalThis as unknown as EventTarget).dispatchEvent(event);
    await Promise.all(waits);
    return (globalThis as unknown as { opened: string[] }).opened;
  }, options.data);

async function findRegistration(cdp: CDPSession): Promise<string> {
  const id = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const live = registrations.find(({ isDeleted }) => !isDeleted);
      if (live) resolve(live.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  return id;
}

/** Sets the state of `outside-push.js`; null: as at first. */
const setOutside = (page: Page, part: 'permission' | 'refuses', value: string | null): Promise<void> =>
  page.evaluate(
    ([name, next]) => {
      if (next === null) localStorage.removeItem(name);
      else localStorage.setItem(name, next);
    },
    [`outside-${part}`, value] as const,
  );

const workersOf = (page: Page): Promise<number> =>
  page.evaluate<number>('navigator.serviceWorker.getRegistrations().then((all) => all.length)');

test('push: a trader switches a device on, gets a push, opens its page, and switches it off', async ({
  page,
  context,
}) => {
  await context.addInitScript({ path: outside });
  await signUp(page, 'push-device', { at: '/profile' });
  const section = page.getByRole('region', { name: 'Push notifications', exact: true });
  const toggle = section.getByRole('switch', { name: 'Push notifications on this device' });
  const devices = section.getByRole('list', { name: 'Devices with push notifications' });

  await test.step('nothing is registered or requested before the switch', async () => {
    await expect(toggle).not.toBeChecked();
    expect(await workersOf(page)).toBe(0);
    expect(await page.evaluate('Notification.permission')).toBe('default');
  });

  await test.step('a push service that fails leaves it off, with the reason', async () => {
    await setOutside(page, 'refuses', 'yes');
    await toggle.press('Space');
    await expect(section.getByRole('alert')).toContainText('Failed to switch push notifications on.');
    await expect(toggle).not.toBeChecked();
    expect(await workersOf(page)).toBe(0);
    await setOutside(page, 'refuses', null);
  });

  await test.step('the switch registers the worker and the device, also after a reload', async () => {
    await toggle.press('Space');
    await expect(toggle).toBeChecked();
    await expect(devices.getByRole('listitem')).toContainText('This device');
    expect(await callApi(page, 'rpc/list_push_devices', {})).toEqual([
      expect.objectContaining({ current: true, last_sent_at: null }),
    ]);
    await page.reload();
    await expect(toggle).toBeChecked();
  });

  await test.step('the browser delivers a push; a click opens its page', async () => {
    // The first one went with the failed try.
    const worker = context.serviceWorkers().at(-1);
    if (!worker) throw new Error('no worker runs');
    expect(new URL(worker.url()).pathname).toBe('/sw.js');
    await recordWorker(worker);
    const cdp = await context.newCDPSession(page);
    const registrationId = await findRegistration(cdp);
    const { origin } = new URL(page.url());
    const deliver = (data: string) =>
      cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
    const sent = {
      id: 'n-1',
      kind: 'order_filled',
      title: 'Order filled',
      body: 'BUY 1 BTCUSDT was filled.',
      at: 5,
    };
    await deliver(JSON.stringify({ ...sent, path: '/trading?symbol=BTCUSDT' }));
    await expect.poll(() => shownBy(worker)).toHaveLength(1);
    await deliver(JSON.stringify({ ...sent, path: '//evil.example/x' }));
    await deliver('no JSON');
    await expect.poll(() => shownBy(worker)).toHaveLength(3);
    const [shown, foreign, unreadable] = await shownBy(worker);
    if (!shown || !foreign || !unreadable) throw new Error('a push was not shown');
    expect(shown).toMatchObject({
      title: 'Order filled',
      options: { body: sent.body, tag: 'n-1', timestamp: 5, data: { path: '/trading?symbol=BTCUSDT' } },
    });
    expect(foreign.options.data).toEqual({ path: '/dashboard' });
    expect(unreadable).toMatchObject({ title: 'Fulcrum', options: { body: 'You have a new notification.' } });
    expect(await click(worker, shown)).toEqual([`${origin}/trading?symbol=BTCUSDT`]);
    const { errors } = await cdp.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    for (const icon of ['app-192', 'app-512', 'maskable-512', 'badge-96', 'touch-180'])
      expect((await page.request.get(`/icons/${icon}.png`)).headers()['content-type']).toBe('image/png');
  });

  await test.step('a browser that blocks notifications gets the next step, and its device can be removed', async () => {
    await setOutside(page, 'permission', 'denied');
    await page.reload();
    await expect(section).toContainText('This browser blocks notifications of this site.');
    await expect(toggle).toHaveCount(0);
    await devices.getByRole('button', { name: /^Remove / }).click();
    await expect(devices).toHaveCount(0);
    expect(await callApi(page, 'rpc/list_push_devices', {})).toEqual([]);
  });

  await test.step('switching it off removes device, subscription and worker', async () => {
    await setOutside(page, 'permission', 'granted');
    await page.reload();
    await expect(toggle).not.toBeChecked();
    await toggle.click();
    await expect(toggle).toBeChecked();
    await toggle.click();
    await expect(toggle).not.toBeChecked();
    await expect(devices).toHaveCount(0);
    expect(await workersOf(page)).toBe(0);
  });
});
