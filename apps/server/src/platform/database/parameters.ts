/** The values of one statement that is put together from parts; each `place` is written as `$n` with its type. */
export class Parameters {
  readonly values: unknown[] = [];
  bind(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}
