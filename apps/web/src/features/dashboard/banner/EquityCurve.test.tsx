import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Plot } from './EquityCurve.tsx';

const draw = (...values: readonly number[]) =>
  renderToStaticMarkup(<Plot points={values.map((value, at) => ({ at, value }))} equity={100} />);

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

test('without a trade a text states when the curve starts', () => {
  expect(draw(0, 0, 0)).toContain('Your curve starts with the first trade.');
});

test('a result below a hundredth of the equity does not fill the height', () => {
  const heightOf = (drawn: string) => {
    const heights = [...drawn.matchAll(/[ML,]?-?[\d.]+[ ,]([\d.]+)/g)].map(([, y]) => Number(y));
    return Math.max(...heights) - Math.min(...heights);
  };
  const lineOf = (drawn: string) => / d="(M[^"]*)" fill="none"/.exec(drawn)?.[1] ?? '';
  expect(heightOf(lineOf(draw(0, 0.1)))).toBeLessThan(10);
  expect(heightOf(lineOf(draw(0, 2)))).toBeGreaterThan(80);
});
