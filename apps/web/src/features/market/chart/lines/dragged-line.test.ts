import { expect, test } from 'vitest';
import {
  cancelDrag,
  cancelRemoval,
  dragTo,
  dropLine,
  getShownLines,
  type LinesState,
  noLines,
  startDrag,
  startRemoval,
  withAnswer,
  withoutAccepted,
  withSource,
} from './dragged-line.ts';
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
      at: (target) => {
        const rounded = Math.round(target);
        return {
          price: rounded,
          priceText: `${rounded}`,
          parts: [{ text: `${rounded - 95}`, tone: 'none' }],
          name: `Stop loss at ${rounded}`,
          fault: rounded < 100 ? null : 'Stop loss must be below 100.',
        };
      },
      step: (from, ticks) => from + ticks,
      send: () => Promise.resolve(null),
    },
    dismissal: null,
  };
}
const having = (...source: readonly PriceLine[]): LinesState => withSource(noLines, source);
const only = (state: LinesState) => {
  const shown = getShownLines(state);
  expect(shown).toHaveLength(1);
  return shown[0];
};
const held = (price: number) => dragTo(startDrag(having(stopLoss(90)), stopLoss(90), 'pointer'), price);
const sentTo = (price: number) => dropLine(held(price)).state;

test('a dragged line follows the pointer on its grid, leaves a ghost and shows the figures of its price', () => {
  const shown = only(held(92.4));
  expect(shown).toMatchObject({ price: 92, priceText: '92', status: 'dragged', ghost: 90, fault: null });
  expect(shown?.parts()).toEqual([{ text: '-3', tone: 'none' }]);
});

test('server updates of a dragged line wait until it is dropped', () => {
  const echoed = withSource(held(92), [stopLoss(88)]);
  expect(only(echoed)).toMatchObject({ price: 92, status: 'dragged' });
  expect(only(cancelDrag(echoed))).toMatchObject({ price: 88, status: 'idle', ghost: null });
  // The answer applies even after the line is gone.
  const closed = withSource(held(92), []);
  expect(only(closed)).toMatchObject({ price: 92, status: 'dragged' });
  expect(getShownLines(cancelDrag(closed))).toEqual([]);
});

test('one line is dragged at a time, and the pointer may take over from the keyboard', () => {
  const [one, other] = [stopLoss(90), stopLoss(80, 'other')];
  const holding = startDrag(having(one, other), one, 'keyboard');
  expect(startDrag(holding, other, 'pointer')).toBe(holding);
  expect(startDrag(dragTo(holding, 93), one, 'pointer').dragged).toMatchObject({
    by: 'pointer',
    target: { price: 93 },
  });
});

test('a dropped line stays in place until the answer, and then until the updated row', () => {
  const { state, dropped } = dropLine(held(92));
  expect(dropped).toMatchObject({ kind: 'sent', target: { price: 92 } });
  expect(only(state)).toMatchObject({ price: 92, status: 'pending', ghost: null });
  expect(only(withSource(state, [stopLoss(90)]))).toMatchObject({ price: 92, status: 'pending' });
  // The same handle cannot start a second drag meanwhile.
  expect(startDrag(state, stopLoss(90), 'pointer')).toBe(state);

  const accepted = withAnswer(state, 'sl', null);
  expect(only(accepted)).toMatchObject({ price: 92 });
  expect(only(withSource(accepted, [stopLoss(92)]))).toMatchObject({ price: 92, status: 'idle' });
  expect(only(withoutAccepted(accepted, 'sl'))).toMatchObject({ price: 90, status: 'idle' });
});

test('an answer after its row ends the wait at once', () => {
  const echoed = withSource(sentTo(92), [stopLoss(92)]);
  expect(only(withAnswer(echoed, 'sl', null))).toMatchObject({ price: 92, status: 'idle' });
});

test('a refused line returns to the price of the account', () => {
  expect(only(withAnswer(sentTo(92), 'sl', 'This position is already closed.'))).toMatchObject({
    price: 90,
    status: 'idle',
  });
});

test('an invalid price shows its rule, and dropping there returns the line with that text', () => {
  const wrong = held(101);
  expect(only(wrong)?.fault).toBe('Stop loss must be below 100.');
  const { state, dropped } = dropLine(wrong);
  expect(dropped).toEqual({ kind: 'refused', text: 'Stop loss must be below 100.' });
  expect(only(state)).toMatchObject({ price: 90, status: 'idle' });
});

test('dropping a line at its starting price sends nothing', () => {
  expect(dropLine(held(90.2)).dropped).toEqual({ kind: 'back' });
  expect(dropLine(noLines).dropped).toEqual({ kind: 'back' });
});

test('a line created from another has no ghost, and disappears when it is returned or refused', () => {
  const draft = startDrag(noLines, stopLoss(95), 'pointer', { isDraft: true });
  expect(only(draft)).toMatchObject({ price: 95, ghost: null });
  expect(getShownLines(cancelDrag(draft))).toEqual([]);
  const { state, dropped } = dropLine(draft);
  expect(dropped.kind).toBe('sent');
  expect(only(state)).toMatchObject({ price: 95, status: 'pending' });
  expect(getShownLines(withAnswer(state, 'sl', 'No.'))).toEqual([]);
});

test('a line whose removal is in flight stays in place and cannot be dragged', () => {
  const leaving = startRemoval(having(stopLoss(90)), 'sl');
  expect(only(leaving)?.status).toBe('pending');
  expect(startDrag(leaving, stopLoss(90), 'pointer')).toBe(leaving);
  expect(startRemoval(leaving, 'sl')).toBe(leaving);
  expect(only(cancelRemoval(leaving, 'sl'))?.status).toBe('idle');
  expect(withSource(leaving, []).removing.size).toBe(0);
});
