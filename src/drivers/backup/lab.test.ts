// The lab's repository passes the tests of all repositories.
import { rename } from 'node:fs/promises';
import { temporaryFolder } from '#test/support/folder.ts';
import { describeRepository } from './conformance.ts';
import { openLabRepository } from './lab.ts';

describeRepository(
  'the repository of the lab',
  {},
  async () => {
    const folder = await temporaryFolder('lab-backups');
    const settings = { driver: 'lab', path: folder.path } as const;
    return {
      repository: openLabRepository(settings, { name: 'machine-1', password: '' }),
      takeOffline: () => rename(folder.path, `${folder.path}.away`),
      async [Symbol.asyncDispose]() {
        await rename(`${folder.path}.away`, folder.path).catch(() => {});
        await folder[Symbol.asyncDispose]();
      },
    };
  },
  'plain',
);
