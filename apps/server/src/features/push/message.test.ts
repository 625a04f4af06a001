import { notificationKinds } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { isUrgent, writeMessage } from './message.ts';

const base = {
  id: '0192f3a4-5b6c-7d8e-9f01-23456789abcd',
  message: 'Test',
  createdAt: new Date(5),
  accountId: null,
  accountName: null,
};
const read = (kind: string, symbol: string | null) =>
  JSON.parse(writeMessage({ ...base, kind, symbol })) as Record<string, unknown>;

test('push: each kind has a title, and a click stays on this server', () => {
  for (const kind of [...notificationKinds, 'kyc_approved', 'kyc_rejected', 'chat_reply', 'alert']) {
    const { title, path } = read(kind, 'BTCUSDT');
    expect(title, kind).not.toBe('Fulcrum');
    expect(path, kind).toMatch(/^\/[a-z]/);
  }
});

test('push: a click leads to the pair, to the page of the kind, or to the dashboard', () => {
  expect(read('liquidation', 'EUR/USD').path).toBe('/trading?symbol=EUR%2FUSD');
  expect(read('liquidation', null).path).toBe('/dashboard');
  expect(read('funds_changed', null).path).toBe('/wallet');
  expect(read('chat_reply', null).path).toBe('/chat');
});

test('A104, push: an order that ends as agreed has expired, and was not rejected', () => {
  expect(read('order_expired', 'BTCUSDT')).toMatchObject({
    title: 'Order expired',
    path: '/trading?symbol=BTCUSDT',
  });
});

test('A112, push: of another account the title names it, and the click stays in it', () => {
  const own = { accountId: '0f8fad5b-d9cb-469f-a165-70867728950e', accountName: 'Scalping' };
  const sent = JSON.parse(writeMessage({ ...base, ...own, kind: 'margin_warning', symbol: 'BTCUSDT' }));
  expect(sent).toMatchObject({
    title: 'Margin warning · Scalping',
    path: '/a/0f8fad5b-d9cb-469f-a165-70867728950e/trading?symbol=BTCUSDT',
  });
});

test('push: a kind that this version does not know is shown all the same', () => {
  expect(read('constructor', null)).toEqual({
    id: base.id,
    kind: 'constructor',
    title: 'Fulcrum',
    body: 'Test',
    path: '/dashboard',
    at: 5,
  });
});

test('push: only what cannot wait wakes a device that saves power', () => {
  const urgent = [...notificationKinds, 'alert'].filter((kind) => isUrgent({ ...base, kind, symbol: null }));
  expect(urgent).toEqual(['order_rejected', 'margin_warning', 'liquidation', 'alert']);
});
