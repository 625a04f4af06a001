import { expect, test } from 'vitest';
import { auditActionNames, auditActions, toPresentAction } from './audit-actions.ts';

test('an audit action is an object, a dot and a verb, and stands once', () => {
  for (const action of auditActions) expect(action).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/);
  expect(new Set(auditActions).size).toBe(auditActions.length);
});

test('rows from before 2026-11 are found under their former name, and read under the present one', () => {
  expect(auditActionNames('user.create')).toEqual(['user.create', 'user_created']);
  expect(auditActionNames('position.edit')).toEqual(['position.edit']);
  for (const action of auditActions)
    expect(auditActionNames(action).map(toPresentAction)).toEqual(auditActionNames(action).map(() => action));
  expect(toPresentAction('margin.call')).toBe('margin.call');
});
