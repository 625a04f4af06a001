/**
 * What carries messages between the processes of a cluster. Invariants for who builds on it: any message may be lost; messages of one
 * process with one subject arrive in their order; a process does not hear what it published itself. No safety rule rests on an
 * arrival: PostgreSQL decides.
 */

/** Nobody serves the subject: nothing was done. */
export class NoResponders extends Error {
  constructor(subject: string) {
    super(`nobody serves ${subject}`);
    this.name = 'NoResponders';
  }
}

/** No reply in time, or the connection broke: whether something was done is unknown. */
export class NoReply extends Error {
  constructor(subject: string) {
    super(`no reply from ${subject}`);
    this.name = 'NoReply';
  }
}

/** A message beyond 32 MiB, which was not sent. */
export class MessageTooLarge extends RangeError {
  override readonly name = 'MessageTooLarge';
}

/** Parts of a subject are separated by dots; `*` stands for one part, and `>` at the end for all that follow. */
export interface ClusterLink {
  /** Id of this process, a new one each start. */
  readonly processId: string;
  /** To everybody who subscribes. Payloads are JSON. */
  publish(subject: string, payload: unknown): void;
  /** A listener of several subjects gets a message that fits more than one of them once. The returned function ends it. */
  subscribe(subject: string, listener: (payload: unknown, subject: string) => void): () => void;
  /** @throws NoResponders, at once; MessageTooLarge; NoReply */
  request(subject: string, payload: unknown, timeoutMs: number): Promise<unknown>;
  /** Answers requests; a handler that throws answers nothing. The returned function ends it. */
  serve(subject: string, handler: (payload: unknown) => unknown): () => void;
  /** False from the moment on at which the connection is known to be lost. */
  isConnected(): boolean;
  /** Called at each change. */
  onConnection(listener: (isConnected: boolean) => void): () => void;
}
