/**
 * The state of an address that only remembers what is already in view, such as an entry that was unfolded: the page's reader
 * stays where they are, whatever hash it carries.
 */
export const inPlace = { inPlace: true } as const;

export const isInPlace = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'inPlace' in state && state.inPlace === true;

export { useAddressParams } from './useAddressParams.ts';
