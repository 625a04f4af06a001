import { describe, expect, test } from 'vitest';
import type { Action } from './actions.ts';
import { keysOf, type Press } from './keys.ts';
import { chooseKey, withOwnKey } from './own-keys.ts';

const press = (key: string, more: Partial<Press> = {}): Press => ({
  ...{ key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
  ...more,
});
const action = (id: string, keys: readonly string[], group: Action['group'] = 'Trading'): Action => ({
  ...{ id, label: `Do ${id}`, group, keys, perform: () => undefined },
  ...(group === 'Trading' && { isTrading: true }),
});
const close = action('close', ['X']);
const leverage = action('leverage', ['+', '=']);
const all = [close, leverage, action('go', ['g d'], 'General'), action('theme', ['Shift+D'], 'General')];
const choose = (event: Press, own = {}) => chooseKey(event, close, all, own);

describe('own keys: what can be chosen', () => {
  test.each([
    ['a letter', press('q'), 'Q'],
    ['with Shift', press('Q', { shiftKey: true }), 'Shift+Q'],
    ['a sign', press('#'), '#'],
    ['a letter by its position', press('й', { code: 'KeyQ' }), 'Q'],
    ['its own key', press('x'), 'X'],
    ['the letter of a combination with Shift', press('d'), 'D'],
  ])('%s', (_case, event, stroke) => expect(choose(event)).toEqual({ kind: 'chosen', stroke }));

  test.each([
    ['a sign of another action', press('='), "= is the key of 'Do leverage'. Press another one."],
    ['the start of a sequence', press('g'), "G is the key of 'Do go'. Press another one."],
    ['a combination', press('D', { shiftKey: true }), "Shift+D is the key of 'Do theme'. Press another one."],
    [
      'a key of the browser',
      press('q', { ctrlKey: true }),
      'Press a letter, with or without Shift, or a sign.',
    ],
    ['a named key', press('F5'), 'Press a letter, with or without Shift, or a sign.'],
    ['a digit', press('5'), 'Press a letter, with or without Shift, or a sign.'],
  ])('not %s', (_case, event, reason) => expect(choose(event)).toEqual({ kind: 'refused', reason }));

  test('not a key that another action was given', () => {
    expect(choose(press('q'), { leverage: 'Q' })).toMatchObject({ kind: 'refused' });
    // Its former keys are free.
    expect(choose(press('='), { leverage: 'Q' })).toEqual({ kind: 'chosen', stroke: '=' });
  });
  test.each(['Shift', 'Tab', 'Escape'])('%s decides nothing', (key) =>
    expect(choose(press(key))).toEqual({ kind: 'none' }),
  );
});

test('own keys: they replace the given ones of trading actions only', () => {
  expect(keysOf(leverage, { leverage: 'Q' })).toEqual(['Q']);
  expect(keysOf(leverage, {})).toEqual(['+', '=']);
  expect(keysOf(action('theme', ['Shift+D'], 'General'), { theme: 'Q' })).toEqual(['Shift+D']);
});

test('own keys: the given key is no change', () => {
  expect(withOwnKey({ close: 'Q', leverage: 'L' }, close, 'X')).toEqual({ leverage: 'L' });
  expect(withOwnKey({}, close, 'Q')).toEqual({ close: 'Q' });
});
