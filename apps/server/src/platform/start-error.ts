/**
 * A reason not to start that the operator can act on. The message is one complete line; `main.ts` prints it without a stack
 * and exits with status 1. Any other error during the start is a fault and is printed whole.
 */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
