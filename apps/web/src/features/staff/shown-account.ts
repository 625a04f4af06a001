/** The trading account that a staff screen or dialog shows (A112). */
export interface ShownAccount {
  /** Null for the main account. */
  readonly id: string | null;
  /** Null where the user has one account: nothing has to be named. */
  readonly name: string | null;
}

export const mainAccount: ShownAccount = { id: null, name: null };

/** `Orders, Swing`. */
export const titleOf = (title: string, { name }: ShownAccount): string =>
  name === null ? title : `${title}, ${name}`;
