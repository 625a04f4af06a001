/** Key of the query behind the header's halt badge. */
export const haltKey = ['staff', 'halt'] as const;
