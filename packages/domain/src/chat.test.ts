import { describe, expect, test } from 'vitest';
import { chatLimits, parseMessage } from './chat.ts';

describe('a typed message', () => {
  test('CHAT-08: it is trimmed', () => {
    expect(parseMessage('  Hello\nthere \t\n')).toEqual({ kind: 'message', content: 'Hello\nthere' });
  });
  test.each(['', ' \n\t ', '\u200b\u3164 \u2800'])('CHAT-07: %j is blank', (typed) => {
    expect(parseMessage(typed)).toEqual({ kind: 'refused', fault: 'blank' });
  });
  test.each(['\u0001\u0007', '\0 \x7f\x9b'])(
    'CHAT-07: %j has only control characters and is blank',
    (typed) => {
      expect(parseMessage(typed)).toEqual({ kind: 'refused', fault: 'blank' });
    },
  );
  test('it keeps its lines and no control character', () => {
    expect(parseMessage('a\r\nb\rc\td\u001b[31m\u0085')).toEqual({
      kind: 'message',
      content: 'a\nb\nc\td[31m',
    });
  });
  test('characters are counted, not their halves', () => {
    const longest = '𝒯'.repeat(chatLimits.messageChars);
    expect(parseMessage(` ${longest} `)).toEqual({ kind: 'message', content: longest });
    expect(parseMessage(`${longest}x`)).toEqual({ kind: 'refused', fault: 'too long' });
  });
});
