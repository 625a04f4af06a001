import { notificationKinds } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { lookOf } from './kinds.ts';
import { noticesOf } from './notices.ts';

const told = (kind: string, message = kind) => ({ kind, message });

describe('A104: notifications as notices', () => {
  test('a few are shown as they are', () => {
    expect(noticesOf([told('order_filled', 'Filled.'), told('liquidation', 'Gone.')])).toEqual([
      { kind: 'success', text: 'Filled.' },
      { kind: 'error', text: 'Gone.', stays: true },
    ]);
  });
  test('many of one moment are one line that counts them', () => {
    const many = [...Array(3).fill(told('liquidation')), ...Array(2).fill(told('order_filled'))];
    expect(noticesOf(many)).toEqual([
      {
        kind: 'error',
        text: '5 new notifications',
        description: '3 liquidations, 2 orders filled',
        stays: true,
      },
    ]);
  });
  test('what only tells of something good goes by itself', () => {
    const fills = Array(4).fill(told('order_filled'));
    expect(noticesOf(fills)[0]).not.toHaveProperty('stays');
    expect(noticesOf([told('stop_loss')])[0]).not.toHaveProperty('stays');
    expect(noticesOf([told('order_rejected')])[0]).toHaveProperty('stays', true);
  });
  test('every kind of the engine has a look, an unknown one is plain news', () => {
    expect(notificationKinds.map((kind) => lookOf({ kind }).many)).not.toContain('messages');
    expect(lookOf({ kind: 'something_new' })).toEqual({ tone: 'news', many: 'messages' });
  });
});
