import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Plot } from './EquityCurve.tsx';

const draw = (...values: readonly number[]) =>
  renderToStaticMarkup(<Plot points={values.map((value, at) => ({ at, value }))} />);

test('no point and one point are no curve: a text states when it starts', () => {
  for (const drawn of [draw(), draw(3)]) {
    expect(drawn).toContain('The curve starts with the next hour');
    expect(drawn).not.toMatch(/role="img"|NaN|Infinity/);
  }
});

test('a curve has the colour of its gain', () => {
  expect(draw(1, 3, 2)).toContain('text-up');
  expect(draw(3, 1, 2)).toContain('text-down');
  expect(draw(2, 3, 2)).toContain('text-accent');
});
