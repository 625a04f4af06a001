/**
 * Navigation state of a URL change that only records what is already visible, such as an expanded entry: the page keeps its
 * scroll position, whatever hash the URL has.
 */
export const inPlace = { inPlace: true } as const;

export const isInPlace = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'inPlace' in state && state.inPlace === true;

export { useUrlParams } from './useUrlParams.ts';
