import { describe, expect, test } from 'vitest';
import { cannedReplyLimits, defaultReplies, fillReply, findReplies } from './canned-replies.ts';

describe('the replies that everybody has', () => {
  test('fit the table of personal replies, each under its own shortcut', () => {
    for (const { shortcut, content } of defaultReplies) {
      expect(shortcut).toMatch(/^[a-z0-9][a-z0-9-]{0,23}$/);
      expect(content.length).toBeLessThanOrEqual(cannedReplyLimits.content);
    }
    expect(new Set(defaultReplies.map(({ shortcut }) => shortcut)).size).toBe(defaultReplies.length);
  });
  test('name no place that cannot be filled', () => {
    for (const { content } of defaultReplies) {
      expect(fillReply(content, { username: 'amelia', agent: 'lina' })).not.toMatch(/[{}]/);
    }
  });
});

test('names are filled in as they are, unknown places stay visible', () => {
  const variables = { username: '$& {agent}', agent: 'lina' };
  expect(fillReply('{username}, {agent}, {balance}', variables)).toBe('$& {agent}, lina, {balance}');
  expect(fillReply('Hello {username}', { username: '', agent: 'lina' })).toBe('Hello {username}');
});

describe('what is typed finds', () => {
  const replies = [
    { shortcut: 'bye', content: 'Thank you. Your margin is free.' },
    { shortcut: 'no-margin', content: 'There is none.' },
    { shortcut: 'margin', content: 'It is held.' },
  ];
  const found = (typed: string) => findReplies(replies, typed).map(({ shortcut }) => shortcut);
  test('everything in its order before a word', () => {
    expect(found('')).toEqual(['bye', 'no-margin', 'margin']);
    expect(found(' / ')).toEqual(['bye', 'no-margin', 'margin']);
  });
  test('the beginning of a shortcut first, then its middle, then the text', () => {
    expect(found('MAR')).toEqual(['margin', 'no-margin', 'bye']);
    expect(found('/no')).toEqual(['no-margin']);
  });
  test('nothing where nothing fits', () => expect(found('xyz')).toEqual([]));
});
