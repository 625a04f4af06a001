/** One message of a server, ready to be written to many sockets. */

/** Opcodes of RFC 6455 §5.2. */
const opcodes = { text: 1, binary: 2 } as const;

/** `payload` as one whole WebSocket message of a server: unmasked, not fragmented (RFC 6455 §5.2). */
export function message(payload: Buffer, kind: keyof typeof opcodes = 'text'): Buffer {
  const { length } = payload;
  const headerBytes = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const bytes = Buffer.allocUnsafe(headerBytes + length);
  bytes[0] = 0x80 | opcodes[kind];
  if (headerBytes === 2) bytes[1] = length;
  if (headerBytes === 4) {
    bytes[1] = 126;
    bytes.writeUInt16BE(length, 2);
  }
  if (headerBytes === 10) {
    bytes[1] = 127;
    bytes.writeBigUInt64BE(BigInt(length), 2);
  }
  payload.copy(bytes, headerBytes);
  return bytes;
}
