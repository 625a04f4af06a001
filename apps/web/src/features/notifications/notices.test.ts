import { notificationKinds } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { getKindStyle } from './kinds.ts';
import { toNotices } from './notices.ts';

const notification = (kind: string, message = kind) => ({ kind, message });

describe('A104: notifications as notices', () => {
  test('a few are shown singly', () => {
    expect(
      toNotices([notification('order_filled', 'Filled.'), notification('liquidation', 'Gone.')]),
    ).toEqual([
      { kind: 'success', text: 'Filled.' },
      { kind: 'error', text: 'Gone.', isSticky: true },
    ]);
  });
  test('many at one moment are one line with their number', () => {
    const many = [
      ...Array(3).fill(notification('liquidation')),
      ...Array(2).fill(notification('order_filled')),
    ];
    expect(toNotices(many)).toEqual([
      {
        kind: 'error',
        text: '5 new notifications',
        description: '3 liquidations, 2 orders filled',
        isSticky: true,
      },
    ]);
  });
  test('notices of good news close by themselves', () => {
    const fills = Array(4).fill(notification('order_filled'));
    expect(toNotices(fills)[0]).not.toHaveProperty('isSticky');
    expect(toNotices([notification('stop_loss')])[0]).not.toHaveProperty('isSticky');
    expect(toNotices([notification('order_rejected')])[0]).toHaveProperty('isSticky', true);
  });
  test('orders that end as agreed are news, which closes by itself', () => {
    expect(toNotices([notification('order_expired', 'It has expired.')])).toEqual([
      { kind: 'info', text: 'It has expired.' },
    ]);
    expect(toNotices(Array(4).fill(notification('order_expired')))).toEqual([
      { kind: 'info', text: '4 new notifications', description: '4 orders expired' },
    ]);
  });
  test('every kind of the engine has a style, an unknown one is shown as a plain one', () => {
    expect(notificationKinds.map((kind) => getKindStyle({ kind }).many)).not.toContain('messages');
    expect(getKindStyle({ kind: 'something_new' })).toEqual({ tone: 'news', many: 'messages' });
  });
});
