/** Parses and formats IP addresses. */
import { isIPv4, isIPv6 } from 'node:net';

/** Returns the eight groups of a valid IPv6 address. */
export function groupsOf(address: string): number[] {
  const dotted = /^(?<head>.*:)(?<a>\d+)\.(?<b>\d+)\.(?<c>\d+)\.(?<d>\d+)$/.exec(address)?.groups;
  const pair = (high: string | undefined, low: string | undefined) =>
    ((Number(high) << 8) | Number(low)).toString(16);
  const text = dotted
    ? `${dotted.head ?? ''}${pair(dotted.a, dotted.b)}:${pair(dotted.c, dotted.d)}`
    : address;
  const [left = '', right] = text.split('::', 2);
  const groups = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const head = groups(left);
  const tail = right === undefined ? [] : groups(right);
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
}

/** Formats the last two of eight groups as an IPv4 address. */
export function dotted4(groups: readonly number[]): string {
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/**
 * Extracts the bare address from the text that a socket or a proxy reports: without port, brackets or zone. An IPv4 address
 * that is mapped into IPv6 becomes plain IPv4. Null when there is none.
 */
export function bareAddress(text: string): string | null {
  const enclosed = /^\[(?<address>[^\]]+)\](?::\d+)?$/.exec(text) ?? /^(?<address>[\d.]+):\d+$/.exec(text);
  const [address = ''] = (enclosed?.groups?.address ?? text).split('%', 1);
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return null;
  const groups = groupsOf(address);
  return groups.slice(0, 6).join() === '0,0,0,0,0,65535' ? dotted4(groups) : address;
}
