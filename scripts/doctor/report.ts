/** The lines of the doctor. A ✗ prevents Fulcrum from working; a ! is a warning. Imports nothing that has to be installed. */

type Level = 'good' | 'worth knowing' | 'wrong';
const marks: Readonly<Record<Level, string>> = { good: '✓', 'worth knowing': '!', wrong: '✗' };

export class Report {
  #wrong = 0;

  /** How many findings prevent Fulcrum from working. */
  get wrong(): number {
    return this.#wrong;
  }

  good(what: string): void {
    this.#print('good', what);
  }

  hint(what: string, todo: string): void {
    this.#print('worth knowing', what, todo);
  }

  bad(what: string, todo: string): void {
    this.#wrong += 1;
    this.#print('wrong', what, todo);
  }

  /** Runs one examination; whatever it throws is a finding, and the others go on. Undefined when it threw. */
  async examine<T>(what: string, work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.bad(`${what}: ${messageOf(error)}`, 'repair this and run npm run doctor again');
      return undefined;
    }
  }

  #print(level: Level, what: string, todo?: string): void {
    const line = todo === undefined ? what : `${what} — ${todo}`;
    process.stdout.write(`${marks[level]} ${line.replaceAll(/\s*\n\s*/g, ' ')}\n`);
  }
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
