/** A115: playbooks in the journal: made, chosen in the review of a trade, and what their criteria are worth. */
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, signUp } from '../harness/session.ts';
import { collectErrors, savePictures } from '../harness/steps.ts';

async function trade(page: Page): Promise<string> {
  const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.01, p_leverage: 10, p_stop_loss_price: null };
  const { id } = await callApi<{ id: string }>(page, 'rpc/open_position', order);
  await callApi(page, 'rpc/close_position', { p_position_id: id });
  return id;
}

test('A115: a playbook is made, answered for a trade, and shows what each criterion is worth', async ({
  page,
}) => {
  const errors = collectErrors(page);
  await signUp(page, 'playbook', { at: '/journal' });
  const id = await trade(page);
  await callApi(page, 'journal_entries', { title: 'Bought it', content: 'Why?', position_id: id });
  const playbooks = page.getByRole('region', { name: 'Playbooks' });
  const review = page.getByRole('dialog', { name: 'BTCUSDT long: review' });

  await test.step('without one, the review leads to the journal', async () => {
    await page.goto('/trading?symbol=BTCUSDT');
    await page.getByRole('tab', { name: 'Position History' }).click();
    await page.getByRole('button', { name: 'Review BTCUSDT long' }).click();
    const section = review.getByRole('region', { name: 'Playbook' });
    await expect(section).toContainText('Make a playbook in the journal');
    await section.getByRole('link', { name: 'journal' }).click();
    await expect(page).toHaveURL(/\/journal$/);
  });

  await test.step('it needs a name, and takes one criterion on each line', async () => {
    await expect(playbooks.getByText('No playbooks yet')).toBeVisible();
    await playbooks.getByRole('button', { name: 'New playbook' }).click();
    const dialog = page.getByRole('dialog', { name: 'New playbook' });
    await dialog.getByRole('button', { name: 'Create playbook' }).click();
    await expect(dialog.getByLabel('Name')).toHaveAccessibleDescription(
      'A playbook needs a name of at most 60 characters.',
    );
    await dialog.getByLabel('Name').fill('Retest of a breakout');
    await dialog
      .getByLabel('Criteria')
      .fill('With the trend\n\nVolume above average, also on the daily chart');
    await savePictures(page, 'playbook-dialog', { shown: dialog });
    await dialog.getByRole('button', { name: 'Create playbook' }).click();
    await expect(playbooks.getByRole('heading', { name: 'Retest of a breakout' })).toBeVisible();
    await expect(playbooks).toContainText('No closed trade has it yet.');
  });

  await test.step('the review of a trade takes the criteria that it met', async () => {
    await page.getByRole('button', { name: /Bought it/ }).click();
    await page.getByRole('button', { name: 'Review BTCUSDT long' }).click();
    await review.getByLabel('Setup').selectOption('Retest of a breakout');
    await review.getByLabel('With the trend').check();
    const save = review.getByRole('button', { name: 'Save playbook of this trade' });
    await savePictures(page, 'trade-playbook', { shown: save });
    await save.click();
    await expect(page.getByText('Playbook of this trade saved')).toBeVisible();
  });

  await test.step('the journal has the expectancy, and one trade is marked as too few', async () => {
    await page.keyboard.press('Escape');
    await expect(playbooks.getByText('Too few: 1 of 10')).toBeVisible();
    const row = (name: RegExp) => playbooks.getByRole('row', { name });
    await expect(row(/^With the trend/)).toContainText('1 trade, 10 needed');
    await expect(
      row(/^With the trend/)
        .getByRole('cell')
        .nth(2),
    ).toContainText('0 trades');
    await expect(
      row(/^Volume above average/)
        .getByRole('cell')
        .nth(1),
    ).toContainText('0 trades');
    await savePictures(page, 'playbooks', { shown: row(/^Volume above average/) });
  });

  await test.step('it is changed and deleted', async () => {
    await playbooks.getByRole('button', { name: 'Edit Retest of a breakout' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit playbook' });
    await dialog.getByLabel('Name').fill('Retest');
    await dialog.getByRole('button', { name: 'Save playbook' }).click();
    await playbooks.getByRole('button', { name: 'Delete Retest' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete playbook' }).click();
    await expect(playbooks.getByText('No playbooks yet')).toBeVisible();
  });

  await test.step('the weekly recap is on until it is switched off', async () => {
    await page.goto('/analytics?view=week');
    await page.getByRole('button', { name: 'My rules' }).click();
    const dialog = page.getByRole('dialog', { name: 'My rules' });
    const recap = dialog.getByRole('switch', { name: 'Recap of each week' });
    await expect(recap).toBeChecked();
    await savePictures(page, 'my-rules', { shown: recap });
    await recap.click();
    await dialog.getByRole('button', { name: 'Save rules' }).click();
    await expect(dialog).toBeHidden();
    await page.reload();
    await page.getByRole('button', { name: 'My rules' }).click();
    await expect(recap).not.toBeChecked();
  });
  expect(errors).toEqual([]);
});
