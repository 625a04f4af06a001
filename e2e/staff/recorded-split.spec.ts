/** A recording that reaches a split: it stops, all users see that, and an admin resumes it. */

import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { recordedSplit } from '../harness/recorded-day.ts';
import { signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

test.use({
  serverFor: 'recorded-split',
  serverEnv: { PRICE_FEED: `replay:${recordedSplit()}?speed=60&history=0` },
});

test('ENG-5, UX-10: at a split the clock stops, the status bar shows why, and the panel continues as a gap', async ({
  page,
  browser,
  fulcrum,
}) => {
  const errors = collectErrors(page);
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  const replay = async () =>
    (await admin.call<{ replay: { jump: object | null; position_s: number } }>('get_market_controls', {}))
      .replay;
  await expect.poll(async () => (await replay()).jump).not.toBeNull();
  const { position_s } = await replay();

  await signIn(page, 'admin@fulcrum.local');
  const recording = page
    .getByRole('region', { name: 'Operations' })
    .getByRole('region', { name: 'Recording' });
  await expect(recording).toContainText('Waiting for a decision');
  await expect(recording).toContainText('AAPL moves \u221286 % at 08:05: a split?');
  expect((await replay()).position_s).toBe(position_s);

  const trader = await (await browser.newContext({ baseURL: fulcrum.url })).newPage();
  await signIn(trader, 'trader@fulcrum.local', { at: '/trading?symbol=AAPL' });
  const foot = trader.locator('footer');
  await expect(foot).toContainText(
    /Recorded Mon 09? Jun 2014 08:05:\d\d UTC · Paused: staff decide about AAPL/,
  );

  await recording.getByRole('button', { name: 'Continue as a gap' }).click();
  const dialog = page.getByRole('dialog', { name: 'Continue: AAPL jumps to 91.9' });
  await dialog.getByLabel('Reason').fill('7 for 1');
  await dialog.getByRole('button', { name: 'Continue as a gap' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(async () => (await replay()).position_s).toBeGreaterThan(position_s + 60);
  await expect(recording.getByRole('button', { name: 'Continue as a gap' })).toBeHidden();
  await expect(foot).toContainText(/UTC · (\d+×|Ended)/);
  expect(errors).toEqual([]);
});
