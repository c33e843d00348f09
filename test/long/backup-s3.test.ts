// The repositories of restic on storage with the S3 API, that of OpenStack Swift.
import { describeRepository } from '#drivers/backup/conformance.ts';
import { openRestic } from '#drivers/backup/restic.ts';
import { needsSwift, startSwift } from '#test/support/swift.ts';

describeRepository(
  'a restic repository on S3',
  needsSwift(),
  async () => {
    const swift = await startSwift();
    const { url, accessKeyId, secretAccessKey } = swift;
    const settings = { driver: 's3', path: 'machines', url, accessKeyId, secretAccessKey } as const;
    const open = (password: string) => openRestic(settings, { name: 'machine-1', password }, 0);
    process.env['SSL_CERT_FILE'] = swift.certificate;
    return {
      repository: open('correct horse'),
      stranger: open('battery staple'),
      takeOffline: () => swift.stop(),
      async [Symbol.asyncDispose]() {
        delete process.env['SSL_CERT_FILE'];
        await swift[Symbol.asyncDispose]();
      },
    };
  },
  'encrypted and deduplicated',
);
