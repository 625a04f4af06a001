/** Translates what a unique index refuses. */

/** Runs a write; a row that the unique index `name` refuses becomes the error `errors[name]` makes. */
export async function mapUniqueViolation<T>(
  errors: Readonly<Record<string, () => Error>>,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const make = errors[violatedIndex(error) ?? ''];
    throw make ? make() : error;
  }
}

function violatedIndex(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return undefined;
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : undefined;
}
