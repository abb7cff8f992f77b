import type { User } from '@voltdeck/contract/users';
import { expect, test } from 'vitest';
import { bodyOf, maskedPhone, passwordOf, valuesOf } from './user-form-body.ts';

test('a form that was opened and saved changes nothing', () => {
  const user = { userName: 'li', realName: 'Li', phone: '13800001234', positionId: 3, agentId: null } as User;
  const values = valuesOf(user) as Parameters<typeof bodyOf>[0];
  expect(bodyOf(values, true)).toEqual({ realName: 'Li', phone: '13800001234', positionId: 3, agentId: null });
});

test('an emptied phone and position are taken away', () => {
  expect(bodyOf({ realName: 'Li', phone: ' ' }, true)).toEqual({
    realName: 'Li',
    phone: null,
    positionId: null,
    agentId: null,
  });
});

test('who cannot choose an agent names none', () => {
  expect(bodyOf({ realName: 'Li', agentId: 4 }, false)).not.toHaveProperty('agentId');
});

test('a password is sent only when it was to be typed', () => {
  expect(passwordOf({ passwordWay: 'made', password: 'left over' })).toEqual({});
  expect(passwordOf({ passwordWay: 'typed', password: 'wide river 7' })).toEqual({ password: 'wide river 7' });
});

test('a masked phone shows enough to be recognised', () => {
  expect(maskedPhone('13812345678')).toBe('138****5678');
});
