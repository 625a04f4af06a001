/** A picture in a conversation, from the trader's composer to the agent's log, and the agent's back. */
import { expect, test } from '../harness/fulcrum.ts';
import { signIn, signUp } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

test.use({ serverFor: 'support pictures' });

test('support: a picture is uploaded, retried after a failure, sent in order, seen by both sides and enlarged', async ({
  page: trader,
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ baseURL: baseURL ?? '' });
  const agent = await context.newPage();
  const errors = [collectErrors(trader, /net::ERR_FAILED/), collectErrors(agent)];
  await signUp(trader, 'picture_pat', { at: '/chat' });
  await signIn(agent, 'support@fulcrum.local');
  const file = { name: 'screen.png', mimeType: 'image/png', buffer: await trader.screenshot() };
  const messages = trader.getByRole('log', { name: 'Messages' });
  const log = agent.getByRole('log', { name: 'Conversation with picture_pat' });
  const sendOf = (page: typeof trader) => page.getByRole('button', { name: 'Send', exact: true });

  await test.step('what is no picture is refused; a lost upload is sent again', async () => {
    await expect(messages).toBeVisible();
    const input = trader.locator('input[type=file]');
    await input.setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('no picture'),
    });
    await expect(trader.getByRole('alert')).toHaveText(
      'Please choose a JPEG, PNG or WebP image of at most 10 MB.',
    );
    await expect(trader.getByRole('button', { name: 'Upload the picture again' })).toHaveCount(0);
    await trader.getByRole('button', { name: 'Remove the picture' }).click();

    await trader.route('**/storage/v1/object/chat-attachments/**', (route) => route.abort(), { times: 1 });
    await input.setInputFiles(file);
    await expect(trader.getByRole('alert').filter({ hasText: 'The upload was interrupted' })).toBeVisible();
    await expect(sendOf(trader)).toHaveAttribute('aria-disabled', 'true');
    await trader.getByRole('button', { name: 'Upload the picture again' }).click();
    await expect(trader.getByText('Ready to send')).toBeVisible();
  });

  await test.step('both sides see it; the text follows it', async () => {
    await sendOf(trader).click();
    await expect(messages.locator('[data-seq="1"] img')).toBeVisible();
    await trader.getByRole('textbox', { name: 'Message' }).fill('This is what I see.');
    await trader.getByRole('textbox', { name: 'Message' }).press('Enter');
    await expect(messages.locator('[data-seq="2"]')).toContainText('This is what I see.');
    await agent
      .getByRole('list', { name: 'Active sessions' })
      .getByRole('button', { name: /picture_pat/ })
      .click();
    const picture = log
      .locator('[data-seq="1"]')
      .getByRole('button', { name: /^Enlarge: Picture from picture_pat/ });
    await picture.click();
    const dialog = agent.getByRole('dialog', { name: /^Picture from picture_pat/ });
    const shown = dialog.getByRole('img', { name: /^Picture from picture_pat/ });
    await expect(shown).toBeVisible();
    expect(await shown.evaluate((img) => Reflect.get(img, 'naturalWidth'))).toBeGreaterThan(0);
    await agent.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(picture).toBeFocused();
  });

  await test.step('the agent drops one, with a text', async () => {
    const reply = agent.getByRole('textbox', { name: 'Reply to picture_pat' });
    await reply.fill('Press here');
    const dataTransfer = await agent.evaluateHandle(`(() => {
      const dropped = new DataTransfer();
      const bytes = new Uint8Array(${JSON.stringify([...file.buffer])});
      dropped.items.add(new File([bytes], 'answer.png', { type: 'image/png' }));
      return dropped;
    })()`);
    await reply.dispatchEvent('drop', { dataTransfer });
    await expect(agent.getByText('Ready to send')).toBeVisible();
    await reply.press('Enter');
    await expect(messages.locator('[data-seq="3"]')).toContainText('Press here');
    await expect(messages.locator('[data-seq="3"] img')).toBeVisible();
  });
  await trader.reload();
  await expect(messages.locator('[data-seq="1"] img')).toBeVisible();
  expect(errors.flat()).toEqual([]);
  await context.close();
});
