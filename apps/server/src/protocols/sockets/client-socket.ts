/**
 * One socket to a client. Invariant: a client that does not read costs a bounded amount of memory: it misses what is sent again
 * (prices) while it is behind, and is disconnected when even the rest does not drain. Account changes are never dropped.
 */
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';

/** Bounds of what a client has not read. */
interface UnsentLimits {
  readonly behindBytes: number;
  readonly behindMs: number;
  readonly cutBytes: number;
}

export interface ClientSocketOptions {
  readonly webSocket: WebSocket;
  /** Below `webSocket`. */
  readonly socket: Socket;
  readonly address: string;
  readonly limits: UnsentLimits;
  /** Called when the client is disconnected because it does not read. */
  readonly onCut: (reason: string) => void;
}

export class ClientSocket {
  readonly address: string;
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  readonly #limits: UnsentLimits;
  readonly #onCut: ClientSocketOptions['onCut'];
  #behindSinceMs: number | null = null;

  constructor({ webSocket, socket, limits, onCut, address }: ClientSocketOptions) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#limits = limits;
    this.#onCut = onCut;
    this.address = address;
  }

  get isOpen(): boolean {
    return this.#webSocket.readyState === this.#webSocket.OPEN;
  }

  /** Bytes that the client has not read yet. */
  get unsentBytes(): number {
    return this.#socket.writableLength;
  }

  /** Whether the client is behind; disconnects it when that lasts too long. */
  isBehind(nowMs: number): boolean {
    if (this.unsentBytes <= this.#limits.behindBytes) {
      this.#behindSinceMs = null;
      return false;
    }
    this.#behindSinceMs ??= nowMs;
    if (nowMs - this.#behindSinceMs > this.#limits.behindMs) this.#cut('behind for too long');
    return true;
  }

  close(code: number, reason: string): void {
    this.#webSocket.close(code, reason);
  }

  /**
   * Closes without waiting for the client. Later input is not read any more: it would cost as much as before and count
   * nowhere. `terminate` follows when the close frame has had time to arrive.
   */
  dismiss(code: number, reason: string): void {
    if (!this.isOpen) return;
    this.close(code, reason);
    this.#webSocket.pause();
  }

  terminate(): void {
    this.#webSocket.terminate();
  }

  /**
   * Writes a whole message past the library, which would create a header, an options object and two writes per socket. That
   * is safe because the library also writes whole messages, compresses nothing and buffers none.
   */
  write(bytes: Buffer): void {
    if (!this.isOpen) return;
    this.#socket.write(bytes);
    if (this.unsentBytes > this.#limits.cutBytes) this.#cut('too many unsent bytes');
  }

  /** Combines all such writes of one tick of the event loop: a batch may have many changes for one trader. */
  writeGathered(bytes: Buffer): void {
    const socket = this.#socket;
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    this.write(bytes);
  }

  #cut(reason: string): void {
    if (!this.isOpen) return;
    this.#onCut(reason);
    this.terminate();
  }
}
