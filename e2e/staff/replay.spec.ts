/** An admin controls the recording: it pauses, resumes and runs faster, and the log has the user and the reason. */
import type { Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { recordedDay } from '../harness/recorded-day.ts';
import { signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

test.use({
  serverFor: 'replay-controls',
  serverEnv: { PRICE_FEED: `replay:${recordedDay()}?speed=60&loop=1` },
});

interface Replay {
  readonly paused: boolean;
  readonly speed: number;
  readonly position_s: number;
}

const recording = (page: Page) =>
  page.getByRole('region', { name: 'Operations' }).getByRole('region', { name: 'Recording' });

/** Presses a button of the panel and answers the question behind it. */
async function submitControl(
  page: Page,
  button: string,
  submit: string,
  reason: string,
  fields = {},
): Promise<void> {
  await recording(page).getByRole('button', { name: button }).click();
  const dialog = page.getByRole('dialog');
  for (const [label, value] of Object.entries<string>(fields))
    await dialog.getByRole('textbox', { name: label }).fill(value);
  await dialog.getByRole('button', { name: submit }).click();
  await expect(dialog).toContainText('Please give a reason.');
  await dialog.getByLabel('Reason').fill(reason);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
}

test('an admin pauses the recording, sets its speed and resumes it, and prices follow', async ({
  page,
  fulcrum,
}) => {
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  const replay = async () => (await admin.call<{ replay: Replay }>('get_market_controls', {})).replay;
  const errors = collectErrors(page);
  await signIn(page, 'admin@fulcrum.local');
  // The first reading of a platform that has just started takes its time.
  // A busy machine plays more slowly, and the section says so.
  await expect(recording(page)).toContainText(/Plays at (?:\d+× instead of )?60×/);

  await submitControl(page, 'Pause', 'Pause', 'A question about this minute');
  await expect(recording(page)).toContainText('Paused');
  const paused = await replay();
  expect(paused.paused).toBe(true);

  // An invalid speed is refused at its field, and the recording is still paused after a valid one.
  await recording(page).getByRole('button', { name: 'Change speed' }).click();
  const dialog = page.getByRole('dialog', { name: 'Speed of the recording' });
  await dialog.getByRole('textbox', { name: 'Speed' }).fill('5000');
  await dialog.getByRole('button', { name: 'Set speed' }).click();
  await expect(dialog).toContainText('Enter a speed from 1 to 3600.');
  await page.keyboard.press('Escape');
  await submitControl(page, 'Change speed', 'Set speed', 'An hour in half a minute', { Speed: '120' });
  expect(await replay()).toEqual({ ...paused, speed: 120 });

  await submitControl(page, 'Play', 'Play', 'Answered');
  await expect(recording(page)).toContainText('Plays at 120×');
  await expect.poll(async () => (await replay()).position_s).not.toBe(paused.position_s);

  await page.goto('/admin/audit?action=replay.set');
  await expect(page.getByRole('row').filter({ hasText: 'Replay set' })).toHaveText([
    /demo_admin.*Answered/,
    /demo_admin.*An hour in half a minute/,
    /demo_admin.*A question about this minute/,
  ]);
  expect(errors).toEqual([]);
});
