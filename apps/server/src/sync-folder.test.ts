import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { syncFolder } from './sync-folder.ts';

const refusing = (code: string) => () => Promise.reject(Object.assign(new Error('no sync here'), { code }));

test('a folder is brought to disk', async () => {
  await syncFolder(tmpdir());
  await expect(syncFolder('/nowhere/at/all')).rejects.toThrow('ENOENT');
});

test.each(['EINVAL', 'EBADF', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])(
  'a disk that answers %s to the sync of a folder is left alone, and its folder closed',
  async (code) => {
    let closed = 0;
    const close = async () => {
      closed += 1;
    };
    await syncFolder('/', async () => ({ sync: refusing(code), close }));
    expect(closed).toBe(1);
  },
);

test('a folder that its user may not list is left alone, and a broken disk is not', async () => {
  await syncFolder('/', refusing('EACCES'));
  await expect(syncFolder('/', async () => ({ sync: refusing('EIO'), close: async () => {} }))).rejects.toThrow(
    'no sync',
  );
});
