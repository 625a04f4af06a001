import { describe, expect, test } from 'vitest';
import { chatLimits, parseMessage } from './chat.ts';

describe('a typed message', () => {
  test('CHAT-08: it is trimmed', () => {
    expect(parseMessage('  Hello\nthere \t\n')).toEqual({ kind: 'message', content: 'Hello\nthere' });
  });
  test.each(['', ' \n\t ', '\u200b\u3164 \u2800'])('CHAT-07: %j is blank', (typed) => {
    expect(parseMessage(typed)).toEqual({ kind: 'refused', fault: 'blank' });
  });
  test('characters are counted, not their halves', () => {
    const longest = '𝒯'.repeat(chatLimits.messageChars);
    expect(parseMessage(` ${longest} `)).toEqual({ kind: 'message', content: longest });
    expect(parseMessage(`${longest}x`)).toEqual({ kind: 'refused', fault: 'too long' });
  });
});
