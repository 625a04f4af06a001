import { describe, expect, test } from 'vitest';
import { createKeyReader, getKeyNames, isStroke, type Press } from './keys.ts';

const press = (key: string, held: Partial<Press> = {}): Press => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

describe('a stroke', () => {
  test('of a letter names Shift, regardless of caps lock', () => {
    expect(isStroke('Shift+B', press('B', { shiftKey: true }))).toBe(true);
    expect(isStroke('Shift+B', press('b', { shiftKey: true }))).toBe(true);
    expect(isStroke('Shift+B', press('B'))).toBe(false);
    expect(isStroke('b', press('B', { shiftKey: true }))).toBe(false);
    expect(isStroke('b', press('B'))).toBe(true);
  });
  test('of a sign is the sign, with Shift or without: layouts differ', () => {
    expect(isStroke('?', press('?', { shiftKey: true, code: 'Slash' }))).toBe(true);
    expect(isStroke('/', press('/', { shiftKey: true, code: 'Digit7' }))).toBe(true);
    expect(isStroke('/', press('/'))).toBe(true);
    expect(isStroke('+', press('+', { shiftKey: true }))).toBe(true);
  });
  test('does not match with a modifier that it does not name', () => {
    for (const held of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) {
      expect(isStroke('/', press('/', held))).toBe(false);
      expect(isStroke('b', press('b', held))).toBe(false);
    }
    expect(isStroke('Control+.', press('.', { ctrlKey: true }))).toBe(true);
    expect(isStroke('Control+.', press('.'))).toBe(false);
  });
  test('is matched by position where the layout has other letters', () => {
    expect(isStroke('b', press('и', { code: 'KeyB' }))).toBe(true);
    expect(isStroke('b', press('б', { code: 'Comma' }))).toBe(false);
  });
  test('has the names printed on the keyboard', () => {
    expect(getKeyNames('Shift+b')).toEqual(['Shift', 'B']);
    expect(getKeyNames('Control+.')).toEqual(['Ctrl', '.']);
    expect(getKeyNames('+')).toEqual(['+']);
  });
});

describe('a sequence', () => {
  const wallet = { id: 'wallet', keys: ['g w'] };
  const width = { id: 'width', keys: ['w'] };
  const buy = { id: 'buy', keys: ['Shift+B'] };
  const all = [wallet, width, buy];

  test('is complete with its last key, which then triggers nothing else', () => {
    const read = createKeyReader<(typeof all)[number]>();
    expect(read(press('g'), all, 0)).toBeNull();
    expect(read(press('w'), all, 500)).toBe(wallet);
    expect(read(press('w'), all, 600)).toBe(width);
  });
  test('expires after a while, and on another key', () => {
    const read = createKeyReader<(typeof all)[number]>();
    read(press('g'), all, 0);
    expect(read(press('w'), all, 2_000)).toBe(width);
    read(press('g'), all, 3_000);
    expect(read(press('x'), all, 3_100)).toBeNull();
    expect(read(press('w'), all, 3_200)).toBe(width);
  });
  test('can start again at once', () => {
    const read = createKeyReader<(typeof all)[number]>();
    read(press('g'), all, 0);
    read(press('g'), all, 100);
    expect(read(press('w'), all, 200)).toBe(wallet);
  });
  test('of two actions with one key the later one runs', () => {
    const read = createKeyReader<{ id: string; keys: string[] }>();
    const own = { id: 'own', keys: ['w'] };
    expect(read(press('w'), [width, own], 0)).toBe(own);
  });
});
