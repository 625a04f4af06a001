import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Sparkline } from './Sparkline.tsx';

const draw = (...values: readonly number[]) =>
  renderToStaticMarkup(
    <Sparkline label="Example" points={values.map((value, at) => ({ at, value }))} hasStartLine />,
  );

test('the curve fills its box in time and from its lowest to its highest value', () => {
  const drawn = draw(1, 3, 2);
  expect(drawn).toContain('d="M0 93L50 7L100 50V100H0Z"');
  expect(drawn).toContain('d="M0 93L50 7L100 50"');
  expect(drawn).toContain('d="M0 93H100"');
  expect(drawn).toContain('top:50%');
});

test('a constant value is a line in the middle', () => {
  expect(draw(5, 5)).toContain('d="M0 50L100 50"');
});
