import { expect, test } from 'vitest';
import {
  answered,
  drop,
  grab,
  type LinesState,
  leave,
  linesCame,
  moveTo,
  noLines,
  putBack,
  settled,
  shownLines,
  stay,
} from './held-line.ts';
import type { MovableLine, PriceLine } from './price-line.ts';

/** A stop loss on a grid of 1 that must stay below 100. */
function stopLoss(price: number, id = 'sl'): MovableLine {
  return {
    id,
    kind: 'stopLoss',
    side: 'LONG',
    head: 'SL',
    price,
    priceText: `${price}`,
    name: `Stop loss at ${price}`,
    parts: () => [],
    movement: {
      at: (wanted) => {
        const place = Math.round(wanted);
        return {
          price: place,
          priceText: `${place}`,
          parts: [{ text: `${place - 95}`, tone: 'none' }],
          name: `Stop loss at ${place}`,
          fault: place < 100 ? null : 'Stop loss must be below 100.',
        };
      },
      step: (from, ticks) => from + ticks,
      send: () => Promise.resolve(null),
    },
    dismissal: null,
  };
}
const having = (...source: readonly PriceLine[]): LinesState => linesCame(noLines, source);
const only = (state: LinesState) => {
  const shown = shownLines(state);
  expect(shown).toHaveLength(1);
  return shown[0];
};
const held = (price: number) => moveTo(grab(having(stopLoss(90)), stopLoss(90), 'pointer'), price);
const sentTo = (price: number) => drop(held(price)).state;

test('a held line follows the hand on its grid, leaves a ghost and shows the figures of its place', () => {
  const shown = only(held(92.4));
  expect(shown).toMatchObject({ price: 92, priceText: '92', look: 'held', ghost: 90, fault: null });
  expect(shown?.parts()).toEqual([{ text: '-3', tone: 'none' }]);
});

test('what the server says about a held line waits until it is let go', () => {
  const echoed = linesCame(held(92), [stopLoss(88)]);
  expect(only(echoed)).toMatchObject({ price: 92, look: 'held' });
  expect(only(putBack(echoed))).toMatchObject({ price: 88, look: 'still', ghost: null });
  // Even when it is gone.
  const closed = linesCame(held(92), []);
  expect(only(closed)).toMatchObject({ price: 92, look: 'held' });
  expect(shownLines(putBack(closed))).toEqual([]);
});

test('one line is held at a time, and the pointer may take over from the keys', () => {
  const [one, other] = [stopLoss(90), stopLoss(80, 'other')];
  const holding = grab(having(one, other), one, 'keyboard');
  expect(grab(holding, other, 'pointer')).toBe(holding);
  expect(grab(moveTo(holding, 93), one, 'pointer').held).toMatchObject({
    by: 'pointer',
    place: { price: 93 },
  });
});

test('a dropped line stays where it was dropped until the answer, and then until the row', () => {
  const { state, dropped } = drop(held(92));
  expect(dropped).toMatchObject({ kind: 'sent', place: { price: 92 } });
  expect(only(state)).toMatchObject({ price: 92, look: 'waiting', ghost: null });
  expect(only(linesCame(state, [stopLoss(90)]))).toMatchObject({ price: 92, look: 'waiting' });
  // It is not to be had a second time meanwhile.
  expect(grab(state, stopLoss(90), 'pointer')).toBe(state);

  const taken = answered(state, 'sl', null);
  expect(only(taken)).toMatchObject({ price: 92 });
  expect(only(linesCame(taken, [stopLoss(92)]))).toMatchObject({ price: 92, look: 'still' });
  expect(only(settled(taken, 'sl'))).toMatchObject({ price: 90, look: 'still' });
});

test('an answer after its row ends the waiting at once', () => {
  const echoed = linesCame(sentTo(92), [stopLoss(92)]);
  expect(only(answered(echoed, 'sl', null))).toMatchObject({ price: 92, look: 'still' });
});

test('a refused line is back where the account has it', () => {
  expect(only(answered(sentTo(92), 'sl', 'This position is already closed.'))).toMatchObject({
    price: 90,
    look: 'still',
  });
});

test('a place that will not do is shown with its rule, and letting go there puts the line back with that text', () => {
  const wrong = held(101);
  expect(only(wrong)?.fault).toBe('Stop loss must be below 100.');
  const { state, dropped } = drop(wrong);
  expect(dropped).toEqual({ kind: 'refused', text: 'Stop loss must be below 100.' });
  expect(only(state)).toMatchObject({ price: 90, look: 'still' });
});

test('letting go where it was sends nothing', () => {
  expect(drop(held(90.2)).dropped).toEqual({ kind: 'back' });
  expect(drop(noLines).dropped).toEqual({ kind: 'back' });
});

test('a line pulled out of another has no ghost, and is gone when it is put back or refused', () => {
  const draft = grab(noLines, stopLoss(95), 'pointer', { isDraft: true });
  expect(only(draft)).toMatchObject({ price: 95, ghost: null });
  expect(shownLines(putBack(draft))).toEqual([]);
  const { state, dropped } = drop(draft);
  expect(dropped.kind).toBe('sent');
  expect(only(state)).toMatchObject({ price: 95, look: 'waiting' });
  expect(shownLines(answered(state, 'sl', 'No.'))).toEqual([]);
});

test('a line that is being taken away waits where it is and cannot be held', () => {
  const leaving = leave(having(stopLoss(90)), 'sl');
  expect(only(leaving)?.look).toBe('waiting');
  expect(grab(leaving, stopLoss(90), 'pointer')).toBe(leaving);
  expect(leave(leaving, 'sl')).toBe(leaving);
  expect(only(stay(leaving, 'sl'))?.look).toBe('still');
  expect(linesCame(leaving, []).leaving.size).toBe(0);
});
