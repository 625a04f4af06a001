/** The message that joins a topic on a realtime connection, and follows the rows of `changes`. */
export const joinOf = (topic: string, token: string, changes?: readonly object[], ref = '1'): string =>
  JSON.stringify([
    ...[ref, ref, `realtime:${topic}`, 'phx_join'],
    { access_token: token, ...(changes && { config: { postgres_changes: changes } }) },
  ]);
