/** The columns of levels and trades: price, size, and what belongs to them. */
export const bookColumns = 'grid grid-cols-[1fr_1fr_1fr] gap-2 px-2.5';
