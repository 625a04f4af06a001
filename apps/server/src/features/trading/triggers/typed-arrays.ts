/** Columns in typed arrays, which have a fixed length: one that is full is copied to a larger one. */
interface Column<Self> {
  readonly length: number;
  set(values: Self): void;
}

export function grown<Self extends Column<Self>>(
  column: Self,
  make: new (length: number) => Self,
  capacity: number,
): Self {
  const larger = new make(capacity);
  larger.set(column);
  return larger;
}
